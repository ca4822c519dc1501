/** What staff changed and the program means to change as well: three values, and how to go on. */

import { bodyPath, isBody, isLeafPath } from "../body/arguments.ts";
import type { Definition } from "../definition/define.ts";
import { nameIn, objectKey, resourceOf, type Shop } from "../run/context.ts";

import { hidden, isSecretPath, shownPath } from "../values/secrecy.ts";
import type { Sides } from "../values/sides.ts";
import { quoted } from "../values/state.ts";
import type { Values } from "../wire/codec.ts";
import { hunks } from "./drift.ts";

/** Something that the provider refuses to do; nothing was sent, the resource stays as it is. */
export class RefusalError extends Error {
  override readonly name: string = "RefusalError";
}

/** An object that was changed in the shop since the state was written. */
export class ConflictError extends RefusalError {
  override readonly name = "ConflictError";
  readonly sides: readonly Sides[];
  constructor(message: string, sides: readonly Sides[]) {
    super(message);
    this.sides = sides;
  }
}

/** Whether this object may be overwritten: by the stack's word, or by name. */
export function mayOverwrite({ plan }: Pick<Shop, "plan">, definition: Definition, id: string): boolean {
  return plan.overwrites || plan.overwritten.has(objectKey(definition.kind, id));
}

/**
 * Refuses a change of fields that were changed in the shop too, unless that may be overwritten.
 * @param isInState whether the state had the object: its arguments then say which text it had
 * @throws ConflictError where there is such a field
 */
export function refuseConflict(
  definition: Definition,
  shop: Pick<Shop, "plan" | "memory">,
  id: string,
  sides: readonly Sides[],
  args: Values,
  isInState = true,
): void {
  if (sides.length === 0 || mayOverwrite(shop, definition, id)) return;
  const before = isInState ? shop.memory.texts.get(resourceOf(definition.kind, args)) : undefined;
  const lines = sides.map((side) => `  ${sideText(side, args, isInState, before)}`);
  const what = `${definition.kind} ${id} was changed in the shop since the last run, where the program changes it too:`;
  throw new ConflictError(
    [`conflict: ${what}`, ...lines, `Nothing was sent for it. ${wayOn(definition, id, args)}`].join("\n"),
    sides,
  );
}

/** The error of a delete or a replacement of an object that was changed in the shop. */
export function endConflict(
  definition: Definition,
  id: string,
  sides: readonly Sides[],
  olds: Values,
  end: "deleted" | "replaced",
): ConflictError {
  const lines = sides.map(({ path, was, is }) => {
    if (isSecretPath(olds, path)) return `  ${shownPath(olds, path)}: a secret value was changed`;
    // The state has no body, only its hash.
    if (isBody(definition, path)) return `  ${path}: has other content now`;
    return `  ${path}: was ${quoted(was)}, is now ${quoted(is)}`;
  });
  const what = `${definition.kind} ${id} is to be ${end}, but was changed in the shop since the last run:`;
  return new ConflictError(
    [`conflict: ${what}`, ...lines, `It was not ${end}. ${wayOn(definition, id, olds)}`].join("\n"),
    sides,
  );
}

function wayOn(definition: Definition, id: string, args: Values): string {
  const name = nameIn(args);
  const option = name === "" ? "" : `--overwrite ${name}, `;
  return (
    "Run refresh to take the shop's values into the state, then preview. To write the program's values without " +
    `looking: ${option}SHOP_OVERWRITE=${objectKey(definition.kind, id)}, or shop:conflicts set to overwrite`
  );
}

function sideText(
  { path, was, is, asked }: Sides,
  args: Values,
  isInState: boolean,
  before: string | undefined,
): string {
  if (isSecretPath(args, path))
    return `${shownPath(args, path)}: ${hidden}, changed in the shop to another value, and in the program to another still`;
  if (path === bodyPath) {
    if (typeof is === "string" && typeof asked === "string") return textSides(is, asked, before);
    return `${bodyPath}: the shop has other content than the program asks for`;
  }
  // The state has no values of a body, only their hashes.
  const old = isLeafPath(path) || !isInState ? "" : `was ${quoted(was)}, `;
  return `${path}: ${old}is ${is === undefined ? "gone" : quoted(is)} in the shop, the program asks ${quoted(asked)}`;
}

const mostLines = 40;
const indented = (text: string) => text.replaceAll(/^/gm, "    ");

function textSides(is: string, asked: string, before: string | undefined): string {
  // The state keeps no body: without the old text the two new ones are compared with each other.
  if (before === undefined)
    return `${bodyPath}: the text in the shop (-) against the program's (+):\n${indented(hunks(is, asked, mostLines))}`;
  return [
    `${bodyPath}: changed in the shop:`,
    indented(hunks(before, is, mostLines)),
    `  ${bodyPath}: changed in the program:`,
    indented(hunks(before, asked, mostLines)),
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
    return `${path}: ${quoted(was)} => ${quoted(is)}`;
  });
  return `${definition.kind} ${id}: changed in the shop since the last run and kept: ${parts.join("; ")}; refresh takes it into the state`;
}
