import {
  act,
  boolean,
  create,
  edit,
  get,
  integer,
  listing,
  localFile,
  oneOf,
  remove,
  resource,
  text,
} from "../definition/define.ts";
import { theme } from "./theme.ts";

export const asset = resource({
  kind: "Asset",
  called: "theme file",
  section: "Themes and assets",
  one: "asset",
  many: "assets",
  operations: {
    get: get("/admin/themes/{themeId}/assets/{id}.xml"),
    list: listing("/admin/themes/{themeId}/assets.xml"),
    create: create("/admin/themes/{themeId}/assets.xml"),
    edit: edit("/admin/themes/{themeId}/assets/{id}.xml"),
    rename: act("PUT", "/admin/themes/{themeId}/assets/{id}/rename.xml", {
      name: text({ mode: "required", sent: "new_name" }),
    }),
    remove: remove("/admin/themes/{themeId}/assets/{id}.xml"),
  },
  keys: [["themeId", "type", "name"]],
  unique: true,
  names: ["name"],
  body: { text: "content", bytes: "attachment", address: "assetUrl", theme: true },
  fields: {
    /** The theme it belongs to. */
    themeId: integer({ mode: "required", replaces: true, refers: theme }),
    /** What the theme uses it for. */
    type: oneOf(
      {
        "Asset::Template": "a page of the shop, in Liquid",
        "Asset::Snippet": "a part that templates include, in Liquid",
        "Asset::Media": "a style sheet, a script, an image or a font",
        "Asset::Configuration": "the theme's settings",
      },
      { mode: "required", replaces: true },
    ),
    /** File name in the theme; a page's own template is `page.<name>.liquid`. Changed in place by renaming. */
    name: text({ mode: "required", by: "rename", role: "title" }),
    /** The body as text. State one of `content`, `file` and `src`. */
    content: text({ mode: "body", role: "page" }),
    /** The body as a file of the project, text or not. */
    file: localFile(),
    /** The body as an address from which the shop fetches it. */
    src: text({ mode: "body", unread: true, replaces: true }),
    /** The body's bytes in base64, as the client sends a local file that is not text. */
    attachment: text({ mode: "client", unread: true }),
    /** MIME type. */
    contentType: text({ mode: "computed" }),
    /** Bytes, as the shop counts them; not always the length of the content. */
    fileSize: integer({ mode: "computed" }),
    /** The name that the back office shows. */
    humanReadableName: text({ mode: "computed" }),
    /** Path at which the shop serves it; changes with each edit. */
    assetUrl: text({ mode: "computed" }),
    /** Whether the body is text, which can be changed in place. */
    isText: boolean({ mode: "derived" }),
    /** SHA-256 of the body, lowercase hex: read back where it is text, as sent where it is not. */
    sha256: text({ mode: "derived" }),
  },
});
