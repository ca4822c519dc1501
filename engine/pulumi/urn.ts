/** Names of resources (Pulumi's sdk/go/common/resource/urn): urn:pulumi:<stack>::<project>::<types>::<name>. */
export interface UrnParts {
  readonly stack: string;
  readonly project: string;
  /** The types from the outermost component to the resource itself. */
  readonly types: string;
  readonly name: string;
}

/** A URN as an error shows it. */
export const quoted = (urn: string): string => JSON.stringify(urn);

export function parseUrn(urn: string): UrnParts {
  const [head = "", project = "", types = "", ...name] = urn.split("::");
  return { stack: head.slice("urn:pulumi:".length), project, types, name: name.join("::") };
}

/** @throws Error for an alias that is a text and no URN: Pulumi takes a text for a URN */
export function refuseNoUrn(alias: string): void {
  if (/^urn:pulumi:.*::.*::.*::/s.test(alias)) return;
  throw new Error(
    `aliases: ${JSON.stringify(alias)} is no URN; for the name that the resource had, write { name: ${JSON.stringify(alias)} }`,
  );
}

export const typeOf = (urn: string) => parseUrn(urn).types.split("$").at(-1) ?? "";
/** What a person calls a type: the last of its parts. */
export const kindOf = (urn: string) => typeOf(urn).split(":").at(-1) ?? "";
/** Whether a type is one that Pulumi itself has: a stack, a provider, a reference to a stack. */
export const isPulumisOwn = (type: string): boolean => type.startsWith("pulumi:");
export const stackType = "pulumi:pulumi:Stack";

/** The urn of a resource under a parent; the stack itself leaves no trace in its children's types. */
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

/** The urn and the id of a reference to a provider. */
export function referenceParts(reference: string): { readonly urn: string; readonly id: string } {
  const at = reference.lastIndexOf("::");
  return { urn: reference.slice(0, at), id: reference.slice(at + 2) };
}

/** The package whose provider is the SDK's own host. */
export const dynamicPackageName = "pulumi-nodejs";

/** The package of what Pulumi itself provides: references to stacks. */
export const ownPackageName = "pulumi";

const providers = "pulumi:providers:";
export const isProviderType = (type: string): boolean => type.startsWith(providers);

/** The package that a type is of; of a provider the one that it provides: `pulumi:providers:random` is of random. */
export const packageOf = (type: string): string =>
  isProviderType(type) ? type.slice(providers.length) : (type.split(":")[0] ?? "");
