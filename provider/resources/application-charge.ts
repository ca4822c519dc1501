import {
  act,
  address,
  boolean,
  create,
  decimal,
  get,
  listing,
  resource,
  text,
  time,
} from "../definition/define.ts";

export const applicationCharge = resource({
  kind: "ApplicationCharge",
  displayName: "one-time charge",
  section: "Application charges",
  one: "application-charge",
  many: "application-charges",
  operations: {
    get: get("/admin/application_charges/{id}.xml"),
    list: listing("/admin/application_charges.xml"),
    create: create("/admin/application_charges.xml"),
    decline: act("POST", "/admin/application_charges/{id}/decline.xml", "nothing"),
  },
  names: ["name"],
  cancel: {
    operation: "decline",
    when: { status: "pending" },
    becomes: { status: "declined" },
    otherwise:
      "a charge that was accepted or declined stays in the shop's books; it was only removed from the state",
  },
  billable: true,
  fields: {
    /** The charge's name; the shop's owner reads it on the invoice. */
    name: text({ mode: "required", role: "title" }),
    /** The amount, paid once. */
    price: decimal({ mode: "required", role: "charge", minimum: 0 }),
    /** The address to which the owner's browser returns after the decision. The platform calls it once. */
    returnUrl: text({ mode: "required", sent: "return-url", must: address }),
    /** Accepts the charge without payment, for tests. */
    test: boolean({ undocumented: true }),
    /** The charge's status: `pending`, `accepted` or `declined`. */
    status: text({ mode: "computed", always: true }),
    /** The address at which the owner accepts or declines the charge. */
    confirmationUrl: text({ mode: "computed", always: true }),
    /** When the charge was created. */
    createdAt: time("A"),
    /** When the shop last changed it. */
    updatedAt: time("A"),
  },
});
