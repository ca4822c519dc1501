/** Products: interface.md, Products; platform-facts.md, sections 2.1, 4 and 11. Variants are in variants.ts. */
import {
  asFlag,
  asText,
  columnsOf,
  convertedColumns,
  Invalid,
  isBlank,
  Refusal,
  refuseBlank,
} from "../conversions.ts";
import type { Row } from "../documents.ts";
import { freePermalink, permalinkOf } from "../permalinks.ts";
import {
  type Context,
  countRoute,
  existing,
  idOf,
  numberIn,
  type Resource,
  route,
  selectionOf,
} from "../routing.ts";
import type { Selection, Store, Stored } from "../store.ts";
import {
  kindPrices,
  productDocument,
  productFieldsOf,
  productShape,
  shownProduct,
} from "./product-documents.ts";
import { fieldKeys, withFieldValues } from "./product-fields.ts";
import { propertyKeys, withProperties } from "./properties.ts";
import { asDimensions, completeVariants, variantsOf, withVariants } from "./variants.ts";

const columns = columnsOf(productShape, ["archived", "available"], {
  description: asText,
  is_hidden: asFlag,
  dimensions: asDimensions,
});
const empty = {
  canonical_url_collection_id: null,
  ignore_discounts: null,
  is_hidden: false,
  sort_weight: null,
  unit: "pce",
  dimensions: null,
  vat: -1,
  short_description: null,
  html_title: null,
  meta_keywords: null,
  meta_description: null,
  currency_code: "RUR",
  description: null,
  collections_ids: [],
  images: [],
  option_names: [],
  properties: [],
  characteristics: [],
  product_field_values: [],
};

const path = "/admin/products";
const body = {
  roots: ["product"],
  takes: [...Object.keys(columns), "variants_attributes", ...propertyKeys, ...fieldKeys],
  extra: ["ignore_discounts", "dimensions", "vat", ...propertyKeys, ...fieldKeys],
  reads: productFieldsOf,
};

// The category is a warehouse category, with a default if none is set; "a collection id there -> 422"
// (platform-facts.md, section 11).
function checked(store: Store, values: Row): Row {
  refuseBlank(values, ["title"]);
  const category = values.category_id ?? store.list("category")[0]?.id ?? null;
  if (category !== null && store.get("category", Number(category)) === undefined)
    throw new Invalid([["category_id", "must exist"]]);
  return { ...values, category_id: category };
}

const single = (context: Context, object: Row, status = 200) => ({
  status,
  document: productDocument(context),
  object: shownProduct(kindPrices(context.store), object),
});
const several = (context: Context, objects: readonly Row[]) => {
  const kinds = kindPrices(context.store);
  return { document: productDocument(context), objects: objects.map((row) => shownProduct(kinds, row)) };
};

function withParts(context: Context, product: Row, id: number): Row {
  const { store, now, params } = context;
  const varied = withVariants(context, product, id, params);
  return withFieldValues(store, withProperties(store, now, varied, params), params);
}

// "per_page < 10 is raised to 10"; the filters are those of section 4 (platform-facts.md).
function selected(context: Context): Selection {
  const category = numberIn(context, "category_id");
  const collection = numberIn(context, "collection_id");
  const title = (context.query.get("filter[title]") ?? "").trim().toLowerCase();
  const page = selectionOf(context, { perPage: 100, least: 10, archives: true });
  if (category === undefined && collection === undefined && title === "") return page;
  const isWanted = (row: Stored) =>
    (category === undefined || row.category_id === category) &&
    (collection === undefined || ((row.collections_ids ?? []) as readonly number[]).includes(collection)) &&
    String(row.title).toLowerCase().includes(title);
  return { ...page, where: isWanted };
}

function create(context: Context) {
  const { store, params, now } = context;
  if ((variantsOf(store, params) ?? []).length === 0)
    throw new Invalid([["base", "cannot create a product without modifications"]]);
  const values = checked(store, { ...empty, ...convertedColumns(columns, params) });
  const wanted = permalinkOf(String(isBlank(values.permalink) ? values.title : values.permalink));
  const permalink = freePermalink(store, "product", wanted);
  const { id } = store.insert("product", {}, now, { key: permalink });
  return single(
    context,
    store.update("product", id, withParts(context, { ...values, permalink }, id), now),
    201,
  );
}

function update(context: Context) {
  const { store, params, now } = context;
  const product = existing(context, "product", idOf(context));
  const values = convertedColumns(columns, params);
  const permalink = isBlank(values.permalink)
    ? String(product.permalink)
    : freePermalink(store, "product", permalinkOf(String(values.permalink)), product.id);
  const made = withParts(context, checked(store, { ...product, ...values, permalink }), product.id);
  return single(context, store.update("product", product.id, made, now, permalink));
}

function recover(context: Context) {
  const { store, now } = context;
  const found = store.get("product", idOf(context));
  if (found === undefined) throw new Refusal(404, "Not found");
  const permalink = freePermalink(store, "product", String(found.permalink), found.id);
  store.update("product", found.id, { ...found, permalink }, now, permalink);
  if (found.archived) store.recover("product", found.id, now);
  return single(context, store.get("product", found.id) as Stored);
}

export const products: Resource = {
  kinds: [
    {
      name: "product",
      empty: { ...empty, category_id: null, variants: [] },
      archives: true,
      keyOf: ({ permalink }) => String(permalink),
      complete(row, id, store, now) {
        const variants = completeVariants((row.variants ?? []) as readonly Row[], id, store, now);
        const permalink = freePermalink(
          store,
          "product",
          permalinkOf(String(row.permalink ?? row.title ?? "")),
        );
        const available = variants.some((one) => one.available);
        const category = row.category_id ?? store.list("category")[0]?.id ?? null;
        return { available, ...row, category_id: category, permalink, variants };
      },
    },
  ],
  routes: [
    countRoute(path, "product", selected),
    route("GET", `${path}/by_ids`, [], (context) => {
      const ids = (context.query.get("product_ids") ?? "").split(",").slice(0, 100);
      const found = ids.flatMap((id) =>
        /^\d{1,15}$/.test(id) ? (context.store.get("product", Number(id)) ?? []) : [],
      );
      return several(
        context,
        found.filter(({ archived }) => !archived),
      );
    }),
    route("GET", `${path}/:id`, ["xml"], (context) =>
      single(context, existing(context, "product", idOf(context))),
    ),
    route("GET", path, ["xml"], (context) =>
      several(context, context.store.list("product", selected(context))),
    ),
    route("POST", path, ["xml"], create, { body }),
    route("PUT", `${path}/:id`, ["xml"], update, { body }),
    route("DELETE", `${path}/:id`, ["xml"], ({ store, now, ids }) => {
      // "DELETE of an unknown id is also 200" (platform-facts.md, section 11).
      const found = store.get("product", Number(ids.id));
      if (found !== undefined && !found.archived) store.archive("product", found.id, now);
      return { done: true };
    }),
    route("POST", `${path}/:id/recover`, [], recover),
  ],
};
