/** Resource names (sdk/go/common/resource/urn): urn:pulumi:<stack>::<project>::<types>::<name>. */
import { nearest } from "../common/nearest.ts";

/** A URN in an error message. */
export const quoted = (urn: string): string => JSON.stringify(urn);

export function parseUrn(urn: string) {
  const [head = "", project = "", types = "", ...name] = urn.split("::");
  // The types are those from the outermost component to the resource itself.
  return { stack: head.slice("urn:pulumi:".length), project, types, name: name.join("::") };
}

export const isUrn = (text: string): boolean => /^urn:pulumi:.*::.*::.*::/s.test(text);

/** @throws Error for an alias that is a plain name: Pulumi takes a text for a URN */
export function refuseNoUrn(alias: string): void {
  if (isUrn(alias)) return;
  throw new Error(
    `aliases: ${JSON.stringify(alias)} is not a URN; if it is the resource's old name, write { name: ${JSON.stringify(alias)} }`,
  );
}

export const typeOf = (urn: string) => parseUrn(urn).types.split("$").at(-1) ?? "";
/** The last part of a type, the class name in a program. */
export const kindOf = (urn: string) => typeOf(urn).split(":").at(-1) ?? "";
/** Whether a type is Pulumi's own: a stack, a provider, a stack reference. */
export const isPulumisOwn = (type: string): boolean => type.startsWith("pulumi:");
/** Whether an engine has made a provider by itself: it calls it `default` or `default_0_1_0`. */
export const isDefaultProvider = (name: string): boolean => /^default(_|$)/.test(name);
export const stackType = "pulumi:pulumi:Stack";

/** The URN of a resource under a parent; the stack's type isn't part of its children's. */
export function makeUrn(
  stack: string,
  project: string,
  parent: string | undefined,
  type: string,
  name: string,
): string {
  const above = parent === undefined || parent === "" ? "" : parseUrn(parent).types;
  const types = above === "" || above === stackType ? type : `${above}$${type}`;
  return `urn:pulumi:${stack}::${project}::${types}::${name}`;
}

export function referenceParts(reference: string): { readonly urn: string; readonly id: string } {
  const at = reference.lastIndexOf("::");
  return { urn: reference.slice(0, at), id: reference.slice(at + 2) };
}

/** The package of dynamic resources, whose provider is the SDK's host. */
export const dynamicPackageName = "pulumi-nodejs";

/** Pulumi's own package, which provides stack references. */
export const ownPackageName = "pulumi";

const providers = "pulumi:providers:";
export const isProviderType = (type: string): boolean => type.startsWith(providers);

/** The package of a type; for a provider the package that it provides: `random` for `pulumi:providers:random`. */
export const packageOf = (type: string): string =>
  isProviderType(type) ? type.slice(providers.length) : (type.split(":")[0] ?? "");

/** `, did you mean mug, cup?`, or an empty text: `typed` are names, `urns` the URNs of existing resources. */
export function didYouMeanAny(typed: readonly string[], urns: readonly string[]): string {
  const names = [...new Set(urns.map((urn) => parseUrn(urn).name))];
  const near = typed.flatMap((one) => nearest(one, names) ?? []);
  return near.length === 0 ? "" : `, did you mean ${near.join(", ")}?`;
}
