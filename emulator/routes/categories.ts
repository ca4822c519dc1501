/** Warehouse categories, the ones that a product's category-id means: platform-facts.md, section 11. */
import { asIds, asInteger, asText, type Columns, cast, Invalid, require_ } from "../casts.ts";
import type { Row } from "../documents.ts";
import {
  type Context,
  deleteRoute,
  existing,
  idOf,
  type Resource,
  readRoutes,
  route,
  selectionWhenAsked,
} from "../routing.ts";
import type { Store } from "../store.ts";
import { refuseUsed } from "./vocabulary.ts";

const document = {
  root: "category",
  list: "categories",
  shape: {
    created_at: "timeB",
    id: "integer",
    parent_id: "integer",
    position: "integer",
    updated_at: "timeB",
    title: "string",
  },
} as const;

const path = "/admin/categories";
const kind = "category";
const columns: Columns = { title: asText, parent_id: asInteger, position: asInteger };
const empty = { parent_id: null, position: 1 };
const body = { roots: [kind], takes: Object.keys(columns), reads: document.shape };
const selected = (context: Context) => selectionWhenAsked(context, { perPage: 250 });

function checked(store: Store, values: Row, own?: number): Row {
  require_(values, ["title"]);
  for (let id = values.parent_id; id !== null && id !== undefined; ) {
    const parent = store.get(kind, Number(id));
    if (parent === undefined || parent.id === own)
      throw new Invalid([["parent_id", "is not a category that it can be under"]]);
    id = parent.parent_id;
  }
  return values;
}

function update(context: Context) {
  const { store, params, now } = context;
  const before = existing(context, kind, idOf(context));
  const values = checked(store, { ...before, ...cast(columns, params) }, before.id);
  return { document, object: store.update(kind, before.id, values, now) };
}

function moveProducts({ store, params, now }: Context) {
  const category = asInteger(params.id ?? null, "id");
  if (store.get(kind, Number(category)) === undefined) throw new Invalid([["id", "must exist"]]);
  for (const id of asIds(params.product_ids, "product_ids")) {
    const product = store.get("product", id);
    if (product === undefined || product.archived)
      throw new Invalid([["product_ids", `name product ${id}, which doesn't exist`]]);
    store.update("product", id, { ...product, category_id: category }, now);
  }
  return { done: true } as const;
}

export const categories: Resource = {
  kinds: [{ name: kind, empty }],
  routes: [
    ...readRoutes(path, [], kind, document, selected),
    route(
      "POST",
      path,
      [],
      ({ store, params, now }) => {
        const values = checked(store, { ...empty, ...cast(columns, params) });
        return { status: 201, document, object: store.insert(kind, values, now) };
      },
      { body },
    ),
    route("PUT", `${path}/set_products_category`, [], moveProducts, {
      body: { roots: ["new_category"], takes: ["id", "product_ids"], reads: {} },
    }),
    route("PUT", `${path}/:id`, [], update, { body }),
    deleteRoute(path, [], kind, ({ store }, { id }) => {
      if (store.count(kind, { where: (row) => row.parent_id === id }) > 0)
        throw new Invalid([["base", "a category with others under it can't be deleted"]]);
      refuseUsed(store, (product) => product.category_id === id);
    }),
  ],
};
