/** Items of a list that nothing tells apart: two variants of one SKU, or with the same options. */
import type { Definition } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { unknownValue } from "../wire/text.ts";
import { listOf } from "../wire/values.ts";
import type { Failure } from "./check.ts";
import { isSecretPath, shownPath } from "./secrecy.ts";

/**
 * @param there the list as it was asked before, or as the shop has it where it is taken over: what is doubled there may stay so
 * @returns a failure for each item that is like one before it
 */
export function doubledItems({ fields }: Definition, args: Values, there: Values): readonly Failure[] {
  return Object.entries(fields).flatMap(([list, { items }]) => {
    const inner = items?.fields;
    if (inner?.id === undefined || items?.key === undefined || !Array.isArray(args[list])) return [];
    const names = [items.key, ...items.tells.filter((name) => inner[name]?.items !== undefined)];
    return names.flatMap((name) => {
      const known = Map.groupBy(listOf(there[list]), (item) => spelled(item?.[name]));
      const first = new Map<string, number>();
      return listOf(args[list]).flatMap((item, index): readonly Failure[] => {
        const text = spelled(item?.[name]);
        const other = first.get(text);
        if (text !== "" && other === undefined) first.set(text, index);
        if (text === "" || other === undefined || (known.get(text)?.length ?? 0) > 1) return [];
        const property = `${list}[${index}].${name}`;
        const what = isSecretPath(args, property) ? "" : ` ${text}`;
        return [
          {
            property: shownPath(args, property),
            reason: `is the same${what} as ${list}[${other}].${name}: nothing would tell the two apart, so write each ${name} once`,
          },
        ];
      });
    });
  });
}

/** A value as a text; options in one order. Empty where nothing is said, or it isn't known yet. */
function spelled(value: unknown): string {
  if (typeof value === "string") return value === "" || value === unknownValue ? "" : JSON.stringify(value);
  const entries = listOf(value).map((one) => Object.values(one ?? {}).map(String));
  const isSaid = entries.length > 0 && !entries.flat().includes(unknownValue);
  return isSaid
    ? entries
        .map((one) => one.join(" "))
        .toSorted()
        .join(", ")
    : "";
}
