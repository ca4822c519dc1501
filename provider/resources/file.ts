import { create, listing, localFile, remove, resource, source, text, time } from "../definition/define.ts";

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
    /** The content as text. Line ends are sent as LF. */
    content: text({ mode: "program" }),
    /** Path of a local file with the content. */
    file: localFile(),
    /** Address from which the shop downloads the content. */
    src: source(),
    /** The content in base64, for a local file. */
    attachment: text({ mode: "client", writeOnly: true }),
    /** Last part of the file's address. Default: the name of `file`. Required with `content`. */
    filename: text({
      mode: "body",
      writeOnly: true,
      must: {
        matches: /^(?!\.{1,2}$)[^/\\]*[^\s/\\][^/\\]*$/,
        be: "a file's name without / and \\, such as sizes.csv",
      },
    }),
    /** The public address of the file. */
    absoluteUrl: text({ mode: "computed", always: true }),
    /** When the file was uploaded. */
    createdAt: time("A"),
    /** SHA-256 of the content as sent, lowercase hex; not set with `src`. */
    sha256: text({ mode: "derived" }),
  },
});
