/**
 * What the program last asked of a field that the shop changes by itself (stock sells), where the shop has another value
 * by now. The state keeps both: what was read is its output, and what was asked is what the program is compared with. So
 * only a number that the program changed is sent, whatever a refresh has read in between.
 */
import type { Definition, Field, Fields } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";

/** Among the outputs: values by field, those of items by the shop's number of the item. */
export const askedKey = "__asked";

type ByItem = Readonly<Record<string, Values>>;

/** The fields of a list's items that the shop numbers; undefined for every other field. */
export const numbered = ({ items }: Field): Fields | undefined =>
  items?.fields?.id === undefined ? undefined : items.fields;

/** A state as the program last asked for it. */
export function lastAsked(definition: Definition, state: Values): Values {
  const asked = state[askedKey] as Values | undefined;
  if (asked === undefined) return state;
  const fields = Object.entries(asked).map(([name, value]) => {
    if (numbered(definition.fields[name] as Field) === undefined) return [name, value] as const;
    const list = (state[name] ?? []) as readonly Values[];
    return [name, list.map((item) => ({ ...item, ...(value as ByItem)[String(item.id)] }))] as const;
  });
  return { ...state, ...Object.fromEntries(fields) };
}
