/** Written by `npm run generate` out of the definitions; a test compares. */

import type { Naturals } from "../provider/names/natural.ts";

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

/** Kinds of which two with one natural key can't be: whatever replaces one deletes it first. */
export const deletesFirst: readonly string[] = ["Product", "Coupon", "RecurringCharge", "Asset"];

/** The lines by which the engine's host finds the provider of each kind. */
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

/** Lists whose items are told apart by a key, with that key. */
export const keyedLists: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Product: { variants: "sku" },
};

/** Arguments that are paths of files, which a program may also write as a FileAsset. */
export const pathArguments: Readonly<Record<string, readonly string[]>> = {
  Asset: ["file"],
  File: ["file"],
  Prices: ["file"],
};

/** Arguments that are no outputs. */
export const inputsOnly: Readonly<Record<string, readonly string[]>> = {
  Asset: ["content", "file", "src"],
  File: ["content", "file", "src", "filename"],
  Prices: ["file", "rows"],
};

/** Required arguments that a program leaves out where it states a part of an object that is there. */
export const leftArguments: Readonly<Record<string, readonly string[]>> = {
  Product: ["title"],
  Coupon: ["discount"],
};

/** Forms in which a program may write arguments beside the one that travels. */
export const naturals: Readonly<Record<string, Naturals>> = {
  Product: { variants: { within: { options: { pairs: ["title", "value"] } } } },
  Coupon: { discount: { forms: { percent: { typeId: 1 }, amount: { typeId: 2 } } } },
};
