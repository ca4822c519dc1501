/** The change of a list whose items have ids in the shop. */

import { type Path, pathText } from "../../engine/pulumi/path.ts";
import { isRecord } from "../../engine/pulumi/record.ts";
import { type Field, type Fields, type Items, isCompared } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { listOf, valuesOf } from "../wire/values.ts";
import {
  argumentsOf,
  hasSameKey,
  isAlike,
  itemDifferences,
  itemName,
  pairItems,
  withFormerKeys,
} from "./compare.ts";
import {
  emptyOutcome,
  type FieldChange,
  type FieldSides,
  isWanted,
  type MergedField,
  type MergeLog,
  type Outcome,
  presentValues,
  sameRead,
  stateAfterRead,
  stateAfterWrite,
  type Verdict,
} from "./field-change.ts";

interface Numbered {
  readonly items: Items;
  readonly fields: Fields;
}

type MergeField = (field: Field, sides: FieldSides, notes: MergeLog) => MergedField;

/** The merge of one item. */
interface MergedItem {
  /** The wanted item, with its id if the shop has it. */
  readonly wanted?: Values;
  readonly sent?: Values;
  /** The id of an item to remove. */
  readonly removed?: unknown;
  readonly adds?: true;
  /** The item for the state, after the write was read. */
  readonly known?: (seen: Values, outcome?: Outcome) => Values;
  /** An item that staff deleted and the state still has. */
  readonly lost?: Values;
}

/** The program's items with their counterparts, and the items that the program doesn't list. */
interface Matched {
  readonly asked: readonly Asked[];
  readonly leaving: readonly Leaving[];
  /** Other items in the shop: staff added them. */
  readonly added: readonly Values[];
  /** Items that the program no longer lists and leaves to others. */
  readonly letGo?: readonly Leaving[];
}

interface Asked {
  readonly entry: Values;
  /** The state's item; undefined for a new one. */
  readonly old: Values | undefined;
  /** The program's last values of it. */
  readonly last: Values | undefined;
  readonly there: Values | undefined;
  readonly path: Path;
  /** Whether the item wasn't the program's until now: staff added it, or `otherVariants` was "keep". */
  readonly isTaken?: boolean;
}

interface Leaving {
  readonly old: Values;
  readonly there: Values | undefined;
  readonly path: Path;
  /** Whether the program ever set it. If not, staff added it and a refresh read it. */
  readonly isOurs: boolean;
}

export function mergeItems(
  list: Numbered,
  sides: FieldSides,
  notes: MergeLog,
  mergeField: MergeField,
): MergedField {
  const { asked, leaving, added, letGo = [] } = apart(list, sides);
  for (const { path, old, there } of letGo)
    notes.changes.push({
      path,
      was: argumentsOf(list.fields, old),
      is: there && argumentsOf(list.fields, there),
      asked: undefined,
      verdict: "done",
    });
  const merged: readonly MergedItem[] = [
    ...leaving.flatMap((one) => (one.isOurs ? [] : [addedBefore(list.fields, one, notes)])),
    ...asked.map((one) => mergeAsked(list, one, notes, mergeField)),
    ...leaving.flatMap((one) => (one.isOurs ? [removed(list.fields, one, notes)] : [])),
    ...added.map((item) =>
      list.items.isPartial ? { wanted: { id: item.id } } : addedNow(list, item, sides.path, notes),
    ),
  ];
  const sent = merged.flatMap((one) => one.sent ?? []);
  const gone = merged.flatMap((one) => (one.removed === undefined ? [] : [one.removed]));
  const theirs = new Set(added.map(({ id }) => id));
  const isTheirs = ({ id }: Values) => id !== undefined && theirs.has(id);
  return {
    wanted: merged.flatMap((one) => one.wanted ?? []),
    ...((sent.length > 0 || gone.length > 0) && { sent }),
    removed: gone,
    adds: merged.some((one) => one.adds === true),
    // Items that staff added stay in the shop, and out of the state until a refresh.
    known(seen, outcome) {
      const listed = listOf(seen).filter((item) => !isTheirs(item));
      const own = merged.filter(({ wanted }) => wanted !== undefined && !isTheirs(wanted));
      return [
        ...knownItems(list, listed, { own, there: sides.is, path: sides.path }, outcome),
        ...merged.flatMap((one) => one.lost ?? []),
      ];
    },
  };
}

