/** What a shop's program imports: one class per kind, one function per data source. */
import * as pulumi from "@pulumi/pulumi";
import type { Read } from "../provider/definition/define.ts";
import type { account } from "../provider/resources/account.ts";
import type { collection } from "../provider/resources/collection.ts";
import type { theme } from "../provider/resources/theme.ts";
import { ask, later } from "./data.ts";
import "./ending.ts";
import { resource } from "./resource.ts";
import { themeFolder } from "./theme-folder.ts";
import type * as types from "./types.ts";

export * from "./enums.ts";
export { Prices, type PricesArgs, type PricesColumns, type PricesOutputs, type PricesRow } from "./prices.ts";
export { Provider, type ProviderArgs } from "./provider.ts";
export { type TableOptions, table } from "./table.ts";
export type { ThemeFolderArgs, ThemeFolderFile, ThemeFolderResource } from "./theme-folder.ts";
export type * from "./types.ts";

/** A product with its variants. */
export class Product extends resource<types.ProductArgs | types.AdoptedProductArgs, types.ProductOutputs>(
  "Product",
) {}
/** A discount code that shoppers type. */
export class Coupon extends resource<types.CouponArgs | types.AdoptedCouponArgs, types.CouponOutputs>(
  "Coupon",
) {}
/** A price beside the usual one, wholesale for instance. */
export class PriceKind extends resource<types.PriceKindArgs, types.PriceKindOutputs>("PriceKind") {}
/** A part of a theme: template, snippet, style sheet, image, settings. */
export class Asset extends resource<types.AssetArgs, types.AssetOutputs>("Asset") {}
/** A theme's files as resources, one for each file of a folder, named `name/templates/product.liquid`. */
export class ThemeFolder extends themeFolder(Asset) {}
/** An uploaded file. */
export class File extends resource<types.FileArgs, types.FileOutputs>("File") {}
/** A script in the shop's pages. */
export class JsTag extends resource<types.JsTagArgs, types.JsTagOutputs>("JsTag") {}
/** What the shop pays the application each month; one per shop. */
export class RecurringCharge extends resource<types.RecurringChargeArgs, types.RecurringChargeOutputs>(
  "RecurringCharge",
) {}
/** What the shop is asked to pay once. */
export class ApplicationCharge extends resource<types.ApplicationChargeArgs, types.ApplicationChargeOutputs>(
  "ApplicationCharge",
) {}

/** The shop's account. */
export type Account = Read<(typeof account)["fields"]>;
/** A collection of products. */
export type Collection = Read<(typeof collection)["fields"]>;
/** A theme. */
export type Theme = Read<(typeof theme)["fields"]>;

/** What a collection is found by; state one, or more to be sure. */
export interface GetCollectionArgs {
  readonly id?: number | string;
  readonly permalink?: string;
  readonly title?: string;
}
/** What a theme is found by; state one, or more to be sure. */
export interface GetThemeArgs {
  readonly id?: number | string;
  readonly title?: string;
  readonly published?: boolean;
  readonly mobile?: boolean;
}

/** The shop's account (interface.md, Account). */
export const getAccount = (opts?: pulumi.InvokeOptions): Promise<Account> =>
  ask("getAccount", {}, undefined, opts);
/** All collections (interface.md, Collections). */
export const getCollections = (opts?: pulumi.InvokeOptions): Promise<readonly Collection[]> =>
  ask("getCollections", {}, "collections", opts);
/** One collection; an error lists what there is when none or several match. */
export const getCollection = (args: GetCollectionArgs, opts?: pulumi.InvokeOptions): Promise<Collection> =>
  ask("getCollection", args, undefined, opts);
/** All themes (interface.md, Themes and assets). */
export const getThemes = (opts?: pulumi.InvokeOptions): Promise<readonly Theme[]> =>
  ask("getThemes", {}, "themes", opts);
/** One theme; an error lists what there is when none or several match. */
export const getTheme = (args: GetThemeArgs, opts?: pulumi.InvokeOptions): Promise<Theme> =>
  ask("getTheme", args, undefined, opts);

/** As `getAccount`, as an output. */
export const getAccountOutput = (opts?: pulumi.InvokeOptions): pulumi.Output<Account> =>
  pulumi.output(getAccount(opts));
/** As `getCollections`, as an output. */
export const getCollectionsOutput = (opts?: pulumi.InvokeOptions): pulumi.Output<readonly Collection[]> =>
  pulumi.output(getCollections(opts)) as pulumi.Output<readonly Collection[]>;
/** As `getCollection`, with arguments that are known later. */
export const getCollectionOutput = later(getCollection);
/** As `getThemes`, as an output. */
export const getThemesOutput = (opts?: pulumi.InvokeOptions): pulumi.Output<readonly Theme[]> =>
  pulumi.output(getThemes(opts)) as pulumi.Output<readonly Theme[]>;
/** As `getTheme`, with arguments that are known later. */
export const getThemeOutput = later(getTheme);
