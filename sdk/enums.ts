/** Generated from the definitions by `npm run generate`; a test checks that it is up to date. */

/** Type of the file: how the theme uses it. */
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

/** Unit of a `discount` that is a number: `1` for percent, `2` for an amount of money. */
export const CouponTypeId = {
  /** Percent of the order. */
  Percent: 1,
  /** Money off the order. */
  Money: 2,
} as const;

/** Type of `content`: a script, or the address of one. */
export const JsTagType = {
  /** Content is JavaScript, put into the page. */
  TextTag: "JsTag::TextTag",
  /** Content is the address of a script. */
  FileTag: "JsTag::FileTag",
} as const;
