/** Price kinds: interface.md, Price kinds; platform-facts.md, section 6. */
import { asText, cast, require_ } from "../casts.ts";
import { deleteRoute, existing, idOf, type Resource, readRoutes, route } from "../routing.ts";
import type { Store } from "../store.ts";

const document = {
  root: "price-kind",
  list: "price-kinds",
  shape: {
    id: "integer",
    price_index: "integer",
    show_in_lists: "boolean",
    title: "string",
    variant_price_method_name: "string",
  },
} as const;

const path = "/admin/price_kinds";
const columns = { title: asText };
const body = { roots: ["price_kind"], takes: ["title"], reads: document.shape };
// Clients write JSON to the .xml address that interface.md lists (platform-facts.md, section 6).
const either = { ...body, eitherFormat: true } as const;
const methodOf = (index: number) => `price${index + 1}`;

// Not attested: whether a freed index is used again. Chosen: the lowest free one, for the attributes are few.
function freeIndex(store: Store): number {
  const used = new Set(store.list("price_kind").map((kind) => kind.price_index));
  let index = 1;
  while (used.has(index)) index += 1;
  return index;
}

export const priceKinds: Resource = {
  kinds: [
    {
      name: "price_kind",
      empty: { title: "", show_in_lists: true },
      complete(row, _id, store) {
        const index = Number(row.price_index ?? freeIndex(store));
        return { price_index: index, variant_price_method_name: methodOf(index), ...row };
      },
    },
  ],
  routes: [
    ...readRoutes(path, ["json"], "price_kind", document),
    route(
      "POST",
      path,
      ["json"],
      ({ store, params, now }) => {
        const values = cast(columns, params);
        require_(values, ["title"]);
        const index = freeIndex(store);
        const made = {
          title: values.title,
          show_in_lists: true,
          price_index: index,
          variant_price_method_name: methodOf(index),
        };
        return { status: 201, document, object: store.insert("price_kind", made, now) };
      },
      { body },
    ),
    route(
      "PUT",
      `${path}/:id`,
      ["xml"],
      (context) => {
        const before = existing(context, "price_kind", idOf(context));
        const values = { ...before, ...cast(columns, context.params) };
        require_(values, ["title"]);
        return { document, object: context.store.update("price_kind", before.id, values, context.now) };
      },
      { body: either },
    ),
    deleteRoute(path, ["json"], "price_kind"),
  ],
};
