/** Properties and their values (characteristics), of the shop and of products: platform-facts.md, section 11. */
import { asInteger, asItems, columnsOf, Invalid, isBlank, knownOnly } from "../conversions.ts";
import type { Params, Row } from "../documents.ts";
import { permalinkOf, withPermalink } from "../permalinks.ts";
import {
  type Context,
  countRoute,
  deleteRoute,
  documentOf,
  existing,
  existingOf,
  getRoute,
  idOf,
  type Kind,
  listRoute,
  type Resource,
  readRoutes,
  route,
} from "../routing.ts";
import type { Store, Stored } from "../store.ts";
import { createRoute, editRoute, type WriteRules } from "../write-routes.ts";
import { characteristicShape, propertyShape } from "./product-documents.ts";
import { hasCopy, refuseUsed, replacedIn, rewriteCopies } from "./vocabulary.ts";

const property = documentOf("property", propertyShape, "properties");
const characteristic = documentOf("characteristic", characteristicShape);

const path = "/admin/properties";
const columns = columnsOf(propertyShape, ["position"]);
const propertyKind: Kind = {
  name: "property",
  isVocabulary: true,
  empty: { backoffice: false, is_hidden: false, is_navigational: true, position: 1 },
  keyOf: ({ title }) => String(title),
  keyField: "title",
  complete: withPermalink,
};
const propertyRow = (store: Store, values: Row): Row => ({
  permalink: permalinkOf(String(values.title)),
  ...values,
  position: store.count("property") + 1,
});
const propertyNamed = (store: Store, now: number, title: string): Stored =>
  store.byKey("property", title) ??
  store.insert("property", { ...propertyKind.empty, ...propertyRow(store, { title }) }, now, { key: title });

const valueKey = (owner: unknown, title: unknown) => `${owner}/${title}`;
const valueKind: Kind = {
  name: "characteristic",
  isVocabulary: true,
  empty: { position: 1 },
  keyOf: ({ property_id: owner, title }) => valueKey(owner, title),
  keyField: "title",
  ownerOf: ({ property_id: owner }) => Number(owner),
  complete: withPermalink,
};
const valueRow = (store: Store, owner: number, values: Row): Row => ({
  permalink: permalinkOf(String(values.title)),
  position: store.count("characteristic", { owner }) + 1,
  ...values,
  property_id: owner,
});

/** The value of a property with this title; a new title creates one. */
const characteristicNamed = (store: Store, now: number, owner: number, title: string): Stored =>
  store.byKey("characteristic", valueKey(owner, title)) ??
  store.insert("characteristic", valueRow(store, owner, { title }), now, {
    owner,
    key: valueKey(owner, title),
  });

/**
 * "`properties_attributes` replaces the whole set of pairs" (platform-facts.md, section 11): pairs of title and value.
 */
function pairs(store: Store, now: number, params: Params): readonly Stored[] | undefined {
  const field = "properties_attributes";
  return asItems(params[field], field)?.map((item) => {
    knownOnly(item, field, ["title", "value", "id", "property_id"]);
    const id = item.property_id ?? item.id;
    const title = String(item.title ?? "");
    if (isBlank(item.value) || (isBlank(id) && isBlank(title)))
      throw new Invalid([[field, "need a title and a value"]]);
    const owner = isBlank(id)
      ? propertyNamed(store, now, title)
      : store.get("property", Number(asInteger(id ?? null, field)));
    if (owner === undefined) throw new Invalid([[field, `name property ${id}, which doesn't exist`]]);
    return characteristicNamed(store, now, owner.id, String(item.value));
  });
}

/** "`product_characteristics_attributes` adds one pair by ids" (platform-facts.md, section 11). */
function additions(store: Store, params: Params): readonly Stored[] {
  const field = "product_characteristics_attributes";
  return (asItems(params[field], field) ?? []).map((item) => {
    knownOnly(item, field, ["characteristic_id", "property_id"]);
    const found = store.get("characteristic", Number(asInteger(item.characteristic_id ?? null, field)));
    const owner = isBlank(item.property_id) ? found?.property_id : asInteger(item.property_id ?? null, field);
    if (found === undefined || owner !== found.property_id)
      throw new Invalid([[field, `name characteristic ${item.characteristic_id}, which doesn't exist`]]);
    return found;
  });
}

/** Sets the properties in a request. */
export function withProperties(store: Store, now: number, product: Row, params: Params): Row {
  const before = (product.characteristics ?? []) as readonly Row[];
  const kept = [...(pairs(store, now, params) ?? before), ...additions(store, params)];
  const values = [...new Map(kept.map((one) => [one.id, shownIn(characteristicShape, one)])).values()];
  const owners = [...new Set(values.map((one) => Number(one.property_id)))];
  const properties = owners.flatMap((id) => {
    const found = store.get("property", id);
    return found === undefined ? [] : [shownIn(propertyShape, found)];
  });
  const known = properties.length > 0 || values.length > 0 ? properties : product.properties;
  return { ...product, properties: values.length === 0 ? [] : known, characteristics: values };
}

const shownIn = (shape: Readonly<Record<string, unknown>>, row: Row): Row =>
  Object.fromEntries(Object.keys(shape).map((name) => [name, row[name] ?? null]));

export const propertyKeys = ["properties_attributes", "product_characteristics_attributes"];

const valuesPath = `${path}/:property/characteristics`;
const valuesOf = (context: Context) => ({
  owner: existing(context, "property", idOf(context, "property")).id,
});

const characteristicOf = (context: Context): Stored =>
  existingOf(context, "characteristic", "property_id", valuesOf(context).owner);

const writing: WriteRules = {
  kind: propertyKind,
  document: property,
  columns,
  needs: ["title"],
  row: ({ store }, values, before) => (before === undefined ? propertyRow(store, values) : values),
};
const writingValue: WriteRules = {
  kind: valueKind,
  document: characteristic,
  columns: columnsOf(characteristicShape, ["property_id"]),
  needs: ["title"],
  row: (context, values, before) =>
    before === undefined ? valueRow(context.store, valuesOf(context).owner, values) : values,
};

const inProducts =
  (list: "properties" | "characteristics") =>
  ({ store, now }: Context, saved: Stored): void =>
    rewriteCopies(store, now, (product) => ({ ...product, [list]: replacedIn(product[list], saved) }));

export const properties: Resource = {
  kinds: [propertyKind, valueKind],
  routes: [
    ...readRoutes(path, [], "property", property),
    createRoute(path, [], writing),
    editRoute(path, [], writing, { after: inProducts("properties") }),
    deleteRoute(path, [], "property", ({ store }, { id }) => {
      refuseUsed(store, (product) => hasCopy(product.properties, id));
      for (const one of store.list("characteristic", { owner: id })) store.remove("characteristic", one.id);
    }),
    listRoute(valuesPath, [], "characteristic", characteristic, valuesOf),
    countRoute(valuesPath, "characteristic", valuesOf),
    getRoute("/admin/characteristics", [], "characteristic", characteristic),
    route("GET", `${valuesPath}/:id`, [], (context) => ({
      document: characteristic,
      object: characteristicOf(context),
    })),
    createRoute(valuesPath, [], writingValue),
    editRoute(valuesPath, [], writingValue, {
      found: characteristicOf,
      after: inProducts("characteristics"),
    }),
    route("DELETE", `${valuesPath}/:id`, [], (context) => {
      const { id } = characteristicOf(context);
      refuseUsed(context.store, (product) => hasCopy(product.characteristics, id));
      context.store.remove("characteristic", id);
      return { done: true };
    }),
  ],
};
