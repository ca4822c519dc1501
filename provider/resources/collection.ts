import { boolean, get, integer, listing, resource, text, time } from "../definition/define.ts";

export const collection = resource({
  kind: "Collection",
  section: "Collections",
  one: "collection",
  many: "collections",
  operations: {
    get: get("/admin/collections/{id}.xml"),
    list: listing("/admin/collections.xml"),
  },
  names: ["permalink", "title"],
  lookups: { id: "id", permalink: "permalink", title: "title" },
  fields: {
    /** The collection above it. */
    parentId: integer({ mode: "computed" }),
    /** Its place among its neighbours. */
    position: integer({ mode: "computed" }),
    /** Not shown to shoppers. */
    isHidden: boolean({ mode: "computed" }),
    /** Shows the products of the collections below it too. */
    recursive: boolean({ mode: "computed" }),
    /** Its name. */
    title: text({ mode: "computed" }),
    /** HTML above the products. */
    description: text({ mode: "computed" }),
    /** Title of its page. */
    htmlTitle: text({ mode: "computed" }),
    /** Description for search engines. */
    metaDescription: text({ mode: "computed" }),
    /** Key words for search engines. */
    metaKeywords: text({ mode: "computed" }),
    /** Text below the products, for search engines. */
    seoDescription: text({ mode: "computed" }),
    /** Last part of its address. */
    permalink: text({ mode: "computed" }),
    /** Path of its page. */
    url: text({ mode: "computed" }),
    /** When it was made. */
    createdAt: time("B"),
    /** When the shop last changed it. */
    updatedAt: time("B"),
  },
});
