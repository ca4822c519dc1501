/** Generated from the definitions by `npm run generate`; a test checks that it is up to date. */
import type * as pulumi from "@pulumi/pulumi";

/**
 * Arguments of a Product.
 *
 * @example
 * ```ts
 * import { Product } from "pulumi-shop";
 *
 * const mug = new Product("mug", {
 *   title: "Mug",
 *   description: "<p>Holds 300 ml.</p>",
 *   variants: [
 *     { sku: "MUG-RED", price: 12.5, quantity: 40, options: { Colour: "red" } },
 *     { sku: "MUG-BLUE", price: 12.5, quantity: 25, options: { Colour: "blue" } },
 *   ],
 * });
 * export const permalink = mug.permalink;
 * ```
 */
export interface ProductArgs extends ProductCommonArgs {
  /** The product's name. */
  readonly title: pulumi.Input<string>;
  /** Adopts an object that the shop already has, instead of creating one. Removing the argument later changes nothing. Its id, such as `"8841"`, or `"key"` to find it by `permalink`, else `variants.sku`. */
  readonly adopt?: pulumi.Input<string | undefined>;
}

/**
 * Arguments of a Product that already exists in the shop. The program manages only the arguments that it sets; others
 * stay unchanged. If you delete the resource, the object stays in the shop.
 */
export interface AdoptedProductArgs extends ProductCommonArgs {
  /** Not allowed here, because the object already has it. */
  readonly title?: undefined;
  /** Adopts an object that the shop already has, instead of creating one. Removing the argument later changes nothing. Its id, such as `"8841"`, or `"key"` to find it by `permalink`, else `variants.sku`. */
  readonly adopt: pulumi.Input<string>;
}

/** Arguments of a Product that are the same with and without `adopt`. */
export interface ProductCommonArgs {
  /**
   * Id of the warehouse category, which isn't a collection. Default: the shop's default category.
   *
   * At least 1.
   */
  readonly categoryId?: pulumi.Input<number | undefined>;
  /**
   * Last part of the product's address. Default: made from the title when the product is created; it then stays the same.
   *
   * Unique in the shop. Must be the last part of an address, such as tea-mug: without blanks, / ? # % and &. Should be lower-case letters a to z and digits, with single hyphens between them, such as tea-mug; a preview warns otherwise.
   */
  readonly permalink?: pulumi.Input<string | undefined>;
  /** Description as HTML, stored unchanged. */
  readonly description?: pulumi.Input<string | undefined>;
  /** Short description as HTML, shown in lists. */
  readonly shortDescription?: pulumi.Input<string | undefined>;
  /** Title of the product's page. */
  readonly htmlTitle?: pulumi.Input<string | undefined>;
  /** Keywords for search engines. */
  readonly metaKeywords?: pulumi.Input<string | undefined>;
  /** Description for search engines. */
  readonly metaDescription?: pulumi.Input<string | undefined>;
  /** Whether the product is hidden from shoppers. */
  readonly isHidden?: pulumi.Input<boolean | undefined>;
  /** Position in lists. */
  readonly sortWeight?: pulumi.Input<number | "" | undefined>;
  /**
   * Unit of quantity, such as `pce` or `kgm`.
   *
   * Should be a unit's code, such as pce or kgm; a preview warns otherwise.
   */
  readonly unit?: pulumi.Input<string | undefined>;
  /**
   * Dimensions as length x width x height.
   *
   * Should be length x width x height, such as 10x20x5; a preview warns otherwise.
   */
  readonly dimensions?: pulumi.Input<string | undefined>;
  /**
   * Value added tax in percent; -1 for none.
   *
   * Should be a percentage, or -1 for none; a preview warns otherwise.
   */
  readonly vat?: pulumi.Input<number | "" | undefined>;
  /** Whether the product is excluded from discounts. */
  readonly ignoreDiscounts?: pulumi.Input<boolean | undefined>;
  /**
   * Currency of the product's prices.
   *
   * Should be a code of three capital letters, such as RUR; a preview warns otherwise.
   */
  readonly currencyCode?: pulumi.Input<string | undefined>;
  /**
   * Id of the collection whose address is the canonical one for search engines.
   *
   * The id of a Collection. At least 1.
   */
  readonly canonicalUrlCollectionId?: pulumi.Input<number | "" | undefined>;
  /**
   * The product's variants, at least one. Variants that you don't list are deleted, unless `otherVariants` is "keep".
   *
   * No two items may have the same `sku`.
   */
  readonly variants?: pulumi.Input<readonly pulumi.Input<ProductVariantArgs>[] | undefined>;
  /** Whether variants that the program doesn't list stay. One of `"keep"`: they stay as they are; `"delete"`: they are deleted (default). */
  readonly otherVariants?: pulumi.Input<"keep" | "delete" | undefined>;
}

