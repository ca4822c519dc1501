/**
 * Facts that the provider needs beside the arguments, because engines don't pass them on: the resource's name and which
 * arguments are secret.
 */

import * as pulumi from "@pulumi/pulumi";
import { isPlain } from "../engine/common/record.ts";
import { ignoredText } from "../engine/pulumi/path.ts";
import { typesAbove } from "../engine/pulumi/sdk-internals.ts";
import { stackType } from "../engine/pulumi/urn.ts";
import { ownerText } from "../provider/names/owner.ts";

/** The owner of a resource's object, independent of its arguments (docs/decisions/0010-finding-an-interrupted-create.md). */
export function identityOf(
  kind: string,
  name: string,
  opts: pulumi.CustomResourceOptions | undefined,
): string {
  const above = typesAbove(opts?.parent).filter((type) => type !== stackType);
  return ownerText({ stack: pulumi.getStack(), project: pulumi.getProject() }, above, kind, name);
}

/** Names of the arguments that contain a secret, joined with commas; undefined if none can. */
export function secretNames(args: object): pulumi.Output<string | undefined> | undefined {
  const later = Object.entries(args).filter(([, value]) => holdsOutput(value));
  if (later.length === 0) return undefined;
  const names = Promise.all(
    later.map(async ([name, value]) => ((await pulumi.isSecret(pulumi.output(value))) ? [name] : [])),
  );
  return pulumi.output(names).apply((found) => found.flat().join(",") || undefined);
}

/** Whether a value is or contains an output or a promise. */
export function holdsOutput(value: unknown): boolean {
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return true;
  if (Array.isArray(value)) return value.some(holdsOutput);
  return isPlain(value) && Object.values(value).some(holdsOutput);
}

/** Whether the program adopts an existing object. */
export const adopts = (given: object): boolean => "adopt" in given && given.adopt !== undefined;

/**
 * The arguments that the program ignores, beside the others. A plugin's read gets none: it has no check, which takes
 * this out.
 */
export const ignoredBeside = (
  { native, isRead }: { readonly native: boolean; readonly isRead: boolean },
  lists: Readonly<Record<string, string>>,
  given: object,
  ignoreChanges: readonly string[] | undefined,
) =>
  (!native || (!isRead && (adopts(given) || ignoreChanges))) && {
    __ignored: ignoredText(lists, ignoreChanges ?? []),
  };
