/**
 * Three sides of one object, field by field: what the state knew, what the shop has, what the program asks. Nobody's
 * edit is overwritten unseen (docs/rules.md, rule 5): what only staff changed is kept, what both changed is a conflict.
 */

import { isBody } from "../body/arguments.ts";
import { type Definition, type Field, type Fields, type Items, isCompared } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { encodable } from "../wire/encodable.ts";
import { unknownValue } from "../wire/text.ts";
import { lastAsked } from "./asked.ts";
import { mergeBody } from "./body-merge.ts";
import { hasSameKey, isAlike, itemName, pair, same, statedDifferences, withFormerKeys } from "./diff.ts";
import type { Merging, Sides, Touched } from "./sides.ts";

export interface Merge {
  /** What the object shall be, as arguments: compared with what the shop has it gives what is to be sent. */
  readonly wanted: Values;
  /** Changed by staff alone: left as they are. */
  readonly kept: readonly Sides[];
  /** Changed by staff alone before a refresh read it: the program asks as before, and puts it back. */
  readonly putBack: readonly Sides[];
  /** Changed by staff and by the program. */
  readonly conflicts: readonly Sides[];
  /** Changed by the program, or put back: what a plan binds (docs/decisions/0014-what-a-plan-binds.md). */
  readonly touched: readonly Touched[];
  /** What the state shall say of an object that was read after the write: what was kept stays as the state knew it. */
  known(seen: Values): Values;
}

interface Notes {
  /** Whether what would be put back is kept. */
  readonly keeps: boolean;
  readonly kept: Sides[];
  readonly putBack: Sides[];
  readonly conflicts: Sides[];
  readonly touched: Touched[];
}

/** What becomes of one value: what to ask for, and what the state says of it once it was written and read. */
interface Merged {
  /** Undefined leaves the shop's value alone. */
  readonly wanted: unknown;
  readonly known: (seen: unknown) => unknown;
}

/**
 * Merges the three sides of an object. A conflict takes the program's value into `wanted`: who may overwrite sends it.
 * @param base the state
 * @param theirs the object as it was read
 * @param asked the arguments, checked
 */
export function merge(
  definition: Definition,
  base: Values,
  theirs: Values,
  asked: Values,
  { folder, keeps = false }: Merging,
): Merge {
  const notes: Notes = { keeps, kept: [], putBack: [], conflicts: [], touched: [] };
  const wanted: Record<string, unknown> = { ...asked };
  const known = new Map<string, (seen: unknown) => unknown>();
  const last = lastAsked(definition, base);
  for (const [name, field] of Object.entries(definition.fields)) {
    if (asked[name] === undefined || !isCompared(field) || isBody(definition, name)) continue;
    const is = field.unread ? base[name] : theirs[name];
    const sides = { path: name, read: base[name], is, asked: asked[name], last: last[name] };
    const merged = mergeField(field, sides, notes);
    if (merged.wanted === undefined) delete wanted[name];
    else wanted[name] = merged.wanted;
    known.set(name, merged.known);
  }
  const body = mergeBody(definition, base, theirs, asked, { folder, keeps });
  notes.kept.push(...body.kept);
  notes.putBack.push(...body.putBack);
  notes.conflicts.push(...body.conflicts);
  notes.touched.push(...body.touched);
  return {
    wanted: body.wanted(wanted),
    kept: notes.kept,
    putBack: notes.putBack,
    conflicts: notes.conflicts,
    touched: notes.touched,
    known: (seen) => encodable(body.known(knownOf(known, seen))),
  };
}

/** Whether two values that were read mean the same; unset and empty are one to a shop. */
export function sameRead(field: Field, a: unknown, b: unknown): boolean {
  const plain = (value: unknown) => (value === undefined || value === null ? "" : value);
  const items = field.items;
  if (items?.fields !== undefined) {
    const { pairs, gone } = pair(items, (a ?? []) as readonly Values[], (b ?? []) as readonly Values[]);
    const fields = items.fields;
    return (
      gone.length === 0 &&
      pairs.every(([one, other]) => other !== undefined && statedDifferences(fields, one, other).length === 0)
    );
  }
  const { each } = field;
  if (each !== undefined) {
    const [one, other] = [(a ?? {}) as Values, (b ?? {}) as Values];
    return Object.keys({ ...one, ...other }).every((name) => sameRead(each, one[name], other[name]));
  }
  if (Array.isArray(a) || Array.isArray(b)) return JSON.stringify(a ?? []) === JSON.stringify(b ?? []);
  return plain(a) === plain(b) || (field.type === "text" && same(field, plain(a), b));
}

