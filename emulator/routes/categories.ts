/** Warehouse categories, to which a product's category-id refers: platform-facts.md, section 11. */
import { asIds, asInteger, asText, type Columns, Invalid } from "../conversions.ts";
import {
  type Context,
  deleteRoute,
  documentOf,
  type Kind,
  type Resource,
  readRoutes,
  route,
  selectionWhenAsked,
} from "../routing.ts";
import { createRoute, editRoute, type WriteRules } from "../write-routes.ts";
import { underOthers } from "./collections.ts";
import { refuseUsed } from "./vocabulary.ts";

const document = documentOf(
  "category",
  {
    created_at: "timeB",
    id: "integer",
    parent_id: "integer",
    position: "integer",
    updated_at: "timeB",
    title: "string",
  },
  "categories",
);

const path = "/admin/categories";
const kind: Kind = { name: "category", empty: { parent_id: null, position: 1 } };
const columns: Columns = { title: asText, parent_id: asInteger, position: asInteger };
const writing: WriteRules = {
  kind,
  document,
  columns,
  needs: ["title"],
  row: ({ store }, values, before) => underOthers(store, kind.name, values, before?.id),
};

function moveProducts({ store, params, now }: Context) {
  const category = asInteger(params.id ?? null, "id");
  if (store.get(kind.name, Number(category)) === undefined) throw new Invalid([["id", "must exist"]]);
  for (const id of asIds(params.product_ids, "product_ids")) {
    const product = store.get("product", id);
    if (product === undefined || product.archived)
      throw new Invalid([["product_ids", `name product ${id}, which doesn't exist`]]);
    store.update("product", id, { ...product, category_id: category }, now);
  }
  return { done: true } as const;
}

export const categories: Resource = {
  kinds: [kind],
  routes: [
    ...readRoutes(path, [], kind.name, document, selectionWhenAsked),
    createRoute(path, [], writing),
    route("PUT", `${path}/set_products_category`, [], moveProducts, {
      body: { roots: ["new_category"], takes: ["id", "product_ids"], reads: {} },
    }),
    editRoute(path, [], writing),
    deleteRoute(path, [], kind.name, ({ store }, { id }) => {
      if (store.count(kind.name, { where: (row) => row.parent_id === id }) > 0)
        throw new Invalid([["base", "a category with others under it can't be deleted"]]);
      refuseUsed(store, (product) => product.category_id === id);
    }),
  ],
};
