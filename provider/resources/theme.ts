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
    /** Its name. */
    title: text({ mode: "computed" }),
    /** What its author says of it. */
    description: text({ mode: "computed" }),
    /** What went wrong when the shop last compiled it. */
    errorsText: text({ mode: "computed" }),
    /** For telephones. */
    isMobile: boolean({ mode: "computed" }),
    /** The one that shoppers see. */
    isPublished: boolean({ mode: "computed" }),
    /** When it was made. */
    createdAt: time("B"),
    /** When the shop last changed it. */
    updatedAt: time("B"),
  },
});
