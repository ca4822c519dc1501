import {
  amounts,
  boolean,
  create,
  decimal,
  dimensions,
  edit,
  get,
  integer,
  integers,
  items,
  listing,
  remove,
  resource,
  text,
  time,
} from "../definition/define.ts";
import { collection } from "./collection.ts";
import { priceKind } from "./price-kind.ts";

const computed = { mode: "computed" } as const;
const known = { ...computed, always: true } as const;
const size = {
  matches: /^\s*\d+(?:[.,]\d+)?(?:\s*x\s*\d+(?:[.,]\d+)?){1,2}\s*$/,
  be: "length x width x height, such as 10x20x5",
};

/** Fields of a variant: platform-facts.md, sections 2.1 and 11; interface.md shows sku, quantity and price. */
const variant = {
  /** Id of the variant, assigned by the shop. */
  id: integer(known),
  /** Stock keeping unit, which identifies the variant. No two variants of a product may have the same one. */
  sku: text(),
  /** Price in the shop's currency. */
  price: decimal({ role: "price", minimum: 0, needed: true }),
  /** Number in stock. Sales change it; a run only sends it if the program changes it. */
  quantity: integer({ serverManaged: true, role: "stock", should: { matches: /^\d/, be: "at least 0" } }),
  /** Bar code. Identifies a variant without a SKU. */
  barcode: text({ undocumented: true }),
  /** Weight in kilograms. */
  weight: decimal({ undocumented: true, minimum: 0 }),
  /** Dimensions as length x width x height. */
  dimensions: dimensions({ undocumented: true, should: size }),
  /** Price that the shop paid for the variant, in the shop's currency. */
  costPrice: decimal({ undocumented: true, role: "cost", minimum: 0 }),
  /** Former price, shown crossed out, in the shop's currency. */
  oldPrice: decimal({ undocumented: true, minimum: 0 }),
  /** Prices of other kinds, by the title of the PriceKind. A kind that you leave out keeps its price. */
  prices: amounts(decimal({ minimum: 0 }), {
    undocumented: true,
    role: "price",
    // "The attribute of that name on every variant" (platform-facts.md, section 6).
    namedBy: { kind: priceKind.kind, read: /^price\d+$/ },
  }),
  /** Options that distinguish the variant: a list of `title` and `value`, in TypeScript also `{ Colour: "Red" }`. */
  options: items(
    {
      /** The option's name, such as colour or size. */
      title: text({ mode: "required" }),
      /** The option's value for this variant, such as red or large. */
      value: text({ mode: "required" }),
    },
    { element: "option", key: "title", pairs: "value", undocumented: true },
  ),
  /** The options by id, as the shop returns them. */
  optionValues: items(
    {
      /** Id of the option. */
      optionNameId: integer({ ...computed }),
      /** The option's value. */
      title: text({ ...computed }),
    },
    { ...computed, element: "option-value", hasArgument: true },
  ),
};

type Variant = {
  readonly optionValues?: readonly { readonly optionNameId?: number; readonly title?: string }[];
};

/** A response has the options of a variant by id; a program uses titles. */
function namedOptions(values: { readonly optionNames?: unknown; readonly variants?: unknown }) {
  const names = new Map(
    ((values.optionNames ?? []) as { id: number; title: string }[]).map(({ id, title }) => [id, title]),
  );
  const variants = ((values.variants ?? []) as Variant[]).map((variant) => ({
    ...variant,
    options: (variant.optionValues ?? []).map(({ optionNameId, title }) => ({
      title: names.get(optionNameId ?? 0),
      value: title,
    })),
  }));
  return { ...values, ...(values.variants !== undefined && { variants }) };
}