/** An item of `variants`. */
export interface ProductVariantArgs {
  /** Stock keeping unit, which identifies the variant. No two variants of a product may have the same one. */
  readonly sku?: pulumi.Input<string | undefined>;
  /**
   * Price in the shop's currency.
   *
   * A number, also as a string (`"12.50"`), of at most 15 digits. At least 0.
   */
  readonly price?: pulumi.Input<number | string | undefined>;
  /**
   * Number in stock. Sales change it; a run only sends it if the program changes it.
   *
   * Should be at least 0; a preview warns otherwise.
   */
  readonly quantity?: pulumi.Input<number | "" | undefined>;
  /** Bar code. Identifies a variant without a SKU. */
  readonly barcode?: pulumi.Input<string | undefined>;
  /**
   * Weight in kilograms.
   *
   * A number, also as a string (`"12.50"`), of at most 15 digits. At least 0.
   */
  readonly weight?: pulumi.Input<number | string | undefined>;
  /**
   * Dimensions as length x width x height.
   *
   * Should be length x width x height, such as 10x20x5; a preview warns otherwise.
   */
  readonly dimensions?: pulumi.Input<string | undefined>;
  /**
   * Price that the shop paid for the variant, in the shop's currency.
   *
   * A number, also as a string (`"12.50"`), of at most 15 digits. At least 0.
   */
  readonly costPrice?: pulumi.Input<number | string | undefined>;
  /**
   * Former price, shown crossed out, in the shop's currency.
   *
   * A number, also as a string (`"12.50"`), of at most 15 digits. At least 0.
   */
  readonly oldPrice?: pulumi.Input<number | string | undefined>;
  /**
   * Prices of other kinds, by the title of the PriceKind. A kind that you leave out keeps its price.
   *
   * At least 0.
   */
  readonly prices?: pulumi.Input<ProductVariantPrices | undefined>;
  /**
   * Options that distinguish the variant: a list of `title` and `value`, in TypeScript also `{ Colour: "Red" }`.
   *
   * No two items may have the same `title`.
   */
  readonly options?: pulumi.Input<
    readonly pulumi.Input<ProductVariantOptionArgs>[] | ProductVariantOptions | undefined
  >;
}

/** The prices by title. */
export interface ProductVariantPrices {
  /**
   * Prices of other kinds, by the title of the PriceKind. A kind that you leave out keeps its price.
   *
   * At least 0.
   */
  readonly [title: string]: pulumi.Input<number | string>;
}

/** The options by title. */
export interface ProductVariantOptions {
  /**
   * Options that distinguish the variant: a list of `title` and `value`, in TypeScript also `{ Colour: "Red" }`.
   *
   * No two items may have the same `title`.
   */
  readonly [title: string]: pulumi.Input<string>;
}

/** An item of `options`. */
export interface ProductVariantOptionArgs {
  /** The option's name, such as colour or size. */
  readonly title: pulumi.Input<string>;
  /** The option's value for this variant, such as red or large. */
  readonly value: pulumi.Input<string>;
}

