/**
 * A change of one object as a value: what the state knew, what the shop has and what the program asks, field by field and
 * item by item, each with its verdict. Computed once for a plan and once when it is carried out; what is told, refused
 * and sent is read off it. Nobody's edit is overwritten unseen (docs/rules.md, rule 5).
 */

import type { Path } from "../../engine/pulumi/path.ts";
import { bodyArgumentsIn, bodyDiffers, bodyPath, hashIn, isBody } from "../body/arguments.ts";
import { setPathsIn, withBodyBase } from "../body/state.ts";
import { type Definition, type Field, type Items, isCompared } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { encodable } from "../wire/encodable.ts";
import { unknownValue } from "../wire/text.ts";
import { listOf, valuesOf } from "../wire/values.ts";
import { baseOf } from "./base.ts";
import { bodyChange } from "./body-change.ts";
import { argumentsOf, hasServedName, itemName, pairItems } from "./compare.ts";
import {
  type FieldChange,
  type FieldSides,
  isByStaff,
  isWanted,
  type MergedField,
  type MergeLog,
  type MergeOptions,
  type Outcome,
  presentValues,
  type Sides,
  sameRead,
  stateAfterRead,
  stateAfterWrite,
  type Verdict,
} from "./field-change.ts";
import { mergeItems } from "./item-change.ts";
import { asPartialList, keepsOthers } from "./partial.ts";

/** What is sent so that the object becomes what is wanted. */
export interface Requests {
  /** Arguments of the edit; of a list only the items that are new or differ, the known ones by their number. */
  readonly edit: Values;
  /** Arguments that operations of their own change. */
  readonly own: readonly { readonly operation: string; readonly values: Values }[];
  /** Items that go: the operation's name and the item's number. */
  readonly removed: readonly { readonly operation: string; readonly item: unknown }[];
  /** Whether items are added: a second send would add them twice. */
  readonly adds: boolean;
  /** Whether the answer of the edit doesn't show that it was taken. */
  readonly isUnproved: boolean;
  /** Requests in all, where nothing goes wrong. */
  readonly requests: number;
}

export interface Change {
  readonly fields: readonly FieldChange[];
  /** What the object shall be, as arguments. */
  readonly wanted: Values;
  readonly sends: Requests;
  /**
   * What the state shall say of an object that was read after the write: what others changed stays as the state knew it.
   * @param outcome is told what the shop didn't take, and what others changed while it was written
   */
  known(seen: Values, outcome?: Outcome): Values;
}

/** The change of one object. Of a conflict `wanted` has the program's value. */
export function changeOf(
  definition: Definition,
  { known, seen, asked }: Sides,
  { folder, keeps = false }: MergeOptions,
): Change {
  const changes: FieldChange[] = [];
  const base = baseOf(definition, known);
  const merged = Object.entries(definition.fields).flatMap(([name, field]): [string, MergedField][] => {
    if (asked[name] === undefined || !isCompared(field) || isBody(definition, name)) return [];
    if (hasServedName(definition, seen, asked, name)) return [];
    const is = field.writeOnly ? known[name] : seen[name];
    const own = asPartialList(field, asked);
    // They stayed so far, and the program lists all of them from now on.
    const othersGo = !own.items?.isPartial && field.items !== undefined && keepsOthers(field.items, known);
    const sides = { path: [name], inState: known[name], is, asked: asked[name], base: base[name], othersGo };
    return [[name, mergeField(own, sides, { keeps, changes })]];
  });
  const body = bodyChange(definition, { known, seen, asked }, { folder, keeps });
  const left = new Set(merged.flatMap(([name, { wanted }]) => (wanted === undefined ? [name] : [])));
  const others = Object.entries(asked).filter(([name]) => !left.has(name));
  const fields = Object.fromEntries(
    merged.filter(([name]) => !left.has(name)).map(([name, one]) => [name, one.wanted]),
  );
  const wanted = body.wanted({ ...Object.fromEntries(others), ...fields });
  return {
    fields: [...changes, ...body.fields],
    wanted,
    sends: sendsOf(definition, merged, body.isSent ? wanted : {}),
    known(read, outcome) {
      const state = encodable(body.known(stateAfterRead(merged, read, outcome)));
      if (!bodyDiffers(definition, read, wanted)) return state;
      if (body.isSent) outcome?.rejected.push(...bodyArgumentsIn(wanted).map((name) => [name]));
      if (body.isSent || body.fields.length > 0) return state;
      outcome?.kept.push(bodyKept(known, read));
      return withBodyBase(state, known);
    },
  };
}

