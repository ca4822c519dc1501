/** Warehouse categories, the ones that a product's category-id means: platform-facts.md, section 11. */
import { asInteger, asText, type Columns, cast, Invalid, require_ } from "../casts.ts";
import {
  type Context,
  countRoute,
  cutWhenAsked,
  getRoute,
  listRoute,
  type Resource,
  route,
} from "../routing.ts";

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
const columns: Columns = { title: asText, parent_id: asInteger, position: asInteger };
const empty = { parent_id: null, position: 1 };
const cut = (context: Context) => cutWhenAsked(context, { perPage: 250 });

export const categories: Resource = {
  kinds: [{ name: "category", empty }],
  routes: [
    countRoute(path, "category", cut),
    listRoute(path, [], "category", document, cut),
    getRoute(path, [], "category", document),
    route(
      "POST",
      path,
      [],
      ({ store, params, now }) => {
        const values: Readonly<Record<string, unknown>> = { ...empty, ...cast(columns, params) };
        require_(values, ["title"]);
        if (values.parent_id !== null && store.get("category", Number(values.parent_id)) === undefined)
          throw new Invalid([["parent_id", "there is no such category"]]);
        return { status: 201, document, object: store.insert("category", values, now) };
      },
      { body: { roots: ["category"], takes: Object.keys(columns), reads: document.shape } },
    ),
  ],
};