/** Outputs of a Product. */
export interface ProductOutputs {
  /** The product's name. */
  readonly title: pulumi.Output<string>;
  /** Id of the warehouse category, which isn't a collection. Default: the shop's default category. */
  readonly categoryId: pulumi.Output<number>;
  /** Last part of the product's address. Default: made from the title when the product is created; it then stays the same. */
  readonly permalink: pulumi.Output<string>;
  /** Description as HTML, stored unchanged. */
  readonly description: pulumi.Output<string | undefined>;
  /** Short description as HTML, shown in lists. */
  readonly shortDescription: pulumi.Output<string | undefined>;
  /** Title of the product's page. */
  readonly htmlTitle: pulumi.Output<string | undefined>;
  /** Keywords for search engines. */
  readonly metaKeywords: pulumi.Output<string | undefined>;
  /** Description for search engines. */
  readonly metaDescription: pulumi.Output<string | undefined>;
  /** Whether the product is hidden from shoppers. */
  readonly isHidden: pulumi.Output<boolean | undefined>;
  /** Position in lists. */
  readonly sortWeight: pulumi.Output<number | undefined>;
  /** Unit of quantity, such as `pce` or `kgm`. */
  readonly unit: pulumi.Output<string | undefined>;
  /** Dimensions as length x width x height. */
  readonly dimensions: pulumi.Output<string | undefined>;
  /** Value added tax in percent; -1 for none. */
  readonly vat: pulumi.Output<number | undefined>;
  /** Whether the product is excluded from discounts. */
  readonly ignoreDiscounts: pulumi.Output<boolean | undefined>;
  /** Currency of the product's prices. */
  readonly currencyCode: pulumi.Output<string | undefined>;
  /** Id of the collection whose address is the canonical one for search engines. */
  readonly canonicalUrlCollectionId: pulumi.Output<number | undefined>;
  /** The product's variants, at least one. Variants that you don't list are deleted, unless `otherVariants` is "keep". */
  readonly variants: pulumi.Output<readonly ProductVariant[]>;
  /** Whether the product was deleted; the shop archives deleted products. */
  readonly archived: pulumi.Output<boolean | undefined>;
  /** Whether shoppers can buy the product. */
  readonly available: pulumi.Output<boolean | undefined>;
  /** Ids of the collections that contain the product, and of their parents. */
  readonly collectionsIds: pulumi.Output<readonly number[] | undefined>;
  /** The product's pictures. */
  readonly images: pulumi.Output<readonly ProductImage[] | undefined>;
  /** The options that distinguish the variants. */
  readonly optionNames: pulumi.Output<readonly ProductOptionName[] | undefined>;
  /** The properties that `characteristics` has values for. */
  readonly properties: pulumi.Output<readonly ProductProperty[] | undefined>;
  /** Values of the product's properties. */
  readonly characteristics: pulumi.Output<readonly ProductCharacteristic[] | undefined>;
  /** Values of fields that the shop has defined. */
  readonly productFieldValues: pulumi.Output<readonly ProductProductFieldValue[] | undefined>;
  /** When the product was created. ISO 8601 with offset. */
  readonly createdAt: pulumi.Output<string>;
  /** When the shop last changed it, including stock changes and bulk operations. ISO 8601 with offset. */
  readonly updatedAt: pulumi.Output<string>;
}

/** An item of `variants`, as the shop has it. */
export interface ProductVariant {
  /** Id of the variant, assigned by the shop. */
  readonly id: number;
  /** Stock keeping unit, which identifies the variant. No two variants of a product may have the same one. */
  readonly sku: string | undefined;
  /** Price in the shop's currency. */
  readonly price: number | undefined;
  /** Number in stock. Sales change it; a run only sends it if the program changes it. */
  readonly quantity: number | undefined;
  /** Bar code. Identifies a variant without a SKU. */
  readonly barcode: string | undefined;
  /** Weight in kilograms. */
  readonly weight: number | undefined;
  /** Dimensions as length x width x height. */
  readonly dimensions: string | undefined;
  /** Price that the shop paid for the variant, in the shop's currency. */
  readonly costPrice: number | undefined;
  /** Former price, shown crossed out, in the shop's currency. */
  readonly oldPrice: number | undefined;
  /** Prices of other kinds, by the title of the PriceKind. A kind that you leave out keeps its price. */
  readonly prices: Readonly<Record<string, number>> | undefined;
  /** Options that distinguish the variant: a list of `title` and `value`, in TypeScript also `{ Colour: "Red" }`. */
  readonly options: readonly ProductVariantOption[] | undefined;
  /** The options by id, as the shop returns them. */
  readonly optionValues: readonly ProductVariantOptionValue[] | undefined;
}

/** An item of `options`, as the shop has it. */
export interface ProductVariantOption {
  /** The option's name, such as colour or size. */
  readonly title: string;
  /** The option's value for this variant, such as red or large. */
  readonly value: string;
}

/** An item of `optionValues`, as the shop has it. */
export interface ProductVariantOptionValue {
  /** Id of the option. */
  readonly optionNameId: number | undefined;
  /** The option's value. */
  readonly title: string | undefined;
}

/** An item of `images`, as the shop has it. */
export interface ProductImage {
  /** Id of the picture. */
  readonly id: number;
  /** Position among the pictures. */
  readonly position: number | undefined;
  /** The picture's title. */
  readonly title: string | undefined;
  /** Name of the picture's file. */
  readonly filename: string | undefined;
  /** Address of the original picture. */
  readonly originalUrl: string | undefined;
}

/** An item of `optionNames`, as the shop has it. */
export interface ProductOptionName {
  /** Id of the option. */
  readonly id: number;
  /** The option's name, such as colour or size. */
  readonly title: string | undefined;
}

/** An item of `properties`, as the shop has it. */
export interface ProductProperty {
  /** Id of the property. */
  readonly id: number;
  /** The property's name. */
  readonly title: string | undefined;
  /** The property's name in addresses. */
  readonly permalink: string | undefined;
}

/** An item of `characteristics`, as the shop has it. */
export interface ProductCharacteristic {
  /** Id of the value. */
  readonly id: number;
  /** Id of the property. */
  readonly propertyId: number | undefined;
  /** The property's value. */
  readonly title: string | undefined;
}

