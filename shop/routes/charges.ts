/** Charges: interface.md, Application charges and Recurring application charge; platform-facts.md, section 10. */
import { asBoolean, asDate, asDecimal, asText, cast, Invalid, require_ } from "../casts.ts";
import { existing, idOf, route } from "../routing.ts";

const charge = {
  root: "application-charge",
  list: "application-charges",
  shape: {
    created_at: "timeA",
    id: "integer",
    name: "string",
    price: "decimal",
    return_url: "string",
    status: "string",
    test: "boolean",
    updated_at: "timeA",
    confirmation_url: "string",
  },
} as const;

const recurring = {
  root: "recurring-application-charge",
  list: "recurring-application-charges",
  shape: {
    blocked: "boolean",
    created_at: "timeA",
    id: "integer",
    monthly: "decimal",
    paid_till: "date",
    trial_expired_at: "date",
    updated_at: "timeA",
  },
} as const;

const columns = { name: asText, price: asDecimal, return_url: asText, test: asBoolean };
const day = (atMs: number) => new Date(atMs).toISOString().slice(0, 10);
// Not attested: the application's own trial. Chosen: ten days, as in the sample (platform-facts.md, section 2.1).
const trialMs = 10 * 86_400_000;

export const charges = [
  route("GET", "/admin/application_charges/:id", ["xml"], (context) => ({
    document: charge,
    object: existing(context, "application_charge", idOf(context)),
  })),
  route("GET", "/admin/application_charges", ["xml"], (context) => ({
    document: charge,
    objects: context.store.list("application_charge"),
  })),
  route("POST", "/admin/application_charges", ["xml"], (context) => {
    // Live creates without a return address were accepted (platform-facts.md, section 10).
    const values = { return_url: null, test: false, ...cast(columns, context.params) };
    require_(values, ["name", "price"]);
    const invoice = context.store.nextId("invoice");
    const made = {
      ...values,
      status: "pending",
      confirmation_url: `${context.origin}/admin/invoices/${invoice}`,
    };
    return {
      status: 201,
      document: charge,
      object: context.store.insert("application_charge", made, context.now, { owner: invoice }),
    };
  }),
  route("POST", "/admin/application_charges/:id/decline", ["xml"], (context) => {
    const before = existing(context, "application_charge", idOf(context));
    // Not attested: what declining twice answers. Chosen: a refusal, since it works only while it is not paid.
    if (before.status !== "pending")
      throw new Invalid([["status", `is ${before.status}, only a pending charge can be declined`]]);
    return {
      document: charge,
      object: context.store.update(
        "application_charge",
        before.id,
        { ...before, status: "declined" },
        context.now,
      ),
    };
  }),
  route("GET", "/admin/recurring_application_charge", ["xml"], (context) => {
    const found = context.store.list("recurring_charge")[0];
    // A shop without one answers 200 with nothing in it (platform-facts.md, section 10).
    const none = {
      monthly: null,
      trial_expired_at: null,
      paid_till: null,
      blocked: false,
      created_at: null,
      updated_at: null,
      id: null,
    };
    return { document: recurring, object: found ?? none };
  }),
  route("POST", "/admin/recurring_application_charge", ["xml"], (context) => {
    const values = cast({ monthly: asDecimal, trial_expired_at: asDate }, context.params);
    require_(values, ["monthly"]);
    // "POST while one exists: not refused in practice" (platform-facts.md, section 10): it takes the old one's place.
    for (const { id } of context.store.list("recurring_charge")) context.store.remove("recurring_charge", id);
    const until = values.trial_expired_at ?? day(context.now + trialMs);
    const made = { monthly: values.monthly, blocked: false, paid_till: until, trial_expired_at: until };
    return {
      status: 201,
      document: recurring,
      object: context.store.insert("recurring_charge", made, context.now),
    };
  }),
  route("PUT", "/admin/recurring_application_charge", ["xml"], (context) => {
    const { id } = context.store.list("recurring_charge")[0] ?? { id: -1 };
    const before = existing(context, "recurring_charge", id);
    const values = { ...before, ...cast({ monthly: asDecimal }, context.params) };
    require_(values, ["monthly"]);
    return { document: recurring, object: context.store.update("recurring_charge", id, values, context.now) };
  }),
  route("DELETE", "/admin/recurring_application_charge", ["xml"], (context) => {
    const { id } = context.store.list("recurring_charge")[0] ?? { id: -1 };
    existing(context, "recurring_charge", id);
    context.store.remove("recurring_charge", id);
    return { done: true };
  }),
];
