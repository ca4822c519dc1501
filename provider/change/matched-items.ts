/** Matches the items of a list on three sides: the program, the state and the shop. */

import type { Path } from "../../engine/pulumi/path.ts";
import type { Fields, Items } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { isBlank, listOf } from "../wire/values.ts";
import { hasSameKey, isAlike, itemDifferences, itemName, type Pairs, pairItems } from "./compare.ts";
import type { FieldSides } from "./field-change.ts";

export interface IdList {
  readonly items: Items;
  readonly fields: Fields;
}

export interface MatchedItems {
  readonly listed: readonly ListedItem[];
  readonly unlisted: readonly UnlistedItem[];
  /** Other items in the shop: staff added them. */
  readonly added: readonly Values[];
  /** Items that the program no longer lists and leaves to others. */
  readonly released?: readonly UnlistedItem[];
}

export interface ListedItem {
  readonly entry: Values;
  /** The state's item; undefined for a new one. */
  readonly old: Values | undefined;
  /** The program's last values of it. */
  readonly base: Values | undefined;
  readonly inShop: Values | undefined;
  readonly path: Path;
  /** Whether the item wasn't the program's until now: staff added it, or `otherVariants` was "keep". */
  readonly isAdopted?: boolean;
}

export interface UnlistedItem {
  readonly old: Values;
  readonly inShop: Values | undefined;
  readonly path: Path;
  /** Whether the program ever set it. If not, staff added it and a refresh read it. */
  readonly wasSet: boolean;
  /** Whether it wasn't the program's until now: `otherVariants` was "keep". */
  readonly isNew?: true;
}

/** Applies `otherVariants`: the other items stay, or are removed from now on. */
export function matchItems(list: IdList, sides: FieldSides): MatchedItems {
  const { listed, unlisted, added } = matchAll(list, sides);
  if (list.items.isPartial)
    return {
      listed,
      unlisted: [],
      released: unlisted,
      added: [...unlisted.flatMap(({ inShop }) => (inShop === undefined ? [] : [inShop])), ...added],
    };
  if (!sides.othersGo) return { listed, unlisted, added };
  const going = added.map((item): UnlistedItem => {
    const path = [...sides.path, itemName(list.items, item, -1)];
    return { old: item, inShop: item, path, wasSet: true, isNew: true };
  });
  return { listed, unlisted: [...unlisted, ...going], added: [] };
}

function matchAll({ items, fields }: IdList, { path, is, asked, ...sides }: FieldSides): MatchedItems {
  const { inState: known, base } = withRemade(items, sides, listOf(is));
  const last = new Map(base.flatMap((item) => (item.id === undefined ? [] : [[item.id, item] as const])));
  const lastOf = (item: Values) => (item.id === undefined ? item : last.get(item.id));
  const left = [...listOf(is)];
  const take = (found: Values | undefined) => {
    if (found !== undefined) left.splice(left.indexOf(found), 1);
    return found;
  };
  const findInShop = (item: Values) =>
    take(
      left.find((one) =>
        item.id === undefined ? one === item || hasSameKey(items, one, item) : one.id === item.id,
      ),
    );
  const at = (item: Values, index: number) => [...path, itemName(items, item, index)];
  const { pairs, gone } = withFormerKeys(items, pairItems(items, listOf(asked), known), last);
  const idsInState = new Set(known.map(({ id }) => id));
  const found = pairs.map(([entry, old]) => ({ entry, old, inShop: old && findInShop(old) }));
  const unlisted = gone.map((item, index): UnlistedItem => {
    const old = lastOf(item);
    return { old: old ?? item, inShop: findInShop(item), path: at(item, index), wasSet: old !== undefined };
  });
  const goneFromState = [...last.values()].filter(({ id }) => !idsInState.has(id));
  const missing = pairs.flatMap(([entry, old]) => (old === undefined ? [entry] : []));
  const deleted = new Map(pairItems(items, missing, goneFromState).pairs);
  const renamed: UnlistedItem[] = [];
  const all = found.map(({ entry, old, inShop: was }, index): ListedItem => {
    const own = { entry, path: at(entry, index) };
    const twin = take(left.find((one) => isTwin(items, one, entry, old)));
    const isAdopted = items.isPartial && twin !== undefined && deleted.get(entry) === undefined;
    // The program renames an item, and staff added one with the new name: use that one and remove the old one.
    if (old !== undefined && twin !== undefined)
      renamed.push({ old: lastOf(old) ?? old, inShop: was, path: at(old, index), wasSet: true });
    // It wasn't the program's until now: its other values are treated as read by a refresh.
    if (isAdopted) return { ...own, old: twin, base: entry, inShop: twin, isAdopted };
    if (old === undefined || twin !== undefined)
      return {
        ...own,
        old: undefined,
        inShop: twin,
        base: twin === undefined && old === undefined ? deleted.get(entry) : undefined,
      };
    const isAgreed = was === undefined && itemDifferences(fields, entry, old).length === 0;
    const before = lastOf(old) ?? goneFromState.find((one) => hasSameKey(items, one, entry));
    // Staff added it and a refresh read it: its other values belong to staff.
    if (before === undefined && was !== undefined)
      return { ...own, old, base: entry, inShop: was, isAdopted: true };
    return { ...own, old, inShop: was, base: isAgreed ? old : (before ?? old) };
  });
  return { listed: all, unlisted: [...unlisted, ...renamed], added: left };
}