/** An item of `productFieldValues`, as the shop has it. */
export interface ProductProductFieldValue {
  /** Id of the value. */
  readonly id: number;
  /** Id of the field. */
  readonly productFieldId: number | undefined;
  /** The field's value. */
  readonly value: string | undefined;
}

/**
 * Arguments of a Coupon.
 *
 * @example
 * ```ts
 * import { Coupon } from "pulumi-shop";
 *
 * new Coupon("spring", { code: "SPRING", discount: { percent: 10 }, expiredAt: "2030-05-31", minPrice: 30 });
 * ```
 */
export interface CouponArgs extends CouponCommonArgs {
  /**
   * The discount: `{ percent: 10 }`, `{ amount: 5 }` in the shop's currency, or a number together with `typeId`.
   *
   * A number, also as a string (`"12.50"`), of at most 15 digits. At least 0. At most 100 where `typeId` is 1.
   */
  readonly discount: pulumi.Input<number | string | CouponDiscountPercent | CouponDiscountAmount>;
  /**
   * Unit of a `discount` that is a number: `1` for percent, `2` for an amount of money.
   *
   * **Required** where `discount` is a number. One of `1` (percent of the order), `2` (money off the order).
   */
  readonly typeId?: pulumi.Input<1 | 2 | undefined>;
  /** Adopts an object that the shop already has, instead of creating one. Removing the argument later changes nothing. Its id, such as `"8841"`, or `"key"` to find it by `code`. */
  readonly adopt?: pulumi.Input<string | undefined>;
}

/**
 * Arguments of a Coupon that already exists in the shop. The program manages only the arguments that it sets; others
 * stay unchanged. If you delete the resource, the object stays in the shop.
 */
export interface AdoptedCouponArgs extends CouponCommonArgs {
  /** Not allowed here, because the object already has it. */
  readonly discount?: undefined;
  /** Not allowed here, because the object already has it. */
  readonly typeId?: undefined;
  /** Adopts an object that the shop already has, instead of creating one. Removing the argument later changes nothing. Its id, such as `"8841"`, or `"key"` to find it by `code`. */
  readonly adopt: pulumi.Input<string>;
}

/** Arguments of a Coupon that are the same with and without `adopt`. */
export interface CouponCommonArgs {
  /**
   * The code that shoppers enter to get the discount.
   *
   * Unique in the shop.
   */
  readonly code: pulumi.Input<string>;
  /** Internal note; shoppers don't see it. */
  readonly description?: pulumi.Input<string | undefined>;
  /** Whether the coupon is disabled. A disabled coupon stays in the shop. */
  readonly disabled?: pulumi.Input<boolean | undefined>;
  /** Limits the coupon to one order in total. */
  readonly actOnce?: pulumi.Input<boolean | undefined>;
  /** Limits the coupon to one order per customer. */
  readonly actOnceForClient?: pulumi.Input<boolean | undefined>;
  /**
   * The last day on which the coupon is valid.
   *
   * `YYYY-MM-DD`, a day that exists.
   */
  readonly expiredAt?: pulumi.Input<string | undefined>;
  /**
   * The minimum order value for which the coupon is valid, in the shop's currency.
   *
   * A number, also as a string (`"12.50"`), of at most 15 digits. At least 0.
   */
  readonly minPrice?: pulumi.Input<number | string | undefined>;
  /** When the program's other arguments begin to apply: a date and a time in the shop's time zone, such as `2026-11-27T00:00`, or with an offset. Until then the object has `disabled: true`. */
  readonly from?: pulumi.Input<string | undefined>;
  /** When the other arguments cease to apply, in the form of `from`. After that, the first run sets `disabled: true` again. */
  readonly until?: pulumi.Input<string | undefined>;
}

/** The discount in the form `{ percent: ... }`. */
export interface CouponDiscountPercent {
  /**
   * Percent of the order.
   *
   * A number, also as a string (`"12.50"`), of at most 15 digits. At least 0. At most 100.
   */
  readonly percent: pulumi.Input<number | string>;
  /** Not allowed beside `percent`. */
  readonly amount?: undefined;
}

/** The discount in the form `{ amount: ... }`. */
export interface CouponDiscountAmount {
  /**
   * Money off the order.
   *
   * A number, also as a string (`"12.50"`), of at most 15 digits. At least 0.
   */
  readonly amount: pulumi.Input<number | string>;
  /** Not allowed beside `amount`. */
  readonly percent?: undefined;
}

