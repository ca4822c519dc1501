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
    /** The parent collection. */
    parentId: integer({ mode: "computed" }),
    /** Position among its siblings. */
    position: integer({ mode: "computed" }),
    /** Hidden from shoppers. */
    isHidden: boolean({ mode: "computed" }),
    /** Also shows the products of its child collections. */
    recursive: boolean({ mode: "computed" }),
    /** Its name. */
    title: text({ mode: "computed" }),
    /** HTML above the products. */
    description: text({ mode: "computed" }),
    /** Title of the collection's page. */
    htmlTitle: text({ mode: "computed" }),
    /** Description for search engines. */
    metaDescription: text({ mode: "computed" }),
    /** Keywords for search engines. */
    metaKeywords: text({ mode: "computed" }),
    /** Text below the products, for search engines. */
    seoDescription: text({ mode: "computed" }),
    /** Last part of the address. */
    permalink: text({ mode: "computed" }),
    /** Path of the page. */
    url: text({ mode: "computed" }),
    /** When it was created. */
    createdAt: time("B"),
    /** When the shop last changed it. */
    updatedAt: time("B"),
  },
});
