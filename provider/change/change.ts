/**
 * The change of one object: each field and list item with its value in the state, in the shop and in the program, and a
 * verdict. It is computed once for the preview and once for the run. Diff, limits, conflicts and requests are derived from
 * it. No edit of staff is overwritten unseen (docs/rules.md, rule 5).
 */

import { type Path, pathText } from "../../engine/pulumi/path.ts";
import {
  bodyArgumentsIn,
  bodyDiffers,
  bodyPath,
  hashIn,
  ignoresBody,
  isBody,
  isBodyName,
  wantedHash,
} from "../body/arguments.ts";
import { mergedLines, printLineHashes } from "../body/lines.ts";
import { acceptedKey, setPathsIn, withBodyBase } from "../body/state.ts";
import { type Definition, type Field, type Items, isCompared } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { encodable } from "../wire/encodable.ts";
import { unknownValue } from "../wire/text.ts";
import { listOf, valuesOf } from "../wire/values.ts";
import { withAcceptedBase } from "./accepted.ts";
import { baseOf } from "./base.ts";
import { bodyChange } from "./body-change.ts";
import { argumentsOf, hasServedName, itemName, keepsOthers, pairItems } from "./compare.ts";
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
import { ignoredIn, isIgnored } from "./keyed-lists.ts";
import { asPartialList } from "./partial.ts";

export interface Requests {
  /** Arguments of the edit. A list has only new and changed items; known items have their id. */
  readonly edit: Values;
  /** Arguments that have an operation of their own. */
  readonly own: readonly { readonly operation: string; readonly values: Values }[];
  readonly removed: readonly { readonly operation: string; readonly item: unknown }[];
  /** Whether it adds items: sending it twice would add them twice. */
  readonly adds: boolean;
  /** Whether the shop serves the object at another address afterwards, which only a read shows. */
  readonly changesAddress: boolean;
  /** Number of requests if none fails. */
  readonly requests: number;
}

export interface Change {
  readonly fields: readonly FieldChange[];
  /** The arguments that the object gets. */
  readonly wanted: Values;
  readonly sends: Requests;
  /**
   * The new state, from the object as it was read after the write. Where others changed a value meanwhile, the state keeps
   * the old one.
   * @param outcome collects the values that the shop rejected and those that others changed meanwhile
   */
  known(seen: Values, outcome?: Outcome): Values;
}

/** Computes the change of one object. In a conflict, `wanted` has the program's value. */
export function changeOf(definition: Definition, given: Sides, options: MergeOptions): Change {
  const sides = { ...given, asked: withoutIgnoredArguments(definition, given.asked) };
  const change = changeFromBase(definition, sides, options);
  if (sides.known[acceptedKey] === undefined || change.fields.length === 0) return change;
  const known = withAcceptedBase(definition, sides.known, sides.asked);
  return withAccepted(change, changeFromBase(definition, { ...sides, known }, options));
}

/** For an ignored argument an engine passes the value in the state, which isn't what the program asks for. */
function withoutIgnoredArguments(definition: Definition, asked: Values): Values {
  const ignored = ignoredIn(asked);
  if (ignored.length === 0) return asked;
  const isLeft = (name: string) =>
    isIgnored(definition, asked, [name]) || (isBodyName(name) && ignoresBody(ignored));
  return Object.fromEntries(Object.entries(asked).filter(([name]) => name.startsWith("__") || !isLeft(name)));
}

/** The change with marks on accepted edits: where the accepted base makes an ordinary change one of staff's values. */
function withAccepted(change: Change, fromAccepted: Change): Change {
  const plain = new Map(change.fields.map((one) => [pathText(one.path), one]));
  // Staff have changed other lines of a text since, and a plain merge would put back those that the program lacks.
  const mergesOther =
    change.fields.filter(({ path }) => isBodyName(path[0] ?? "")).length > 1 &&
    wantedHash(change.wanted) !== wantedHash(fromAccepted.wanted);
  const fields = fromAccepted.fields.map((one): FieldChange => {
    const own = plain.get(pathText(one.path));
    const isPlain = own === undefined || own.verdict === "send" || own.verdict === "taken away";
    const isMerged = mergesOther && isBodyName(one.path[0] ?? "");
    if (isMerged && one.verdict === "conflict") return { ...one, accepted: "changed" };
    if (!isPlain && !isMerged) return one;
    if (one.verdict === "put back" || isByStaff(one)) return { ...one, accepted: "reverted" };
    // The program may have the edit and have changed it since: this is no conflict.
    const isChanged = one.verdict === "conflict" && own !== undefined;
    if (isChanged && hasTheirLines(one)) return own;
    return isChanged ? { ...own, was: one.was, accepted: "changed" } : one;
  });
  return fields.some(({ accepted }) => accepted !== undefined) ? { ...fromAccepted, fields } : change;
}

/** Whether the program's text has the lines that staff changed. */
function hasTheirLines({ was, is, asked }: FieldChange): boolean {
  if (typeof was !== "string" || typeof is !== "string" || typeof asked !== "string") return false;
  const before = printLineHashes(was);
  return before !== undefined && mergedLines(asked, before, is) === asked;
}

