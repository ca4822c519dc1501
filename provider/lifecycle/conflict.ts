/** Conflicts: fields that both staff and the program changed, with all three values and what to do. */

import { pathText } from "../../engine/pulumi/path.ts";
import { bodyPath, isBody, isLeafPath, shownText } from "../body/arguments.ts";
import { baseIn } from "../body/state.ts";
import {
  adoptsInstead,
  type Conflict,
  type ConflictField,
  changedSides,
  type RefusedStep,
} from "../change/conflict.ts";
import { acceptedText, type FieldChange } from "../change/field-change.ts";
import { isSecretPath, shownPath } from "../change/secrets.ts";
import { hunksText, mostLines, quoted, quotedSideBySide, unitOf } from "../change/value-text.ts";
import {
  isNamed,
  type NamedObject,
  type ReadSubject,
  resourceIn,
  type Subject,
  sayOnce,
} from "../context/context.ts";
import { isCompared } from "../definition/define.ts";
import { nameIn, objectKey } from "../names/owner.ts";
import type { Values } from "../wire/codec.ts";
import { hidden } from "../wire/text.ts";

/** An operation that the provider refuses. Nothing was sent, and the state stays as it is. */
export class RefusalError extends Error {
  override readonly name: string = "RefusalError";
}

export class ConflictError extends RefusalError {
  override readonly name = "ConflictError";
  readonly conflict: Conflict;
  constructor(conflict: Conflict) {
    super(conflictText(conflict));
    this.conflict = conflict;
  }
}

/** Whether `shop:conflicts` or `--overwrite` permits overwriting this object. */
export const mayOverwrite = (object: NamedObject): boolean =>
  object.shop.plan.overwritesAll || isNamed(object.shop.plan.overwritten, object);

/** An object that was read, with the arguments that give its name and its secrets. */
export interface FoundObject extends Omit<ReadSubject, "olds"> {
  /** Its state; undefined if the state doesn't have it yet. */
  readonly olds: Values | undefined;
}

/** The fields that staff changed, and the step that meets them. */
export interface ConflictSides {
  readonly sides: readonly FieldChange[];
  readonly withheld: RefusedStep;
}

/** @throws ConflictError if staff changed these fields, unless `--overwrite` permits it */
export function refuseConflict(
  met: FoundObject,
  sides: readonly FieldChange[],
  withheld: RefusedStep = "update",
): void {
  if (sides.length > 0 && !mayOverwrite(met)) throw new ConflictError(conflictOf(met, { sides, withheld }));
}

/** The edits that a step meets, as reports show them. */
export function conflictOf(met: FoundObject, { sides, withheld }: ConflictSides): Conflict {
  const { definition, shop, args, olds } = met;
  const isInState = olds !== undefined;
  const before = isInState ? shop.memory.texts.get(resourceIn(met)) : undefined;
  const fieldOf = (side: FieldChange) => {
    if (withheld === "update") return changedField(side, args, isInState && side.isNew !== true, before);
    return isBody(definition, side.path[0] ?? "") ? endedBody(met, before) : endedField(side, args);
  };
  const fields = sides.map((side): ConflictField => {
    const { accepted } = side;
    return { ...fieldOf(side), ...(accepted !== undefined && { accepted }) };
  });
  const isStaffs = sides.every(({ verdict }) => verdict === "put back" || verdict === "kept");
  return {
    ...conflictHead(met),
    withheld,
    ...(isStaffs && { isStaffs }),
    // Of a secret list, all values have the list's name.
    fields: [...new Map(fields.map((field) => [field.path, withUnits(field, met, fields)])).values()],
  };
}

/** Adds the unit to each number; each side may have another one. */
function withUnits(
  field: ConflictField,
  { definition, args, seen, olds = {} }: FoundObject,
  fields: readonly ConflictField[],
): ConflictField {
  const unitOn = (side: "was" | "is" | "asked", others: Values) =>
    unitOf(
      definition,
      field.path,
      (name) => fields.find(({ path }) => path === name)?.[side] ?? others[name],
    );
  const before = { ...olds, ...baseIn(olds) };
  const units = { was: unitOn("was", before), is: unitOn("is", seen), asked: unitOn("asked", args) };
  const some = Object.entries(units).filter(([, unit]) => unit !== "");
  return some.length === 0 ? field : { ...field, units: Object.fromEntries(some) };
}

function endedField({ was, is, ...side }: FieldChange, args: Values): ConflictField {
  const path = pathText(side.path);
  if (isSecretPath(args, path)) return { path: shownPath(args, path), was: hidden, is: hidden };
  return { path, was: was ?? null, is: is ?? null };
}

/** The state has only the hash of a body. If the body isn't text, the shop returns an address. */
function endedBody({ seen, args }: FoundObject, before: string | undefined): ConflictField {
  if (isSecretPath(args, bodyPath)) return { path: bodyPath, was: hidden, is: hidden };
  const is = shownText(seen);
  if (is === undefined) return { path: bodyPath };
  return { path: bodyPath, ...(before !== undefined && { was: before }), is };
}

