/** JS tags: interface.md shows only POST; the rest is in platform-facts.md, section 7. */
import { asText, oneOf } from "../conversions.ts";
import { countRoute, deleteRoute, getRoute, type Kind, listRoute, type Resource } from "../routing.ts";
import { createRoute, editRoute, type WriteRules } from "../write-routes.ts";

const shape = {
  account_id: "integer",
  application_password_id: "integer",
  content: "string",
  created_at: "timeB",
  id: "integer",
  name: "string",
  updated_at: "timeB",
} as const;
// interface.md: the answer's root is file-tag, without a type element; in JSON, clients read a type (platform-facts.md,
// section 7).
const document = { root: "file-tag", list: "js-tags", shape, json: { ...shape, type: "string" } } as const;

const path = "/admin/js_tags";
const kind: Kind = {
  name: "js_tag",
  empty: {
    name: null,
    type: "JsTag::TextTag",
    content: "",
    account_id: null,
    application_password_id: null,
  },
};
const columns = { type: oneOf("JsTag::TextTag", "JsTag::FileTag"), content: asText, name: asText };
const writing: WriteRules = {
  kind,
  document,
  // Clients send back a tag with the root under which they have read it.
  body: { roots: ["js_tag", "file_tag", "text_tag"], extra: ["name"], reads: document.json },
  columns,
  needs: ["type", "content"],
  row({ store }, values, before) {
    if (before !== undefined) return values;
    const account = store.list("account")[0]?.id ?? 0;
    return { ...values, account_id: account, application_password_id: account + 70 };
  },
};

export const jsTags: Resource = {
  kinds: [kind],
  routes: [
    createRoute(path, ["xml"], writing),
    countRoute(path, "js_tag"),
    listRoute(path, [], "js_tag", { ...document, root: "js-tag" }),
    getRoute(path, [], "js_tag", document),
    editRoute(path, [], writing),
    deleteRoute(path, [], "js_tag"),
  ],
};
