/** Generated from the definitions by `npm run generate`; a test checks that it is up to date. */

import type { WrittenForms } from "../provider/names/written-forms.ts";

export const outputs = {
  Product: [
    "title",
    "categoryId",
    "permalink",
    "description",
    "shortDescription",
    "htmlTitle",
    "metaKeywords",
    "metaDescription",
    "isHidden",
    "sortWeight",
    "unit",
    "dimensions",
    "vat",
    "ignoreDiscounts",
    "currencyCode",
    "canonicalUrlCollectionId",
    "variants",
    "archived",
    "available",
    "collectionsIds",
    "images",
    "optionNames",
    "properties",
    "characteristics",
    "productFieldValues",
    "createdAt",
    "updatedAt",
  ],
  Coupon: [
    "code",
    "discount",
    "typeId",
    "description",
    "disabled",
    "actOnce",
    "actOnceForClient",
    "expiredAt",
    "minPrice",
    "worked",
    "discountCollections",
    "createdAt",
    "updatedAt",
  ],
  PriceKind: ["title", "priceIndex", "showInLists", "variantPriceMethodName"],
  ApplicationCharge: [
    "name",
    "price",
    "returnUrl",
    "test",
    "status",
    "confirmationUrl",
    "createdAt",
    "updatedAt",
  ],
  RecurringCharge: ["monthly", "trialExpiredAt", "blocked", "paidTill", "createdAt", "updatedAt"],
  Asset: [
    "themeId",
    "type",
    "name",
    "contentType",
    "fileSize",
    "humanReadableName",
    "assetUrl",
    "isText",
    "sha256",
  ],
  File: ["absoluteUrl", "createdAt", "sha256"],
  JsTag: ["type", "content", "name", "accountId", "applicationPasswordId", "createdAt", "updatedAt"],
  Prices: ["count", "products", "digest"],
} as const;

/** Kinds with a unique natural key: a replacement deletes the old object first. */
export const deletesFirst: readonly string[] = ["Product", "Coupon", "RecurringCharge", "Asset"];

/** The line with which the SDK's host loads the provider of each kind. */
export const handlers: Readonly<Record<string, string>> = {
  Product: 'exports.handler=()=>require("pulumi-shop/provider").handler("Product")',
  Coupon: 'exports.handler=()=>require("pulumi-shop/provider").handler("Coupon")',
  PriceKind: 'exports.handler=()=>require("pulumi-shop/provider").handler("PriceKind")',
  ApplicationCharge: 'exports.handler=()=>require("pulumi-shop/provider").handler("ApplicationCharge")',
  RecurringCharge: 'exports.handler=()=>require("pulumi-shop/provider").handler("RecurringCharge")',
  Asset: 'exports.handler=()=>require("pulumi-shop/provider").handler("Asset")',
  File: 'exports.handler=()=>require("pulumi-shop/provider").handler("File")',
  JsTag: 'exports.handler=()=>require("pulumi-shop/provider").handler("JsTag")',
  Prices: 'exports.handler=()=>require("pulumi-shop/provider").handler("Prices")',
};

/** Lists with keyed items, and their key field. */
export const keyedLists: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Product: { variants: "sku" },
};

/** Arguments with a file path, for which a program may also use a FileAsset. */
export const pathArguments: Readonly<Record<string, readonly string[]>> = {
  Asset: ["file"],
  File: ["file"],
  Prices: ["file"],
};

/** Arguments without an output. */
export const inputsOnly: Readonly<Record<string, readonly string[]>> = {
  Asset: ["content", "file", "src"],
  File: ["content", "file", "src", "filename"],
  Prices: ["file", "rows"],
};

/** Required arguments that a program may leave out if it adopts an object. */
export const leftArguments: Readonly<Record<string, readonly string[]>> = {
  Product: ["title"],
  Coupon: ["discount"],
};

/** Alternative forms of arguments, which are converted to the form that is sent. */
export const naturals: Readonly<Record<string, WrittenForms>> = {
  Product: { variants: { within: { options: { pairs: ["title", "value"] } } } },
  Coupon: { discount: { forms: { percent: { typeId: 1 }, amount: { typeId: 2 } } } },
};