export const product = resource({
  kind: "Product",
  // Not in interface.md: "/admin2/products/{id}" (platform-facts.md, section 11).
  backOfficePath: "/admin2/products/{id}",
  section: "Products",
  one: "product",
  many: "products",
  operations: {
    get: get("/admin/products/{id}.xml"),
    // A deleted product is archived and stays listed with `deleted` (platform-facts.md, section 11).
    list: listing("/admin/products.xml", { perPage: 100, since: true }),
    create: create("/admin/products.xml"),
    edit: edit("/admin/products/{id}.xml"),
    remove: remove("/admin/products/{id}.xml"),
    removeVariant: remove("/admin/products/{id}/variants/{item}.xml", { undocumented: true }),
  },
  keys: [["permalink"], ["variants.sku"]],
  names: ["permalink", "title"],
  suffixesDuplicates: "permalink",
  derive: namedOptions,
  fields: {
    /** The product's name. */
    title: text({ mode: "required", role: "title" }),
    /** Id of the warehouse category, which isn't a collection. Default: the shop's default category. */
    categoryId: integer({ refersTo: { kind: undefined }, minimum: 1, always: true }),
    /**
     * Last part of the product's address. Default: made from the title when the product is created; it then stays the same.
     */
    permalink: text({
      undocumented: true,
      always: true,
      must: {
        matches: /^[^\s/\\?#%&"'<>]*$/,
        be: "the last part of an address, such as tea-mug: without blanks, / ? # % and &",
      },
      should: {
        matches: /^[a-z0-9_]+(?:-[a-z0-9_]+)*$/,
        be: "lower-case letters a to z and digits, with single hyphens between them, such as tea-mug",
      },
    }),
    /** Description as HTML, stored unchanged. */
    description: text({ undocumented: true, format: "html" }),
    /** Short description as HTML, shown in lists. */
    shortDescription: text({ undocumented: true, format: "html" }),
    /** Title of the product's page. */
    htmlTitle: text({ undocumented: true }),
    /** Keywords for search engines. */
    metaKeywords: text({ undocumented: true }),
    /** Description for search engines. */
    metaDescription: text({ undocumented: true }),
    /** Whether the product is hidden from shoppers. */
    isHidden: boolean({ undocumented: true, role: "hides" }),
    /** Position in lists. */
    sortWeight: integer({ undocumented: true }),
    /** Unit of quantity, such as `pce` or `kgm`. */
    unit: text({
      undocumented: true,
      should: { matches: /^[a-z0-9]{2,3}$/, be: "a unit's code, such as pce or kgm" },
    }),
    /** Dimensions as length x width x height. */
    dimensions: dimensions({ undocumented: true, should: size }),
    /** Value added tax in percent; -1 for none. */
    vat: integer({
      undocumented: true,
      should: { matches: /^(-1|\d{1,2})$/, be: "a percentage, or -1 for none" },
    }),
    /** Whether the product is excluded from discounts. */
    ignoreDiscounts: boolean({ undocumented: true }),
    /** Currency of the product's prices. */
    currencyCode: text({
      undocumented: true,
      role: "currency",
      should: { matches: /^[A-Z]{3}$/, be: "a code of three capital letters, such as RUR" },
    }),
    /** Id of the collection whose address is the canonical one for search engines. */
    canonicalUrlCollectionId: integer({ undocumented: true, refersTo: collection, minimum: 1 }),
    /** The product's variants, at least one. Variants that you don't list are deleted, unless `otherVariants` is "keep". */
    variants: items(variant, {
      element: "variant",
      sent: "variants-attributes",
      sentElement: "variants-attribute",
      key: "sku",
      always: true,
      needed: true,
      identifiers: ["options", "barcode"],
      remove: "removeVariant",
      othersArgument: "otherVariants",
    }),
    /** Whether the product was deleted; the shop archives deleted products. */
    archived: boolean(computed),
    /** Whether shoppers can buy the product. */
    available: boolean(computed),
    /** Ids of the collections that contain the product, and of their parents. */
    collectionsIds: integers({ element: "collections-id", refersTo: collection }),
    /** The product's pictures. */
    images: items(
      {
        /** Id of the picture. */
        id: integer(known),
        /** Position among the pictures. */
        position: integer(computed),
        /** The picture's title. */
        title: text(computed),
        /** Name of the picture's file. */
        filename: text(computed),
        /** Address of the original picture. */
        originalUrl: text(computed),
      },
      { ...computed, element: "image" },
    ),
    /** The options that distinguish the variants. */
    optionNames: items(
      {
        /** Id of the option. */
        id: integer(known),
        /** The option's name, such as colour or size. */
        title: text(computed),
      },
      { ...computed, element: "option-name", hasArgument: true },
    ),
    /** The properties that `characteristics` has values for. */
    properties: items(
      {
        /** Id of the property. */
        id: integer(known),
        /** The property's name. */
        title: text(computed),
        /** The property's name in addresses. */
        permalink: text(computed),
      },
      { ...computed, element: "property" },
    ),
    /** Values of the product's properties. */
    characteristics: items(
      {
        /** Id of the value. */
        id: integer(known),
        /** Id of the property. */
        propertyId: integer(computed),
        /** The property's value. */
        title: text(computed),
      },
      { ...computed, element: "characteristic" },
    ),
    /** Values of fields that the shop has defined. */
    productFieldValues: items(
      {
        /** Id of the value. */
        id: integer(known),
        /** Id of the field. */
        productFieldId: integer(computed),
        /** The field's value. */
        value: text(computed),
      },
      { ...computed, element: "product-field-value" },
    ),
    /** When the product was created. */
    createdAt: time("B"),
    /** When the shop last changed it, including stock changes and bulk operations. */
    updatedAt: time("B"),
  },
});
