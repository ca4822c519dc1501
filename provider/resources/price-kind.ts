import {
  boolean,
  create,
  edit,
  get,
  integer,
  listing,
  remove,
  resource,
  text,
} from "../definition/define.ts";

export const priceKind = resource({
  kind: "PriceKind",
  section: "Price kinds",
  one: "price-kind",
  sent: "price_kind",
  many: "price-kinds",
  operations: {
    get: get("/admin/price_kinds/{id}.json"),
    list: listing("/admin/price_kinds.json"),
    create: create("/admin/price_kinds.json"),
    // "The PUT for price kinds is listed with .xml" (interface.md, Conventions 1).
    edit: edit("/admin/price_kinds/{id}.xml"),
    remove: remove("/admin/price_kinds/{id}.json"),
  },
  keys: [["title"]],
  names: ["title"],
  // The number is part of the variant's attribute: created in another order, `price2` would be another price.
  sequential: { title: "title", element: "variantPriceMethodName" },
  fields: {
    /** The price kind's name in the back office. */
    title: text({ mode: "required", role: "title" }),
    /** Number of the price kind, assigned by the shop in the order of creation. */
    priceIndex: integer({ mode: "computed", always: true }),
    /** Whether lists in the back office show this price. */
    showInLists: boolean({ mode: "computed", hasArgument: false }),
    /** The variant's attribute with this price, such as `price2`. */
    variantPriceMethodName: text({ mode: "computed", always: true }),
  },
});