/**
 * The state's items and the base, with the ids that the shop has now. An item that staff deleted and made again has another
 * id, and is in the state again if a refresh had missed it.
 */
function withRemade(items: Items, sides: Pick<FieldSides, "inState" | "base">, inShop: readonly Values[]) {
  const [inState, base] = [listOf(sides.inState), listOf(sides.base)];
  const there = new Set(inState.map(({ id }) => id));
  const deleted = base.filter(({ id }) => id !== undefined && !there.has(id));
  const { pairs } = pairItems(items, [...inState, ...deleted], inShop);
  const ids = new Map(pairs.map(([{ id }, found]) => [id, found?.id]));
  const renumbered = (item: Values): Values =>
    item.id === undefined ? item : { ...item, id: ids.get(item.id) ?? item.id };
  const back = deleted.filter(({ id }) => ids.get(id) !== undefined);
  // The place of an item tells which one the program renames.
  const placeOf = ({ id }: Values) => inShop.findIndex((one) => one.id === id);
  const all = [...inState, ...back].map(renumbered);
  return {
    inState: back.length === 0 ? all : all.toSorted((one, other) => placeOf(one) - placeOf(other)),
    base: base.map(renumbered),
  };
}

/** Whether an item that staff added is one that the program adds, or the new name of one. */
function isTwin(items: Items, one: Values, entry: Values, old: Values | undefined): boolean {
  if (old === undefined) return isSameItem(items, one, entry);
  return !hasSameKey(items, entry, old) && hasSameKey(items, one, entry);
}

/** Compares keys or, without a key, the identifying fields or all values. */
function isSameItem(items: Items, one: Values, entry: Values): boolean {
  const { key, fields = {} } = items;
  const keyOf = (item: Values) => (key === undefined ? "" : (item[key] ?? ""));
  if (keyOf(entry) !== "") return hasSameKey(items, one, entry);
  if (isAlike(items, entry, one)) return true;
  return keyOf(one) === "" && itemDifferences(withoutStock(fields), entry, one).length === 0;
}

export const withoutStock = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, { serverManaged }]) => !serverManaged));

/**
 * Pairs items by the keys that the program last set. The program still uses the key that an item had before staff changed
 * it, even if staff gave that key to another item. An item that already is as the program sets it keeps its pair. An item
 * that staff added doesn't take the place of one that the program has, and one that they deleted has no other's place.
 */
function withFormerKeys(items: Items, { pairs, gone }: Pairs, last: ReadonlyMap<unknown, Values>): Pairs {
  const known = [...pairs.flatMap(([, old]) => (old === undefined ? [] : [old])), ...gone];
  const ids = new Set(known.map(({ id }) => id));
  const deleted = [...last].flatMap(([id, one]) => (ids.has(id) ? [] : [one]));
  const { key = "", fields = {} } = items;
  const isInPlace = (entry: Values, old: Values) =>
    !isBlank(entry[key]) &&
    !hasSameKey(items, entry, old) &&
    !isAlike(items, entry, old) &&
    (!last.has(old.id) || deleted.some((one) => hasSameKey(items, one, entry)));
  const byKey = new Map(known.map((one) => [last.get(one.id)?.[key], one]));
  const formers = pairs.flatMap(([entry]) => {
    const former = isBlank(entry[key]) ? undefined : byKey.get(entry[key]);
    return former === undefined ? [] : [[entry, former] as const];
  });
  const now = new Map(
    pairs.map(([entry, old]) => [entry, old && isInPlace(entry, old) ? undefined : old] as const),
  );
  const open = () =>
    formers.find(([entry, former]) => {
      const old = now.get(entry);
      return old !== former && (old === undefined || itemDifferences(fields, entry, old).length > 0);
    });
  // An entry whose item was taken looks for its own.
  for (let next = open(); next !== undefined; next = open()) {
    const [entry, former] = next;
    for (const [other, old] of now) if (old === former) now.set(other, undefined);
    now.set(entry, former);
  }
  const taken = new Set(now.values());
  return {
    pairs: pairs.map(([entry]) => [entry, now.get(entry)] as const),
    gone: known.filter((one) => !taken.has(one)),
  };
}
