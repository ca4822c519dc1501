/** Themes: interface.md, Theme. They are read-only. */
import { countRoute, documentOf, getRoute, listRoute, type Resource } from "../routing.ts";

const document = documentOf("theme", {
  created_at: "timeB",
  description: "string",
  errors_text: "string",
  id: "integer",
  is_mobile: "boolean",
  is_published: "boolean",
  title: "string",
  updated_at: "timeB",
});

const path = "/admin/themes";

export const themes: Resource = {
  kinds: [
    {
      name: "theme",
      empty: { title: "", description: null, errors_text: null, is_mobile: false, is_published: false },
    },
  ],
  routes: [
    countRoute(path, "theme"),
    listRoute(path, ["xml"], "theme", document),
    getRoute(path, [], "theme", document),
  ],
};