/** Outputs of a Coupon. */
export interface CouponOutputs {
  /** The code that shoppers enter to get the discount. */
  readonly code: pulumi.Output<string>;
  /** The discount: `{ percent: 10 }`, `{ amount: 5 }` in the shop's currency, or a number together with `typeId`. */
  readonly discount: pulumi.Output<number>;
  /** Unit of a `discount` that is a number: `1` for percent, `2` for an amount of money. */
  readonly typeId: pulumi.Output<1 | 2>;
  /** Internal note; shoppers don't see it. */
  readonly description: pulumi.Output<string | undefined>;
  /** Whether the coupon is disabled. A disabled coupon stays in the shop. */
  readonly disabled: pulumi.Output<boolean | undefined>;
  /** Limits the coupon to one order in total. */
  readonly actOnce: pulumi.Output<boolean | undefined>;
  /** Limits the coupon to one order per customer. */
  readonly actOnceForClient: pulumi.Output<boolean | undefined>;
  /** The last day on which the coupon is valid. */
  readonly expiredAt: pulumi.Output<string | undefined>;
  /** The minimum order value for which the coupon is valid, in the shop's currency. */
  readonly minPrice: pulumi.Output<number | undefined>;
  /** Set by the shop; the interface doesn't document its meaning. */
  readonly worked: pulumi.Output<boolean | undefined>;
  /** Ids of the collections to which the coupon is limited; empty means all. */
  readonly discountCollections: pulumi.Output<readonly number[] | undefined>;
  /** When the coupon was created. ISO 8601 with offset. */
  readonly createdAt: pulumi.Output<string>;
  /** When the shop last changed it. ISO 8601 with offset. */
  readonly updatedAt: pulumi.Output<string>;
}

/**
 * Arguments of a PriceKind.
 *
 * @example
 * ```ts
 * import { PriceKind } from "pulumi-shop";
 *
 * const wholesale = new PriceKind("wholesale", { title: "Wholesale" });
 * export const attribute = wholesale.variantPriceMethodName;
 * ```
 */
export interface PriceKindArgs {
  /** The price kind's name in the back office. */
  readonly title: pulumi.Input<string>;
  /** Adopts an object that the shop already has, instead of creating one. Removing the argument later changes nothing. Its id, such as `"8841"`, or `"key"` to find it by `title`. */
  readonly adopt?: pulumi.Input<string | undefined>;
}

/** Outputs of a PriceKind. */
export interface PriceKindOutputs {
  /** The price kind's name in the back office. */
  readonly title: pulumi.Output<string>;
  /** Number of the price kind, assigned by the shop in the order of creation. */
  readonly priceIndex: pulumi.Output<number>;
  /** Whether lists in the back office show this price. */
  readonly showInLists: pulumi.Output<boolean | undefined>;
  /** The variant's attribute with this price, such as `price2`. */
  readonly variantPriceMethodName: pulumi.Output<string>;
}

/**
 * Arguments of an ApplicationCharge.
 *
 * @example
 * ```ts
 * import { ApplicationCharge } from "pulumi-shop";
 *
 * const setup = new ApplicationCharge("setup", {
 *   name: "Setting up the shop",
 *   price: 180,
 *   returnUrl: "https://app.example.com/paid",
 * });
 * export const confirmAt = setup.confirmationUrl;
 * ```
 */
export interface ApplicationChargeArgs {
  /**
   * The charge's name; the shop's owner reads it on the invoice.
   *
   * Forces replacement.
   */
  readonly name: pulumi.Input<string>;
  /**
   * The amount, paid once.
   *
   * A number, also as a string (`"12.50"`), of at most 15 digits. Forces replacement. At least 0.
   */
  readonly price: pulumi.Input<number | string>;
  /**
   * The address to which the owner's browser returns after the decision. The platform calls it once.
   *
   * Forces replacement. Must be an address, https://....
   */
  readonly returnUrl: pulumi.Input<string>;
  /**
   * Accepts the charge without payment, for tests.
   *
   * Forces replacement.
   */
  readonly test?: pulumi.Input<boolean | undefined>;
  /** Adopts an object that the shop already has, instead of creating one. Removing the argument later changes nothing. Its id, such as `"8841"`. */
  readonly adopt?: pulumi.Input<string | undefined>;
}

