/** Products and their variants: interface.md, Products; platform-facts.md, sections 2.1 and 11. */
import {
  asBoolean,
  asDecimal,
  asHash,
  asInteger,
  asItems,
  asText,
  type Columns,
  cast,
  Invalid,
  Refusal,
  require_,
} from "../casts.ts";
import type { Params, Row } from "../documents.ts";
import { permalinkOf } from "../permalinks.ts";
import { type Context, cutOf, existing, idOf, route } from "../routing.ts";
import type { Store, Stored } from "../store.ts";
import { document, kindPrices, variantDocument } from "./product-documents.ts";

// "Cyrillic х in dimensions comes back as Latin x" (platform-facts.md, section 11).
const asDimensions: Columns[string] = (value, field) => {
  const text = asText(value, field);
  return typeof text === "string" ? text.replaceAll("\u0445", "x") : text;
};

const columns: Columns = {
  title: asText,
  description: asText,
  short_description: asText,
  permalink: asText,
  html_title: asText,
  meta_keywords: asText,
  meta_description: asText,
  category_id: asInteger,
  is_hidden: asBoolean,
  ignore_discounts: asBoolean,
  sort_weight: asInteger,
  unit: asText,
  dimensions: asDimensions,
  vat: asInteger,
  currency_code: asText,
  canonical_url_collection_id: asInteger,
};
const variantColumns: Columns = {
  sku: asText,
  price: asDecimal,
  barcode: asText,
  quantity: asInteger,
  weight: asDecimal,
  dimensions: asDimensions,
  cost_price: asDecimal,
  old_price: asDecimal,
};
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

type Options = { title: string; value: string }[];
type Variant = Row & { readonly id: number; readonly option_values: readonly Row[] };

/** The variants of a request; unknown keys are refused (platform-facts.md, section 3). */
function variantsOf(
  store: Store,
  params: Params,
): readonly { id: number | undefined; values: Row; options: Options | undefined }[] | undefined {
  const items = asItems(params.variants_attributes);
  const taken = {
    ...variantColumns,
    ...Object.fromEntries(kindPrices(store).map((name) => [name, asDecimal])),
  };
  return items?.map((item) => {
    const unknown = Object.keys(item).filter(
      (name) => !(name in taken) && name !== "id" && name !== "options" && name !== "options_attributes",
    );
    if (unknown.length > 0)
      throw new Invalid([
        ["variants_attributes", `undefined keys [${unknown.map((name) => JSON.stringify(name)).join(", ")}]`],
      ]);
    const id = item.id === undefined || item.id === "" ? undefined : (asInteger(item.id, "id") as number);
    const options = asItems(item.options ?? item.options_attributes)?.map((option) => ({
      title: String(option.title ?? ""),
      value: String(option.value ?? ""),
    }));
    return { id, values: cast(taken, item), options };
  });
}

/** Adds and changes variants: an id means the one that is there, none means a new one (platform-facts.md, section 11). */
function withVariants(context: Context, product: Row, id: number): Row {
  const asked = variantsOf(context.store, context.params) ?? [];
  const names = [...((product.option_names ?? []) as Row[])];
  const variants = [...((product.variants ?? []) as Variant[])];
  for (const { id: known, values, options } of asked) {
    const index = variants.findIndex((variant) => variant.id === known);
    if (known !== undefined && index < 0)
      throw new Invalid([["variants_attributes", `there is no variant ${known}`]]);
    const before = index < 0 ? newVariant(context, id) : (variants[index] as Variant);
    const optionValues =
      options === undefined
        ? before.option_values
        : options.map((option, position) => optionValue(context.store, names, option, position + 1));
    const price = values.price ?? before.price;
    if (price === null || price === undefined) throw new Invalid([["variants.price", "can't be blank"]]);
    const made = {
      ...before,
      ...values,
      base_price: price,
      price_in_site_currency: price,
      option_values: optionValues,
      updated_at: context.now,
      title: optionValues.map((value) => value.title).join(" / "),
    };
    if (index < 0) variants.push(made as Variant);
    else variants[index] = made as Variant;
  }
  const available = variants.some((variant) => variant.quantity === null || Number(variant.quantity) > 0);
  return { ...product, variants, option_names: names, available };
}

function newVariant(context: Context, productId: number): Variant {
  return {
    id: context.store.nextId("variant"),
    product_id: productId,
    sku: null,
    barcode: null,
    available: true,
    image_id: null,
    weight: null,
    dimensions: null,
    quantity: null,
    cost_price: null,
    price: null,
    old_price: null,
    created_at: context.now,
    option_values: [],
  };
}

function optionValue(
  store: Store,
  names: Row[],
  option: { title: string; value: string },
  position: number,
): Row {
  if (option.title === "" || option.value === "")
    throw new Invalid([["options", "need a title and a value"]]);
  let name = names.find(({ title }) => title === option.title);
  if (name === undefined) {
    name = {
      id: store.nextId("option_name"),
      position: names.length + 1,
      title: option.title,
      permalink: permalinkOf(option.title),
    };
    names.push(name);
  }
  return { id: store.nextId("option_value"), option_name_id: name.id, position, title: option.value };
}

function checked(context: Context, values: Row): Row {
  require_(values, ["title"]);
  // "a collection id there -> 422" (platform-facts.md, section 11).
  if (
    values.category_id !== null &&
    context.store.get("category", Number(values.category_id)) === undefined
  ) {
    throw new Invalid([["category_id", "there is no such category"]]);
  }
  return values;
}

/** Not attested: what a taken permalink does. Chosen: a number is added, as the site's addresses must differ. */
function freePermalink(context: Context, wanted: string, own?: number): string {
  for (let turn = 0; ; turn += 1) {
    const permalink = turn === 0 ? wanted : `${wanted}-${turn + 1}`;
    const holder = context.store.byKey("product", permalink);
    if (holder === undefined || holder.id === own) return permalink;
  }
}

