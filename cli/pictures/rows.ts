/** Converts objects into rows of the embedded shop: names with underscores instead of camel case. */

import { isRecord } from "../../engine/common/record.ts";
import { hyphenated, unknownValue, type Values } from "../../provider/inventory/index.ts";

export type Row = Readonly<Record<string, unknown>>;

/** The mask of values that are known only after up. */
export const unknownUntilUp = unknownValue;

// The embedded shop sets these itself, as numbers.
const stamps = new Set(["createdAt", "updatedAt"]);

function rowValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rowValue);
  if (isRecord(value)) return rowOf(value);
  // Removed arguments are empty strings.
  return value === unknownUntilUp || value === "" ? null : value;
}

/** Leaves out the engine's internal values. */
export const rowOf = (values: Values): Row =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([name, value]) => value !== undefined && !stamps.has(name) && !name.startsWith("__"))
      .map(([name, value]) => [hyphenated(name).replaceAll("-", "_"), rowValue(value)]),
  );

const listIn = (value: unknown): readonly Values[] => (Array.isArray(value) ? value.filter(isRecord) : []);

/**
 * Converts a product, whose options and prices of other kinds go by title.
 * @param priceNames the field names of other price kinds, by title
 */
export function productRow(values: Values, id: number, priceNames: ReadonlyMap<unknown, string>): Row {
  const lists = ["images", "properties", "characteristics", "productFieldValues", "collectionsIds"];
  // A list that is secret as a whole is left out.
  const bare = Object.fromEntries(
    lists.map((name) => [name, Array.isArray(values[name]) ? values[name] : []]),
  );
  const variants = listIn(values.variants);
  const titles = variants.flatMap(({ options }) => listIn(options).map(({ title }) => title));
  const known = listIn(values.optionNames).map(({ id: own, title }) => [title, own] as const);
  const optionNames = new Map([...titles.map((title, at) => [title, at + 1] as const), ...known]);
  return {
    ...rowOf({ ...values, ...bare }),
    id,
    option_names: [...optionNames].map(([title, own], at) => ({ id: own, position: at + 1, title })),
    variants: variants.map(({ options, prices, optionValues: _shown, ...variant }) => ({
      ...rowOf(variant),
      option_values: listIn(options).map(({ title, value }, at) => ({
        id: at + 1,
        option_name_id: optionNames.get(title),
        position: at + 1,
        title: value,
      })),
      ...Object.fromEntries(
        Object.entries(isRecord(prices) ? prices : {}).map(([title, price]) => [
          priceNames.get(title) ?? title,
          price,
        ]),
      ),
    })),
  };
}