interface MergedList {
  readonly own: readonly MergedItem[];
  readonly there: unknown;
  readonly path: Path;
}

/** The list for the state, after the write was read. */
function knownItems(
  { items, fields }: Numbered,
  list: readonly Values[],
  { own, there, path }: MergedList,
  outcome: Outcome = emptyOutcome(),
): readonly Values[] {
  const before = new Map(listOf(there).map((item) => [item.id, item]));
  const wanted = own.map((one) => one.wanted ?? {});
  const { pairs, gone } = pairItems(items, wanted, list, "written");
  const states = new Map<Values, Values>();
  const removed: Values[] = [];
  for (const [index, [entry, item]] of pairs.entries()) {
    const at = [...path, itemName(items, entry, index)];
    const { sent, known } = own[index] ?? {};
    // It was confirmed and is gone: staff deleted it afterwards.
    const taken = outcome.confirmed.get(pathText(at));
    const was = sent === undefined ? before.get(entry.id) : isRecord(taken) ? taken : undefined;
    if (item !== undefined) {
      states.set(item, known?.(item, outcome) ?? item);
      outcome.confirmed.set(pathText(at), states.get(item));
    } else if (was === undefined) outcome.rejected.push(at);
    else {
      outcome.kept.push({
        path: at,
        was: argumentsOf(fields, was),
        is: undefined,
        asked: entry,
        verdict: "lost",
      });
      removed.push(was);
    }
  }
  const isNew = ({ id }: Values) => id !== undefined && !before.has(id);
  for (const [index, item] of gone.entries())
    if (isNew(item)) addedNow({ items, fields }, item, path, { keeps: false, changes: outcome.kept });
    else outcome.rejected.push([...path, itemName(items, item, index)]);
  const added = new Set(gone.filter(isNew));
  return [...list.flatMap((item) => (added.has(item) ? [] : [states.get(item) ?? item])), ...removed];
}

/** Applies `otherVariants`: the other items stay, or are removed from now on. */
function apart(list: Numbered, sides: FieldSides): Matched {
  const { asked, leaving, added } = matched(list, sides);
  if (list.items.isPartial)
    return {
      asked,
      leaving: [],
      letGo: leaving,
      added: [...leaving.flatMap(({ there }) => (there === undefined ? [] : [there])), ...added],
    };
  if (!sides.othersGo) return { asked, leaving, added };
  const going = added.map((item): Leaving => {
    const path = [...sides.path, itemName(list.items, item, -1)];
    return { old: item, there: item, path, isOurs: true };
  });
  return { asked, leaving: [...leaving, ...going], added: [] };
}

function matched({ items, fields }: Numbered, { path, inState, is, asked, ...sides }: FieldSides): Matched {
  const last = new Map(
    listOf(sides.base).flatMap((item) => (item.id === undefined ? [] : [[item.id, item] as const])),
  );
  const lastOf = (item: Values) => (item.id === undefined ? item : last.get(item.id));
  const known = listOf(inState);
  const left = [...listOf(is)];
  const take = (found: Values | undefined) => {
    if (found !== undefined) left.splice(left.indexOf(found), 1);
    return found;
  };
  const there = (item: Values) =>
    take(
      left.find((one) =>
        item.id === undefined ? one === item || hasSameKey(items, one, item) : one.id === item.id,
      ),
    );
  const at = (item: Values, index: number) => [...path, itemName(items, item, index)];
  const { pairs, gone } = withFormerKeys(items, pairItems(items, listOf(asked), known), last);
  const idsInState = new Set(known.map(({ id }) => id));
  // Staff deleted the item and created it again with another id.
  const remade = (entry: Values, old: Values) =>
    take(
      left.find(
        (one) => !idsInState.has(one.id) && hasSameKey(items, one, entry) && hasSameKey(items, entry, old),
      ),
    );
  const found = pairs
    .map(([entry, old]) => ({ entry, old, there: old && there(old) }))
    .map((one) => ({ ...one, there: one.there ?? (one.old && remade(one.entry, one.old)) }));
  const leaving = gone.map((item, index): Leaving => {
    const old = lastOf(item);
    return { old: old ?? item, there: there(item), path: at(item, index), isOurs: old !== undefined };
  });
  const gonesBefore = [...last.values()].filter(({ id }) => !idsInState.has(id));
  const missing = pairs.flatMap(([entry, old]) => (old === undefined ? [entry] : []));
  const deleted = new Map(pairItems(items, missing, gonesBefore).pairs);
  const renamed: Leaving[] = [];
  const all = found.map(({ entry, old, there: was }, index): Asked => {
    const own = { entry, path: at(entry, index) };
    const twin = take(left.find((one) => isTwin(items, one, entry, old)));
    // The program renames an item, and staff added one with the new name: use that one and remove the old one.
    const isTaken = items.isPartial && twin !== undefined && deleted.get(entry) === undefined;
    if (old !== undefined && twin !== undefined)
      renamed.push({ old: lastOf(old) ?? old, there: was, path: at(old, index), isOurs: true });
    // It wasn't the program's until now: its other values are treated as read by a refresh.
    if (isTaken) return { ...own, old: twin, last: entry, there: twin, isTaken };
    if (old === undefined || twin !== undefined)
      return {
        ...own,
        old: undefined,
        there: twin,
        last: twin === undefined && old === undefined ? deleted.get(entry) : undefined,
      };
    const isAgreed = was === undefined && itemDifferences(fields, entry, old).length === 0;
    const before = lastOf(old) ?? gonesBefore.find((one) => hasSameKey(items, one, entry));
    // Staff added it and a refresh read it: its other values belong to staff.
    if (before === undefined && was !== undefined)
      return { ...own, old, last: entry, there: was, isTaken: true };
    return { ...own, old, there: was, last: isAgreed ? old : (before ?? old) };
  });
  return { asked: all, leaving: [...leaving, ...renamed], added: left };
}

