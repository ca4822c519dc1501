/** Collects: which product is in which collection (platform-facts.md, section 11). */
import { asInteger, type Columns, cast, Invalid, require_ } from "../casts.ts";
import type { Row } from "../documents.ts";
import {
  type Context,
  countRoute,
  cutWhenAsked,
  deleteRoute,
  existing,
  getRoute,
  idOf,
  listRoute,
  numberIn,
  type Resource,
  route,
} from "../routing.ts";
import type { Cut, Store } from "../store.ts";
import { collectionsAbove } from "./collections.ts";

const document = {
  root: "collect",
  list: "collects",
  shape: {
    collection_id: "integer",
    created_at: "timeB",
    id: "integer",
    position: "integer",
    product_id: "integer",
    updated_at: "timeB",
  },
} as const;

const path = "/admin/collects";
const columns: Columns = { product_id: asInteger, collection_id: asInteger, position: asInteger };
const body = { roots: ["collect"], takes: Object.keys(columns), reads: document.shape };
const keyOf = (row: Row) => `${row.product_id}/${row.collection_id}`;

function cut(context: Context): Cut {
  const product = numberIn(context, "product_id");
  const collection = numberIn(context, "collection_id");
  return {
    ...cutWhenAsked(context, { perPage: 250 }),
    ...(product !== undefined && { owner: product }),
    ...(collection !== undefined && { where: (row) => row.collection_id === collection }),
  };
}

/** Writes into a product which collections it is in, with those above them. */
function place(store: Store, productId: number, now: number): void {
  const product = store.get("product", productId);
  if (product === undefined) return;
  const own = store.list("collect", { owner: productId }).map((row) => Number(row.collection_id));
  const ids = collectionsAbove(store, own);
  store.update("product", productId, { ...product, collections_ids: ids }, now);
}

export const collects: Resource = {
  kinds: [
    { name: "collect", empty: { position: 1 }, keyOf, ownerOf: ({ product_id: product }) => Number(product) },
  ],
  routes: [
    countRoute(path, "collect", cut),
    listRoute(path, [], "collect", document, cut),
    getRoute(path, [], "collect", document),
    route(
      "POST",
      path,
      [],
      (context) => {
        const { store, params, now } = context;
        const values: Readonly<Record<string, unknown>> = { position: 1, ...cast(columns, params) };
        require_(values, ["product_id", "collection_id"]);
        const owner = Number(values.product_id);
        const product = store.get("product", owner);
        if (product === undefined || product.archived)
          throw new Invalid([["product_id", "there is no such product"]]);
        if (store.get("collection", Number(values.collection_id)) === undefined)
          throw new Invalid([["collection_id", "there is no such collection"]]);
        const made = store.insert("collect", values, now, { owner, key: keyOf(values) });
        place(store, owner, now);
        return { status: 201, document, object: made };
      },
      { body },
    ),
    route(
      "PUT",
      `${path}/:id`,
      [],
      (context) => {
        const before = existing(context, "collect", idOf(context));
        const values = { ...before, ...cast({ position: asInteger }, context.params) };
        return { document, object: context.store.update("collect", before.id, values, context.now) };
      },
      { body: { ...body, takes: ["position"] } },
    ),
    deleteRoute(path, [], "collect", ({ store, now }, gone) => place(store, Number(gone.product_id), now)),
  ],
};
