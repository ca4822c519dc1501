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

/** Fields of a variant: platform-facts.md, sections 2.1 and 11; interface.md shows sku, quantity and price. */
const variant = {
  /** The number by which the shop takes changes to it. */
  id: integer({ ...computed }),
  /** Article number; variants are recognised by it. */
  sku: text(),
  /** Price in the shop's currency. */
  price: decimal({ role: "price", least: 0 }),
  /** Pieces in stock. */
  quantity: integer({ moves: true, role: "stock" }),
  /** Bar code. */
  barcode: text({ unshown: true }),
  /** Kilograms. */
  weight: decimal({ unshown: true }),
  /** Length x width x height. */
  dimensions: dimensions({ unshown: true }),
  /** What it cost the shop. */
  costPrice: decimal({ unshown: true, role: "cost", least: 0 }),
  /** The price before, shown crossed out. */
  oldPrice: decimal({ unshown: true, least: 0 }),
  /** Prices of other kinds, each by the title of its PriceKind; a kind that isn't named keeps its price. */
  prices: amounts(decimal({ least: 0 }), {
    unshown: true,
    role: "price",
    // "The attribute of that name on every variant" (platform-facts.md, section 6).
    named: { kind: priceKind.kind, read: /^price\d+$/ },
  }),
  /** What tells it from the other variants, a colour or a size. */
  options: items(
    {
      /** What differs: colour, size. */
      title: text({ mode: "required" }),
      /** Which one this is: red, large. */
      value: text({ mode: "required" }),
    },
    { element: "option", key: "title", unshown: true },
  ),
  /** The options as an answer has them: by number. */
  optionValues: items(
    {
      /** The option it is a value of. */
      optionNameId: integer({ ...computed }),
      /** The value. */
      title: text({ ...computed }),
    },
    { ...computed, element: "option-value", travels: true },
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
  section: "Products",
  one: "product",
  many: "products",
  operations: {
    get: get("/admin/products/{id}.xml"),
    // A deleted product is archived and stays listed with `deleted` (platform-facts.md, section 11).
    list: listing("/admin/products.xml", { perPage: 100, since: true, changes: { stamp: "updatedAt" } }),
    create: create("/admin/products.xml"),
    edit: edit("/admin/products/{id}.xml"),
    remove: remove("/admin/products/{id}.xml"),
    removeVariant: remove("/admin/products/{id}/variants/{item}.xml", { unshown: true }),
  },
  keys: [["permalink"], ["variants.sku"]],
  names: ["permalink", "title"],
  alters: "permalink",
  derive: namedOptions,
  fields: {
    /** The product's name. */
    title: text({ mode: "required", role: "title" }),
    /** Category of the warehouse (not a collection); the shop's default one when left out. */
    categoryId: integer({ refers: { kind: undefined } }),
    /** Last part of its address; made from the title when left out, and then it stays. */
    permalink: text({ unshown: true }),
    /** HTML, kept as it is. */
    description: text({ unshown: true }),
    /** HTML for lists. */
    shortDescription: text({ unshown: true }),
    /** Title of its page. */
    htmlTitle: text({ unshown: true }),
    /** Key words for search engines. */
    metaKeywords: text({ unshown: true }),
    /** Description for search engines. */
    metaDescription: text({ unshown: true }),
    /** Not shown to shoppers. */
    isHidden: boolean({ unshown: true, role: "hides" }),
    /** Order in lists. */
    sortWeight: integer({ unshown: true }),
    /** What is counted: `pce`, `kgm`. */
    unit: text({ unshown: true }),
    /** Length x width x height. */
    dimensions: dimensions({ unshown: true }),
    /** Value added tax in percent; -1 is none. */
    vat: integer({ unshown: true }),
    /** Discounts leave its price alone. */
    ignoreDiscounts: boolean({ unshown: true }),
    /** Currency of its prices. */
    currencyCode: text({ unshown: true, role: "currency" }),
    /** The collection whose address search engines shall use. */
    canonicalUrlCollectionId: integer({ unshown: true, refers: collection }),
    /** What is sold, at least one. Stated at all, the list is the whole of them. */
    variants: items(variant, {
      element: "variant",
      sent: "variants-attributes",
      sentElement: "variants-attribute",
      key: "sku",
      tells: ["options", "barcode"],
      remove: "removeVariant",
    }),
    /** Deleted products are archived. */
    archived: boolean(computed),
    /** Can be bought. */
    available: boolean(computed),
    /** The collections that show it, and those above them. */
    collectionsIds: integers({ element: "collections-id", refers: collection }),
    /** Its pictures. */
    images: items(
      {
        /** The picture's number. */
        id: integer(computed),
        /** Its place. */
        position: integer(computed),
        /** Its title. */
        title: text(computed),
        /** Its file's name. */
        filename: text(computed),
        /** Address of the original. */
        originalUrl: text(computed),
      },
      { ...computed, element: "image" },
    ),
    /** What its variants differ in. */
    optionNames: items(
      {
        /** The option's number. */
        id: integer(computed),
        /** What differs: colour, size. */
        title: text(computed),
      },
      { ...computed, element: "option-name", travels: true },
    ),
    /** What its characteristics are about. */
    properties: items(
      {
        /** The property's number. */
        id: integer(computed),
        /** Its name. */
        title: text(computed),
        /** Its name in addresses. */
        permalink: text(computed),
      },
      { ...computed, element: "property" },
    ),
    /** Values of its properties. */
    characteristics: items(
      {
        /** The value's number. */
        id: integer(computed),
        /** The property it is a value of. */
        propertyId: integer(computed),
        /** The value. */
        title: text(computed),
      },
      { ...computed, element: "characteristic" },
    ),
    /** Values of the shop's own fields. */
    productFieldValues: items(
      {
        /** The value's number. */
        id: integer(computed),
        /** The field. */
        productFieldId: integer(computed),
        /** The value. */
        value: text(computed),
      },
      { ...computed, element: "product-field-value" },
    ),
    /** When it was made. */
    createdAt: time("B"),
    /** When the shop last changed it; also stock and mass operations do. */
    updatedAt: time("B"),
  },
});
