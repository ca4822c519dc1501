/** Values of items that something else of the program states too: a sheet of prices. */
import { kindColumn } from "../../pulumi/rows.ts";
import type { Definition } from "../definition/define.ts";
import { nameIn, type Shop } from "../run/context.ts";
import { numberedPlace, statingText } from "../run/stated-values.ts";
import type { Failure } from "../values/check.ts";
import { ignoredIn } from "../values/shapes.ts";
import type { Values } from "../wire/codec.ts";
import { listOf } from "../wire/values.ts";

/**
 * One failure for each value that another kind of resource states; two objects of one kind have each their own item.
 * @param seen the object, where the shop has it: another may name its items by another key
 */
export function ownedTwice(
  { kind, fields }: Definition,
  shop: Pick<Shop, "memory">,
  args: Values,
  seen: Values = {},
): readonly Failure[] {
  const ignored = ignoredIn(args);
  return Object.entries(fields).flatMap(([list, { items }]) => {
    const entries = ignored.includes(list) ? undefined : args[list];
    if (items?.fields === undefined || items.key === undefined || !Array.isArray(entries)) return [];
    const [key, ...others] = [items.key, ...items.tells];
    return listOf(entries).flatMap((item) => {
      const numbered = listOf(seen[list]).find((one) => one[key] === item?.[key]);
      return columnsOf(item).flatMap(([field, column]): readonly Failure[] => {
        if (ignored.includes(`${list}.${field}`)) return [];
        const path = `${list}[${item[key]}].${column}`;
        const named = [key, ...others].flatMap((name) =>
          typeof item[name] === "string" && item[name] !== "" ? [`${name} ${item[name]} ${column}`] : [],
        );
        const places =
          numbered?.id === undefined ? named : [...named, numberedPlace(list, numbered.id, column)];
        const by = { resource: `${kind} ${nameIn(args)}`, at: path };
        const other = places
          .flatMap((place) => shop.memory.statedValues.claim(place, by) ?? [])
          .find(({ resource }) => !resource.startsWith(`${kind} `));
        if (other === undefined) return [];
        return [
          { property: path, reason: `is stated by ${statingText(other)} too: leave it out here, or there` },
        ];
      });
    });
  });
}

/** The fields that an item states, each by the name that a sheet's column has. */
const columnsOf = (item: Values): readonly (readonly [string, string])[] =>
  Object.entries(item ?? {}).flatMap(([field, value]) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.keys(value).map((title) => [field, kindColumn(title)] as const)
      : [[field, field] as const],
  );