function changeFromBase(
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
    // The other items stayed until now; from now on the program lists all of them.
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
    sends: sendsOf(definition, merged, body.isSent ? wanted : {}, seen),
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

/** The change of a body that staff made while the rest of the object was written. */
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

/** The fields that the program changes or puts back; a plan covers these (docs/decisions/0014-contents-of-a-saved-plan.md). */
export const programChanges = (change: Pick<Change, "fields">): readonly FieldChange[] =>
  change.fields.filter((one) => !isByStaff(one));

/** The fields whose edits by staff are reverted or replaced with a mark. Those of a conflict stay. */
export const revertedEdits = (change: Pick<Change, "fields">): readonly FieldChange[] =>
  change.fields.filter(
    (one) =>
      one.verdict === "put back" ||
      (one.accepted !== undefined && one.verdict !== "conflict" && !isByStaff(one)),
  );

export const staffOnlyChanges = (change: Pick<Change, "fields">): readonly FieldChange[] =>
  change.fields.filter(isByStaff);

const asSeen: MergedField["known"] = (seen) => seen;

export function mergeField(field: Field, sides: FieldSides, log: MergeLog): MergedField {
  const { path, inState, is, asked, base } = sides;
  const { items } = field;
  // The value isn't known in this preview: compare it with nothing.
  if (asked === unknownValue) {
    const there = items === undefined ? is : undefined;
    log.changes.push({ path, was: inState, is: there, asked, verdict: "send" });
    return { wanted: asked, sent: asked, known: asSeen };
  }
  if (items?.fields?.id !== undefined)
    return mergeItems({ items, fields: items.fields }, sides, log, mergeField);
  if (field.each !== undefined) return mergeEach(field.each, sides, log);
  // Stock is nobody's edit. A value that the program sets as the refresh read it counts as agreed.
  const was = field.serverManaged || isWanted(field, asked, inState) ? inState : base;
  const isDone = isWanted(field, asked, is);
  const taken: MergedField = isDone
    ? { wanted: asked, known: (seen, outcome) => stateIfUnsent(field, { ...sides, seen }, outcome) }
    : {
        wanted: asked,
        sent: asked,
        known: (seen, outcome) => stateAfterWrite(field, { path, asked, seen }, outcome),
      };
  const note = (verdict: Verdict) => log.changes.push({ path, was, is, asked, verdict });
  if (field.serverManaged && isWanted(field, asked, base))
    return isDone ? taken : { wanted: undefined, known: asSeen };
  const moved = !sameRead(field, was, is);
  if (!isWanted(field, asked, was)) {
    note(isDone ? "done" : moved ? "conflict" : "send");
    return taken;
  }
  // Stock that sold down to the number that the program now sets: from now on it is the program's number.
  if (field.serverManaged && isDone) note("done");
  if (!moved) return taken;
  const isRead = !isWanted(field, asked, inState) && sameRead(field, inState, is);
  if (isRead && !log.keeps) {
    note("put back");
    return taken;
  }
  log.changes.push({ path, was, is, asked, verdict: "kept", ...(isRead && { isRead }) });
  return { wanted: undefined, known: () => inState };
}

/** The new state of a value that wasn't sent. An edit that others made while the rest was written isn't recorded. */
function stateIfUnsent(
  field: Field,
  { path, inState, is, asked, seen }: FieldSides & { readonly seen: unknown },
  outcome: Outcome | undefined,
): unknown {
  if (field.serverManaged || isWanted(field, asked, seen) || sameRead(field, is, seen)) return seen;
  outcome?.kept.push({ path, was: is, is: seen, asked, verdict: "kept" });
  return sameRead(field, inState, is) ? inState : is;
}

/** Amounts by title. Amounts that the program doesn't set keep their value. */
function mergeEach(each: Field, { path, asked, ...others }: FieldSides, notes: MergeLog): MergedField {
  const [read, is] = [valuesOf(others.inState), valuesOf(others.is)];
  // Titles that only the shop has can't be a change of the program.
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

/** The former title of an amount: the shop no longer has it, and has the same value under the new title. */
const titleBefore = (each: Field, name: string, last: Values, is: Values): string | undefined =>
  is[name] === undefined
    ? undefined
    : Object.keys(last).find((one) => is[one] === undefined && sameRead(each, last[one], is[name]));

function sendsOf(
  { fields, operations, body: its }: Definition,
  merged: readonly (readonly [string, MergedField])[],
  body: Values,
  seen: Values,
): Requests {
  const sent = merged.filter(([, one]) => one.sent !== undefined);
  const by = (name: string) => fields[name]?.updateVia;
  // If the list only loses items, there is nothing to edit.
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
  const isSilent = names.length > 0 && operations.edit?.answers === "nothing";
  const changesAddress =
    its !== undefined &&
    typeof seen[its.address] === "string" &&
    (own.length > 0 || bodyArgumentsIn(body).length > 0);
  const isRead = removed.length > 0 || isSilent || changesAddress;
  return {
    edit,
    own,
    removed,
    adds: merged.some(([, one]) => one.adds === true),
    changesAddress,
    requests: (names.length > 0 ? 1 : 0) + own.length + removed.length + (isRead ? 1 : 0),
  };
}

/** The fields, except for the body, that the program set and a read returns: they are lost if the object is deleted. */
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

/** Everything that the program set, doesn't ignore, and staff changed since: a delete would destroy it unseen. */
export function changesByStaff(definition: Definition, known: Values, seen: Values): readonly FieldChange[] {
  const stated = setPathsIn(known);
  const fields = comparableFields(definition, known).flatMap(([name, field]): readonly FieldChange[] => {
    const [was, is] = [known[name], seen[name]];
    if (field.items?.fields === undefined) return sameRead(field, was, is) ? [] : [side([name], was, is)];
    const changed = changedItems(field.items, (own) => stated.has(`${name}.${own}`), was, is);
    return changed.map((one) => ({ ...one, path: [name, ...one.path] }));
  });
  const body = ignoresBody(ignoredIn(known))
    ? []
    : bodyChange(definition, { known, seen, asked: {} }, { folder: "" }).fields;
  return [...fields.filter(({ path }) => !isIgnored(definition, known, path)), ...body];
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
