/** JS tags: interface.md shows POST only; the rest is platform-facts.md, section 7. */
import { asText, cast, oneOf, require_ } from "../casts.ts";
import {
  countRoute,
  deleteRoute,
  existing,
  getRoute,
  idOf,
  listRoute,
  type Resource,
  route,
} from "../routing.ts";

const shape = {
  account_id: "integer",
  application_password_id: "integer",
  content: "string",
  created_at: "timeB",
  id: "integer",
  name: "string",
  updated_at: "timeB",
} as const;
// interface.md: the answer's root is file-tag, and it has no type element; in JSON clients read a type
// (platform-facts.md, section 7).
const document = { root: "file-tag", list: "js-tags", shape, json: { ...shape, type: "string" } } as const;

const path = "/admin/js_tags";
const columns = { type: oneOf("JsTag::TextTag", "JsTag::FileTag"), content: asText, name: asText };
// What was read is written back under the root that it was read under.
const roots = ["js_tag", "file_tag", "text_tag"];
const body = { roots, takes: Object.keys(columns), reads: document.json };

export const jsTags: Resource = {
  kinds: [
    {
      name: "js_tag",
      empty: {
        name: null,
        type: "JsTag::TextTag",
        content: "",
        account_id: null,
        application_password_id: null,
      },
    },
  ],
  routes: [
    route(
      "POST",
      path,
      ["xml"],
      ({ store, params, now }) => {
        const values = { name: null, ...cast(columns, params) } as Record<string, unknown>;
        require_(values, ["type", "content"]);
        const account = store.list("account")[0]?.id ?? 0;
        const made = { ...values, account_id: account, application_password_id: account + 70 };
        return { status: 201, document, object: store.insert("js_tag", made, now) };
      },
      { body },
    ),
    countRoute(path, "js_tag"),
    listRoute(path, [], "js_tag", { ...document, root: "js-tag" }),
    getRoute(path, [], "js_tag", document),
    route(
      "PUT",
      `${path}/:id`,
      [],
      (context) => {
        const before = existing(context, "js_tag", idOf(context));
        const values = { ...before, ...cast(columns, context.params) };
        require_(values, ["type", "content"]);
        return { document, object: context.store.update("js_tag", before.id, values, context.now) };
      },
      { body },
    ),
    deleteRoute(path, [], "js_tag"),
  ],
};