/** Outputs of an ApplicationCharge. */
export interface ApplicationChargeOutputs {
  /** The charge's name; the shop's owner reads it on the invoice. */
  readonly name: pulumi.Output<string>;
  /** The amount, paid once. */
  readonly price: pulumi.Output<number>;
  /** The address to which the owner's browser returns after the decision. The platform calls it once. */
  readonly returnUrl: pulumi.Output<string>;
  /** Accepts the charge without payment, for tests. */
  readonly test: pulumi.Output<boolean | undefined>;
  /** The charge's status: `pending`, `accepted` or `declined`. */
  readonly status: pulumi.Output<string>;
  /** The address at which the owner accepts or declines the charge. */
  readonly confirmationUrl: pulumi.Output<string>;
  /** When the charge was created. ISO 8601 with offset. */
  readonly createdAt: pulumi.Output<string>;
  /** When the shop last changed it. ISO 8601 with offset. */
  readonly updatedAt: pulumi.Output<string>;
}

/**
 * Arguments of a RecurringCharge.
 *
 * @example
 * ```ts
 * import { RecurringCharge } from "pulumi-shop";
 *
 * new RecurringCharge("upkeep", { monthly: "29.00" });
 * ```
 */
export interface RecurringChargeArgs {
  /**
   * The amount that the shop's owner pays each month.
   *
   * A number, also as a string (`"12.50"`), of at most 15 digits. At least 0.
   */
  readonly monthly: pulumi.Input<number | string>;
  /** Adopts an object that the shop already has, instead of creating one. Removing the argument later changes nothing. Its id, or `"key"`, because a shop has only one. */
  readonly adopt?: pulumi.Input<string | undefined>;
}

/** Outputs of a RecurringCharge. */
export interface RecurringChargeOutputs {
  /** The amount that the shop's owner pays each month. */
  readonly monthly: pulumi.Output<number>;
  /** The last day of the trial. */
  readonly trialExpiredAt: pulumi.Output<string | undefined>;
  /** Whether access is blocked. */
  readonly blocked: pulumi.Output<boolean | undefined>;
  /** The day until which access is paid. */
  readonly paidTill: pulumi.Output<string | undefined>;
  /** When the charge was created. ISO 8601 with offset. */
  readonly createdAt: pulumi.Output<string>;
  /** When the shop last changed it. ISO 8601 with offset. */
  readonly updatedAt: pulumi.Output<string>;
}

/**
 * Arguments of an Asset.
 *
 * @example
 * ```ts
 * import { Asset, getThemeOutput } from "pulumi-shop";
 *
 * const theme = getThemeOutput({ published: true });
 * new Asset("about", {
 *   themeId: theme.id,
 *   type: "Asset::Template",
 *   name: "page.about.liquid",
 *   content: "<h1>{{ page.title }}</h1>\n",
 * });
 * ```
 */
export interface AssetArgs {
  /**
   * Id of the theme that contains the file.
   *
   * The id of a Theme. Forces replacement. At least 1.
   */
  readonly themeId: pulumi.Input<number>;
  /**
   * Type of the file: how the theme uses it.
   *
   * One of `Asset::Template` (a page of the shop, in Liquid), `Asset::Snippet` (a part that templates include, in Liquid), `Asset::Media` (a style sheet, a script, an image or a font), `Asset::Configuration` (the theme's settings). Forces replacement.
   */
  readonly type: pulumi.Input<"Asset::Template" | "Asset::Snippet" | "Asset::Media" | "Asset::Configuration">;
  /** File name in the theme. A template for a single page is called `page.<name>.liquid`. A change renames the file. */
  readonly name: pulumi.Input<string>;
  /**
   * The content as text. Line ends are sent as LF.
   *
   * Exactly one of `content`, `file`, `src`.
   */
  readonly content?: pulumi.Input<string | undefined>;
  /**
   * Path of a local file with the content, text or binary.
   *
   * Exactly one of `content`, `file`, `src`. A path inside the project's folder.
   */
  readonly file?: pulumi.Input<string | pulumi.asset.FileAsset | undefined>;
  /**
   * Address from which the shop downloads the content.
   *
   * Exactly one of `content`, `file`, `src`. Forces replacement. Must be an address, https://...; for a file of the project write file instead.
   */
  readonly src?: pulumi.Input<string | undefined>;
  /** Adopts an object that the shop already has, instead of creating one. Removing the argument later changes nothing. Its id, such as `"93238/904337"`, or `"key"` to find it by `themeId` + `type` + `name`. */
  readonly adopt?: pulumi.Input<string | undefined>;
  /** When the program's other arguments begin to apply: a date and a time in the shop's time zone, such as `2026-11-27T00:00`, or with an offset. Until then the object has the content of `otherwise`. */
  readonly from?: pulumi.Input<string | undefined>;
  /** When the other arguments cease to apply, in the form of `from`. After that, the first run sets the content of `otherwise` again. */
  readonly until?: pulumi.Input<string | undefined>;
  /** The content at all other times, as text; required with `from` or `until`. */
  readonly otherwise?: pulumi.Input<string | undefined>;
}

