/** Option names, of the whole shop, and their values: platform-facts.md, section 11. */
import { asText, cast, Invalid, require_ } from "../casts.ts";
import type { Row } from "../documents.ts";
import { permalinkOf, withPermalink } from "../permalinks.ts";
import { deleteRoute, existing, idOf, type Resource, readRoutes, route } from "../routing.ts";
import type { Store, Stored } from "../store.ts";
import { optionNameShape } from "./product-documents.ts";
import { hasCopy, refuseUsed, replacedIn, rewriteCopies } from "./vocabulary.ts";

const document = { root: "option-name", list: "option-names", shape: optionNameShape } as const;
const path = "/admin/option_names";
const kind = "option_name";
const body = { roots: ["option_name"], takes: ["title"], reads: document.shape };

function create(store: Store, now: number, title: string): Stored {
  const row = { title, permalink: permalinkOf(title), position: store.count(kind) + 1 };
  return store.insert(kind, row, now, { key: title });
}

/** The option name that a variant's option means: by its id, else by its title; a new title makes a new one. */
export function optionNamed(
  store: Store,
  now: number,
  { id, title }: { readonly id?: number | undefined; readonly title: string },
): Row & { readonly id: number } {
  if (id !== undefined) {
    const found = store.get(kind, id);
    if (found === undefined) throw new Invalid([["options", `name option name ${id}, which doesn't exist`]]);
    return found;
  }
  if (title.trim() === "") throw new Invalid([["options", "need a title and a value"]]);
  return store.byKey(kind, title) ?? create(store, now, title);
}

export const optionNames: Resource = {
  kinds: [
    {
      name: kind,
      isVocabulary: true,
      empty: { position: 1 },
      keyOf: ({ title }) => String(title),
      keyField: "title",
      complete: withPermalink,
    },
  ],
  routes: [
    ...readRoutes(path, [], kind, document),
    route(
      "POST",
      path,
      [],
      ({ store, params, now }) => {
        const values = cast({ title: asText }, params);
        require_(values, ["title"]);
        return { status: 201, document, object: create(store, now, String(values.title)) };
      },
      { body },
    ),
    route(
      "PUT",
      `${path}/:id`,
      [],
      (context) => {
        const { store, now, params } = context;
        const before = existing(context, kind, idOf(context));
        const values = { ...before, ...cast({ title: asText }, params) };
        require_(values, ["title"]);
        const saved = store.update(kind, before.id, values, now, String(values.title));
        rewriteCopies(store, now, (product) => ({
          ...product,
          option_names: replacedIn(product.option_names, { id: saved.id, title: saved.title }),
        }));
        return { document, object: saved };
      },
      { body },
    ),
    deleteRoute(path, [], kind, ({ store }, { id }) => {
      refuseUsed(store, (product) => hasCopy(product.option_names, id));
      for (const value of store.list("option_value", { owner: id })) store.remove("option_value", value.id);
    }),
  ],
};