/** A text that others wrote while the rest of its object was written. */
const bodyKept = (known: Values, read: Values): FieldChange => ({
  path: [bodyPath],
  was: hashIn(known),
  is: hashIn(read),
  asked: undefined,
  verdict: "kept",
  texts: { is: undefined, asked: undefined },
});

/** The fields that have one of these verdicts. */
export const changesWith = (
  change: Pick<Change, "fields">,
  ...verdicts: readonly Verdict[]
): readonly FieldChange[] => change.fields.filter(({ verdict }) => verdicts.includes(verdict));

/** What the program changes, or puts back: what a plan binds (docs/decisions/0014-what-a-plan-binds.md). */
export const programChanges = (change: Pick<Change, "fields">): readonly FieldChange[] =>
  change.fields.filter((one) => !isByStaff(one));

/** What staff alone changed. */
export const staffOnlyChanges = (change: Pick<Change, "fields">): readonly FieldChange[] =>
  change.fields.filter(isByStaff);

const asSeen: MergedField["known"] = (seen) => seen;

/** Merges the sides of one value. */
export function mergeField(field: Field, sides: FieldSides, notes: MergeLog): MergedField {
  const { path, inState, is, asked, base } = sides;
  const { items } = field;
  // A preview compares what it doesn't know yet with nothing.
  if (asked === unknownValue) {
    const there = items === undefined ? is : undefined;
    notes.changes.push({ path, was: inState, is: there, asked, verdict: "send" });
    return { wanted: asked, sent: asked, known: asSeen };
  }
  if (items?.fields?.id !== undefined)
    return mergeItems({ items, fields: items.fields }, sides, notes, mergeField);
  if (field.each !== undefined) return mergeEach(field.each, sides, notes);
  // What a shop changes by itself is nobody's edit, and what the program asks as a refresh read it is agreed.
  const was = field.serverManaged || isWanted(field, asked, inState) ? inState : base;
  const isDone = isWanted(field, asked, is);
  const taken: MergedField = isDone
    ? { wanted: asked, known: (seen, outcome) => stateIfUnsent(field, { ...sides, seen }, outcome) }
    : {
        wanted: asked,
        sent: asked,
        known: (seen, outcome) => stateAfterWrite(field, { path, asked, seen }, outcome),
      };
  const note = (verdict: Verdict) => notes.changes.push({ path, was, is, asked, verdict });
  if (field.serverManaged && isWanted(field, asked, base))
    return isDone ? taken : { wanted: undefined, known: asSeen };
  const moved = !sameRead(field, was, is);
  if (!isWanted(field, asked, was)) {
    note(isDone ? "done" : moved ? "conflict" : "send");
    return taken;
  }
  // What was sold down to what the program now asks is its own number from now on.
  if (field.serverManaged && isDone) note("done");
  if (!moved) return taken;
  const isRead = !isWanted(field, asked, inState) && sameRead(field, inState, is);
  note(isRead && !notes.keeps ? "put back" : "kept");
  return isRead && !notes.keeps ? taken : { wanted: undefined, known: () => inState };
}

/** A value that wasn't sent, as the state shall know it: what others made of it while the rest was written is theirs. */
function stateIfUnsent(
  field: Field,
  { path, inState, is, asked, seen }: FieldSides & { readonly seen: unknown },
  outcome: Outcome | undefined,
): unknown {
  if (field.serverManaged || isWanted(field, asked, seen) || sameRead(field, is, seen)) return seen;
  outcome?.kept.push({ path, was: is, is: seen, asked, verdict: "kept" });
  return sameRead(field, inState, is) ? inState : is;
}

/** Amounts by their titles: those that aren't asked for are left alone. */
function mergeEach(each: Field, { path, asked, ...others }: FieldSides, notes: MergeLog): MergedField {
  const [read, is] = [valuesOf(others.inState), valuesOf(others.is)];
  // What a refresh has read beside what was asked for, nobody has asked for.
  const last = { ...read, ...valuesOf(others.base) };
  const merged = Object.entries(valuesOf(asked)).map(([name, one]): [string, MergedField] => {
    const before = Object.hasOwn(last, name) ? name : (titleBefore(each, name, last, is) ?? name);
    const sides = {
      path: [...path, name],
      inState: read[before],
      base: last[before],
      is: is[name],
      asked: one,
    };
    return [name, mergeField(each, sides, notes)];
  });
  return {
    wanted: presentValues(merged, "wanted"),
    sent: presentValues(merged, "sent"),
    known: (seen, outcome) => stateAfterRead(merged, valuesOf(seen), outcome),
  };
}