/** Whether an item that staff added is one that the program adds, or the new name of one. */
function isTwin(items: Items, one: Values, entry: Values, old: Values | undefined): boolean {
  if (old === undefined) return isSameItem(items, one, entry);
  return !hasSameKey(items, entry, old) && hasSameKey(items, one, entry);
}

function mergeAsked({ fields }: Numbered, item: Asked, notes: MergeLog, mergeField: MergeField): MergedItem {
  const { entry, old, last, there, path, isTaken = false } = item;
  const own = { wanted: entry, sent: entry, adds: true as const, known: knownNew(fields, entry, path) };
  const sides = { path, is: undefined, asked: argumentsOf(fields, entry) };
  if (old === undefined) {
    if (there === undefined && last === undefined) {
      notes.changes.push({ ...sides, was: undefined, verdict: "send" });
      return own;
    }
    if (there !== undefined) return mergeTwin(fields, { entry, twin: there, path }, notes);
    // A refresh found that staff had deleted it.
    const isAsBefore = itemDifferences(steady(fields), entry, valuesOf(last)).length === 0;
    const verdict = !isAsBefore ? "conflict" : notes.keeps ? "lost" : "put back";
    notes.changes.push({ ...sides, was: argumentsOf(fields, valuesOf(last)), verdict });
    return verdict === "lost" ? {} : own;
  }
  if (there === undefined) {
    // Staff deleted it: it stays deleted if the program didn't change it; otherwise it is a conflict.
    const isLeft = itemDifferences(fields, entry, last ?? old).length === 0;
    notes.changes.push({
      ...sides,
      was: argumentsOf(fields, last ?? old),
      verdict: isLeft ? "lost" : "conflict",
    });
    return isLeft ? { lost: old } : own;
  }
  const changes: FieldChange[] = [];
  const merged = Object.entries(fields).flatMap(([name, field]): [string, MergedField][] => {
    if (entry[name] === undefined || !isCompared(field)) return [];
    const inner = { inState: old[name], is: there[name], asked: entry[name], base: (last ?? old)[name] };
    return [[name, mergeField(field, { path: [...path, name], ...inner }, { ...notes, changes })]];
  });
  // No run has set this item, and it may already have all its values.
  notes.changes.push(...(isTaken ? changes.map((one) => ({ ...one, isNew: true as const })) : changes));
  if (isTaken && changes.length === 0)
    notes.changes.push({ ...sides, was: undefined, is: argumentsOf(fields, there), verdict: "done" });
  const sent = presentValues(merged, "sent");
  return {
    wanted: { ...presentValues(merged, "wanted"), id: there.id },
    ...(sent !== undefined && { sent: { id: there.id, ...sent } }),
    known: (seen, outcome) => stateAfterRead(merged, seen, outcome),
  };
}