const conflictHead = ({ definition, id, seen, args }: FoundObject) => ({
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
  { was, texts, ...side }: FieldChange,
  args: Values,
  isInState: boolean,
  before: string | undefined,
): ConflictField {
  const path = pathText(side.path);
  const { is, asked } = texts ?? side;
  if (isSecretPath(args, path))
    return { path: shownPath(args, path), was: hidden, is: hidden, asked: hidden };
  if (path === bodyPath) {
    if (typeof is !== "string" || typeof asked !== "string") return { path };
    return { path, ...(before !== undefined && { was: before }), is, asked };
  }
  // The state has only the hashes of a body's values.
  const old = isLeafPath(path) || !isInState ? {} : { was: was ?? null };
  const isNull = isLeafPath(path) && is === null;
  return { path, ...old, is: is ?? null, ...(isNull && { isNull }), asked: asked ?? null };
}

const endWords = { replace: "replaced", delete: "deleted" } as const;

/** The message for where no report shows the values: plain `pulumi`, and a program's failure. */
function conflictText(conflict: Conflict): string {
  const { kind, id, withheld, fields, isGone, isStaffs = false } = conflict;
  if (isGone)
    return [
      `conflict: ${kind} ${id} was deleted in the shop since the last run, and the program changes it:`,
      ...fields.map((field) => `  ${goneText(field)}`),
      adoptsInstead(conflict)
        ? "Nothing was sent for it. To adopt the object that adopt names: run refresh, then up"
        : `Nothing was sent for it. To create it again: ${overwriteText(conflict)}, or run refresh, then up. To leave it ` +
          "deleted: remove it from the program",
    ].join("\n");
  if (withheld === "update")
    return [
      isStaffs
        ? `conflict: staff changed ${kind} ${id}, and this run would put the program's values back:`
        : `conflict: ${kind} ${id} was changed in the shop since the last run, where the program changes it too:`,
      ...fields.map((field) => `  ${sidesText(field)}`),
      `Nothing was sent for it. ${wayOn(conflict)}`,
    ].join("\n");
  const end = endWords[withheld];
  return [
    `conflict: ${kind} ${id} would be ${end}, but ${isStaffs ? "staff changed it" : "was changed in the shop since the last run"}:`,
    ...fields.map((field) => `  ${movedText(field)}`),
    `It was not ${end}. ${withheld === "delete" ? endWayOn(conflict) : wayOn(conflict)}`,
  ].join("\n");
}

/** After a refresh, the reader knows what staff changed. */
const wayOn = (conflict: Conflict) =>
  "To accept the shop's values, write them into the program, as pulumi-shop accept does. " +
  (conflict.isStaffs
    ? `${conflict.withheld === "update" ? `To leave them in the shop: ${keepText(conflict)}. ` : ""}To send the program's values`
    : "A refresh reads the edits of staff into the state: the next up marks those that it puts back, or leaves them with --keep (SHOP_KEEP). " +
      "To send the program's values without reviewing the shop's") +
  `: ${overwriteText(conflict)}`;

/** The ways on if staff gave a key of the program to another object. */
export const movedKeyText = ({ definition, id, args }: Subject): string =>
  "to accept the shop's values, write them into the program, as pulumi-shop accept does; to leave them in the shop: " +
  keepText({ kind: definition.kind, id, name: nameIn(args) });

const keepText = ({ kind, id, name }: Pick<Conflict, "kind" | "id" | "name">) =>
  `SHOP_KEEP=${objectKey(kind, id)} in the environment${name === "" ? "" : ` (--keep ${name} for pulumi-shop)`}`;

const endWayOn = (conflict: Conflict) =>
  `To delete it anyway: ${overwriteText(conflict)}. To keep it, put it back into the program, or remove it from the state`;

export const overwriteText = ({ kind, id, name }: Pick<Conflict, "kind" | "id" | "name">) =>
  `SHOP_OVERWRITE=${objectKey(kind, id)} in the environment${name === "" ? "" : ` (--overwrite ${name} for pulumi-shop)`}, or shop:conflicts set to overwrite`;

function goneText({ path, was, asked, units }: ConflictField): string {
  if (typeof was === "string" && typeof asked === "string" && isLongText(was + asked))
    return `${path}: changed in the program:\n${indentedHunks(was, asked)}`;
  const [old, wanted] = quotedSideBySide([was, asked], [units?.was, units?.asked]);
  return `${path}: ${old} => ${wanted}`;
}

function movedText({ path, was, is, units }: ConflictField): string {
  if (is === hidden) return `${path}: a secret value was changed`;
  if (is === undefined) return `${path}: has other content now`;
  if (isLongText(is) && typeof was === "string")
    return `${path}: changed in the shop:\n${indentedHunks(was, is)}`;
  if (isLongText(is)) return `${path}: is now in the shop:\n${indentedHunks("", is)}`;
  const [old, now] = quotedSideBySide([was, is], [units?.was, units?.is]);
  return `${path}: ${was === undefined ? "" : `was ${old}, `}is now ${now}`;
}

function sidesText(field: ConflictField): string {
  const { path, was, is, asked, units } = field;
  if (is === hidden && asked === hidden)
    return `${path}: ${hidden}, changed in the shop, and in the program to a third value`;
  if (is === undefined) return `${path}: the shop has other content than the program asks for`;
  if (typeof is === "string" && typeof asked === "string" && (path === bodyPath || isLongText(is + asked)))
    return textSides(field);
  const [now, wanted, old] = quotedSideBySide([is, asked, was], [units?.is, units?.asked, units?.was]);
  const before = was === undefined ? "" : `was ${old}, `;
  return `${path}: ${before}is ${is === null ? "gone" : now} in the shop, the program asks for ${wanted}`;
}

const isLongText = (value: unknown): value is string => typeof value === "string" && value.includes("\n");

/** Fewer lines than in an error: this message comes with each run. */
const mostKept = 10;
const indentedHunks = (before: string, after: string, most = mostLines) =>
  hunksText(before, after, most).replaceAll(/^/gm, "    ");

const sideLabels = {
  staff: "changed in the shop",
  program: "changed in the program",
  // The state keeps no text.
  both: "the text in the shop (-) against the program's (+)",
} as const;

const textSides = (field: ConflictField): string =>
  changedSides(field)
    .map(
      ({ by, old, next }) => `${field.path}: ${sideLabels[by]}:\n${indentedHunks(textOf(old), textOf(next))}`,
    )
    .join("\n  ");

/** An emptied text has no lines. */
const textOf = (value: unknown) => (typeof value === "string" ? value : "");

/** The message about edits of staff that are kept. */
export function keptText(
  { definition, id, args }: Pick<Subject, "definition" | "id" | "args">,
  kept: readonly FieldChange[],
): string {
  const texts: string[] = [];
  const parts = kept.map(({ was, is, ...side }) => {
    const path = pathText(side.path);
    if (isSecretPath(args, path)) return `${shownPath(args, path)} (a secret value)`;
    if (path === bodyPath)
      return `${bodyPath} (${side.texts === undefined ? "other lines" : "another text"})`;
    if (is === undefined) return `${path} was removed`;
    if (isLeafPath(path)) return `${path} is ${quoted(is)} now`;
    if (was === undefined) return `${path} was added`;
    if (typeof was === "string" && typeof is === "string" && isLongText(was + is)) {
      texts.push(`\n  ${path}:\n${indentedHunks(was, is, mostKept)}`);
      return `${path} (its lines below)`;
    }
    const sign = unitOf(definition, path, (name) => args[name]);
    return `${path}: ${quotedSideBySide([was, is], [sign, sign]).join(" => ")}`;
  });
  const [head, advice] = kept.every(({ isRead }) => isRead)
    ? ["staff's edits stay in the shop", ""]
    : ["changed in the shop since the last run and kept", "; refresh takes it into the state"];
  return `${definition.kind} ${id}: ${head}: ${parts.join("; ")}${advice}${texts.join("")}`;
}

/** Reports edits that a refresh has read and this change undoes. */
export function reportPutBack(met: FoundObject, clash: ConflictSides): void {
  if (clash.sides.length === 0) return;
  const { definition, shop, id } = met;
  const back = conflictOf(met, clash);
  const isRead = shop.notice({ type: "puts-back", ...back });
  const texts = back.fields.map(({ path, is, asked, units, accepted }) => {
    const note = accepted === undefined ? "" : `, ${acceptedText(accepted)}`;
    if (is === undefined || is === hidden) return `${path}${note}`;
    const [staff, own] = quotedSideBySide([is, asked], [units?.is, units?.asked]);
    return asked === undefined ? `${path}: ${staff}${note}` : `${path}: ${own} (staff: ${staff}${note})`;
  });
  const verb = clash.withheld === "delete" ? "deletes" : "puts back";
  sayOnce(shop, isRead, `${definition.kind} ${id}: ${verb} what staff changed: ${texts.join("; ")}`);
}

/** Reports edits that this change overwrites. */
export function reportOverwritten(met: FoundObject, clash: ConflictSides): void {
  if (clash.sides.length === 0) return;
  const { definition, shop, id } = met;
  const overwritten = conflictOf(met, clash);
  const isRead = shop.notice({ type: "overwrites", ...overwritten });
  const texts = overwritten.fields.map(({ path, is, asked, units }) =>
    is === undefined || is === hidden
      ? path
      : `${path}: ${quotedSideBySide(asked === undefined ? [is] : [is, asked], [units?.is, units?.asked]).join(" => ")}`,
  );
  sayOnce(shop, isRead, `${definition.kind} ${id}: overwrites changes made in the shop: ${texts.join("; ")}`);
}
