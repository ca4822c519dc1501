/** Names and values of the whole shop, of which products have copies (docs/embedded-shop.md, Assumptions). */
import { Invalid } from "../casts.ts";
import type { Row } from "../documents.ts";
import type { Store } from "../store.ts";

// A deleted product can come back, with what it had.
const archived = "with";

/** Changes every product's copy. @param change the product as it is now; one that stays the same keeps its time */
export function rewriteCopies(store: Store, now: number, change: (product: Row) => Row): void {
  for (const product of store.list("product", { archived }))
    store.update("product", product.id, change(product), now);
}

/** A list of copies in which the one of this id has the row's columns. */
export const replacedIn = (copies: unknown, row: Row): readonly Row[] =>
  ((copies ?? []) as readonly Row[]).map((copy) =>
    copy.id === row.id
      ? Object.fromEntries(
          Object.entries(copy).map(([name, value]) => [name, name in row ? row[name] : value]),
        )
      : copy,
  );

/** Whether a list of copies has the one of this id. */
export const hasCopy = (copies: unknown, id: number, name = "id"): boolean =>
  ((copies ?? []) as readonly Row[]).some((copy) => copy[name] === id);

/** @throws Invalid where a product uses it, a deleted one too */
export function refuseUsed(store: Store, uses: (product: Row) => boolean): void {
  if (store.count("product", { archived, where: uses }) > 0)
    throw new Invalid([["base", "is used by products and can't be deleted"]]);
}
