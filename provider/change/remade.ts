/** The state of an object that staff deleted and made again: its items have other numbers in the new object. */
import { isRecord } from "../../engine/common/record.ts";
import { withEachBase } from "../body/state.ts";
import type { Definition } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { listOf } from "../wire/values.ts";
import { fieldsWithIds } from "./base.ts";
import { pairItems } from "./compare.ts";

/** The state with the numbers that the same items have in the new object. @param seen the new object */
export function withItemsOf({ fields }: Definition, state: Values, seen: Values): Values {
  const lists = Object.entries(fields).flatMap(([name, field]) => {
    const list = state[name];
    if (field.items === undefined || fieldsWithIds(field) === undefined || !Array.isArray(list)) return [];
    const items = list as readonly Values[];
    const bare = items.map(({ id: _old, ...item }): Values => item);
    const { pairs } = pairItems(field.items, bare, listOf(seen[name]));
    const ids = new Map(items.map(({ id }, at) => [String(id), pairs[at]?.[1]?.id ?? id]));
    return [[name, { ids, now: items.map((item) => ({ ...item, id: ids.get(String(item.id)) })) }] as const];
  });
  const renumbered = (base: Values): Values =>
    Object.fromEntries(
      Object.entries(base).map(([name, value]) => {
        const ids = lists.find(([list]) => list === name)?.[1].ids;
        if (ids === undefined || !isRecord(value)) return [name, value];
        return [
          name,
          Object.fromEntries(Object.entries(value).map(([id, item]) => [String(ids.get(id) ?? id), item])),
        ];
      }),
    );
  return {
    ...withEachBase(state, renumbered),
    ...Object.fromEntries(lists.map(([name, { now }]) => [name, now])),
  };
}
