/** Values of option names, of the whole shop, as a product's variants have them: platform-facts.md, section 11. */
import { asText, cast, require_ } from "../casts.ts";
import type { Row } from "../documents.ts";
import {
  type Context,
  countRoute,
  existing,
  existingOf,
  idOf,
  listRoute,
  type Resource,
  route,
} from "../routing.ts";
import type { Store, Stored } from "../store.ts";
import { optionValueShape } from "./product-documents.ts";
import { hasCopy, refuseUsed, replacedIn, rewriteCopies } from "./vocabulary.ts";

const document = { root: "option-value", list: "option-values", shape: optionValueShape } as const;
const path = "/admin/option_names/:name/option_values";
const kind = "option_value";
const body = { roots: ["option_value"], takes: ["title"], reads: document.shape };
const keyOf = (name: unknown, title: unknown) => `${name}/${title}`;

function insert(store: Store, now: number, name: number, title: unknown): Stored {
  const row = { option_name_id: name, title, position: store.count(kind, { owner: name }) + 1 };
  return store.insert(kind, row, now, { owner: name, key: keyOf(name, title) });
}

/** An option name's value of this title; a new title makes a new one. */
export const optionValueNamed = (store: Store, now: number, name: number, title: string): Stored =>
  store.byKey(kind, keyOf(name, title)) ?? insert(store, now, name, title);

/** A variant's title: its values. */
export const titleOf = (values: readonly Row[]): string => values.map(({ title }) => title).join(" / ");

const nameOf = (context: Context) => existing(context, "option_name", idOf(context, "name")).id;
const ofName = (context: Context) => ({ owner: nameOf(context) });

const optionValueOf = (context: Context): Stored =>
  existingOf(context, kind, "option_name_id", nameOf(context));

function create(context: Context) {
  const { store, params, now } = context;
  const values = cast({ title: asText }, params);
  require_(values, ["title"]);
  return { status: 201, document, object: insert(store, now, nameOf(context), values.title) };
}

function update(context: Context) {
  const { store, params, now } = context;
  const before = optionValueOf(context);
  const values = { ...before, ...cast({ title: asText }, params) };
  require_(values, ["title"]);
  const saved = store.update(kind, before.id, values, now, keyOf(before.option_name_id, values.title));
  const renamed = { id: saved.id, title: saved.title };
  rewriteCopies(store, now, (product) => ({
    ...product,
    variants: ((product.variants ?? []) as readonly Row[]).map((variant) => {
      if (!hasCopy(variant.option_values, saved.id)) return variant;
      const copies = replacedIn(variant.option_values, renamed);
      return { ...variant, option_values: copies, title: titleOf(copies) };
    }),
  }));
  return { document, object: saved };
}

export const optionValues: Resource = {
  kinds: [
    {
      name: kind,
      isVocabulary: true,
      empty: { position: 1 },
      keyOf: ({ option_name_id: name, title }) => keyOf(name, title),
      keyField: "title",
      ownerOf: ({ option_name_id: name }) => Number(name),
    },
  ],
  routes: [
    countRoute(path, kind, ofName),
    listRoute(path, [], kind, document, ofName),
    countRoute("/admin/option_values", kind),
    listRoute("/admin/option_values", [], kind, document),
    route("GET", `${path}/:id`, [], (context) => ({ document, object: optionValueOf(context) })),
    route("POST", path, [], create, { body }),
    route("PUT", `${path}/:id`, [], update, { body }),
    route("DELETE", `${path}/:id`, [], (context) => {
      const { id } = optionValueOf(context);
      refuseUsed(context.store, ({ variants }) =>
        ((variants ?? []) as readonly Row[]).some(({ option_values: values }) => hasCopy(values, id)),
      );
      context.store.remove(kind, id);
      return { done: true };
    }),
  ],
};
