/** What products and variants look like in an answer: interface.md, Products; platform-facts.md, section 2.1. */
import type { Store } from "../store.ts";

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
  price: "decimal",
  old_price: "decimal",
  base_price: "decimal",
  price_in_site_currency: "decimal",
  created_at: "timeB",
  updated_at: "timeB",
  option_values: {
    item: "option-value",
    of: { id: "integer", option_name_id: "integer", position: "integer", title: "string" },
  },
} as const;

const productShape = {
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
  images: {
    item: "image",
    of: {
      id: "integer",
      product_id: "integer",
      position: "integer",
      title: "string",
      filename: "string",
      original_url: "string",
    },
  },
  option_names: {
    item: "option-name",
    of: { id: "integer", position: "integer", title: "string", permalink: "string" },
  },
  properties: {
    item: "property",
    of: { id: "integer", position: "integer", title: "string", permalink: "string" },
  },
  characteristics: {
    item: "characteristic",
    of: { id: "integer", position: "integer", property_id: "integer", title: "string", permalink: "string" },
  },
  product_field_values: {
    item: "product-field-value",
    of: { id: "integer", product_field_id: "integer", value: "string" },
  },
  description: "string",
} as const;

// A price kind gives every variant an attribute of its name (platform-facts.md, section 6).
export function kindPrices(store: Store): readonly string[] {
  return store.list("price_kind").map((kind) => String(kind.variant_price_method_name));
}
export const variantDocument = (store: Store) => ({
  root: "variant",
  list: "variants",
  shape: {
    ...variantShape,
    ...Object.fromEntries(kindPrices(store).map((name) => [name, "decimal" as const])),
  },
});
export const document = (store: Store) => ({
  root: "product",
  list: "products",
  shape: { ...productShape, variants: { item: "variant", of: variantDocument(store).shape } },
});
