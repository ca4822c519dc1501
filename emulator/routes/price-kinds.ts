/** Price kinds: interface.md, Price kinds; platform-facts.md, section 6. */
import { asText } from "../conversions.ts";
import { deleteRoute, documentOf, type Kind, type Resource, readRoutes } from "../routing.ts";
import type { Store } from "../store.ts";
import { createRoute, editRoute, type WriteRules } from "../write-routes.ts";

const document = documentOf("price_kind", {
  id: "integer",
  price_index: "integer",
  show_in_lists: "boolean",
  title: "string",
  variant_price_method_name: "string",
});

const path = "/admin/price_kinds";
const methodOf = (index: number) => `price${index + 1}`;

// Not attested: whether a freed index is used again. Chosen: the lowest free one, because the attributes are few.
function freeIndex(store: Store): number {
  const used = new Set(store.list("price_kind").map((kind) => kind.price_index));
  let index = 1;
  while (used.has(index)) index += 1;
  return index;
}

const kind: Kind = {
  name: "price_kind",
  empty: { title: "", show_in_lists: true },
  complete(row, _id, store) {
    const index = Number(row.price_index ?? freeIndex(store));
    return { price_index: index, variant_price_method_name: methodOf(index), ...row };
  },
};
const writing: WriteRules = {
  kind,
  document,
  columns: { title: asText },
  needs: ["title"],
  row({ store }, values, before) {
    if (before !== undefined) return values;
    const index = freeIndex(store);
    return { ...values, price_index: index, variant_price_method_name: methodOf(index) };
  },
};

export const priceKinds: Resource = {
  kinds: [kind],
  routes: [
    ...readRoutes(path, ["json"], "price_kind", document),
    createRoute(path, ["json"], writing),
    // Clients send JSON to the .xml address that interface.md lists (platform-facts.md, section 6).
    editRoute(path, ["xml"], { ...writing, body: { eitherFormat: true } }),
    deleteRoute(path, ["json"], "price_kind"),
  ],
};
