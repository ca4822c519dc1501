/** What the provider is told of a resource beside its arguments: engines give it neither a name nor what is secret. */

import * as pulumi from "@pulumi/pulumi";
import { isPlain } from "../engine/pulumi/record.ts";
import { typesAbove } from "../engine/pulumi/sdk-internals.ts";
import { stackType } from "../engine/pulumi/urn.ts";
import { ownerText } from "../provider/names/owner.ts";

/** Whose a resource's object is, whatever its arguments (docs/decisions/0010-what-a-create-is-of.md). */
export function identityOf(
  kind: string,
  name: string,
  opts: pulumi.CustomResourceOptions | undefined,
): string {
  const above = typesAbove(opts?.parent).filter((type) => type !== stackType);
  return ownerText({ stack: pulumi.getStack(), project: pulumi.getProject() }, above, kind, name);
}

/** Names of the arguments that hold a secret, with commas; undefined where none can. */
export function secretNames(args: object): pulumi.Output<string | undefined> | undefined {
  const later = Object.entries(args).filter(([, value]) => holdsOutput(value));
  if (later.length === 0) return undefined;
  const names = Promise.all(
    later.map(async ([name, value]) => ((await pulumi.isSecret(pulumi.output(value))) ? [name] : [])),
  );
  return pulumi.output(names).apply((found) => found.flat().join(",") || undefined);
}

/** Whether a value is known later, or any in it. */
export function holdsOutput(value: unknown): boolean {
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return true;
  if (Array.isArray(value)) return value.some(holdsOutput);
  return isPlain(value) && Object.values(value).some(holdsOutput);
}

/** Whether a program takes over what is there. */
export const adopts = (given: object): boolean => "adopt" in given && given.adopt !== undefined;
