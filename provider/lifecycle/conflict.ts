/** What staff changed and the program means to change as well: a value with three sides, and how to go on. */

import { bodyPath, isBody, isLeafPath } from "../body/arguments.ts";
import { type Definition, isCompared } from "../definition/define.ts";
import { nameIn, objectKey, resourceOf, type Shop } from "../run/context.ts";
import { quotedApart } from "../values/excerpt.ts";
import { isSecretPath, type Mask, masked, shownPath } from "../values/secrecy.ts";
import type { Conflict, ConflictField, Sides, Withheld } from "../values/sides.ts";
import { quoted } from "../values/state.ts";
import type { Values } from "../wire/codec.ts";
import { hidden } from "../wire/text.ts";
import { hunks } from "./drift.ts";

/** Something that the provider refuses to do; nothing was sent, the resource stays as it is. */
export class RefusalError extends Error {
  override readonly name: string = "RefusalError";
}

/** An object that was changed in the shop since the state was written. */
export class ConflictError extends RefusalError {
  override readonly name = "ConflictError";
  readonly conflict: Conflict;
  constructor(conflict: Conflict) {
    super(conflictText(conflict));
    this.conflict = conflict;
  }
}

/** Whether this object may be overwritten: by the stack's word, or by name. */
export function mayOverwrite({ plan }: Pick<Shop, "plan">, definition: Definition, id: string): boolean {
  return plan.overwrites || plan.overwritten.has(objectKey(definition.kind, id));
}

/** An object as it was read, and the arguments whose word of names and secrets counts. */
export interface Met {
  readonly id: string;
  readonly seen: Values;
  readonly args: Values;
  /** Whether the state had the object: what it was is known then. */
  readonly isInState?: boolean | undefined;
}

/**
 * Refuses a change of fields that were changed in the shop too, unless that may be overwritten.
 * @throws ConflictError where there is such a field
 */
export function refuseConflict(
  definition: Definition,
  shop: Pick<Shop, "plan" | "memory">,
  met: Met,
  sides: readonly Sides[],
): void {
  if (sides.length === 0 || mayOverwrite(shop, definition, met.id)) return;
  const { args, isInState = true } = met;
  const before = isInState ? shop.memory.texts.get(resourceOf(definition.kind, args)) : undefined;
  throw new ConflictError({
    ...metAs(definition, met),
    withheld: "update",
    fields: sides.map((side) => changedField(side, args, isInState, before)),
  });
}

/** The error of a delete or a replacement of an object that was changed in the shop. */
export const endConflict = (
  definition: Definition,
  met: Met,
  sides: readonly Sides[],
  withheld: Exclude<Withheld, "update">,
): ConflictError =>
  new ConflictError({
    ...metAs(definition, met),
    withheld,
    fields: sides.map(({ path, was, is }): ConflictField => {
      if (isSecretPath(met.args, path)) return { path: shownPath(met.args, path), was: hidden, is: hidden };
      // The state has no body, only its hash.
      return isBody(definition, path) ? { path } : { path, was: was ?? null, is: is ?? null };
    }),
  });

const metAs = (definition: Definition, { id, seen, args }: Met) => ({
  kind: definition.kind,
  id,
  name: nameIn(args),
  live: Object.fromEntries(
    Object.entries(definition.fields).flatMap(([name, field]) =>
      isCompared(field) &&
      !isBody(definition, name) &&
      !isSecretPath(args, name) &&
      typeof seen[name] !== "object" &&
      seen[name] !== undefined
        ? [[name, seen[name]]]
        : [],
    ),
  ),
});

function changedField(
  { path, was, is, asked }: Sides,
  args: Values,
  isInState: boolean,
  before: string | undefined,
): ConflictField {
  if (isSecretPath(args, path))
    return { path: shownPath(args, path), was: hidden, is: hidden, asked: hidden };
  if (path === bodyPath) {
    if (typeof is !== "string" || typeof asked !== "string") return { path };
    return { path, ...(before !== undefined && { was: before }), is, asked };
  }
  // The state has no values of a body, only their hashes.
  const old = isLeafPath(path) || !isInState ? {} : { was: was ?? null };
  return { path, ...old, is: is ?? null, asked: asked ?? null };
}

