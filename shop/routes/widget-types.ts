/** Widget types of a theme: uploaders ask for them before they begin (platform-facts.md, section 8). There are none. */
import { existing, idOf, type Resource, route } from "../routing.ts";

const document = {
  root: "widget-type",
  list: "widget-types",
  shape: { id: "integer", handle: "string" },
} as const;

export const widgetTypes: Resource = {
  kinds: [],
  routes: [
    route("GET", "/admin/themes/:theme/widget_types", [], (context) => {
      existing(context, "theme", idOf(context, "theme"));
      return { document, objects: [] };
    }),
  ],
};