/** The title that an amount had: it stands under another one that the shop has no more, with the same value. */
const titleBefore = (each: Field, name: string, last: Values, is: Values): string | undefined =>
  is[name] === undefined
    ? undefined
    : Object.keys(last).find((one) => is[one] === undefined && sameRead(each, last[one], is[name]));

function sendsOf(
  { fields, operations }: Definition,
  merged: readonly (readonly [string, MergedField])[],
  body: Values,
): Requests {
  const sent = merged.filter(([, one]) => one.sent !== undefined);
  const by = (name: string) => fields[name]?.updateVia;
  // A list that only loses items has nothing to edit.
  const isEdited = ([name, one]: readonly [string, MergedField]) =>
    by(name) === undefined &&
    !(fields[name]?.items?.remove !== undefined && Array.isArray(one.sent) && one.sent.length === 0);
  const edit = {
    ...Object.fromEntries(sent.filter(isEdited).map(([name, one]) => [name, one.sent])),
    ...Object.fromEntries(bodyArgumentsIn(body).map((name) => [name, body[name]])),
  };
  const own = sent.flatMap(([name, { wanted }]) => {
    const operation = by(name);
    return operation === undefined || operations[operation] === undefined
      ? []
      : [{ operation, values: { [name]: wanted } }];
  });
  const removed = merged.flatMap(([name, one]) => {
    const operation = fields[name]?.items?.remove;
    if (operation === undefined || operations[operation] === undefined) return [];
    return (one.removed ?? []).map((item) => ({ operation, item }));
  });
  const names = Object.keys(edit);
  const isUnproved = names.some((name) => needsProof(fields[name]));
  const isRead = removed.length > 0 || (isUnproved && operations.edit?.answers === "nothing");
  return {
    edit,
    own,
    removed,
    adds: merged.some(([, one]) => one.adds === true),
    isUnproved,
    requests: (names.length > 0 ? 1 : 0) + own.length + removed.length + (isRead ? 1 : 0),
  };
}

// The numbers of new items are in no empty answer, and what the interface doesn't show may have been ignored.
const needsProof = (field: Field | undefined) => field?.undocumented === true || field?.items !== undefined;

/** The fields that a program stated and a read shows, but for the body: what is lost with the object. */
export const comparableFields = (
  definition: Definition,
  known: Values,
): readonly (readonly [string, Field])[] => {
  const setByProgram = setPathsIn(known);
  return Object.entries(definition.fields).filter(
    ([name, field]) =>
      setByProgram.has(name) &&
      isCompared(field) &&
      !field.writeOnly &&
      !field.serverManaged &&
      !isBody(definition, name),
  );
};

/** What was changed in the shop of all that a program stated: what a delete would destroy unseen. */
export function changesByStaff(definition: Definition, known: Values, seen: Values): readonly FieldChange[] {
  const stated = setPathsIn(known);
  const fields = comparableFields(definition, known).flatMap(([name, field]): readonly FieldChange[] => {
    const [was, is] = [known[name], seen[name]];
    if (field.items?.fields === undefined) return sameRead(field, was, is) ? [] : [side([name], was, is)];
    const changed = changedItems(field.items, (own) => stated.has(`${name}.${own}`), was, is);
    return changed.map((one) => ({ ...one, path: [name, ...one.path] }));
  });
  return [...fields, ...bodyChange(definition, { known, seen, asked: {} }, { folder: "" }).fields];
}

function changedItems(
  items: Items,
  stated: (name: string) => boolean,
  was: unknown,
  is: unknown,
): readonly FieldChange[] {
  const { fields = {} } = items;
  const { pairs, gone } = pairItems(items, listOf(was), listOf(is));
  const changed = pairs.flatMap(([old, found], index): readonly FieldChange[] => {
    const name = itemName(items, old, index);
    if (found === undefined) return [side([name], argumentsOf(fields, old), undefined)];
    return Object.entries(fields).flatMap(([inner, field]) =>
      !stated(inner) || field.serverManaged || !isCompared(field) || sameRead(field, old[inner], found[inner])
        ? []
        : [side([name, inner], old[inner], found[inner])],
    );
  });
  const added = gone.map((item, index) =>
    side([itemName(items, item, index)], undefined, argumentsOf(fields, item)),
  );
  return [...changed, ...added];
}

const side = (path: Path, was: unknown, is: unknown): FieldChange => ({
  path,
  was,
  is,
  asked: undefined,
  verdict: "conflict",
});
