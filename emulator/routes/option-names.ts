/** Option names, shared by all products, and their values: platform-facts.md, section 11. */
import { asText, Invalid } from "../conversions.ts";
import type { Row } from "../documents.ts";
import { permalinkOf, withPermalink } from "../permalinks.ts";
import { deleteRoute, documentOf, type Kind, type Resource, readRoutes } from "../routing.ts";
import type { Store } from "../store.ts";
import { createRoute, editRoute, type WriteRules } from "../write-routes.ts";
import { optionNameShape } from "./product-documents.ts";
import { hasCopy, refuseUsed, replacedIn, rewriteCopies } from "./vocabulary.ts";

const document = documentOf("option_name", optionNameShape);
const path = "/admin/option_names";
const kind: Kind = {
  name: "option_name",
  isVocabulary: true,
  empty: { position: 1 },
  keyOf: ({ title }) => String(title),
  keyField: "title",
  complete: withPermalink,
};
const writing: WriteRules = {
  kind,
  document,
  columns: { title: asText },
  needs: ["title"],
  row: ({ store }, values, before) => (before === undefined ? rowOf(store, String(values.title)) : values),
};

const rowOf = (store: Store, title: string): Row => ({
  title,
  permalink: permalinkOf(title),
  position: store.count(kind.name) + 1,
});

/** The option name of a variant's option, by its id or title; a new title creates one. */
export function optionNamed(
  store: Store,
  now: number,
  { id, title }: { readonly id?: number | undefined; readonly title: string },
): Row & { readonly id: number } {
  if (id !== undefined) {
    const found = store.get(kind.name, id);
    if (found === undefined) throw new Invalid([["options", `name option name ${id}, which doesn't exist`]]);
    return found;
  }
  if (title.trim() === "") throw new Invalid([["options", "need a title and a value"]]);
  return store.byKey(kind.name, title) ?? store.insert(kind.name, rowOf(store, title), now, { key: title });
}

export const optionNames: Resource = {
  kinds: [kind],
  routes: [
    ...readRoutes(path, [], kind.name, document),
    createRoute(path, [], writing),
    editRoute(path, [], writing, {
      after: ({ store, now }, { id, title }) =>
        rewriteCopies(store, now, (product) => ({
          ...product,
          option_names: replacedIn(product.option_names, { id, title }),
        })),
    }),
    deleteRoute(path, [], kind.name, ({ store }, { id }) => {
      refuseUsed(store, (product) => hasCopy(product.option_names, id));
      for (const value of store.list("option_value", { owner: id })) store.remove("option_value", value.id);
    }),
  ],
};
