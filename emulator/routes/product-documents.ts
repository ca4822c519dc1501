/** The documents of products and variants: interface.md, Products; platform-facts.md, section 2.1. */
import type { Row, Shape } from "../documents.ts";
import { type Context, type Document, existing, idOf } from "../routing.ts";
import type { Store, Stored } from "../store.ts";

const variantShape = {
  id: "integer",
  product_id: "integer",
  title: "string",
  sku: "string",
  barcode: "string",
  available: "boolean",
  image_id: "integer",
  weight: "decimal",
  dimensions: "string",
  quantity: "integer",
  cost_price: "decimal",
  cost_price_in_site_currency: "decimal",
  price: "decimal",
  price_in_site_currency: "decimal",
  old_price: "decimal",
  old_price_in_site_currency: "decimal",
  base_price: "decimal",
  base_price_in_site_currency: "decimal",
} as const;
export const optionValueShape = {
  id: "integer",
  option_name_id: "integer",
  position: "integer",
  title: "string",
} as const;
const variantTail = {
  prices: { item: "price", of: "decimal" },
  prices_in_site_currency: { item: "price", of: "decimal" },
  variant_field_values: {
    item: "variant-field-value",
    of: { id: "integer", variant_field_id: "integer", value: "string" },
  },
  created_at: "timeB",
  updated_at: "timeB",
  option_values: { item: "option-value", of: optionValueShape },
} as const;

export const imageShape = {
  id: "integer",
  product_id: "integer",
  position: "integer",
  created_at: "timeB",
  title: "string",
  filename: "string",
  image_processing: "boolean",
  url: "string",
  original_url: "string",
} as const;
export const optionNameShape = {
  id: "integer",
  position: "integer",
  title: "string",
  permalink: "string",
} as const;
export const propertyShape = {
  id: "integer",
  position: "integer",
  title: "string",
  permalink: "string",
  backoffice: "boolean",
  is_hidden: "boolean",
  is_navigational: "boolean",
} as const;
export const characteristicShape = {
  id: "integer",
  position: "integer",
  property_id: "integer",
  title: "string",
  permalink: "string",
} as const;

export const fieldValueShape = {
  id: "integer",
  product_field_id: "integer",
  value: "string",
} as const;

export const productShape = {
  archived: "boolean",
  available: "boolean",
  canonical_url_collection_id: "integer",
  category_id: "integer",
  created_at: "timeB",
  id: "integer",
  ignore_discounts: "boolean",
  is_hidden: "boolean",
  sort_weight: "integer",
  unit: "string",
  dimensions: "string",
  vat: "integer",
  updated_at: "timeB",
  title: "string",
  short_description: "string",
  permalink: "string",
  html_title: "string",
  meta_keywords: "string",
  meta_description: "string",
  currency_code: "string",
  collections_ids: { item: "collections-id", of: "integer" },
  images: { item: "image", of: imageShape },
  option_names: { item: "option-name", of: optionNameShape },
  properties: { item: "property", of: propertyShape },
  characteristics: { item: "characteristic", of: characteristicShape },
  product_field_values: { item: "product-field-value", of: fieldValueShape },
} as const;
// Fields that interface.md, Product, doesn't list.
const unshown = new Set(["ignore_discounts", "dimensions", "vat", "product_bundle_components"]);

// Each price kind adds an attribute with its name to every variant (platform-facts.md, section 6).
export function kindPrices(store: Store): readonly string[] {
  return store.list("price_kind").map((kind) => String(kind.variant_price_method_name));
}

export function variantFields(store: Store): Shape {
  const ofKinds = kindPrices(store).flatMap((name) => [name, `${name}_in_site_currency`]);
  const prices = Object.fromEntries(ofKinds.map((name) => [name, "decimal" as const]));
  return { ...variantShape, ...prices, ...variantTail };
}

export const variantDocument = ({ store }: Pick<Context, "store">): Document => ({
  root: "variant",
  list: "variants",
  shape: variantFields(store),
});

export function productFieldsOf(store: Store): Shape {
  return {
    ...productShape,
    variants: { item: "variant", of: variantFields(store) },
    product_bundle_components: { item: "product-bundle-component", of: { id: "integer" } },
    description: "string",
  };
}

export function productDocument({ store, strict }: Pick<Context, "store" | "strict">): Document {
  const shape = productFieldsOf(store);
  const shown = strict
    ? Object.fromEntries(Object.entries(shape).filter(([name]) => !unshown.has(name)))
    : shape;
  return { root: "product", list: "products", shape: shown };
}

const inSiteCurrency = ["cost_price", "price", "old_price", "base_price"] as const;

/** A variant with the fields that only answers have: prices of every kind, and each price in the site's currency. */
export function shownVariant(kinds: readonly string[], variant: Row): Row {
  const own = Object.fromEntries(kinds.map((name) => [name, variant[name] ?? null]));
  const all = { ...variant, ...own } as Row;
  const converted = [...inSiteCurrency, ...kinds].map(
    (name) => [`${name}_in_site_currency`, all[name] ?? null] as const,
  );
  return {
    ...all,
    ...Object.fromEntries(converted),
    prices: [],
    prices_in_site_currency: [],
    variant_field_values: [],
  };
}

/** A product with the fields that only answers have. */
export function shownProduct(kinds: readonly string[], product: Row): Row {
  const variants = (product.variants ?? []) as readonly Row[];
  return {
    ...product,
    variants: variants.map((variant) => shownVariant(kinds, variant)),
    product_bundle_components: [],
  };
}

/** The product in the path. */
export const productOf = (context: Context): Stored => existing(context, "product", idOf(context, "product"));
