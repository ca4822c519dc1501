/** A product's values of custom fields: platform-facts.md, section 11. */
import {
  asInteger,
  asText,
  type Columns,
  convertedColumns,
  Invalid,
  Refusal,
  refuseBlank,
} from "../conversions.ts";
import type { Row } from "../documents.ts";
import { type Context, countedRoute, documentOf, idOf, type Resource, route } from "../routing.ts";
import { fieldValueShape, productOf } from "./product-documents.ts";

const document = documentOf("product_field_value", fieldValueShape);
const path = "/admin/products/:product/product_field_values";
const columns: Columns = { product_field_id: asInteger, value: asText };
const bodyOf = (takes: readonly string[]) => ({
  roots: ["product_field_value"],
  takes,
  reads: document.shape,
});

const valuesOf = (context: Context) => (productOf(context).product_field_values ?? []) as readonly Row[];

function fieldValueOf(context: Context): Row {
  const found = valuesOf(context).find(({ id }) => id === idOf(context));
  if (found === undefined) throw new Refusal(404, "Not found");
  return found;
}

function save(context: Context, values: readonly Row[]): void {
  const product = productOf(context);
  context.store.update("product", product.id, { ...product, product_field_values: values }, context.now);
}

function create(context: Context) {
  const { store, params } = context;
  const values = convertedColumns(columns, params);
  refuseBlank(values, ["product_field_id"]);
  const field = Number(values.product_field_id);
  if (store.get("product_field", field) === undefined)
    throw new Invalid([["product_field_id", "must exist"]]);
  const before = valuesOf(context);
  if (before.some((one) => one.product_field_id === field))
    throw new Invalid([["product_field_id", "has already been taken"]]);
  const made = { id: store.nextId("product_field_value"), value: null, ...values };
  save(context, [...before, made]);
  return { status: 201, document, object: made };
}

function update(context: Context) {
  const before = fieldValueOf(context);
  const made = { ...before, ...convertedColumns({ value: asText }, context.params) };
  save(
    context,
    valuesOf(context).map((one) => (one.id === before.id ? made : one)),
  );
  return { document, object: made };
}

function remove(context: Context) {
  const { id } = fieldValueOf(context);
  save(
    context,
    valuesOf(context).filter((one) => one.id !== id),
  );
  return { done: true } as const;
}

export const productFieldValues: Resource = {
  kinds: [],
  routes: [
    countedRoute(path, (context) => valuesOf(context).length),
    route("GET", path, [], (context) => ({ document, objects: valuesOf(context) })),
    route("GET", `${path}/:id`, [], (context) => ({ document, object: fieldValueOf(context) })),
    route("POST", path, [], create, { body: bodyOf(Object.keys(columns)) }),
    route("PUT", `${path}/:id`, [], update, { body: bodyOf(["value"]) }),
    route("DELETE", `${path}/:id`, [], remove),
  ],
};
