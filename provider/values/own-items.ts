/** The items of a list that are a resource's own where it leaves the others to somebody else (`otherVariants: "keep"`). */
import type { Definition, Items } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { listOf } from "../wire/values.ts";
import { lastAsked } from "./asked.ts";
import { hasSameKey, isAlike } from "./diff.ts";
import { keepsOthers, partialLists } from "./part.ts";

/** An object that is taken over, with the items alone that the arguments mean: by their keys, or by what else tells them apart. */
export const ownOf = (definition: Definition, args: Values, seen: Values): Values =>
  withOwn(definition, args, seen, (items, item) =>
    listOf(args[items.list]).some((entry) => hasSameKey(items, entry, item) || isAlike(items, entry, item)),
  );

/** An object that was read for a state, with the items alone that the state has, or has asked for. */
export function ownRead(definition: Definition, olds: Values, seen: Values): Values {
  const asked = lastAsked(definition, olds);
  return withOwn(definition, olds, seen, (items, item) => {
    const own = [...listOf(olds[items.list]), ...listOf(asked[items.list])];
    const there = new Set(listOf(seen[items.list]).map(({ id }) => id));
    return own.some((one) => one.id === item.id || (!there.has(one.id) && hasSameKey(items, one, item)));
  });
}

type Named = Items & { readonly list: string };

function withOwn(
  definition: Definition,
  values: Values,
  seen: Values,
  isOwn: (items: Named, item: Values) => boolean,
): Values {
  const lists = partialLists(definition).flatMap(({ list, items }) =>
    keepsOthers(items, values) && Array.isArray(values[list]) && Array.isArray(seen[list])
      ? [[list, listOf(seen[list]).filter((item) => isOwn({ ...items, list }, item))] as const]
      : [],
  );
  return lists.length === 0 ? seen : { ...seen, ...Object.fromEntries(lists) };
}