const single = (context: Context, object: Row, status = 200) => ({
  status,
  document: document(context.store),
  object,
});
// The archive keeps its permalinks out of the way of new products.
const gone = (id: number) => `archived/${id}`;

function update(context: Context, product: Stored): Stored {
  const values = cast(columns, context.params);
  const permalink =
    values.permalink === undefined || values.permalink === null || values.permalink === ""
      ? String(product.permalink)
      : freePermalink(context, permalinkOf(String(values.permalink)), product.id);
  const made = withVariants(context, checked(context, { ...product, ...values, permalink }), product.id);
  return context.store.update("product", product.id, made, context.now, permalink);
}

export const products = [
  route("GET", "/admin/products/count", [], (context) => {
    const count = context.store.list("product", {
      ...cutOf(context, { perPage: 250 }),
      perPage: undefined,
    }).length;
    return { document: { root: "hash", list: "hashes", shape: { count: "integer" } }, object: { count } };
  }),
  route("GET", "/admin/products/by_ids", [], (context) => {
    const ids = (context.query.get("product_ids") ?? "").split(",").slice(0, 100);
    const found = ids
      .map((id) => context.store.get("product", Number(id)))
      .filter((product) => product !== undefined && !product.archived);
    return { document: document(context.store), objects: found as Stored[] };
  }),
  route("GET", "/admin/products/:id", ["xml"], (context) =>
    single(context, existing(context, "product", idOf(context))),
  ),
  route("GET", "/admin/products", ["xml"], (context) => ({
    document: document(context.store),
    // "per_page < 10 is raised to 10" (platform-facts.md, section 4).
    objects: context.store.list("product", cutOf(context, { perPage: 100, least: 10 })),
  })),
  route("POST", "/admin/products", ["xml"], (context) => {
    const { store, params } = context;
    if ((variantsOf(store, params) ?? []).length === 0)
      throw new Invalid([["base", "cannot create a product without modifications"]]);
    const values = {
      ...empty,
      category_id: store.list("category")[0]?.id ?? null,
      ...cast(columns, params),
    } as Row;
    checked(context, values);
    const given = values.permalink;
    const permalink = freePermalink(
      context,
      permalinkOf(String(given === undefined || given === null || given === "" ? values.title : given)),
    );
    const { id } = store.insert("product", {}, context.now, { key: permalink });
    const made = withVariants(context, { ...values, permalink }, id);
    return single(context, store.update("product", id, made, context.now), 201);
  }),
  route("PUT", "/admin/products/:id", ["xml"], (context) =>
    single(context, update(context, existing(context, "product", idOf(context)))),
  ),
  route("DELETE", "/admin/products/:id", ["xml"], (context) => {
    // "DELETE of an unknown id is also 200" (platform-facts.md, section 11).
    const found = context.store.get("product", idOf(context));
    if (found !== undefined && !found.archived) {
      context.store.update("product", found.id, found, context.now, gone(found.id));
      context.store.archive("product", found.id, true, context.now);
    }
    return { done: true };
  }),
  route("POST", "/admin/products/:id/recover", [], (context) => {
    const found = context.store.get("product", idOf(context));
    if (found === undefined) throw new Refusal(404, "Not found");
    const permalink = freePermalink(context, String(found.permalink), found.id);
    context.store.update("product", found.id, { ...found, permalink }, context.now, permalink);
    context.store.archive("product", found.id, false, context.now);
    return single(context, context.store.get("product", found.id) as Stored);
  }),
  route("GET", "/admin/products/:product/variants", [], (context) => {
    const product = existing(context, "product", idOf(context, "product"));
    return { document: variantDocument(context.store), objects: product.variants as Row[] };
  }),
  route("GET", "/admin/products/:product/variants/:id", [], (context) => ({
    document: variantDocument(context.store),
    object: variant(context),
  })),
  route("POST", "/admin/products/:product/variants", [], (context) => {
    const product = existing(context, "product", idOf(context, "product"));
    const made = update(asVariant(context, undefined), product);
    return {
      status: 201,
      document: variantDocument(context.store),
      object: (made.variants as Row[]).at(-1) ?? {},
    };
  }),
  route("PUT", "/admin/products/:product/variants/:id", [], (context) => {
    const { id } = variant(context);
    const made = update(asVariant(context, id), existing(context, "product", idOf(context, "product")));
    return {
      document: variantDocument(context.store),
      object: (made.variants as Variant[]).find((one) => one.id === id) ?? {},
    };
  }),
  route("DELETE", "/admin/products/:product/variants/:id", [], (context) => {
    const product = existing(context, "product", idOf(context, "product"));
    const { id } = variant(context);
    const variants = (product.variants as Variant[]).filter((one) => one.id !== id);
    // "At least one variant always stays" (platform-facts.md, section 11).
    if (variants.length === 0) throw new Invalid([["base", "the last modification can't be deleted"]]);
    context.store.update("product", product.id, { ...product, variants }, context.now);
    return { done: true };
  }),
];

function variant(context: Context): Variant {
  const product = existing(context, "product", idOf(context, "product"));
  const found = (product.variants as Variant[]).find(({ id }) => id === idOf(context));
  if (found === undefined) throw new Refusal(404, "Not found");
  return found;
}

/** A variant's own request as the product's request that does the same. */
function asVariant(context: Context, id: number | undefined): Context {
  const { external_id: _unread, ...params } = asHash(context.params);
  const item = id === undefined ? params : { ...params, id: String(id) };
  return { ...context, params: { variants_attributes: [item] } };
}
