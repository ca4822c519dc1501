/**
 * Collections: interface.md, Collections, shows reading; writing is the platform's usual one (docs/embedded-shop.md,
 * Assumptions).
 */
import { asBoolean, asInteger, asText, type Columns, cast, Invalid, require_ } from "../casts.ts";
import type { Row } from "../documents.ts";
import { freePermalink, permalinkOf } from "../permalinks.ts";
import { type Context, deleteRoute, existing, idOf, type Resource, readRoutes, route } from "../routing.ts";
import type { Store } from "../store.ts";

const document = {
  root: "collection",
  list: "collections",
  shape: {
    created_at: "timeB",
    id: "integer",
    is_hidden: "boolean",
    parent_id: "integer",
    position: "integer",
    recursive: "boolean",
    updated_at: "timeB",
    title: "string",
    description: "string",
    html_title: "string",
    meta_description: "string",
    meta_keywords: "string",
    permalink: "string",
    url: "string",
    seo_description: "string",
  },
} as const;

const columns: Columns = {
  title: asText,
  parent_id: asInteger,
  position: asInteger,
  is_hidden: asBoolean,
  description: asText,
  html_title: asText,
  meta_description: asText,
  meta_keywords: asText,
  permalink: asText,
  seo_description: asText,
};

const path = "/admin/collections";
const body = { roots: ["collection"], takes: Object.keys(columns), reads: document.shape };
const urlOf = (permalink: string) => `/collection/${permalink}`;

const empty = {
  description: null,
  html_title: null,
  is_hidden: false,
  meta_description: null,
  meta_keywords: null,
  parent_id: null,
  position: 1,
  recursive: null,
  seo_description: null,
};

function checked(store: Store, values: Row, own?: number): Row {
  require_(values, ["title"]);
  for (let id = values.parent_id; id !== null && id !== undefined; ) {
    const parent = store.get("collection", Number(id));
    if (parent === undefined || parent.id === own)
      throw new Invalid([["parent_id", "is not a collection that it can be under"]]);
    id = parent.parent_id;
  }
  return values;
}

/** Where a product's collections are, those above them too (platform-facts.md, section 11). */
function collectionsAbove(store: Store, ids: readonly number[]): readonly number[] {
  const found = new Set<number>();
  for (const start of ids)
    for (let id: unknown = start; typeof id === "number" && !found.has(id); ) {
      found.add(id);
      id = store.get("collection", id)?.parent_id;
    }
  return [...found].sort((one, other) => one - other);
}

/** Writes into a product which collections it is in, with those above them. */
export function place(store: Store, productId: number, now: number): void {
  const product = store.get("product", productId);
  if (product === undefined) return;
  const own = store.list("collect", { owner: productId }).map((row) => Number(row.collection_id));
  const ids = collectionsAbove(store, own);
  store.update("product", productId, { ...product, collections_ids: ids }, now);
}

function create(context: Context) {
  const { store, params, now } = context;
  const values = checked(store, { ...empty, ...cast(columns, params) });
  const wanted = permalinkOf(String(values.permalink || values.title));
  const permalink = freePermalink(store, "collection", wanted);
  const row = { ...values, permalink, url: urlOf(permalink) };
  return { status: 201, document, object: store.insert("collection", row, now, { key: permalink }) };
}

function update(context: Context) {
  const { store, params, now } = context;
  const before = existing(context, "collection", idOf(context));
  const values = checked(store, { ...before, ...cast(columns, params) }, before.id);
  const permalink = values.permalink
    ? freePermalink(store, "collection", permalinkOf(String(values.permalink)), before.id)
    : String(before.permalink);
  const row = { ...values, permalink, url: urlOf(permalink) };
  const saved = store.update("collection", before.id, row, now, permalink);
  if (saved.parent_id !== before.parent_id)
    for (const id of new Set(store.list("collect").map((one) => Number(one.product_id))))
      place(store, id, now);
  return { document, object: saved };
}

export const collections: Resource = {
  kinds: [{ name: "collection", empty, keyOf: ({ permalink }) => String(permalink) }],
  routes: [
    ...readRoutes(path, ["xml"], "collection", document),
    route("POST", path, [], create, { body }),
    route("PUT", `${path}/:id`, [], update, { body }),
    deleteRoute(path, [], "collection", ({ store, now }, { id }) => {
      if (store.count("collection", { where: (row) => row.parent_id === id }) > 0)
        throw new Invalid([["base", "a collection with others under it can't be deleted"]]);
      for (const collect of store.list("collect", { where: (row) => row.collection_id === id })) {
        store.remove("collect", collect.id);
        place(store, Number(collect.product_id), now);
      }
    }),
  ],
};
