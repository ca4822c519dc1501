import { boolean, listing, resource, text, time } from "../definition/define.ts";

export const theme = resource({
  kind: "Theme",
  section: "Themes and assets",
  one: "theme",
  many: "themes",
  operations: { list: listing("/admin/themes.xml") },
  names: ["title"],
  lookups: { id: "id", title: "title", published: "isPublished", mobile: "isMobile" },
  fields: {
    /** The theme's name. */
    title: text({ mode: "computed" }),
    /** The author's description of the theme. */
    description: text({ mode: "computed" }),
    /** The error from the shop's last compilation of the theme. */
    errorsText: text({ mode: "computed" }),
    /** Whether the theme is for mobile devices. */
    isMobile: boolean({ mode: "computed" }),
    /** Whether the theme is the one that shoppers see. */
    isPublished: boolean({ mode: "computed" }),
    /** When the theme was created. */
    createdAt: time("B"),
    /** When the shop last changed it. */
    updatedAt: time("B"),
  },
});
