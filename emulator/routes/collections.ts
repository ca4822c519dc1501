/**
 * Collections: interface.md, Collections, shows only reading; writing works like other kinds of the platform
 * (docs/embedded-shop.md, Assumptions).
 */
import { asFlag, columnsOf, Invalid } from "../conversions.ts";
import type { Row } from "../documents.ts";
import { freePermalink, permalinkOf } from "../permalinks.ts";
import { deleteRoute, documentOf, type Kind, type Resource, readRoutes } from "../routing.ts";
import type { Store } from "../store.ts";
import { createRoute, editRoute, type WriteRules } from "../write-routes.ts";

const document = documentOf("collection", {
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
});

const columns = columnsOf(document.shape, ["recursive", "url"], { is_hidden: asFlag });

const path = "/admin/collections";

const kind: Kind = {
  name: "collection",
  empty: {
    description: null,
    html_title: null,
    is_hidden: false,
    meta_description: null,
    meta_keywords: null,
    parent_id: null,
    position: 1,
    recursive: null,
    seo_description: null,
  },
  keyOf: ({ permalink }) => String(permalink),
};

/** @throws Invalid if the parent doesn't exist, or is a descendant of the object */
export function underOthers(store: Store, kind: string, values: Row, own: number | undefined): Row {
  for (let id = values.parent_id; id !== null && id !== undefined; ) {
    const parent = store.get(kind, Number(id));
    if (parent === undefined || parent.id === own)
      throw new Invalid([["parent_id", `is not a ${kind} that it can be under`]]);
    id = parent.parent_id;
  }
  return values;
}

/** A product's collections and all their parents (platform-facts.md, section 11). */
function collectionsAbove(store: Store, ids: readonly number[]): readonly number[] {
  const found = new Set<number>();
  for (const start of ids)
    for (let id: unknown = start; typeof id === "number" && !found.has(id); ) {
      found.add(id);
      id = store.get("collection", id)?.parent_id;
    }
  return [...found].sort((one, other) => one - other);
}

/** Updates a product's list of collections and their parents. */
export function place(store: Store, productId: number, now: number): void {
  const product = store.get("product", productId);
  if (product === undefined) return;
  const own = store.list("collect", { owner: productId }).map((row) => Number(row.collection_id));
  const ids = collectionsAbove(store, own);
  store.update("product", productId, { ...product, collections_ids: ids }, now);
}

const writing: WriteRules = {
  kind,
  document,
  columns,
  needs: ["title"],
  row({ store }, values, before) {
    underOthers(store, kind.name, values, before?.id);
    const stated = values.permalink || (before === undefined ? values.title : undefined);
    const permalink = stated
      ? freePermalink(store, kind.name, permalinkOf(String(stated)), before?.id)
      : String(before?.permalink);
    return { ...values, permalink, url: `/collection/${permalink}` };
  },
};

export const collections: Resource = {
  kinds: [kind],
  routes: [
    ...readRoutes(path, ["xml"], "collection", document),
    createRoute(path, [], writing),
    editRoute(path, [], writing, {
      after({ store, now }, saved, before) {
        if (saved.parent_id === before.parent_id) return;
        for (const id of new Set(store.list("collect").map((one) => Number(one.product_id))))
          place(store, id, now);
      },
    }),
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
