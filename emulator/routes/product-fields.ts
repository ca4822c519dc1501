/** Fields of the shop's own on products, and a product's values of them: platform-facts.md, section 11. */
import { asInteger, asItems, asText, cast, Invalid, isBlank, knownOnly, require_ } from "../casts.ts";
import type { Params, Row } from "../documents.ts";
import { permalinkOf } from "../permalinks.ts";
import { deleteRoute, existing, idOf, type Resource, readRoutes, route } from "../routing.ts";
import type { Store } from "../store.ts";
import { hasCopy, refuseUsed } from "./vocabulary.ts";

const document = {
  root: "product-field",
  list: "product-fields",
  shape: { id: "integer", title: "string", handle: "string", type: "string", position: "integer" },
} as const;
const path = "/admin/product_fields";
const kind = "product_field";
const columns = { title: asText, handle: asText };
const body = { roots: [kind], takes: Object.keys(columns), reads: document.shape };
const empty = { type: "ProductField::TextField", position: 1 };

export const fieldKeys = ["product_field_values_attributes"];

/** A product with the values of fields that its request states; others stay. */
export function withFieldValues(store: Store, product: Row, params: Params): Row {
  const field = "product_field_values_attributes";
  const values = [...((product.product_field_values ?? []) as Row[])];
  for (const item of asItems(params[field], field) ?? []) {
    knownOnly(item, field, ["product_field_id", "handle", "value"]);
    const known = store
      .list("product_field")
      .find((one) =>
        isBlank(item.product_field_id)
          ? one.handle === item.handle
          : one.id === asInteger(item.product_field_id ?? null, field),
      );
    if (known === undefined) throw new Invalid([[field, "must exist"]]);
    const index = values.findIndex((value) => value.product_field_id === known.id);
    const id = index < 0 ? store.nextId("product_field_value") : values[index]?.id;
    const made = { id, product_field_id: known.id, value: asText(item.value ?? null, field) };
    values.splice(index < 0 ? values.length : index, 1, made);
  }
  return { ...product, product_field_values: values };
}

export const productFields: Resource = {
  kinds: [
    {
      name: kind,
      empty,
      complete: (row) => ({ handle: permalinkOf(String(row.title)), ...row }),
    },
  ],
  routes: [
    ...readRoutes(path, [], kind, document),
    route(
      "POST",
      path,
      [],
      ({ store, params, now }) => {
        const values = cast(columns, params);
        require_(values, ["title"]);
        const position = store.count(kind) + 1;
        const row = { ...empty, handle: permalinkOf(String(values.title)), ...values, position };
        return { status: 201, document, object: store.insert(kind, row, now) };
      },
      { body },
    ),
    route(
      "PUT",
      `${path}/:id`,
      [],
      (context) => {
        const before = existing(context, kind, idOf(context));
        const values = { ...before, ...cast(columns, context.params) };
        require_(values, ["title", "handle"]);
        return { document, object: context.store.update(kind, before.id, values, context.now) };
      },
      { body },
    ),
    deleteRoute(path, [], kind, ({ store }, { id }) =>
      refuseUsed(store, (product) => hasCopy(product.product_field_values, id, "product_field_id")),
    ),
  ],
};
