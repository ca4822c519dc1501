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
  scheduled: { during: { disabled: false }, otherwise: { disabled: true } },
  fields: {
    /** The code that a shopper types to get the discount. */
    code: text({ mode: "required", role: "title" }),
    /** The discount. A program writes `{ percent: 10 }`, `{ amount: 5 }` (money), or a number and its `typeId`. */
    discount: decimal({
      mode: "required",
      role: "discount",
      minimum: 0,
      maxPercent: 100,
      forms: { percent: { typeId: 1 }, amount: { typeId: 2 } },
    }),
    /** Whether a number as `discount` is a percentage (`1`) or an amount of money (`2`). */
    typeId: oneOfNumbers(
      { 1: "percent of the order", 2: "money off the order" },
      { mode: "required", sent: "type_id", role: "unit", percent: 1 },
    ),
    /** Internal note; shoppers don't see it. */
    description: text(),
    /** Disables the coupon without deleting it. */
    disabled: flag({ role: "hides" }),
    /** Valid for one order in total. */
    actOnce: boolean({ sent: "act_once" }),
    /** Valid for one order per customer. */
    actOnceForClient: boolean({ sent: "act_once_for_client", undocumented: true }),
    /** The last day on which it is valid. */
    expiredAt: date({ role: "ends" }),
    /** The smallest order value for which it is valid. */
    minPrice: decimal({ sent: "min_price", undocumented: true, role: "smallest-order", minimum: 0 }),
    /** Set by the shop; its meaning isn't documented. */
    worked: boolean({ mode: "computed" }),
    /** The collections to which it is limited; empty means all. */
    discountCollections: integers({
      element: "discount-collection",
      scalar: "collection-id",
      refersTo: collection,
    }),
    /** When it was created. */
    createdAt: time("A"),
    /** When the shop last changed it. */
    updatedAt: time("A"),
  },
});
