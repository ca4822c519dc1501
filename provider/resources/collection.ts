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
    /** Id of the parent collection. */
    parentId: integer({ mode: "computed" }),
    /** Position among the collections with the same parent. */
    position: integer({ mode: "computed" }),
    /** Whether the collection is hidden from shoppers. */
    isHidden: boolean({ mode: "computed" }),
    /** Whether the collection also shows the products of its child collections. */
    recursive: boolean({ mode: "computed" }),
    /** The collection's name. */
    title: text({ mode: "computed" }),
    /** HTML shown above the products. */
    description: text({ mode: "computed" }),
    /** Title of the collection's page. */
    htmlTitle: text({ mode: "computed" }),
    /** Description for search engines. */
    metaDescription: text({ mode: "computed" }),
    /** Keywords for search engines. */
    metaKeywords: text({ mode: "computed" }),
    /** HTML shown below the products, for search engines. */
    seoDescription: text({ mode: "computed" }),
    /** Last part of the collection's address. */
    permalink: text({ mode: "computed" }),
    /** Path of the collection's page. */
    url: text({ mode: "computed" }),
    /** When the collection was created. */
    createdAt: time("B"),
    /** When the shop last changed it. */
    updatedAt: time("B"),
  },
});
