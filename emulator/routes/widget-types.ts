/** Widget types of a theme: uploaders read them first (platform-facts.md, section 8). There are none. */
import { countedRoute, documentOf, existing, idOf, type Resource, route } from "../routing.ts";

const document = documentOf("widget_type", { id: "integer", handle: "string" });

const path = "/admin/themes/:theme/widget_types";

export const widgetTypes: Resource = {
  kinds: [],
  routes: [
    route("GET", path, [], (context) => {
      existing(context, "theme", idOf(context, "theme"));
      return { document, objects: [] };
    }),
    countedRoute(path, (context) => {
      existing(context, "theme", idOf(context, "theme"));
      return 0;
    }),
  ],
};
