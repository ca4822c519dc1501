/** Price kinds: interface.md, Price kinds; platform-facts.md, section 6. */
import { asText, cast, require_ } from "../casts.ts";
import { existing, idOf, route } from "../routing.ts";

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

const columns = { title: asText };

export const priceKinds = [
  route("GET", "/admin/price_kinds/:id", ["json"], (context) => ({
    document,
    object: existing(context, "price_kind", idOf(context)),
  })),
  route("GET", "/admin/price_kinds", ["json"], (context) => ({
    document,
    objects: context.store.list("price_kind"),
  })),
  route("POST", "/admin/price_kinds", ["json"], (context) => {
    const values = cast(columns, context.params);
    require_(values, ["title"]);
    // Not attested: whether a freed index is used again. Chosen: the lowest free one, for the attributes are few.
    const used = new Set(context.store.list("price_kind").map((kind) => kind.price_index));
    let index = 1;
    while (used.has(index)) index += 1;
    const made = {
      title: values.title,
      show_in_lists: true,
      price_index: index,
      variant_price_method_name: `price${index + 1}`,
    };
    return { status: 201, document, object: context.store.insert("price_kind", made, context.now) };
  }),
  route("PUT", "/admin/price_kinds/:id", ["xml"], (context) => {
    const before = existing(context, "price_kind", idOf(context));
    const values = { ...before, ...cast(columns, context.params) };
    require_(values, ["title"]);
    return { document, object: context.store.update("price_kind", before.id, values, context.now) };
  }),
  route("DELETE", "/admin/price_kinds/:id", ["json"], (context) => {
    existing(context, "price_kind", idOf(context));
    context.store.remove("price_kind", idOf(context));
    return { done: true };
  }),
];