function isAsked(field: Field, asked: unknown, known: unknown): boolean {
  if (field.items?.fields === undefined) return same(field, asked, known);
  return sameRead(field, asked, known);
}

const asRead: Merged["known"] = (seen) => seen;

/** A field's sides: what the state read of it last, and what the program last asked of it. */
interface MergingField extends Omit<Sides, "was"> {
  readonly read: unknown;
  readonly last: unknown;
}

function mergeField(field: Field, { read, last, ...now }: MergingField, notes: Notes): Merged {
  const { path, is, asked } = now;
  const { items } = field;
  // A preview compares what it doesn't know yet with nothing.
  if (asked === unknownValue) {
    const known = items === undefined ? is : undefined;
    notes.touched.push({ path, was: read, is: known, asked, isDone: false });
    return { wanted: asked, known: asRead };
  }
  if (items?.fields?.id !== undefined) return mergeItems(items, items.fields, { read, last, ...now }, notes);
  if (field.each !== undefined) return mergeEach(field.each, { read, last, ...now }, notes);
  // What a shop changes by itself is nobody's edit, and what the program asks as a refresh read it is agreed.
  const was = field.moves || isAsked(field, asked, read) ? read : last;
  const sides = { ...now, was };
  const moved = !sameRead(field, was, is);
  if (field.moves && isAsked(field, asked, last))
    return { wanted: isAsked(field, asked, is) ? asked : undefined, known: asRead };
  if (isAsked(field, asked, was)) {
    if (!moved) return { wanted: asked, known: asRead };
    const isRead = !isAsked(field, asked, read) && sameRead(field, read, is);
    if (isRead && !notes.keeps) return putBack(sides, notes);
    notes.kept.push(sides);
    return { wanted: undefined, known: () => read };
  }
  const isDone = isAsked(field, asked, is);
  notes.touched.push({ ...sides, isDone });
  if (moved && !isDone) notes.conflicts.push(sides);
  return { wanted: asked, known: asRead };
}

/** Amounts by their titles: those that aren't asked for are left alone. */
function mergeEach(each: Field, { path, asked, ...others }: MergingField, notes: Notes): Merged {
  const merged = Object.entries(asked as Values).map(([name, one]) => {
    const at = (side: unknown) => (side as Values | undefined)?.[name];
    const sides = { read: at(others.read), last: at(others.last), is: at(others.is) };
    return [name, mergeField(each, { path: `${path}[${name}]`, asked: one, ...sides }, notes)] as const;
  });
  const wanted = merged.flatMap(([name, one]) =>
    one.wanted === undefined ? [] : [[name, one.wanted] as const],
  );
  const known = new Map(merged.map(([name, one]) => [name, one.known]));
  return {
    wanted: wanted.length === 0 ? undefined : Object.fromEntries(wanted),
    known: (seen) => knownOf(known, (seen ?? {}) as Values),
  };
}

function putBack(sides: Sides, notes: Notes): Merged {
  notes.putBack.push(sides);
  notes.touched.push({ ...sides, isDone: false });
  return { wanted: sides.asked, known: asRead };
}

