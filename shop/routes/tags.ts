/** JS tags: interface.md shows POST only; the rest is platform-facts.md, section 7. */
import { asText, cast, oneOf, require_ } from "../casts.ts";
import { existing, idOf, route } from "../routing.ts";

const document = {
  // interface.md: the answer's root is file-tag, and it has no type element.
  root: "file-tag",
  list: "js-tags",
  shape: {
    account_id: "integer",
    application_password_id: "integer",
    content: "string",
    created_at: "timeB",
    id: "integer",
    name: "string",
    updated_at: "timeB",
  },
} as const;

const columns = { type: oneOf("JsTag::TextTag", "JsTag::FileTag"), content: asText, name: asText };

export const tags = [
  route("POST", "/admin/js_tags", ["xml"], (context) => {
    const values = { name: null, ...cast(columns, context.params) } as Record<string, unknown>;
    require_(values, ["type", "content"]);
    const account = context.store.list("account")[0]?.id ?? 0;
    const made = { ...values, account_id: account, application_password_id: account + 70 };
    return { status: 201, document, object: context.store.insert("js_tag", made, context.now) };
  }),
  route("GET", "/admin/js_tags", [], (context) => ({
    document: { ...document, root: "js-tag" },
    objects: context.store.list("js_tag"),
  })),
  route("GET", "/admin/js_tags/:id", [], (context) => ({
    document,
    object: existing(context, "js_tag", idOf(context)),
  })),
  route("PUT", "/admin/js_tags/:id", [], (context) => {
    const before = existing(context, "js_tag", idOf(context));
    const values = { ...before, ...cast(columns, context.params) };
    require_(values, ["type", "content"]);
    return { document, object: context.store.update("js_tag", before.id, values, context.now) };
  }),
  route("DELETE", "/admin/js_tags/:id", [], (context) => {
    existing(context, "js_tag", idOf(context));
    context.store.remove("js_tag", idOf(context));
    return { done: true };
  }),
];
