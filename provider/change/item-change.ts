/** The change of a list whose items have ids in the shop. */

import { isRecord } from "../../engine/common/record.ts";
import { type Path, pathText } from "../../engine/pulumi/path.ts";
import { type Field, type Fields, isCompared } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { listOf, valuesOf } from "../wire/values.ts";
import { argumentsOf, itemDifferences, itemName, pairItems } from "./compare.ts";
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
import {
  type IdList,
  type ListedItem,
  matchItems,
  type UnlistedItem,
  withoutStock,
} from "./matched-items.ts";

type MergeField = (field: Field, sides: FieldSides, notes: MergeLog) => MergedField;

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

export function mergeItems(
  list: IdList,
  sides: FieldSides,
  notes: MergeLog,
  mergeField: MergeField,
): MergedField {
  const { listed, unlisted, added, released = [] } = matchItems(list, sides);
  for (const { path, old, inShop } of released)
    notes.changes.push({
      path,
      was: argumentsOf(list.fields, old),
      is: inShop && argumentsOf(list.fields, inShop),
      asked: undefined,
      verdict: "done",
    });
  const merged: readonly MergedItem[] = [
    ...unlisted.flatMap((one) => (one.wasSet ? [] : [addedBefore(list.fields, one, notes)])),
    ...listed.map((one) => mergeListed(list, one, notes, mergeField)),
    ...unlisted.flatMap((one) => (one.wasSet ? [removed(list.fields, one, notes)] : [])),
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
      const own = listOf(seen).filter((item) => !isTheirs(item));
      const ours = merged.filter(({ wanted }) => wanted !== undefined && !isTheirs(wanted));
      return [
        ...knownItems(list, own, { own: ours, inShop: sides.is, path: sides.path }, outcome),
        ...merged.flatMap((one) => one.lost ?? []),
      ];
    },
  };
}

function knownItems(
  { items, fields }: IdList,
  list: readonly Values[],
  {
    own,
    inShop,
    path,
  }: { readonly own: readonly MergedItem[]; readonly inShop: unknown; readonly path: Path },
  outcome: Outcome = emptyOutcome(),
): readonly Values[] {
  const before = new Map(listOf(inShop).map((item) => [item.id, item]));
  const wanted = own.map((one) => one.wanted ?? {});
  const { pairs, gone } = pairItems(items, wanted, list, "after");
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

function mergeListed(
  { fields }: IdList,
  item: ListedItem,
  notes: MergeLog,
  mergeField: MergeField,
): MergedItem {
  const { entry, old, base, inShop, path, isAdopted = false } = item;
  const own = { wanted: entry, sent: entry, adds: true as const, known: knownNew(fields, entry, path) };
  const sides = { path, is: undefined, asked: argumentsOf(fields, entry) };
  if (old === undefined) {
    if (inShop === undefined && base === undefined) {
      notes.changes.push({ ...sides, was: undefined, verdict: "send" });
      return own;
    }
    if (inShop !== undefined) return mergeTwin(fields, { entry, twin: inShop, path }, notes);
    // A refresh found that staff had deleted it.
    const isAsBefore = itemDifferences(withoutStock(fields), entry, valuesOf(base)).length === 0;
    const verdict = !isAsBefore ? "conflict" : notes.keeps ? "lost" : "put back";
    const isRead = verdict === "lost";
    const was = argumentsOf(fields, valuesOf(base));
    notes.changes.push({ ...sides, was, verdict, ...(isRead && { isRead }) });
    return isRead ? {} : own;
  }
  if (inShop === undefined) {
    // Staff deleted it: it stays deleted if the program didn't change it; otherwise it is a conflict.
    const isLeft = itemDifferences(fields, entry, base ?? old).length === 0;
    notes.changes.push({
      ...sides,
      was: argumentsOf(fields, base ?? old),
      verdict: isLeft ? "lost" : "conflict",
    });
    return isLeft ? { lost: old } : own;
  }
  const changes: FieldChange[] = [];
  const merged = Object.entries(fields).flatMap(([name, field]): [string, MergedField][] => {
    if (entry[name] === undefined || !isCompared(field)) return [];
    const inner = { inState: old[name], is: inShop[name], asked: entry[name], base: (base ?? old)[name] };
    return [[name, mergeField(field, { path: [...path, name], ...inner }, { ...notes, changes })]];
  });
  // No run has set this item, and it may already have all its values.
  notes.changes.push(...(isAdopted ? changes.map((one) => ({ ...one, isNew: true as const })) : changes));
  if (isAdopted && changes.length === 0)
    notes.changes.push({ ...sides, was: undefined, is: argumentsOf(fields, inShop), verdict: "done" });
  const sent = presentValues(merged, "sent");
  return {
    wanted: { ...presentValues(merged, "wanted"), id: inShop.id },
    ...(sent !== undefined && { sent: { id: inShop.id, ...sent } }),
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
  const is = argumentsOf(withoutStock(fields), twin);
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

const knownNew =
  (fields: Fields, entry: Values, path: Path): NonNullable<MergedItem["known"]> =>
  (seen, outcome) => ({
    ...seen,
    ...Object.fromEntries(
      Object.entries(fields).flatMap(([name, field]) => {
        const [asked, inShop] = [entry[name], seen[name]];
        if (asked === undefined || !isCompared(field)) return [];
        return [[name, stateAfterWrite(field, { path: [...path, name], asked, seen: inShop }, outcome)]];
      }),
    ),
  });

// The program no longer lists it; staff may have changed it.
function removed(fields: Fields, { old, inShop, path, isNew }: UnlistedItem, notes: MergeLog): MergedItem {
  const of = (item: Values) => argumentsOf(withoutStock(fields), item);
  const verdict = inShop === undefined ? "done" : isChanged(fields, old, inShop) ? "conflict" : "taken away";
  const sides = { path, was: of(old), is: inShop && of(inShop), asked: undefined };
  notes.changes.push({ ...sides, verdict, ...(isNew && { isNew }) });
  return inShop === undefined ? {} : { removed: inShop.id };
}

// Staff added it, a refresh read it, and the program doesn't list it.
function addedBefore(fields: Fields, { old, inShop, path }: UnlistedItem, notes: MergeLog): MergedItem {
  if (inShop === undefined) return {};
  const isRead = !isChanged(fields, old, inShop);
  const isKept = notes.keeps || !isRead;
  const sides = { path, was: undefined, is: argumentsOf(fields, inShop), asked: undefined };
  notes.changes.push(
    isKept ? { ...sides, verdict: "kept", ...(isRead && { isRead }) } : { ...sides, verdict: "put back" },
  );
  return isKept ? { wanted: { id: inShop.id } } : { removed: inShop.id };
}

function addedNow({ items, fields }: IdList, item: Values, path: Path, notes: MergeLog): MergedItem {
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

const isChanged = (fields: Fields, old: Values, inShop: Values): boolean =>
  Object.entries(withoutStock(fields)).some(
    ([name, field]) => isCompared(field) && !sameRead(field, old[name], inShop[name]),
  );
