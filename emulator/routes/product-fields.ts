/** Custom fields of products, and a product's values: platform-facts.md, section 11. */
import { asInteger, asItems, asText, Invalid, isBlank, knownOnly } from "../conversions.ts";
import type { Params, Row } from "../documents.ts";
import { permalinkOf } from "../permalinks.ts";
import { deleteRoute, documentOf, type Kind, type Resource, readRoutes } from "../routing.ts";
import type { Store } from "../store.ts";
import { createRoute, editRoute, type WriteRules } from "../write-routes.ts";
import { hasCopy, refuseUsed } from "./vocabulary.ts";

const document = documentOf("product_field", {
  id: "integer",
  title: "string",
  handle: "string",
  type: "string",
  position: "integer",
});
const path = "/admin/product_fields";
const kind: Kind = {
  name: "product_field",
  empty: { type: "ProductField::TextField", position: 1 },
  complete: (row) => ({ handle: permalinkOf(String(row.title)), ...row }),
};
const writing: WriteRules = {
  kind,
  document,
  columns: { title: asText, handle: asText },
  needs: ["title"],
  row: ({ store }, values, before) =>
    before === undefined
      ? { handle: permalinkOf(String(values.title)), ...values, position: store.count(kind.name) + 1 }
      : values,
};

export const fieldKeys = ["product_field_values_attributes"];

/** Sets the field values in a request; others stay. */
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
  kinds: [kind],
  routes: [
    ...readRoutes(path, [], kind.name, document),
    createRoute(path, [], writing),
    editRoute(path, [], { ...writing, needs: ["title", "handle"] }),
    deleteRoute(path, [], kind.name, ({ store }, { id }) =>
      refuseUsed(store, (product) => hasCopy(product.product_field_values, id, "product_field_id")),
    ),
  ],
};
