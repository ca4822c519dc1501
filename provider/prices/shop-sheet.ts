/** A sheet of the prices that a shop has: what `pull --as-sheet` writes. */
import { kindColumn } from "../names/rows.ts";
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
}

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
    title,
    ...columns.map((column) => String(held(valueIn(variant, column)))),
  ]);
  const text = [["sku", "product", ...columns], ...lines]
    .map((cells) => `${cells.map((cell) => cellText(cell, ",")).join(",")}\n`)
    .join("");
  const left = all
    .filter((one) => !isAlone(one))
    .map(
      ({ title, id, variant }) =>
        `${title} (${id}): ${variant.sku ? `SKU ${variant.sku} is not its alone` : "no SKU"}`,
    );
  return { text, rows: rows.length, left };
}
