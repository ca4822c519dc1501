/** What a shop's program imports: one class per kind, one function per data source. */
import * as pulumi from "@pulumi/pulumi";
import type { Read } from "../provider/definition/define.ts";
import type { account } from "../provider/resources/account.ts";
import type { applicationCharge } from "../provider/resources/application-charge.ts";
import type { asset } from "../provider/resources/asset.ts";
import type { collection } from "../provider/resources/collection.ts";
import type { coupon } from "../provider/resources/coupon.ts";
import type { file } from "../provider/resources/file.ts";
import type { jsTag } from "../provider/resources/js-tag.ts";
import type { priceKind } from "../provider/resources/price-kind.ts";
import type { product } from "../provider/resources/product.ts";
import type { recurringCharge } from "../provider/resources/recurring-charge.ts";
import type { theme } from "../provider/resources/theme.ts";
import { ask, later } from "./data.ts";
import { type Args, resource } from "./resource.ts";

export { Provider, type ProviderArgs } from "./provider.ts";

/** A product with its variants. */
export class Product extends resource<typeof product>("Product") {}
/** A discount code that shoppers type. */
export class Coupon extends resource<typeof coupon>("Coupon") {}
/** A price beside the usual one, wholesale for instance. */
export class PriceKind extends resource<typeof priceKind>("PriceKind") {}
/** A part of a theme: template, snippet, style sheet, image, settings. */
export class Asset extends resource<typeof asset>("Asset") {}
/** An uploaded file. */
export class File extends resource<typeof file>("File") {}
/** A script in the shop's pages. */
export class JsTag extends resource<typeof jsTag>("JsTag") {}
/** What the shop pays the application each month; one per shop. */
export class RecurringCharge extends resource<typeof recurringCharge>("RecurringCharge") {}
/** What the shop is asked to pay once. */
export class ApplicationCharge extends resource<typeof applicationCharge>("ApplicationCharge") {}

export type ProductArgs = Args<typeof product>;
export type CouponArgs = Args<typeof coupon>;
export type PriceKindArgs = Args<typeof priceKind>;
export type AssetArgs = Args<typeof asset>;
export type FileArgs = Args<typeof file>;
export type JsTagArgs = Args<typeof jsTag>;
export type RecurringChargeArgs = Args<typeof recurringCharge>;
export type ApplicationChargeArgs = Args<typeof applicationCharge>;

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
