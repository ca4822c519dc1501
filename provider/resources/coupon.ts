import {
  boolean,
  create,
  date,
  decimal,
  edit,
  flag,
  get,
  integers,
  listing,
  oneOfNumbers,
  remove,
  resource,
  text,
  time,
} from "../definition/define.ts";
import { collection } from "./collection.ts";

export const coupon = resource({
  kind: "Coupon",
  section: "Discount codes",
  one: "discount-code",
  sent: "discount_code",
  many: "discount-codes",
  operations: {
    get: get("/admin/discount_codes/{id}.xml"),
    list: listing("/admin/discount_codes.xml", { perPage: 250, since: true }),
    create: create("/admin/discount_codes.xml"),
    edit: edit("/admin/discount_codes/{id}.xml", { answers: "nothing" }),
    remove: remove("/admin/discount_codes/{id}.xml"),
  },
  keys: [["code"]],
  names: ["code"],
  unique: true,
  fields: {
    /** What a shopper types to get the discount. Two coupons of a shop can't have the same. */
    code: text({ mode: "required", role: "title" }),
    /** How much is taken off: percent or money, as `typeId` says. */
    discount: decimal({ mode: "required", role: "discount", least: 0, mostPercent: 100 }),
    /** What `discount` counts. */
    typeId: oneOfNumbers(
      { 1: "percent of the order", 2: "money off the order" },
      { mode: "required", sent: "type_id", role: "unit", percent: 1 },
    ),
    /** A note; shoppers don't see it. */
    description: text(),
    /** Keeps the coupon, but refuses it to shoppers. */
    disabled: flag({ role: "hides" }),
    /** Good for one order in all. */
    actOnce: boolean({ sent: "act_once" }),
    /** Good for one order of each customer. */
    actOnceForClient: boolean({ sent: "act_once_for_client", unshown: true }),
    /** The last day it is good for. */
    expiredAt: date({ role: "ends" }),
    /** The order's sum from which it is good. */
    minPrice: decimal({ sent: "min_price", unshown: true, role: "smallest-order", least: 0 }),
    /** The shop's own mark; its meaning is not documented. */
    worked: boolean({ mode: "computed" }),
    /** The collections it is limited to; none means all. */
    discountCollections: integers({
      element: "discount-collection",
      scalar: "collection-id",
      refers: collection,
    }),
    /** When it was made. */
    createdAt: time("A"),
    /** When the shop last changed it. */
    updatedAt: time("A"),
  },
});
