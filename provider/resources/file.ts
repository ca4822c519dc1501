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
    /** The content as text. Set one of `content`, `file` and `src`. */
    content: text({ mode: "program" }),
    /** The content as a file of the project. */
    file: localFile(),
    /** The content as an address from which the shop downloads it. */
    src: text({ mode: "body", writeOnly: true }),
    /** The content in base64, as the client sends a local file. */
    attachment: text({ mode: "client", writeOnly: true }),
    /** Last part of the file's address. Default: the name of `file`; required with `content`. */
    filename: text({ mode: "body", writeOnly: true }),
    /** The public address of the file. */
    absoluteUrl: text({ mode: "computed", always: true }),
    /** When it was uploaded. */
    createdAt: time("A"),
    /** SHA-256 of the content as sent, lowercase hex; absent with `src`. */
    sha256: text({ mode: "derived" }),
  },
});
