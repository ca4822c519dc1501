/** Damaged state files: which resource is wrong, and how. */

import { isRecord } from "../common/record.ts";
import { isUrn, kindOf, parseUrn } from "../pulumi/urn.ts";

/** The error for a damaged state file: the file, the place in it, and a way out. */
export const damaged = (path: string, why: string, cause?: unknown): Error =>
  new Error(
    `the state file ${path} is damaged: ${why}. Copy ${path}.bak over it, which has the state before the last write; then run refresh`,
    { cause },
  );

const text = { is: (value: unknown) => typeof value === "string", be: "a text" };
const flag = { is: (value: unknown) => typeof value === "boolean", be: "true or false" };
const object = { is: isRecord, be: "an object" };
// Go writes an empty list as null.
const texts = {
  is: (value: unknown) => value === null || (Array.isArray(value) && value.every(text.is)),
  be: "a list of texts",
};

const shapes = {
  type: text,
  id: text,
  parent: text,
  provider: text,
  custom: flag,
  delete: flag,
  external: flag,
  protect: flag,
  retainOnDelete: flag,
  pendingReplacement: flag,
  taint: flag,
  inputs: object,
  outputs: object,
  dependencies: texts,
  initErrors: texts,
  aliases: texts,
};

/**
 * The fault of a resource in a state file: `resource 3 (Thing c1): outputs is not an object`; undefined if it has none.
 * @param hasEnded false for the resource of an operation that was cut off: a create has no id yet
 */
export function faultIn(resource: unknown, called: string, hasEnded = true): string | undefined {
  if (!isRecord(resource)) return `${called} is not an object`;
  const { urn, type, custom, id } = resource;
  if (typeof urn !== "string" || type === undefined) return `${called} has no urn or no type`;
  if (!isUrn(urn)) return `${called} has the urn ${JSON.stringify(urn)}, which isn't one`;
  const named = `${called} (${kindOf(urn)} ${parseUrn(urn).name})`;
  for (const [field, { is, be }] of Object.entries(shapes))
    if (resource[field] !== undefined && !is(resource[field])) return `${named}: ${field} is not ${be}`;
  return hasEnded && custom === true && (id === undefined || id === "") ? `${named} has no id` : undefined;
}
