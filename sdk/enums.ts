/** Generated from the definitions by `npm run generate`; a test checks that it is up to date. */

/** How the theme uses the file. */
export const AssetType = {
  /** A page of the shop, in Liquid. */
  Template: "Asset::Template",
  /** A part that templates include, in Liquid. */
  Snippet: "Asset::Snippet",
  /** A style sheet, a script, an image or a font. */
  Media: "Asset::Media",
  /** The theme's settings. */
  Configuration: "Asset::Configuration",
} as const;

/** Whether a number as `discount` is a percentage (`1`) or an amount of money (`2`). */
export const CouponTypeId = {
  /** Percent of the order. */
  Percent: 1,
  /** Money off the order. */
  Money: 2,
} as const;

/** Whether `content` is a script or the address of one. */
export const JsTagType = {
  /** Content is JavaScript, put into the page. */
  TextTag: "JsTag::TextTag",
  /** Content is the address of a script. */
  FileTag: "JsTag::FileTag",
} as const;
