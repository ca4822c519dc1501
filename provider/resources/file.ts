import { create, listing, localFile, remove, resource, text, time } from "../definition/define.ts";

export const file = resource({
  kind: "File",
  section: "Files",
  one: "file",
  many: "files",
  operations: {
    list: listing("/admin/files.xml", { perPage: 250 }),
    create: create("/admin/files.xml"),
    remove: remove("/admin/files/{id}.xml"),
  },
  names: ["absoluteUrl"],
  body: { bytes: "attachment", name: "filename", address: "absoluteUrl" },
  fields: {
    /** The body as text. State one of `content`, `file` and `src`. */
    content: text({ mode: "program" }),
    /** The body as a file of the project. */
    file: localFile(),
    /** The body as an address from which the shop fetches it. */
    src: text({ mode: "body", unread: true }),
    /** The body's bytes in base64, as the client sends a local body. */
    attachment: text({ mode: "client", unread: true }),
    /** Last part of the file's address; that of `file` when left out, needed beside `content`. */
    filename: text({ mode: "body", unread: true }),
    /** Where shoppers get it. */
    absoluteUrl: text({ mode: "computed" }),
    /** When it was uploaded. */
    createdAt: time("A"),
    /** SHA-256 of the body as it was sent, lowercase hex; absent with `src`. */
    sha256: text({ mode: "derived" }),
  },
});
