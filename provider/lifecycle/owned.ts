/** Values of items that something else of the program states too: a sheet of prices. */
import { kindColumn } from "../../pulumi/rows.ts";
import type { Definition } from "../definition/define.ts";
import { nameIn, type Shop } from "../run/context.ts";
import type { Failure } from "../values/check.ts";
import type { Values } from "../wire/codec.ts";

/** One failure for each value that another kind of resource states; two objects of one kind have each their own item. */
export function ownedTwice(
  { kind, fields }: Definition,
  shop: Pick<Shop, "memory">,
  args: Values,
): readonly Failure[] {
  const ignored = String(args.__ignored ?? "").split(",");
  return Object.entries(fields).flatMap(([list, { items }]) => {
    const entries = args[list];
    if (items?.fields === undefined || items.key === undefined || !Array.isArray(entries)) return [];
    const names = [items.key, ...items.tells];
    return (entries as readonly Values[]).flatMap((item) =>
      columnsOf(item).flatMap(([field, column]): readonly Failure[] => {
        if (ignored.includes(`${list}.${field}`)) return [];
        const others = names.flatMap((name) => {
          const key = item?.[name];
          if (typeof key !== "string" || key === "") return [];
          return shop.memory.statedValues.claim(`${name} ${key} ${column}`, `${kind} ${nameIn(args)}`) ?? [];
        });
        const other = others.find((one) => !one.startsWith(`${kind} `));
        const path = `${list}[${item[items.key as string]}].${column}`;
        const reason = `is stated by ${other} too: leave it out here, or there`;
        return other === undefined ? [] : [{ property: path, reason }];
      }),
    );
  });
}

/** The fields that an item states, each by the name that a sheet's column has. */
const columnsOf = (item: Values): readonly (readonly [string, string])[] =>
  Object.entries(item ?? {}).flatMap(([field, value]) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.keys(value).map((title) => [field, kindColumn(title)] as const)
      : [[field, field] as const],
  );
