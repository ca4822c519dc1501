/**
 * Properties and their values (characteristics), of the whole shop and of a product: platform-facts.md, section 11.
 */
import {
  asBoolean,
  asInteger,
  asItems,
  asText,
  type Columns,
  cast,
  Invalid,
  isBlank,
  knownOnly,
  require_,
} from "../casts.ts";
import type { Params, Row } from "../documents.ts";
import { permalinkOf, withPermalink } from "../permalinks.ts";
import {
  type Context,
  countRoute,
  deleteRoute,
  existing,
  existingOf,
  getRoute,
  idOf,
  listRoute,
  type Resource,
  readRoutes,
  route,
} from "../routing.ts";
import type { Store, Stored } from "../store.ts";
import { characteristicShape, propertyShape } from "./product-documents.ts";
import { hasCopy, refuseUsed, replacedIn, rewriteCopies } from "./vocabulary.ts";

const property = { root: "property", list: "properties", shape: propertyShape } as const;
const characteristic = {
  root: "characteristic",
  list: "characteristics",
  shape: characteristicShape,
} as const;

const path = "/admin/properties";
const columns: Columns = {
  title: asText,
  permalink: asText,
  backoffice: asBoolean,
  is_hidden: asBoolean,
  is_navigational: asBoolean,
};
const empty = { backoffice: false, is_hidden: false, is_navigational: true };

function createProperty(store: Store, now: number, values: Row): Stored {
  const title = String(values.title);
  const row = { permalink: permalinkOf(title), ...empty, ...values, position: store.count("property") + 1 };
  return store.insert("property", row, now, { key: title });
}

const characteristicKey = (propertyId: unknown, title: unknown) => `${propertyId}/${title}`;

function insertValue(store: Store, now: number, owner: number, values: Row): Stored {
  const title = String(values.title);
  const position = store.count("characteristic", { owner }) + 1;
  const row = { permalink: permalinkOf(title), position, ...values, property_id: owner };
  return store.insert("characteristic", row, now, { owner, key: characteristicKey(owner, title) });
}

/** The value of a property; a new title makes a new one. */
const characteristicNamed = (store: Store, now: number, owner: number, title: string): Stored =>
  store.byKey("characteristic", characteristicKey(owner, title)) ?? insertValue(store, now, owner, { title });

/** "`properties_attributes` replaces the whole set of pairs" (platform-facts.md, section 11): pairs of title and value. */
function pairs(store: Store, now: number, params: Params): readonly Stored[] | undefined {
  const field = "properties_attributes";
  return asItems(params[field], field)?.map((item) => {
    knownOnly(item, field, ["title", "value", "id", "property_id"]);
    const id = item.property_id ?? item.id;
    const title = String(item.title ?? "");
    if (isBlank(item.value) || (isBlank(id) && isBlank(title)))
      throw new Invalid([[field, "need a title and a value"]]);
    const owner = isBlank(id)
      ? (store.byKey("property", title) ?? createProperty(store, now, { title }))
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

/** A product with the properties that its request states. */
export function withProperties(store: Store, now: number, product: Row, params: Params): Row {
  const before = (product.characteristics ?? []) as readonly Row[];
  const kept = [...(pairs(store, now, params) ?? before), ...additions(store, params)];
  const values = [...new Map(kept.map((one) => [one.id, columnsOf(characteristicShape, one)])).values()];
  const owners = [...new Set(values.map((one) => Number(one.property_id)))];
  const properties = owners.flatMap((id) => {
    const found = store.get("property", id);
    return found === undefined ? [] : [columnsOf(propertyShape, found)];
  });
  const known = properties.length > 0 || values.length > 0 ? properties : product.properties;
  return { ...product, properties: values.length === 0 ? [] : known, characteristics: values };
}

const columnsOf = (shape: Readonly<Record<string, unknown>>, row: Row): Row =>
  Object.fromEntries(Object.keys(shape).map((name) => [name, row[name] ?? null]));

export const propertyKeys = ["properties_attributes", "product_characteristics_attributes"];

const propertyBody = { roots: ["property"], takes: Object.keys(columns), reads: propertyShape };
const valueColumns: Columns = { title: asText, permalink: asText, position: asInteger };
const valueBody = {
  roots: ["characteristic"],
  takes: Object.keys(valueColumns),
  reads: characteristicShape,
};

const valuesPath = `${path}/:property/characteristics`;
const valuesOf = (context: Context) => ({
  owner: existing(context, "property", idOf(context, "property")).id,
});

const characteristicOf = (context: Context): Stored =>
  existingOf(context, "characteristic", "property_id", valuesOf(context).owner);

function updateProperty(context: Context) {
  const { store, now, params } = context;
  const before = existing(context, "property", idOf(context));
  const values = { ...before, ...cast(columns, params) };
  require_(values, ["title"]);
  const saved = store.update("property", before.id, values, now, String(values.title));
  rewriteCopies(store, now, (product) => ({
    ...product,
    properties: replacedIn(product.properties, saved),
  }));
  return { document: property, object: saved };
}

function createValue(context: Context) {
  const { store, now, params } = context;
  const values = cast(valueColumns, params);
  require_(values, ["title"]);
  const object = insertValue(store, now, valuesOf(context).owner, values);
  return { status: 201, document: characteristic, object };
}

function updateValue(context: Context) {
  const { store, now, params } = context;
  const before = characteristicOf(context);
  const values = { ...before, ...cast(valueColumns, params) };
  require_(values, ["title"]);
  const key = characteristicKey(before.property_id, values.title);
  const saved = store.update("characteristic", before.id, values, now, key);
  rewriteCopies(store, now, (product) => ({
    ...product,
    characteristics: replacedIn(product.characteristics, saved),
  }));
  return { document: characteristic, object: saved };
}

export const properties: Resource = {
  kinds: [
    {
      name: "property",
      isVocabulary: true,
      empty: { ...empty, position: 1 },
      keyOf: ({ title }) => String(title),
      keyField: "title",
      complete: withPermalink,
    },
    {
      name: "characteristic",
      isVocabulary: true,
      empty: { position: 1 },
      keyOf: ({ property_id: owner, title }) => characteristicKey(owner, title),
      keyField: "title",
      ownerOf: ({ property_id: owner }) => Number(owner),
      complete: withPermalink,
    },
  ],
  routes: [
    ...readRoutes(path, [], "property", property),
    route(
      "POST",
      path,
      [],
      ({ store, params, now }) => {
        const values = cast(columns, params);
        require_(values, ["title"]);
        return { status: 201, document: property, object: createProperty(store, now, values) };
      },
      { body: propertyBody },
    ),
    route("PUT", `${path}/:id`, [], updateProperty, { body: propertyBody }),
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
    route("POST", valuesPath, [], createValue, { body: valueBody }),
    route("PUT", `${valuesPath}/:id`, [], updateValue, { body: valueBody }),
    route("DELETE", `${valuesPath}/:id`, [], (context) => {
      const { id } = characteristicOf(context);
      refuseUsed(context.store, (product) => hasCopy(product.characteristics, id));
      context.store.remove("characteristic", id);
      return { done: true };
    }),
  ],
};
