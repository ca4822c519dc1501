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
  // Elsewhere, 0.1 often means 10 percent.
  doubts: ({ typeId, discount }) =>
    typeId === 1 && Number(discount) > 0 && Number(discount) < 1
      ? { discount: "is less than one percent: write 10 for ten percent" }
      : {},
  scheduled: { during: { disabled: false }, otherwise: { disabled: true } },
  fields: {
    /** The code that shoppers enter to get the discount. */
    code: text({ mode: "required", role: "title" }),
    /**
     * The discount: `{ percent: 10 }`, `{ amount: 5 }` in the shop's currency, or a number together with
     * `typeId`.
     */
    discount: decimal({
      mode: "required",
      role: "discount",
      minimum: 0,
      maxPercent: 100,
      forms: { percent: { typeId: 1 }, amount: { typeId: 2 } },
    }),
    /** Unit of a `discount` that is a number: `1` for percent, `2` for an amount of money. */
    typeId: oneOfNumbers(
      { 1: "percent of the order", 2: "money off the order" },
      { mode: "required", sent: "type_id", role: "unit", percent: 1 },
    ),
    /** Internal note; shoppers don't see it. */
    description: text({ format: "lines" }),
    /** Whether the coupon is disabled. A disabled coupon stays in the shop. */
    disabled: flag({ role: "hides" }),
    /** Limits the coupon to one order in total. */
    actOnce: boolean({ sent: "act_once" }),
    /** Limits the coupon to one order per customer. */
    actOnceForClient: boolean({ sent: "act_once_for_client", undocumented: true }),
    /** The last day on which the coupon is valid. */
    expiredAt: date({ role: "ends" }),
    /** The minimum order value for which the coupon is valid, in the shop's currency. */
    minPrice: decimal({ sent: "min_price", undocumented: true, role: "smallest-order", minimum: 0 }),
    /** Set by the shop; the interface doesn't document its meaning. */
    worked: boolean({ mode: "computed" }),
    /** Ids of the collections to which the coupon is limited; empty means all. */
    discountCollections: integers({
      element: "discount-collection",
      scalar: "collection-id",
      refersTo: collection,
    }),
    /** When the coupon was created. */
    createdAt: time("A"),
    /** When the shop last changed it. */
    updatedAt: time("A"),
  },
});
