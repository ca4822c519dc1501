/** Collects: the membership of products in collections (platform-facts.md, section 11). */
import { asIds, asInteger, type Columns, convertedColumns, Invalid, refuseBlank } from "../conversions.ts";
import type { Params, Row } from "../documents.ts";
import {
  type Context,
  deleteRoute,
  documentOf,
  type Kind,
  numberIn,
  type Resource,
  readRoutes,
  route,
  selectionWhenAsked,
} from "../routing.ts";
import type { Selection, Stored } from "../store.ts";
import { editRoute } from "../write-routes.ts";
import { place } from "./collections.ts";

const document = documentOf("collect", {
  collection_id: "integer",
  created_at: "timeB",
  id: "integer",
  position: "integer",
  product_id: "integer",
  updated_at: "timeB",
});

const path = "/admin/collects";
const columns: Columns = { product_id: asInteger, collection_id: asInteger, position: asInteger };
const body = { roots: ["collect"], takes: Object.keys(columns), reads: document.shape };
const keyOf = (row: Row) => `${row.product_id}/${row.collection_id}`;
const kind: Kind = {
  name: "collect",
  empty: { position: 1 },
  keyOf,
  ownerOf: ({ product_id: product }) => Number(product),
};

function selected(context: Context): Selection {
  const product = numberIn(context, "product_id");
  const collection = numberIn(context, "collection_id");
  return {
    ...selectionWhenAsked(context),
    ...(product !== undefined && { owner: product }),
    ...(collection !== undefined && { where: (row) => row.collection_id === collection }),
  };
}

function add(context: Context, given: Params): Stored {
  const { store, now } = context;
  const values: Readonly<Record<string, unknown>> = { position: 1, ...convertedColumns(columns, given) };
  refuseBlank(values, ["product_id", "collection_id"]);
  const owner = Number(values.product_id);
  const product = store.get("product", owner);
  if (product === undefined || product.archived) throw new Invalid([["product_id", "must exist"]]);
  if (store.get("collection", Number(values.collection_id)) === undefined)
    throw new Invalid([["collection_id", "must exist"]]);
  const made = store.insert("collect", values, now, { owner, key: keyOf(values) });
  place(store, owner, now);
  return made;
}

function addGroup(context: Context) {
  const { store, params } = context;
  const products = asIds(params.product_ids, "product_ids");
  const made = asIds(params.collection_ids, "collection_ids").flatMap((collection) =>
    products.flatMap((product) => {
      const values = { product_id: String(product), collection_id: String(collection) };
      return store.byKey("collect", keyOf(values)) === undefined ? [add(context, values)] : [];
    }),
  );
  return { document, objects: made };
}

export const collects: Resource = {
  kinds: [kind],
  routes: [
    ...readRoutes(path, [], "collect", document, selected),
    route("POST", path, [], (context) => ({ status: 201, document, object: add(context, context.params) }), {
      body,
    }),
    route("POST", `${path}/group_create`, [], addGroup, {
      body: { roots: ["group_create"], takes: ["product_ids", "collection_ids"], reads: {} },
    }),
    editRoute(path, [], {
      kind,
      document,
      columns: { position: asInteger },
    }),
    deleteRoute(path, [], "collect", ({ store, now }, gone) => place(store, Number(gone.product_id), now)),
  ],
};