/** The same conflict without any secret of a call. */
export const maskedConflict = (conflict: Conflict, mask: Mask): Conflict => ({
  ...conflict,
  fields: masked(conflict.fields, mask),
  live: masked(conflict.live, mask),
});

const endWords = { replace: "replaced", delete: "deleted" } as const;

/** A conflict as a person reads it where nobody shows its values: under bare `pulumi`, and in a program's failure. */
function conflictText(conflict: Conflict): string {
  const { kind, id, withheld, fields } = conflict;
  if (withheld === "update")
    return [
      `conflict: ${kind} ${id} was changed in the shop since the last run, where the program changes it too:`,
      ...fields.map((field) => `  ${sidesText(field)}`),
      `Nothing was sent for it. ${wayOn(conflict)}`,
    ].join("\n");
  const end = endWords[withheld];
  return [
    `conflict: ${kind} ${id} is to be ${end}, but was changed in the shop since the last run:`,
    ...fields.map((field) => `  ${movedText(field)}`),
    `It was not ${end}. ${wayOn(conflict)}`,
  ].join("\n");
}

function wayOn({ kind, id, name }: Conflict): string {
  const option = name === "" ? "" : `--overwrite ${name}, `;
  return (
    "Run refresh to take the shop's values into the state, then preview. To write the program's values without " +
    `looking: ${option}SHOP_OVERWRITE=${objectKey(kind, id)}, or shop:conflicts set to overwrite`
  );
}

/** What became of a field of an object that is to go. */
function movedText({ path, was, is }: ConflictField): string {
  if (is === hidden) return `${path}: a secret value was changed`;
  if (is === undefined) return `${path}: has other content now`;
  if (isLongText(was) && isLongText(is)) return `${path}: changed in the shop:\n${indentedHunks(was, is)}`;
  const [old, now] = quotedApart([was, is]);
  return `${path}: was ${old}, is now ${now}`;
}

function sidesText(field: ConflictField): string {
  const { path, was, is, asked } = field;
  if (is === hidden && asked === hidden)
    return `${path}: ${hidden}, changed in the shop to another value, and in the program to another still`;
  if (is === undefined) return `${path}: the shop has other content than the program asks for`;
  if (typeof is === "string" && typeof asked === "string" && (path === bodyPath || isLongText(is + asked)))
    return textSides(path, is, asked, was);
  const [now, wanted, old] = quotedApart([is, asked, was]);
  const before = was === undefined ? "" : `was ${old}, `;
  return `${path}: ${before}is ${is === null ? "gone" : now} in the shop, the program asks ${wanted}`;
}

const isLongText = (value: unknown): value is string => typeof value === "string" && value.includes("\n");

const mostLines = 40;
const indentedHunks = (before: string, after: string) =>
  hunks(before, after, mostLines).replaceAll(/^/gm, "    ");

function textSides(path: string, is: string, asked: string, was: unknown): string {
  // The state keeps no body: without the old text the two new ones are compared with each other.
  if (typeof was !== "string")
    return `${path}: the text in the shop (-) against the program's (+):\n${indentedHunks(is, asked)}`;
  return [
    `${path}: changed in the shop:`,
    indentedHunks(was, is),
    `  ${path}: changed in the program:`,
    indentedHunks(was, asked),
  ].join("\n");
}

/** What staff alone changed and the program leaves as it is, a line for the person who watches. */
export function keptText(definition: Definition, id: string, kept: readonly Sides[], args: Values): string {
  const parts = kept.map(({ path, was, is }) => {
    if (isSecretPath(args, path)) return `${shownPath(args, path)} (a secret value)`;
    if (path === bodyPath) return `${bodyPath} (another text)`;
    if (is === undefined) return `${path} was removed`;
    if (isLeafPath(path)) return `${path} is ${quoted(is)} now`;
    if (was === undefined) return `${path} was added`;
    return `${path}: ${quotedApart([was, is]).join(" => ")}`;
  });
  return `${definition.kind} ${id}: changed in the shop since the last run and kept: ${parts.join("; ")}; refresh takes it into the state`;
}