/** Merges an item that the program adds and the shop already has, from an interrupted run or from staff. */
function mergeTwin(
  fields: Fields,
  { entry, twin, path }: { readonly entry: Values; readonly twin: Values; readonly path: Path },
  notes: MergeLog,
): MergedItem {
  const differing = Object.entries(fields).filter(
    ([name, field]) =>
      entry[name] !== undefined && isCompared(field) && !isWanted(field, entry[name], twin[name]),
  );
  const moved = new Set(differing.flatMap(([name, { serverManaged }]) => (serverManaged ? [name] : [])));
  const changed = differing.flatMap(([name]) => (moved.has(name) ? [] : [name]));
  const is = argumentsOf(steady(fields), twin);
  const verdict: Verdict = changed.length === 0 ? "done" : "send";
  notes.changes.push({ path, was: undefined, is, asked: argumentsOf(fields, entry), verdict });
  for (const name of changed)
    notes.changes.push({
      path: [...path, name],
      was: undefined,
      is: twin[name],
      asked: entry[name],
      verdict: "conflict",
    });
  const wanted = Object.entries(entry).filter(([name]) => !moved.has(name));
  const sent = Object.fromEntries(changed.map((name) => [name, entry[name]]));
  return {
    wanted: { ...Object.fromEntries(wanted), id: twin.id },
    known: knownNew(fields, Object.fromEntries(wanted), path),
    ...(changed.length > 0 && { sent: { id: twin.id, ...sent } }),
  };
}

/** The state of an item that no run has written before. */
const knownNew =
  (fields: Fields, entry: Values, path: Path): NonNullable<MergedItem["known"]> =>
  (seen, outcome) => ({
    ...seen,
    ...Object.fromEntries(
      Object.entries(fields).flatMap(([name, field]) => {
        const [asked, there] = [entry[name], seen[name]];
        if (asked === undefined || !isCompared(field)) return [];
        return [[name, stateAfterWrite(field, { path: [...path, name], asked, seen: there }, outcome)]];
      }),
    ),
  });

/** Merges an item that the program no longer lists. Staff may have changed it. */
function removed(fields: Fields, { old, there, path }: Leaving, notes: MergeLog): MergedItem {
  const of = (item: Values) => argumentsOf(steady(fields), item);
  const verdict = there === undefined ? "done" : isChanged(fields, old, there) ? "conflict" : "taken away";
  notes.changes.push({ path, was: of(old), is: there && of(there), asked: undefined, verdict });
  return there === undefined ? {} : { removed: there.id };
}

/** Merges an item that staff added and a refresh read; the program doesn't list it. */
function addedBefore(fields: Fields, { old, there, path }: Leaving, notes: MergeLog): MergedItem {
  if (there === undefined) return {};
  const isKept = notes.keeps || isChanged(fields, old, there);
  const is = argumentsOf(fields, there);
  notes.changes.push({ path, was: undefined, is, asked: undefined, verdict: isKept ? "kept" : "put back" });
  return isKept ? { wanted: { id: there.id } } : { removed: there.id };
}

/** Merges an item that staff added since the last read. */
function addedNow({ items, fields }: Numbered, item: Values, path: Path, notes: MergeLog): MergedItem {
  const is = argumentsOf(fields, item);
  notes.changes.push({
    path: [...path, itemName(items, item, -1)],
    was: undefined,
    is,
    asked: undefined,
    verdict: "kept",
  });
  return { wanted: { id: item.id } };
}

/** The fields without stock. */
const steady = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, { serverManaged }]) => !serverManaged));

const isChanged = (fields: Fields, old: Values, there: Values): boolean =>
  Object.entries(steady(fields)).some(
    ([name, field]) => isCompared(field) && !sameRead(field, old[name], there[name]),
  );

/**
 * Whether a shop's item is the one that the program adds: it has the same key or, without a key, the same identifying
 * fields or values.
 */
function isSameItem(items: Items, one: Values, entry: Values): boolean {
  const { key, fields = {} } = items;
  const keyOf = (item: Values) => (key === undefined ? "" : (item[key] ?? ""));
  if (keyOf(entry) !== "") return hasSameKey(items, one, entry);
  if (isAlike(items, entry, one)) return true;
  return keyOf(one) === "" && itemDifferences(steady(fields), entry, one).length === 0;
}
