/**
 * The owner of an object: a resource's URN with the kind as its type, `urn:pulumi:dev::project::group$Coupon::spring`. It is
 * the same for a dynamic resource and the plugin's. The SDK passes it as `__of`, and notes contain it.
 */
import type { StackPlace } from "../../engine/pulumi/backend.ts";
import { parseUrn, typeOf } from "../../engine/pulumi/urn.ts";

import { kindOfType } from "./types.ts";

export interface Owner {
  readonly stack: string;
  /** Undefined in owners of older versions, which have only stack and name. */
  readonly project: string | undefined;
  /** Unique in its stack and kind: the types of its parents, and its name. */
  readonly place: string;
  /** The resource's name; undefined if it isn't known. */
  readonly name: string | undefined;
}

/** @param above types of its parents, the outermost first */
export const ownerText = (
  { stack, project }: StackPlace,
  above: readonly string[],
  kind: string,
  name: string,
): string => `urn:pulumi:${stack}::${project}::${[...above, kind].join("$")}::${name}`;

/** The owner for a URN of either form. @throws Error if the URN isn't one of our resources */
export function ownerOf(urn: string): { readonly kind: string; readonly of: string } {
  const kind = kindOfType(typeOf(urn));
  const parts = parseUrn(urn);
  if (!urn.startsWith("urn:pulumi:") || kind === undefined || parts.name === "")
    throw new Error(`${JSON.stringify(urn)} is not a resource of the package shop`);
  return { kind, of: ownerText(parts, parts.types.split("$").slice(0, -1), kind, parts.name) };
}

type Arguments = Readonly<Record<string, unknown>>;

/** The owner in arguments; empty if there is none. */
export const ownerIn = ({ __of }: Arguments): string => String(__of ?? "");

export function readOwner(of: string): Owner {
  if (of.startsWith("urn:pulumi:")) {
    const { stack, project, types, name } = parseUrn(of);
    return { stack, project, name, place: [...types.split("$").slice(0, -1), name].join("$") };
  }
  const [, stack, place] = /^(.*?)::(.*)$/s.exec(of) ?? [];
  if (stack === undefined || place === undefined)
    return { stack: of, project: undefined, place: of, name: undefined };
  return { stack, project: undefined, place, name: place.split(/[$]|::/).at(-1) ?? place };
}

/** Identifies an object among all kinds: `Coupon:8841`. */
export const objectKey = (kind: string, id: string): string => `${kind}:${id}`;

/** Which resource arguments are of: its kind and URN; without the SDK's word of it nothing tells two apart. */
export const resourceOf = (kind: string, args: Arguments): string => `${kind} ${ownerIn(args)}`;

/** The resource's name, as a program writes it. */
export const nameIn = (args: Arguments): string => readOwner(ownerIn(args)).name ?? "";

/** A resource's name for a message, or its kind if the name isn't known. */
export const calledIn = ({ kind }: { readonly kind: string }, args: Arguments): string =>
  nameIn(args) || kind;

export const nameOf = (resource: string): string => {
  const of = resource.slice(resource.indexOf(" ") + 1);
  return readOwner(of).name ?? of;
};
