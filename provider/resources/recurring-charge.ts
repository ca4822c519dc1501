import { boolean, create, date, decimal, edit, get, remove, resource, time } from "../definition/define.ts";

export const recurringCharge = resource({
  kind: "RecurringCharge",
  displayName: "monthly charge",
  section: "Recurring application charge (one per shop)",
  one: "recurring-application-charge",
  many: "recurring-application-charges",
  operations: {
    get: get("/admin/recurring_application_charge.xml"),
    create: create("/admin/recurring_application_charge.xml"),
    edit: edit("/admin/recurring_application_charge.xml", { answers: "nothing" }),
    remove: remove("/admin/recurring_application_charge.xml"),
  },
  // Without a charge, a shop answers 404, or 200 without `monthly` (platform-facts.md, section 10).
  singleton: "monthly",
  billable: true,
  fields: {
    /** The amount that the shop's owner pays each month. */
    monthly: decimal({ mode: "required", role: "monthly-charge", minimum: 0 }),
    /** The last day of the trial. */
    trialExpiredAt: date({ mode: "computed" }),
    /** Whether access is blocked. */
    blocked: boolean({ mode: "computed" }),
    /** The day until which access is paid. */
    paidTill: date({ mode: "computed" }),
    /** When the charge was created. */
    createdAt: time("A"),
    /** When the shop last changed it. */
    updatedAt: time("A"),
  },
});
