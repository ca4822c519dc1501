/** A sheet of the prices that a shop has: what `pull --as-sheet` writes. */
import { kindColumn, numberText } from "../names/rows.ts";
import { cellText } from "../names/table.ts";
import type { Values } from "../wire/codec.ts";
import { listOf, valuesOf } from "../wire/values.ts";
import { named, valueIn } from "./rows.ts";
import { held } from "./work.ts";

export interface ShopSheet {
  readonly text: string;
  readonly rows: number;
  /** Variants that have no row: what has no SKU, or shares it, is found by nothing. */
  readonly left: readonly string[];
  /** SKUs that a spreadsheet takes for something else than a text, and writes in another way when it saves the sheet. */
  readonly odd: readonly string[];
}

/** A formula. */
const formula = /^[=+@\t\r-]/;
const numberOrDate = [
  // 007, 4600000000001, 1E5, 1.50 and 1,234.
  /^0\d+$|^\d{12,}$|^\d+(\.\d+)?e\d+$|^\d+([.,]\d+)+$/i,
  // 1-2, 3/4/25 and 10:30.
  /^\d{1,4}[-/.:]\d{1,2}([-/.:]\d{1,4})?$/,
  // MAR1, 5-dec and true.
  /^(\d{1,2}[- ]?)?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*([- ]?\d{1,4})?$|^(true|false)$/i,
];
const isOdd = (text: string) => formula.test(text) || numberOrDate.some((one) => one.test(text));

/** A row for each variant with its SKU, its product's title for the reader, and its prices. @param products as the shop has them */
export function shopSheet(products: readonly Values[]): ShopSheet {
  const all = products.flatMap((one) =>
    listOf(one.variants).map((variant) => ({ title: String(one.title ?? ""), id: one.id, variant })),
  );
  const bySku = Map.groupBy(all, ({ variant }) => String(variant.sku ?? ""));
  const isAlone = ({ variant }: (typeof all)[number]) =>
    variant.sku !== undefined && variant.sku !== "" && bySku.get(String(variant.sku))?.length === 1;
  const rows = all.filter(isAlone);
  const titles = new Set(rows.flatMap(({ variant }) => Object.keys(valuesOf(variant.prices))));
  const columns = [...named, ...[...titles].toSorted().map(kindColumn)].filter(
    (column) => column === "price" || rows.some(({ variant }) => held(valueIn(variant, column)) !== ""),
  );
  const lines = rows.map(({ title, variant }) => [
    String(variant.sku),
    // Nothing reads the title from the sheet: a spreadsheet must not run it.
    formula.test(title) ? `'${title}` : title,
    ...columns.map((column) => {
      const value = held(valueIn(variant, column));
      return value === "" ? "" : numberText(value);
    }),
  ]);
  const text = [["sku", "product", ...columns], ...lines]
    .map((cells) => `${cells.map((cell) => cellText(cell, ",")).join(",")}\n`)
    .join("");
  const left = all
    .filter((one) => !isAlone(one))
    .map(
      ({ title, id, variant }) =>
        `${title} (${id}): ${variant.sku ? `other variants have the SKU ${variant.sku}, too` : "no SKU"}`,
    );
  const odd = rows.map(({ variant }) => String(variant.sku)).filter(isOdd);
  return { text, rows: rows.length, left, odd };
}