/** Outputs of an Asset. */
export interface AssetOutputs {
  /** Id of the theme that contains the file. */
  readonly themeId: pulumi.Output<number>;
  /** Type of the file: how the theme uses it. */
  readonly type: pulumi.Output<
    "Asset::Template" | "Asset::Snippet" | "Asset::Media" | "Asset::Configuration"
  >;
  /** File name in the theme. A template for a single page is called `page.<name>.liquid`. A change renames the file. */
  readonly name: pulumi.Output<string>;
  /** MIME type. */
  readonly contentType: pulumi.Output<string | undefined>;
  /** Size in bytes, as counted by the shop; it may differ from the length of the content. */
  readonly fileSize: pulumi.Output<number | undefined>;
  /** The name shown in the back office. */
  readonly humanReadableName: pulumi.Output<string | undefined>;
  /** Path at which the shop serves the file, if it is of the type `Asset::Media`; it changes with each edit. */
  readonly assetUrl: pulumi.Output<string | undefined>;
  /** Whether the content is text. Text can be changed in place. */
  readonly isText: pulumi.Output<boolean | undefined>;
  /** SHA-256 of the content, lowercase hex: of the shop's text, or of the binary file as sent. */
  readonly sha256: pulumi.Output<string | undefined>;
}

/**
 * Arguments of a File.
 *
 * @example
 * ```ts
 * import { File } from "pulumi-shop";
 *
 * const sizes = new File("sizes", { filename: "sizes.csv", content: "size,cm\nS,86\nM,94\n" });
 * export const address = sizes.absoluteUrl;
 * ```
 */
export interface FileArgs {
  /**
   * The content as text. Line ends are sent as LF.
   *
   * Exactly one of `content`, `file`, `src`. Forces replacement.
   */
  readonly content?: pulumi.Input<string | undefined>;
  /**
   * Path of a local file with the content.
   *
   * Exactly one of `content`, `file`, `src`. A path inside the project's folder. Forces replacement.
   */
  readonly file?: pulumi.Input<string | pulumi.asset.FileAsset | undefined>;
  /**
   * Address from which the shop downloads the content.
   *
   * Exactly one of `content`, `file`, `src`. Forces replacement. Must be an address, https://...; for a file of the project write file instead.
   */
  readonly src?: pulumi.Input<string | undefined>;
  /**
   * Last part of the file's address. Default: the name of `file`. Required with `content`.
   *
   * Forces replacement. Must be a file's name without / and \, such as sizes.csv.
   */
  readonly filename?: pulumi.Input<string | undefined>;
  /** Adopts an object that the shop already has, instead of creating one. Removing the argument later changes nothing. Its id, such as `"8841"`. */
  readonly adopt?: pulumi.Input<string | undefined>;
}

/** Outputs of a File. */
export interface FileOutputs {
  /** The public address of the file. */
  readonly absoluteUrl: pulumi.Output<string>;
  /** When the file was uploaded. ISO 8601 with offset. */
  readonly createdAt: pulumi.Output<string>;
  /** SHA-256 of the content as sent, lowercase hex; not set with `src`. */
  readonly sha256: pulumi.Output<string | undefined>;
}

/**
 * Arguments of a JsTag.
 *
 * @example
 * ```ts
 * import { JsTag } from "pulumi-shop";
 *
 * new JsTag("banner", {
 *   type: "JsTag::TextTag",
 *   name: "banner",
 *   content: "document.body.dataset.sale = 'on';",
 * });
 * ```
 */
export interface JsTagArgs {
  /**
   * Type of `content`: a script, or the address of one.
   *
   * One of `JsTag::TextTag` (content is JavaScript, put into the page), `JsTag::FileTag` (content is the address of a script). Forces replacement.
   */
  readonly type: pulumi.Input<"JsTag::TextTag" | "JsTag::FileTag">;
  /**
   * JavaScript source, or the address of a script.
   *
   * Forces replacement.
   */
  readonly content: pulumi.Input<string>;
  /**
   * Name by which staff and `adopt: "key"` find the tag.
   *
   * Forces replacement.
   */
  readonly name?: pulumi.Input<string | undefined>;
  /** Adopts an object that the shop already has, instead of creating one. Removing the argument later changes nothing. Its id, such as `"8841"`, or `"key"` to find it by `name`. */
  readonly adopt?: pulumi.Input<string | undefined>;
}