/** Items of a list, told apart by the number that the shop gave them. */
function mergeItems(items: Items, fields: Fields, sides: MergingField, notes: Notes): Merged {
  const { path, read, is, asked } = sides;
  const last = new Map(((sides.last ?? []) as readonly Values[]).map((item) => [item.id, item]));
  const known = (read ?? []) as readonly Values[];
  const there = [...((is ?? []) as readonly Values[])];
  const take = (item: Values | undefined) => {
    const found =
      item === undefined
        ? undefined
        : (there.find(({ id }) => id !== undefined && id === item.id) ??
          (item.id === undefined ? there.find((one) => hasSameKey(items, one, item)) : undefined));
    if (found !== undefined) there.splice(there.indexOf(found), 1);
    return found;
  };
  const { pairs, gone } = withFormerKeys(items, pair(items, asked as readonly Values[], known), last);
  const inState = new Set(known.map(({ id }) => id));
  const gonesBefore = [...last.values()].filter(({ id }) => !inState.has(id));
  const missing = pairs.flatMap(([entry, old]) => (old === undefined ? [entry] : []));
  const deleted = new Map(pair(items, missing, gonesBefore).pairs);
  const nameOf = (item: Values, index: number) => `${path}[${itemName(items, item, index)}]`;
  const matched = pairs.map(([entry, old], index) => ({
    entry,
    old,
    there: take(old),
    path: nameOf(entry, index),
  }));
  const leaving = gone.map((item, index) => {
    const old = last.get(item.id);
    return { old: old ?? item, there: take(item), path: nameOf(item, index), isOurs: old !== undefined };
  });
  const left: Leaving[] = leaving.filter(({ isOurs }) => isOurs);
  const before = (old: Values, entry: Values) =>
    last.get(old.id) ?? gonesBefore.find((one) => hasSameKey(items, one, entry)) ?? old;
  const wanted: Values[] = leaving.flatMap((one) => (one.isOurs ? [] : addedByStaff(fields, one, notes)));
  const states = new Map<unknown, (seen: Values) => Values>();
  const lost: Values[] = [];
  for (const [index, { entry, old, there: found, path: at }] of matched.entries()) {
    const isIt =
      old === undefined
        ? (one: Values) => isSameItem(items, one, entry)
        : (one: Values) => !hasSameKey(items, entry, old) && hasSameKey(items, one, entry);
    const twin = take(there.find(isIt));
    if (old === undefined || twin !== undefined) {
      // One that was to be called so, where staff have added one of that name: this is it, and the other goes.
      if (old !== undefined)
        left.push({ old: last.get(old.id) ?? old, there: found, path: nameOf(old, index) });
      const was = old === undefined && twin === undefined ? deleted.get(entry) : undefined;
      if (was !== undefined) {
        if (!isKeptAway(fields, entry, was, at, notes)) wanted.push(entry);
        continue;
      }
      notes.touched.push(addedItem(fields, entry, twin, at));
      wanted.push(twin === undefined ? entry : mergeNew(fields, entry, twin, at, notes));
    } else if (found === undefined) {
      const isAgreed = statedDifferences(fields, entry, old).length === 0;
      if (isKeptDeleted(fields, entry, isAgreed ? old : before(old, entry), at, notes)) lost.push(old);
      else wanted.push(entry);
    } else {
      const own = { old, found, entry, last: before(old, entry), path: at };
      const { item, known: state } = mergeItem(fields, own, notes);
      wanted.push({ ...item, id: found.id });
      states.set(found.id, state);
    }
  }
  notes.conflicts.push(...left.flatMap((one) => changedBeforeRemoval(fields, one)));
  notes.touched.push(...left.map((one) => removedItem(fields, one)));
  // What staff added is theirs: it stays in the shop, and stays out of the state until a refresh.
  const added = new Set(there.map(({ id }) => id));
  for (const item of there) {
    notes.kept.push({
      path: nameOf(item, -1),
      was: undefined,
      is: argumentsOf(fields, item),
      asked: undefined,
    });
    wanted.push({ id: item.id });
  }
  return {
    wanted,
    known: (seen) => [
      ...((seen ?? []) as readonly Values[])
        .filter(({ id }) => !added.has(id))
        .map((item) => states.get(item.id)?.(item) ?? item),
      ...lost,
    ],
  };
}

/** An item that a refresh no longer found. @returns whether it stays away */
function isKeptAway(fields: Fields, entry: Values, old: Values, path: string, notes: Notes): boolean {
  const sides = { path, was: argumentsOf(fields, old), is: undefined, asked: argumentsOf(fields, entry) };
  const isAsBefore = statedDifferences(steady(fields), entry, old).length === 0;
  if (isAsBefore && notes.keeps) {
    notes.kept.push(sides);
    return true;
  }
  if (isAsBefore) putBack(sides, notes);
  else {
    notes.conflicts.push(sides);
    notes.touched.push({ ...sides, isDone: false });
  }
  return false;
}

/** An item that staff added and a refresh read: the program doesn't ask for it. @returns what of it is wanted */
function addedByStaff(fields: Fields, { old, there, path }: Leaving, notes: Notes): readonly Values[] {
  if (there === undefined) return [];
  const sides = { path, was: undefined, is: argumentsOf(fields, there), asked: undefined };
  if (!notes.keeps && !isChanged(fields, old, there)) {
    putBack(sides, notes);
    return [];
  }
  notes.kept.push(sides);
  return [{ id: there.id }];
}

