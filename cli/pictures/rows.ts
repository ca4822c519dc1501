/** Objects as the embedded shop keeps them: a client's names with underscores, and what the two sides say differently. */

import { isRecord } from "../../engine/pulumi/record.ts";
import { hyphenated, unknownValue, type Values } from "../../provider/inventory/index.ts";

export type Row = Readonly<Record<string, unknown>>;

/** What only `up` will know. */
export const unknown = unknownValue;

// The embedded shop stamps objects itself, with numbers.
const stamps = new Set(["createdAt", "updatedAt"]);

function rowValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rowValue);
  if (isRecord(value)) return rowOf(value);
  // An argument that is taken away is an empty text.
  return value === unknown || value === "" ? null : value;
}

/** Any object. What begins with underscores is the engine's. */
export const rowOf = (values: Values): Row =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([name, value]) => value !== undefined && !stamps.has(name) && !name.startsWith("__"))
      .map(([name, value]) => [hyphenated(name).replaceAll("-", "_"), rowValue(value)]),
  );

const listIn = (value: unknown): readonly Values[] => (Array.isArray(value) ? value.filter(isRecord) : []);

/**
 * A product: a client reads its options and its other prices by their titles.
 * @param priceNames what the variants' prices of other kinds are called, by the kind's title
 */
export function productRow(values: Values, id: number, priceNames: ReadonlyMap<unknown, string>): Row {
  const lists = ["images", "properties", "characteristics", "productFieldValues", "collectionsIds"];
  // A list that is secret as a whole is none.
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
