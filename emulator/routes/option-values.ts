/** Values of option names, shared by the variants of all products: platform-facts.md, section 11. */
import { asText } from "../conversions.ts";
import type { Row } from "../documents.ts";
import {
  type Context,
  countRoute,
  documentOf,
  existing,
  existingOf,
  idOf,
  type Kind,
  listRoute,
  type Resource,
  route,
} from "../routing.ts";
import type { Store, Stored } from "../store.ts";
import { createRoute, editRoute, type WriteRules } from "../write-routes.ts";
import { optionValueShape } from "./product-documents.ts";
import { hasCopy, refuseUsed, replacedIn, rewriteCopies } from "./vocabulary.ts";

const document = documentOf("option_value", optionValueShape);
const path = "/admin/option_names/:name/option_values";
const keyOf = (name: unknown, title: unknown) => `${name}/${title}`;
const kind: Kind = {
  name: "option_value",
  isVocabulary: true,
  empty: { position: 1 },
  keyOf: ({ option_name_id: name, title }) => keyOf(name, title),
  keyField: "title",
  ownerOf: ({ option_name_id: name }) => Number(name),
};

const rowOf = (store: Store, name: number, title: unknown): Row => ({
  option_name_id: name,
  title,
  position: store.count(kind.name, { owner: name }) + 1,
});

/** The value of an option name with this title; a new title creates one. */
export const optionValueNamed = (store: Store, now: number, name: number, title: string): Stored =>
  store.byKey(kind.name, keyOf(name, title)) ??
  store.insert(kind.name, rowOf(store, name, title), now, { owner: name, key: keyOf(name, title) });

/** A variant's title, made from its values. */
export const titleOf = (values: readonly Row[]): string => values.map(({ title }) => title).join(" / ");

const nameOf = (context: Context) => existing(context, "option_name", idOf(context, "name")).id;
const ofName = (context: Context) => ({ owner: nameOf(context) });

const optionValueOf = (context: Context): Stored =>
  existingOf(context, kind.name, "option_name_id", nameOf(context));

const writing: WriteRules = {
  kind,
  document,
  columns: { title: asText },
  needs: ["title"],
  row: (context, values, before) =>
    before === undefined ? rowOf(context.store, nameOf(context), values.title) : values,
};

function renameCopies({ store, now }: Context, { id, title }: Stored): void {
  rewriteCopies(store, now, (product) => ({
    ...product,
    variants: ((product.variants ?? []) as readonly Row[]).map((variant) => {
      if (!hasCopy(variant.option_values, id)) return variant;
      const copies = replacedIn(variant.option_values, { id, title });
      return { ...variant, option_values: copies, title: titleOf(copies) };
    }),
  }));
}

export const optionValues: Resource = {
  kinds: [kind],
  routes: [
    countRoute(path, kind.name, ofName),
    listRoute(path, [], kind.name, document, ofName),
    countRoute("/admin/option_values", kind.name),
    listRoute("/admin/option_values", [], kind.name, document),
    route("GET", `${path}/:id`, [], (context) => ({ document, object: optionValueOf(context) })),
    createRoute(path, [], writing),
    editRoute(path, [], writing, { found: optionValueOf, after: renameCopies }),
    route("DELETE", `${path}/:id`, [], (context) => {
      const { id } = optionValueOf(context);
      refuseUsed(context.store, ({ variants }) =>
        ((variants ?? []) as readonly Row[]).some(({ option_values: values }) => hasCopy(values, id)),
      );
      context.store.remove(kind.name, id);
      return { done: true };
    }),
  ],
};