/** An item that staff deleted: it stays deleted where the program left it as it was, else both changed it. */
function isKeptDeleted(fields: Fields, entry: Values, old: Values, path: string, notes: Notes): boolean {
  const isKept = statedDifferences(fields, entry, old).length === 0;
  const sides = { path, was: argumentsOf(fields, old), is: undefined, asked: argumentsOf(fields, entry) };
  (isKept ? notes.kept : notes.conflicts).push(sides);
  if (!isKept) notes.touched.push({ ...sides, isDone: false });
  return isKept;
}

function addedItem(fields: Fields, entry: Values, twin: Values | undefined, path: string): Touched {
  const differing = twin === undefined ? [path] : statedDifferences(steady(fields), entry, twin);
  const is = twin === undefined ? undefined : argumentsOf(steady(fields), twin);
  return { path, was: undefined, is, asked: argumentsOf(fields, entry), isDone: differing.length === 0 };
}

interface Leaving {
  readonly old: Values;
  readonly there: Values | undefined;
  readonly path: string;
}

function removedItem(fields: Fields, { old, there, path }: Leaving): Touched {
  const is = there === undefined ? undefined : argumentsOf(steady(fields), there);
  const was = argumentsOf(steady(fields), old);
  return { path, was, is, asked: undefined, isDone: there === undefined };
}

/** Without what a shop changes by itself. */
const steady = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, { moves }]) => !moves));

/** An item that the program no longer asks for, and that staff changed since. */
function changedBeforeRemoval(fields: Fields, { old, there, path }: Leaving): readonly Sides[] {
  return there !== undefined && isChanged(fields, old, there)
    ? [{ path, was: argumentsOf(fields, old), is: argumentsOf(fields, there), asked: undefined }]
    : [];
}

const isChanged = (fields: Fields, old: Values, there: Values): boolean =>
  Object.entries(fields).some(
    ([name, field]) => isCompared(field) && !field.moves && !sameRead(field, old[name], there[name]),
  );

/** An item as a message quotes it: what a program could write of it. */
export function argumentsOf(fields: Fields, item: Values): Values {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      isCompared(field) && item[name] !== undefined && item[name] !== "" ? [[name, item[name]]] : [],
    ),
  );
}

/** Whether what the shop has is what the program adds: of its key; where the program states none, alike to it or equal. */
function isSameItem(items: Items, one: Values, entry: Values): boolean {
  const { key, fields = {} } = items;
  const keyOf = (item: Values) => (key === undefined ? "" : (item[key] ?? ""));
  if (keyOf(entry) !== "") return hasSameKey(items, one, entry);
  if (isAlike(items, entry, one)) return true;
  return keyOf(one) === "" && statedDifferences(steady(fields), entry, one).length === 0;
}

/** An item on its sides. */
interface MergingItem {
  readonly old: Values;
  readonly found: Values;
  readonly entry: Values;
  readonly last: Values;
  readonly path: string;
}

function mergeItem(fields: Fields, { old, found, entry, last, path }: MergingItem, notes: Notes) {
  const item: Record<string, unknown> = {};
  const known = new Map<string, (seen: unknown) => unknown>();
  for (const [name, field] of Object.entries(fields)) {
    if (entry[name] === undefined || !isCompared(field)) continue;
    const sides = { read: old[name], is: found[name], asked: entry[name], last: last[name] };
    const merged = mergeField(field, { path: `${path}.${name}`, ...sides }, notes);
    if (merged.wanted !== undefined) item[name] = merged.wanted;
    known.set(name, merged.known);
  }
  return { item, known: (seen: Values) => knownOf(known, seen) };
}

/** An object, or an item, that was read after the write, as the state shall know it: what has no value stays out. */
const knownOf = (known: ReadonlyMap<string, Merged["known"]>, seen: Values): Values => ({
  ...seen,
  ...Object.fromEntries([...known].map(([name, value]) => [name, value(seen[name])])),
});

/** An item that the program adds and the shop has already: made by a run that was cut off, or by staff. */
function mergeNew(fields: Fields, entry: Values, twin: Values, path: string, notes: Notes): Values {
  const item: Record<string, unknown> = { ...entry, id: twin.id };
  for (const [name, field] of Object.entries(fields)) {
    const asked = entry[name];
    if (asked === undefined || !isCompared(field) || isAsked(field, asked, twin[name])) continue;
    if (field.moves) delete item[name];
    else notes.conflicts.push({ path: `${path}.${name}`, was: undefined, is: twin[name], asked });
  }
  return item;
}
