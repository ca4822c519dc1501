/** One-time charges: interface.md, Application charges; platform-facts.md, section 10. */
import { asBoolean, asDecimal, asText, convertedColumns, Invalid, refuseBlank } from "../conversions.ts";
import { documentOf, existing, idOf, type Resource, readRoutes, route } from "../routing.ts";

const document = documentOf("application_charge", {
  created_at: "timeA",
  id: "integer",
  name: "string",
  price: "decimal",
  return_url: "string",
  status: "string",
  test: "boolean",
  updated_at: "timeA",
  confirmation_url: "string",
});

const path = "/admin/application_charges";
const columns = { name: asText, price: asDecimal, return_url: asText, test: asBoolean };
const empty = { return_url: null, test: false, status: "pending", confirmation_url: null };
const body = {
  roots: ["application_charge"],
  takes: Object.keys(columns),
  extra: ["test"],
  reads: document.shape,
};

export const applicationCharges: Resource = {
  kinds: [{ name: "application_charge", empty }],
  routes: [
    ...readRoutes(path, ["xml"], "application_charge", document),
    route(
      "POST",
      path,
      ["xml"],
      ({ store, params, origin, now, strict }) => {
        // Live creates without a return address were accepted (platform-facts.md, section 10).
        const values = {
          return_url: null,
          test: strict ? null : false,
          ...convertedColumns(columns, params),
        };
        refuseBlank(values, ["name", "price"]);
        const invoice = store.nextId("invoice");
        const made = {
          ...values,
          status: "pending",
          confirmation_url: `${origin}/admin/invoices/${invoice}`,
        };
        return {
          status: 201,
          document,
          object: store.insert("application_charge", made, now, { owner: invoice }),
        };
      },
      { body },
    ),
    route("POST", `${path}/:id/decline`, ["xml"], (context) => {
      const before = existing(context, "application_charge", idOf(context));
      // Not attested: the answer to a second decline. Chosen: a refusal, because only unpaid charges can be declined.
      if (before.status !== "pending")
        throw new Invalid([["status", `is ${before.status}, only a pending charge can be declined`]]);
      const declined = { ...before, status: "declined" };
      return {
        document,
        object: context.store.update("application_charge", before.id, declined, context.now),
      };
    }),
  ],
};
