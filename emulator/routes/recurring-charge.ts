/** The recurring charge, one per shop: interface.md, Recurring application charge; platform-facts.md, section 10. */
import { asDate, asDecimal, asInteger, convertedColumns, Invalid, refuseBlank } from "../conversions.ts";
import { documentOf, existing, type Resource, route } from "../routing.ts";
import type { Store } from "../store.ts";

const document = documentOf("recurring_application_charge", {
  blocked: "boolean",
  created_at: "timeA",
  id: "integer",
  monthly: "decimal",
  paid_till: "date",
  trial_expired_at: "date",
  updated_at: "timeA",
});

const dayMs = 86_400_000;
const day = (atMs: number) => new Date(atMs).toISOString().slice(0, 10);
// Not attested: the largest count. Chosen: a limit that keeps years at four digits.
const mostFreeDays = 36_500;
// Not attested: the application's own trial. Chosen: ten days, as in the sample (platform-facts.md, section 2.1).
const trialMs = 10 * dayMs;
// A shop without a charge answers 200 with empty fields (platform-facts.md, section 10).
const none = {
  monthly: null,
  trial_expired_at: null,
  paid_till: null,
  blocked: false,
  created_at: null,
  updated_at: null,
  id: null,
};

const path = "/admin/recurring_application_charge";
const first = (store: Store) => store.list("recurring_charge")[0];
const only = (store: Store) => existing({ store }, "recurring_charge", first(store)?.id ?? -1);
const body = (...takes: readonly string[]) => ({
  roots: ["recurring_application_charge"],
  takes,
  extra: ["trial_expired_at"],
  reads: document.shape,
});

export const recurringCharge: Resource = {
  kinds: [{ name: "recurring_charge", empty: { blocked: false, paid_till: null, trial_expired_at: null } }],
  routes: [
    route("GET", path, ["xml"], ({ store }) => ({ document, object: first(store) ?? none })),
    route(
      "POST",
      path,
      ["xml"],
      ({ store, params, now }) => {
        const values = convertedColumns({ monthly: asDecimal, trial_expired_at: asDate }, params);
        refuseBlank(values, ["monthly"]);
        // "POST while one exists: not refused in practice" (platform-facts.md, section 10): it replaces the old one.
        for (const { id } of store.list("recurring_charge")) store.remove("recurring_charge", id);
        const until = values.trial_expired_at ?? day(now + trialMs);
        const made = { monthly: values.monthly, blocked: false, paid_till: until, trial_expired_at: until };
        return { status: 201, document, object: store.insert("recurring_charge", made, now) };
      },
      { body: body("monthly", "trial_expired_at") },
    ),
    route(
      "PUT",
      path,
      ["xml"],
      ({ store, params, now }) => {
        const before = only(store);
        const values = { ...before, ...convertedColumns({ monthly: asDecimal }, params) };
        refuseBlank(values, ["monthly"]);
        return { document, object: store.update("recurring_charge", before.id, values, now) };
      },
      { body: body("monthly") },
    ),
    // "look at paid_till, the trial date may or may not move" (platform-facts.md, section 10): here it doesn't.
    route(
      "PATCH",
      `${path}/add_free_days`,
      [],
      ({ store, params, now }) => {
        const before = only(store);
        const { days_count: days } = convertedColumns({ days_count: asInteger }, params);
        if (typeof days !== "number" || days <= 0 || days > mostFreeDays)
          throw new Invalid([["days_count", `must be from 1 to ${mostFreeDays}`]]);
        const until = day(Date.parse(String(before.paid_till)) + days * dayMs);
        return {
          document,
          object: store.update("recurring_charge", before.id, { ...before, paid_till: until }, now),
        };
      },
      { body: body("days_count") },
    ),
    route("DELETE", path, ["xml"], ({ store }) => {
      store.remove("recurring_charge", only(store).id);
      return { done: true };
    }),
  ],
};