/** Outputs of a JsTag. */
export interface JsTagOutputs {
  /** Type of `content`: a script, or the address of one. */
  readonly type: pulumi.Output<"JsTag::TextTag" | "JsTag::FileTag">;
  /** JavaScript source, or the address of a script. */
  readonly content: pulumi.Output<string>;
  /** Name by which staff and `adopt: "key"` find the tag. */
  readonly name: pulumi.Output<string | undefined>;
  /** Id of the shop's account. */
  readonly accountId: pulumi.Output<number | undefined>;
  /** Id of the installed application that owns the tag. */
  readonly applicationPasswordId: pulumi.Output<number | undefined>;
  /** When the tag was created. ISO 8601 with offset. */
  readonly createdAt: pulumi.Output<string>;
  /** When the shop last changed it. ISO 8601 with offset. */
  readonly updatedAt: pulumi.Output<string>;
}

/**
 * The provider's configuration; values that are left out come from the environment
 * (docs/installation-configuration.md).
 */
export interface ProviderArgs {
  /** The shop's address; required. `http://` is allowed only for localhost (`SHOP_URL`). */
  readonly url?: pulumi.Input<string> | undefined;
  /** The application's identifier; required (`SHOP_APPLICATION_ID`). */
  readonly applicationId?: pulumi.Input<string> | undefined;
  /** The application's password, 32 hex digits; required unless `shop:token` and `shop:secret` are set. A secret (`SHOP_PASSWORD`). */
  readonly password?: pulumi.Input<string> | undefined;
  /** The shop's token. With `shop:secret` it replaces the password, which is computed from the two. A secret (`SHOP_TOKEN`). */
  readonly token?: pulumi.Input<string> | undefined;
  /** The application's secret; see `shop:token`. A secret (`SHOP_SECRET`). */
  readonly secret?: pulumi.Input<string> | undefined;
  /** The id of the account at that address. With it, a different shop is noticed without a request; `serve --stack` writes it (`SHOP_ACCOUNT`). */
  readonly account?: pulumi.Input<string> | undefined;
  /** Percent of the rate limit that this program may use, 1 to 100; default 100 (`SHOP_CAPACITY`). */
  readonly capacity?: pulumi.Input<number> | undefined;
  /** Objects per page of a list, 10 to 250; each list has its own default (`SHOP_PER_PAGE`). */
  readonly perPage?: pulumi.Input<number> | undefined;
  /** Seconds that a request waits for the rate limit, 0 to 86400; default 3600. If the shop asks for a longer wait, the run fails immediately (`SHOP_MAX_WAIT`). */
  readonly maxWait?: pulumi.Input<number> | undefined;
  /** `true`: `file` may name files outside the project's folder, also by symbolic links (`SHOP_ALLOW_OUTSIDE`). */
  readonly allowOutside?: pulumi.Input<boolean> | undefined;
  /** `key`: every create adopts the object that has its natural key (`SHOP_ADOPT`). */
  readonly adopt?: pulumi.Input<string> | undefined;
  /** If staff and the program changed the same field: `stop`, the default, refuses; `overwrite` sends the program's value (`SHOP_CONFLICTS`). */
  readonly conflicts?: pulumi.Input<string> | undefined;
  /** After a refresh has read an edit of staff: `revert`, the default, puts the program's value back and marks it; `keep` leaves the edit in the shop, and creates nothing again that staff deleted; `stop` treats it as a conflict, until `accept`, `--keep` or `--overwrite` decides (`SHOP_DRIFT`). */
  readonly drift?: pulumi.Input<string> | undefined;
  /** Seconds to search for an object whose create lost its response, before the create is sent again, 0 to 600; default 60 (`SHOP_LATE_ANSWERS`). */
  readonly lateAnswers?: pulumi.Input<number> | undefined;
  /** `true`: nothing is deleted, replaced, hidden from shoppers or emptied, and no broken theme source is sent (`SHOP_PROTECTED`). */
  readonly protected?: pulumi.Input<boolean> | undefined;
  /** Percent that a price or a charge may change; no limit if left out, as with all limits (`SHOP_MAX_PRICE_CHANGE`). */
  readonly maxPriceChange?: pulumi.Input<number> | undefined;
  /** Percent of an order that a new or changed discount may take (`SHOP_MAX_DISCOUNT`). */
  readonly maxDiscount?: pulumi.Input<number> | undefined;
  /** `refuse`: no price below `costPrice`; `allow` is the default (`SHOP_BELOW_COST`). */
  readonly belowCost?: pulumi.Input<string> | undefined;
  /** Objects that one run may delete. Plain `pulumi` doesn't check it, because it doesn't tell the provider the whole plan (`SHOP_MAX_DELETES`). */
  readonly maxDeletes?: pulumi.Input<number> | undefined;
  /** Objects that one run may replace. Plain `pulumi` doesn't check it either (`SHOP_MAX_REPLACEMENTS`). */
  readonly maxReplacements?: pulumi.Input<number> | undefined;
}
