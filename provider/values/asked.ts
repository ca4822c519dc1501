/**
 * What the program last asked, wherever the shop has another value by now: stock that sells, and what staff changed and a
 * refresh has read since. The state keeps both: what was read is its output, and what was asked stands beside it. So after
 * any number of refreshes it is known whose change a difference is (docs/decisions/0021-whose-change-it-is.md).
 */

import type { Definition, Field, Fields } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { listOf, valuesOf } from "../wire/values.ts";

/** Among the outputs: values by field, those of items by the shop's number of the item; of a body its digests. */
export const askedKey = "__asked";

/** What was asked of items, by number: of one that the shop no longer has all of it; false of one that nobody asked for. */
export type AskedItems = Readonly<Record<string, Values | false>>;

/** The fields of a list's items that the shop numbers; undefined for every other field. */
export const numbered = ({ items }: Field): Fields | undefined =>
  items?.fields?.id === undefined ? undefined : items.fields;

/** What was asked of the items of such a field. */
export const itemsIn = (value: unknown): AskedItems => valuesOf(value) as AskedItems;

/** What was asked where the shop has something else, by field. */
export const askedIn = (state: Values): Values => valuesOf(state[askedKey]);

/** A state as the program last asked for it. */
export function lastAsked(definition: Definition, state: Values): Values {
  const fields = Object.entries(askedIn(state)).flatMap(([name, value]) => {
    const field = definition.fields[name];
    if (field === undefined) return [];
    const asked = numbered(field) === undefined ? value : itemsAsked(state[name], itemsIn(value));
    return [[name, asked] as const];
  });
  return { ...state, ...Object.fromEntries(fields) };
}

function itemsAsked(known: unknown, asked: AskedItems): readonly Values[] {
  const list = listOf(known);
  const there = new Set(list.map(({ id }) => String(id)));
  const gone = Object.entries(asked).flatMap(([id, item]) => (item === false || there.has(id) ? [] : [item]));
  const kept = list.filter(({ id }) => asked[String(id)] !== false);
  return [...kept.map((item) => ({ ...item, ...asked[String(item.id)] })), ...gone];
}

/**
 * A state with what was last asked of the fields that the shop changes by itself: what a program is compared with, as a
 * sale is nobody's edit.
 */
export function withStockAsked(definition: Definition, state: Values): Values {
  const fields = Object.entries(askedIn(state)).flatMap(([name, value]) => {
    const field = definition.fields[name];
    if (field === undefined) return [];
    const inner = numbered(field);
    if (inner === undefined) return field.moves === true ? [[name, value] as const] : [];
    const items = itemsIn(value);
    const list = listOf(state[name]).map((item) => ({
      ...item,
      ...Object.fromEntries(
        Object.entries(items[String(item.id)] || {}).filter(([own]) => inner[own]?.moves === true),
      ),
    }));
    return [[name, list] as const];
  });
  return { ...state, ...Object.fromEntries(fields) };
}
