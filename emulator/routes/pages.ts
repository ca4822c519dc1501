/** Pages of the shop: clients read the list; a new shop has none, and writing isn't attested. */
import { documentOf, type Resource, readRoutes } from "../routing.ts";

const document = documentOf("page", {
  content: "string",
  created_at: "timeB",
  html_title: "string",
  id: "integer",
  meta_description: "string",
  meta_keywords: "string",
  permalink: "string",
  title: "string",
  updated_at: "timeB",
});
const path = "/admin/pages";

export const pages: Resource = {
  kinds: [
    {
      name: "page",
      empty: { content: null, html_title: null, meta_description: null, meta_keywords: null },
      keyOf: ({ permalink }) => String(permalink),
    },
  ],
  routes: [...readRoutes(path, [], "page", document)],
};
