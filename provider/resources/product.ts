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
/** Each item has one. */
const known = { ...computed, always: true } as const;

/** Fields of a variant: platform-facts.md, sections 2.1 and 11; interface.md shows sku, quantity and price. */
const variant = {
  /** The variant's id in the shop. */
  id: integer(known),
  /** Stock keeping unit; identifies the variant in the program. */
  sku: text(),
  /** Price in the shop's currency. */
  price: decimal({ role: "price", minimum: 0 }),
  /** Number in stock. */
  quantity: integer({ serverManaged: true, role: "stock" }),
  /** Bar code. */
  barcode: text({ undocumented: true }),
  /** Kilograms. */
  weight: decimal({ undocumented: true }),
  /** Length x width x height. */
  dimensions: dimensions({ undocumented: true }),
  /** The price that the shop paid for it. */
  costPrice: decimal({ undocumented: true, role: "cost", minimum: 0 }),
  /** The former price, shown crossed out. */
  oldPrice: decimal({ undocumented: true, minimum: 0 }),
  /** Prices of other kinds, by the title of the PriceKind. A kind that you leave out keeps its price. */
  prices: amounts(decimal({ minimum: 0 }), {
    undocumented: true,
    role: "price",
    // "The attribute of that name on every variant" (platform-facts.md, section 6).
    namedBy: { kind: priceKind.kind, read: /^price\d+$/ },
  }),
  /** Options that distinguish this variant: `{ Colour: "Red" }`, or a list of `title` and `value`. */
  options: items(
    {
      /** The option's name, such as colour or size. */
      title: text({ mode: "required" }),
      /** The variant's value, such as red or large. */
      value: text({ mode: "required" }),
    },
    { element: "option", key: "title", pairs: "value", undocumented: true },
  ),
  /** The options by id, as the shop returns them. */
  optionValues: items(
    {
      /** The id of the option. */
      optionNameId: integer({ ...computed }),
      /** The value. */
      title: text({ ...computed }),
    },
    { ...computed, element: "option-value", hasArgument: true },
  ),
};

type Variant = {
  readonly optionValues?: readonly { readonly optionNameId?: number; readonly title?: string }[];
};

/** An answer names a variant's options by number only; a program reads and writes them by title. */
function namedOptions(values: { readonly optionNames?: unknown; readonly variants?: unknown }) {
  const names = new Map(
    ((values.optionNames ?? []) as { id: number; title: string }[]).map(({ id, title }) => [id, title]),
  );
  const variants = ((values.variants ?? []) as Variant[]).map(({ optionValues = [], ...rest }) => ({
    ...rest,
    options: optionValues.map(({ optionNameId, title }) => ({
      title: names.get(optionNameId ?? 0),
      value: title,
    })),
  }));
  return { ...values, ...(values.variants !== undefined && { variants }) };
}

export const product = resource({
  kind: "Product",
  // Not of the interface: "/admin2/products/{id}" (platform-facts.md, section 11).
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
    /** Warehouse category (not a collection). Default: the shop's default category. */
    categoryId: integer({ refersTo: { kind: undefined } }),
    /** Last part of the product's address. Default: made from the title at creation; it then stays the same. */
    permalink: text({ undocumented: true, always: true }),
    /** Description as HTML, stored unchanged. */
    description: text({ undocumented: true }),
    /** Short description as HTML, shown in lists. */
    shortDescription: text({ undocumented: true }),
    /** Title of the product's page. */
    htmlTitle: text({ undocumented: true }),
    /** Keywords for search engines. */
    metaKeywords: text({ undocumented: true }),
    /** Description for search engines. */
    metaDescription: text({ undocumented: true }),
    /** Hides the product from shoppers. */
    isHidden: boolean({ undocumented: true, role: "hides" }),
    /** Order in lists. */
    sortWeight: integer({ undocumented: true }),
    /** Unit of quantity, such as `pce` or `kgm`. */
    unit: text({ undocumented: true }),
    /** Length x width x height. */
    dimensions: dimensions({ undocumented: true }),
    /** Value added tax in percent; -1 means none. */
    vat: integer({ undocumented: true }),
    /** Discounts don't apply to this product. */
    ignoreDiscounts: boolean({ undocumented: true }),
    /** Currency of the prices. */
    currencyCode: text({ undocumented: true, role: "currency" }),
    /** The collection whose address is canonical for search engines. */
    canonicalUrlCollectionId: integer({ undocumented: true, refersTo: collection }),
    /** The variants on sale, at least one. Variants that aren't listed are deleted, unless `otherVariants` is "keep". */
    variants: items(variant, {
      element: "variant",
      sent: "variants-attributes",
      sentElement: "variants-attribute",
      key: "sku",
      always: true,
      identifiers: ["options", "barcode"],
      remove: "removeVariant",
      othersArgument: "otherVariants",
    }),
    /** The product was deleted; deleted products are archived. */
    archived: boolean(computed),
    /** Shoppers can buy it. */
    available: boolean(computed),
    /** The collections that contain it, and their parents. */
    collectionsIds: integers({ element: "collections-id", refersTo: collection }),
    /** The product's pictures. */
    images: items(
      {
        /** The picture's id. */
        id: integer(known),
        /** Position in the list. */
        position: integer(computed),
        /** The picture's title. */
        title: text(computed),
        /** Name of the file. */
        filename: text(computed),
        /** Address of the original. */
        originalUrl: text(computed),
      },
      { ...computed, element: "image" },
    ),
    /** The options in which the variants differ. */
    optionNames: items(
      {
        /** The option's id. */
        id: integer(known),
        /** The option's name, such as colour or size. */
        title: text(computed),
      },
      { ...computed, element: "option-name", hasArgument: true },
    ),
    /** The properties that its characteristics describe. */
    properties: items(
      {
        /** The property's id. */
        id: integer(known),
        /** Its name. */
        title: text(computed),
        /** The property's name in addresses. */
        permalink: text(computed),
      },
      { ...computed, element: "property" },
    ),
    /** The values of its properties. */
    characteristics: items(
      {
        /** The value's id. */
        id: integer(known),
        /** The id of the property. */
        propertyId: integer(computed),
        /** The value. */
        title: text(computed),
      },
      { ...computed, element: "characteristic" },
    ),
    /** Values of the shop's own fields. */
    productFieldValues: items(
      {
        /** The value's id. */
        id: integer(known),
        /** The field. */
        productFieldId: integer(computed),
        /** The value. */
        value: text(computed),
      },
      { ...computed, element: "product-field-value" },
    ),
    /** When it was created. */
    createdAt: time("B"),
    /** When the shop last changed it, including stock changes and bulk operations. */
    updatedAt: time("B"),
  },
});
