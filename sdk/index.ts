/** The package's exports for a shop's program: a class for each kind, a function for each data source. */
import type * as pulumi from "@pulumi/pulumi";
import type { Read } from "../provider/definition/define.ts";
import type { account } from "../provider/resources/account.ts";
import type { collection } from "../provider/resources/collection.ts";
import type { theme } from "../provider/resources/theme.ts";
import { ask, askAll, later, output } from "./data-sources.ts";
import "./early-exit.ts";
import "./program-errors.ts";
import { resource } from "./resource.ts";
import { themeFolder } from "./theme-folder.ts";
import type * as types from "./types.ts";

export * from "./enums.ts";
export { Prices, type PricesArgs, type PricesColumns, type PricesOutputs, type PricesRow } from "./prices.ts";
export { Provider } from "./provider.ts";
export { type TableOptions, table } from "./table.ts";
export type { ThemeFolderArgs, ThemeFolderFile, ThemeFolderResource } from "./theme-folder.ts";
export type * from "./types.ts";

/** A product with its variants. */
export class Product extends resource<types.ProductArgs | types.AdoptedProductArgs, types.ProductOutputs>(
  "Product",
) {}
/** A coupon: a discount code that shoppers enter. */
export class Coupon extends resource<types.CouponArgs | types.AdoptedCouponArgs, types.CouponOutputs>(
  "Coupon",
) {}
/** A price in addition to the usual one, such as a wholesale price. */
export class PriceKind extends resource<types.PriceKindArgs, types.PriceKindOutputs>("PriceKind") {}
/** A file of a theme: a template, snippet, style sheet, image or settings file. */
export class Asset extends resource<types.AssetArgs, types.AssetOutputs>("Asset") {}
/** The files of a theme's folder, each as a resource named `name/templates/product.liquid`. */
export class ThemeFolder extends themeFolder(Asset) {}
/** An uploaded file. */
export class File extends resource<types.FileArgs, types.FileOutputs>("File") {}
/** A script on the shop's pages. */
export class JsTag extends resource<types.JsTagArgs, types.JsTagOutputs>("JsTag") {}
/** The monthly charge that the shop pays for the application; one per shop. */
export class RecurringCharge extends resource<types.RecurringChargeArgs, types.RecurringChargeOutputs>(
  "RecurringCharge",
) {}
/** A one-time charge that the shop is asked to pay. */
export class ApplicationCharge extends resource<types.ApplicationChargeArgs, types.ApplicationChargeOutputs>(
  "ApplicationCharge",
) {}

/** The shop's account. */
export type Account = Read<(typeof account)["fields"]>;
/** A collection of products. */
export type Collection = Read<(typeof collection)["fields"]>;
/** A theme. */
export type Theme = Read<(typeof theme)["fields"]>;

/** Selects a collection; one argument is enough, all that are set must match. */
export interface GetCollectionArgs {
  /** The collection's id. */
  readonly id?: number | string;
  /** Last part of its page's address. */
  readonly permalink?: string;
  /** Its title, as shoppers see it. */
  readonly title?: string;
}
/** Selects a theme; one argument is enough, all that are set must match. */
export interface GetThemeArgs {
  /** The theme's id. */
  readonly id?: number | string;
  /** Its title in the back office. */
  readonly title?: string;
  /** `true`: the theme that shoppers see. */
  readonly published?: boolean;
  /** `true`: a theme for mobile devices. */
  readonly mobile?: boolean;
}

/** Reads the shop's account. */
export const getAccount = (...given: [opts?: pulumi.InvokeOptions]): Promise<Account> =>
  askAll("getAccount", given);
/** Reads all collections. */
export const getCollections = (...given: [opts?: pulumi.InvokeOptions]): Promise<readonly Collection[]> =>
  askAll("getCollections", given, "collections");
/** Reads one collection. If none or several match, the error lists the existing ones. */
export const getCollection = (args: GetCollectionArgs, opts?: pulumi.InvokeOptions): Promise<Collection> =>
  ask("getCollection", args, undefined, opts);
/** Reads all themes. */
export const getThemes = (...given: [opts?: pulumi.InvokeOptions]): Promise<readonly Theme[]> =>
  askAll("getThemes", given, "themes");
/** Reads one theme. If none or several match, the error lists the existing ones. */
export const getTheme = (args: GetThemeArgs, opts?: pulumi.InvokeOptions): Promise<Theme> =>
  ask("getTheme", args, undefined, opts);

/** Like `getAccount`, but returns an output. */
export const getAccountOutput = (...given: [opts?: pulumi.InvokeOptions]): pulumi.Output<Account> =>
  output(getAccount(...given));
/** Like `getCollections`, but returns an output. */
export const getCollectionsOutput = (
  ...given: [opts?: pulumi.InvokeOptions]
): pulumi.Output<readonly Collection[]> => output(getCollections(...given));
/** Like `getCollection`, but accepts and returns outputs. */
export const getCollectionOutput = later(getCollection);
/** Like `getThemes`, but returns an output. */
export const getThemesOutput = (...given: [opts?: pulumi.InvokeOptions]): pulumi.Output<readonly Theme[]> =>
  output(getThemes(...given));
/** Like `getTheme`, but accepts and returns outputs. */
export const getThemeOutput = later(getTheme);
