/** Discount codes: interface.md, Discount codes; platform-facts.md, section 5. */
import { asFlag, asInteger, columnsOf, Invalid } from "../conversions.ts";
import {
  type Context,
  documentOf,
  existing,
  idOf,
  type Kind,
  type Resource,
  readRoutes,
  route,
  selectionOf,
} from "../routing.ts";
import { createRoute, editRoute, type WriteRules } from "../write-routes.ts";

const document = documentOf("discount_code", {
  act_once: "boolean",
  act_once_for_client: "boolean",
  code: "string",
  created_at: "timeA",
  description: "string",
  disabled: "boolean",
  discount: "decimal",
  expired_at: "date",
  id: "integer",
  min_price: "decimal",
  type_id: "integer",
  updated_at: "timeA",
  worked: "boolean",
  discount_collections: { item: "discount-collection", of: { collection_id: "integer" } },
});

const columns = columnsOf(document.shape, ["worked"], {
  act_once: asFlag,
  disabled: asFlag,
  // 1 is percent, 2 is money; others are refused (platform-facts.md, section 5).
  type_id: (value, field) => {
    const type = asInteger(value, field);
    if (type !== 1 && type !== 2) throw new Invalid([[field, "is not included in the list"]]);
    return type;
  },
});

const kind: Kind = {
  name: "discount_code",
  empty: {
    act_once: false,
    act_once_for_client: null,
    description: null,
    disabled: false,
    expired_at: null,
    min_price: null,
    worked: true,
    discount_collections: [],
  },
  archives: true,
  // Not attested: the rule for codes. Chosen: codes are unique, as every client assumes, and case-sensitive.
  keyOf: ({ code }) => String(code),
  keyField: "code",
};
const writing: WriteRules = {
  kind,
  document,
  body: { extra: ["act_once_for_client", "min_price"] },
  columns,
  needs: ["code", "type_id", "discount"],
  row(_context, values) {
    if (Number(values.discount) < 0) throw new Invalid([["discount", "must be greater than or equal to 0"]]);
    return values;
  },
};

const path = "/admin/discount_codes";
const selected = (context: Context) => selectionOf(context, { perPage: 250, archives: true });

export const coupons: Resource = {
  kinds: [kind],
  routes: [
    ...readRoutes(path, ["xml"], kind.name, document, selected),
    createRoute(path, ["xml"], writing),
    editRoute(path, ["xml"], writing, { isSilent: true }),
    // Deleted coupons are listed with `deleted` (interface.md, Discount codes); GET of one is 404, and its code is
    // free.
    route("DELETE", `${path}/:id`, ["xml"], (context) => {
      const { id } = existing(context, "discount_code", idOf(context));
      context.store.archive("discount_code", id, context.now);
      return { done: true };
    }),
  ],
};
