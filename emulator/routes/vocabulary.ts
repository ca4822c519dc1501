/** Names and values shared by all products, which have copies of them (docs/embedded-shop.md, Assumptions). */
import { Invalid } from "../conversions.ts";
import type { Row } from "../documents.ts";
import type { Store } from "../store.ts";

// A deleted product may be restored, with its copies.
const archived = "with";

/** Changes every product's copy. @param change returns the new product; an unchanged one keeps its time of change */
export function rewriteCopies(store: Store, now: number, change: (product: Row) => Row): void {
  for (const product of store.list("product", { archived }))
    store.update("product", product.id, change(product), now);
}

/** A list of copies, with the columns of the row in the copy with its id. */
export const replacedIn = (copies: unknown, row: Row): readonly Row[] =>
  ((copies ?? []) as readonly Row[]).map((copy) =>
    copy.id === row.id
      ? Object.fromEntries(
          Object.entries(copy).map(([name, value]) => [name, name in row ? row[name] : value]),
        )
      : copy,
  );

export const hasCopy = (copies: unknown, id: number, name = "id"): boolean =>
  ((copies ?? []) as readonly Row[]).some((copy) => copy[name] === id);

/** @throws Invalid if a product uses it, even a deleted one */
export function refuseUsed(store: Store, uses: (product: Row) => boolean): void {
  if (store.count("product", { archived, where: uses }) > 0)
    throw new Invalid([["base", "is used by products and can't be deleted"]]);
}
