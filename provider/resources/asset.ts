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
  source,
  text,
} from "../definition/define.ts";
import { theme } from "./theme.ts";

// The answer to an upload has an address of any file, but the shop serves media only.
const servedAddress = ({ assetUrl, ...others }: Readonly<Record<string, unknown>>) =>
  others.type === "Asset::Media" && assetUrl !== undefined ? { ...others, assetUrl } : others;

export const asset = resource({
  kind: "Asset",
  displayName: "theme file",
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
  derive: servedAddress,
  scheduled: "otherwise",
  names: ["name"],
  body: { text: "content", bytes: "attachment", address: "assetUrl", theme: true },
  fields: {
    /** Id of the theme that contains the file. */
    themeId: integer({ mode: "required", replaces: true, refersTo: theme, minimum: 1 }),
    /** Type of the file: how the theme uses it. */
    type: oneOf(
      {
        "Asset::Template": "a page of the shop, in Liquid",
        "Asset::Snippet": "a part that templates include, in Liquid",
        "Asset::Media": "a style sheet, a script, an image or a font",
        "Asset::Configuration": "the theme's settings",
      },
      { mode: "required", replaces: true },
    ),
    /** File name in the theme. A template for a single page is called `page.<name>.liquid`. A change renames the file. */
    name: text({ mode: "required", updateVia: "rename", role: "title" }),
    /** The content as text. Line ends are sent as LF. */
    content: text({ mode: "body", role: "page" }),
    /** Path of a local file with the content, text or binary. */
    file: localFile(),
    /** Address from which the shop downloads the content. */
    src: source({ replaces: true }),
    /** The content in base64, for a binary file. */
    attachment: text({ mode: "client", writeOnly: true }),
    /** MIME type. */
    contentType: text({ mode: "computed" }),
    /** Size in bytes, as counted by the shop; it may differ from the length of the content. */
    fileSize: integer({ mode: "computed" }),
    /** The name shown in the back office. */
    humanReadableName: text({ mode: "computed" }),
    /** Path at which the shop serves the file, if it is of the type `Asset::Media`; it changes with each edit. */
    assetUrl: text({ mode: "computed" }),
    /** Whether the content is text. Text can be changed in place. */
    isText: boolean({ mode: "derived" }),
    /** SHA-256 of the content, lowercase hex: of the shop's text, or of the binary file as sent. */
    sha256: text({ mode: "derived" }),
  },
});
