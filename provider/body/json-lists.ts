/**
 * Lists in JSON whose items have ids, as objects by id: staff's new block of a page and the program's are two values, and not two
 * versions of one list. Other lists are one value.
 */

import { isRecord } from "../../engine/pulumi/record.ts";

/** A name in an object; of a list an item's is its id in brackets, and `order` is the list of its ids. */
export const order = "[]";
export const itemName = (id: unknown): string => `[${id}]`;

/** The ids of a list whose items have one each; undefined of any other value. */
export function idsOf(value: unknown): readonly (string | number)[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const ids = value.map((item: unknown) =>
    isRecord(item) && Object.hasOwn(item, "id") ? item.id : undefined,
  );
  const isId = (id: unknown): id is string | number => typeof id === "string" || typeof id === "number";
  return ids.every(isId) && new Set(ids.map(String)).size === ids.length ? ids : undefined;
}

// A real name that begins like an item's has a backslash before it.
const inward = (name: string) => (/^\\*\[/.test(name) ? `\\${name}` : name);
const outward = (name: string) => (/^\\+\[/.test(name) ? name.slice(1) : name);

/** A value with such lists as objects. @param isWhole whether the list at these names is one value */
export function keyed(
  value: unknown,
  isWhole: (names: readonly string[]) => boolean = () => false,
  names: readonly string[] = [],
): unknown {
  const at = (name: string, inner: unknown) => [name, keyed(inner, isWhole, [...names, name])] as const;
  const ids = idsOf(value);
  if (ids !== undefined && Array.isArray(value) && !isWhole(names)) {
    const items = value.map((item, index) => at(itemName(ids[index]), item));
    return Object.fromEntries([...items, [order, ids]]);
  }
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => at(inward(name), inner)))
    : value;
}

/** The value that was made of it; a list without an order was taken away. */
export function listed(value: unknown): unknown {
  if (!isRecord(value)) return value;
  if (!Object.hasOwn(value, order))
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [outward(name), listed(inner)]));
  const ids = value[order];
  return Array.isArray(ids)
    ? ids.flatMap((id) => (Object.hasOwn(value, itemName(id)) ? [listed(value[itemName(id)])] : []))
    : undefined;
}

type Ids = readonly unknown[];

/**
 * Both sides' order of a list that both changed: the program's, with what staff added behind the item that it follows, and
 * without what staff took away. Undefined where one of them moved items.
 * @param was whether the list had an item when the program wrote it
 */
export function mergedOrder(mine: Ids, theirs: Ids, was: (id: unknown) => boolean): Ids | undefined {
  const inBoth = (one: Ids, other: Ids) => one.filter((id) => other.includes(id));
  if (JSON.stringify(inBoth(mine, theirs)) !== JSON.stringify(inBoth(theirs, mine))) return undefined;
  const merged = mine.filter((id) => theirs.includes(id) || !was(id));
  for (const [index, id] of theirs.entries()) {
    if (mine.includes(id) || was(id)) continue;
    const before = theirs.slice(0, index).findLast((one) => merged.includes(one));
    merged.splice(merged.indexOf(before) + 1, 0, id);
  }
  return merged;
}
