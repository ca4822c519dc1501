/** Written by `npm run generate` out of the definitions; a test compares. */
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
 *     { sku: "MUG-RED", price: 12.5, quantity: 40, options: [{ title: "Colour", value: "red" }] },
 *     { sku: "MUG-BLUE", price: 12.5, quantity: 25, options: [{ title: "Colour", value: "blue" }] },
 *   ],
 * });
 * export const permalink = mug.permalink;
 * ```
 */
export interface ProductArgs {
  /** The product's name. */
  readonly title: pulumi.Input<string>;
  /** Category of the warehouse (not a collection); the shop's default one when left out. */
  readonly categoryId?: pulumi.Input<number | "" | undefined>;
  /**
   * Last part of its address; made from the title when left out, and then it stays.
   *
   * Unique in the shop.
   */
  readonly permalink?: pulumi.Input<string | undefined>;
  /** HTML, kept as it is. */
  readonly description?: pulumi.Input<string | undefined>;
  /** HTML for lists. */
  readonly shortDescription?: pulumi.Input<string | undefined>;
  /** Title of its page. */
  readonly htmlTitle?: pulumi.Input<string | undefined>;
  /** Key words for search engines. */
  readonly metaKeywords?: pulumi.Input<string | undefined>;
  /** Description for search engines. */
  readonly metaDescription?: pulumi.Input<string | undefined>;
  /** Not shown to shoppers. */
  readonly isHidden?: pulumi.Input<boolean | undefined>;
  /** Order in lists. */
  readonly sortWeight?: pulumi.Input<number | "" | undefined>;
  /** What is counted: `pce`, `kgm`. */
  readonly unit?: pulumi.Input<string | undefined>;
  /** Length x width x height. */
  readonly dimensions?: pulumi.Input<string | undefined>;
  /** Value added tax in percent; -1 is none. */
  readonly vat?: pulumi.Input<number | "" | undefined>;
  /** Discounts leave its price alone. */
  readonly ignoreDiscounts?: pulumi.Input<boolean | undefined>;
  /** Currency of its prices. */
  readonly currencyCode?: pulumi.Input<string | undefined>;
  /**
   * The collection whose address search engines shall use.
   *
   * The id of a Collection.
   */
  readonly canonicalUrlCollectionId?: pulumi.Input<number | "" | undefined>;
  /**
   * What is sold, at least one. Stated at all, the list is the whole of them.
   *
   * Unique by `sku`.
   */
  readonly variants?: pulumi.Input<readonly pulumi.Input<ProductVariantArgs>[] | undefined>;
  /**
   * Takes over an object that is in the shop instead of creating one: its id, or "key" to find it by its natural key.
   * Taking the argument away later changes nothing.
   */
  readonly adopt?: pulumi.Input<string | undefined>;
}

/** An item of `variants`. */
export interface ProductVariantArgs {
  /** Article number; variants are recognised by it. */
  readonly sku?: pulumi.Input<string | undefined>;
  /**
   * Price in the shop's currency.
   *
   * A number or its decimals as a string, at most 15 significant digits. At least 0.
   */
  readonly price?: pulumi.Input<number | string | undefined>;
  /** Pieces in stock. */
  readonly quantity?: pulumi.Input<number | "" | undefined>;
  /** Bar code. */
  readonly barcode?: pulumi.Input<string | undefined>;
  /**
   * Kilograms.
   *
   * A number or its decimals as a string, at most 15 significant digits.
   */
  readonly weight?: pulumi.Input<number | string | undefined>;
  /** Length x width x height. */
  readonly dimensions?: pulumi.Input<string | undefined>;
  /**
   * What it cost the shop.
   *
   * A number or its decimals as a string, at most 15 significant digits. At least 0.
   */
  readonly costPrice?: pulumi.Input<number | string | undefined>;
  /**
   * The price before, shown crossed out.
   *
   * A number or its decimals as a string, at most 15 significant digits. At least 0.
   */
  readonly oldPrice?: pulumi.Input<number | string | undefined>;
  /**
   * Prices of other kinds, each by the title of its PriceKind; a kind that isn't named keeps its price.
   *
   * At least 0.
   */
  readonly prices?: pulumi.Input<Readonly<Record<string, pulumi.Input<number | string>>> | undefined>;
  /**
   * What tells it from the other variants, a colour or a size.
   *
   * Unique by `title`.
   */
  readonly options?: pulumi.Input<readonly pulumi.Input<ProductVariantOptionArgs>[] | undefined>;
}

/** An item of `options`. */
export interface ProductVariantOptionArgs {
  /** What differs: colour, size. */
  readonly title: pulumi.Input<string>;
  /** Which one this is: red, large. */
  readonly value: pulumi.Input<string>;
}

/** Outputs of a Product. */
export interface ProductOutputs {
  /** The product's name. */
  readonly title: pulumi.Output<string>;
  /** Category of the warehouse (not a collection); the shop's default one when left out. */
  readonly categoryId: pulumi.Output<number | undefined>;
  /** Last part of its address; made from the title when left out, and then it stays. */
  readonly permalink: pulumi.Output<string | undefined>;
  /** HTML, kept as it is. */
  readonly description: pulumi.Output<string | undefined>;
  /** HTML for lists. */
  readonly shortDescription: pulumi.Output<string | undefined>;
  /** Title of its page. */
  readonly htmlTitle: pulumi.Output<string | undefined>;
  /** Key words for search engines. */
  readonly metaKeywords: pulumi.Output<string | undefined>;
  /** Description for search engines. */
  readonly metaDescription: pulumi.Output<string | undefined>;
  /** Not shown to shoppers. */
  readonly isHidden: pulumi.Output<boolean | undefined>;
  /** Order in lists. */
  readonly sortWeight: pulumi.Output<number | undefined>;
  /** What is counted: `pce`, `kgm`. */
  readonly unit: pulumi.Output<string | undefined>;
  /** Length x width x height. */
  readonly dimensions: pulumi.Output<string | undefined>;
  /** Value added tax in percent; -1 is none. */
  readonly vat: pulumi.Output<number | undefined>;
  /** Discounts leave its price alone. */
  readonly ignoreDiscounts: pulumi.Output<boolean | undefined>;
  /** Currency of its prices. */
  readonly currencyCode: pulumi.Output<string | undefined>;
  /** The collection whose address search engines shall use. */
  readonly canonicalUrlCollectionId: pulumi.Output<number | undefined>;
  /** What is sold, at least one. Stated at all, the list is the whole of them. */
  readonly variants: pulumi.Output<readonly ProductVariant[] | undefined>;
  /** Deleted products are archived. */
  readonly archived: pulumi.Output<boolean | undefined>;
  /** Can be bought. */
  readonly available: pulumi.Output<boolean | undefined>;
  /** The collections that show it, and those above them. */
  readonly collectionsIds: pulumi.Output<readonly number[] | undefined>;
  /** Its pictures. */
  readonly images: pulumi.Output<readonly ProductImage[] | undefined>;
  /** What its variants differ in. */
  readonly optionNames: pulumi.Output<readonly ProductOptionName[] | undefined>;
  /** What its characteristics are about. */
  readonly properties: pulumi.Output<readonly ProductProperty[] | undefined>;
  /** Values of its properties. */
  readonly characteristics: pulumi.Output<readonly ProductCharacteristic[] | undefined>;
  /** Values of the shop's own fields. */
  readonly productFieldValues: pulumi.Output<readonly ProductProductFieldValue[] | undefined>;
  /** When it was made. ISO 8601, with its offset. */
  readonly createdAt: pulumi.Output<string | undefined>;
  /** When the shop last changed it; also stock and mass operations do. ISO 8601, with its offset. */
  readonly updatedAt: pulumi.Output<string | undefined>;
}

/** An item of `variants`, as the shop has it. */
export interface ProductVariant {
  /** The number by which the shop takes changes to it. */
  readonly id: number | undefined;
  /** Article number; variants are recognised by it. */
  readonly sku: string | undefined;
  /** Price in the shop's currency. */
  readonly price: number | undefined;
  /** Pieces in stock. */
  readonly quantity: number | undefined;
  /** Bar code. */
  readonly barcode: string | undefined;
  /** Kilograms. */
  readonly weight: number | undefined;
  /** Length x width x height. */
  readonly dimensions: string | undefined;
  /** What it cost the shop. */
  readonly costPrice: number | undefined;
  /** The price before, shown crossed out. */
  readonly oldPrice: number | undefined;
  /** Prices of other kinds, each by the title of its PriceKind; a kind that isn't named keeps its price. */
  readonly prices: Readonly<Record<string, number>> | undefined;
  /** What tells it from the other variants, a colour or a size. */
  readonly options: readonly ProductVariantOption[] | undefined;
  /** The options as an answer has them: by number. */
  readonly optionValues: readonly ProductVariantOptionValue[] | undefined;
}

/** An item of `options`, as the shop has it. */
export interface ProductVariantOption {
  /** What differs: colour, size. */
  readonly title: string;
  /** Which one this is: red, large. */
  readonly value: string;
}

/** An item of `optionValues`, as the shop has it. */
export interface ProductVariantOptionValue {
  /** The option it is a value of. */
  readonly optionNameId: number | undefined;
  /** The value. */
  readonly title: string | undefined;
}

/** An item of `images`, as the shop has it. */
export interface ProductImage {
  /** The picture's number. */
  readonly id: number | undefined;
  /** Its place. */
  readonly position: number | undefined;
  /** Its title. */
  readonly title: string | undefined;
  /** Its file's name. */
  readonly filename: string | undefined;
  /** Address of the original. */
  readonly originalUrl: string | undefined;
}

/** An item of `optionNames`, as the shop has it. */
export interface ProductOptionName {
  /** The option's number. */
  readonly id: number | undefined;
  /** What differs: colour, size. */
  readonly title: string | undefined;
}

/** An item of `properties`, as the shop has it. */
export interface ProductProperty {
  /** The property's number. */
  readonly id: number | undefined;
  /** Its name. */
  readonly title: string | undefined;
  /** Its name in addresses. */
  readonly permalink: string | undefined;
}

/** An item of `characteristics`, as the shop has it. */
export interface ProductCharacteristic {
  /** The value's number. */
  readonly id: number | undefined;
  /** The property it is a value of. */
  readonly propertyId: number | undefined;
  /** The value. */
  readonly title: string | undefined;
}

/** An item of `productFieldValues`, as the shop has it. */
export interface ProductProductFieldValue {
  /** The value's number. */
  readonly id: number | undefined;
  /** The field. */
  readonly productFieldId: number | undefined;
  /** The value. */
  readonly value: string | undefined;
}

/**
 * Arguments of a Coupon.
 *
 * @example
 * ```ts
 * import { Coupon } from "pulumi-shop";
 *
 * new Coupon("spring", { code: "SPRING", discount: 10, typeId: 1, expiredAt: "2030-05-31", minPrice: 30 });
 * ```
 */
export interface CouponArgs {
  /**
   * What a shopper types to get the discount. Two coupons of a shop can't have the same.
   *
   * Unique in the shop.
   */
  readonly code: pulumi.Input<string>;
  /**
   * How much is taken off: percent or money, as `typeId` says.
   *
   * A number or its decimals as a string, at most 15 significant digits. At least 0. At most 100 where `typeId` is 1.
   */
  readonly discount: pulumi.Input<number | string>;
  /**
   * What `discount` counts.
   *
   * One of `1` (percent of the order), `2` (money off the order).
   */
  readonly typeId: pulumi.Input<1 | 2>;
  /** A note; shoppers don't see it. */
  readonly description?: pulumi.Input<string | undefined>;
  /** Keeps the coupon, but refuses it to shoppers. */
  readonly disabled?: pulumi.Input<boolean | undefined>;
  /** Good for one order in all. */
  readonly actOnce?: pulumi.Input<boolean | undefined>;
  /** Good for one order of each customer. */
  readonly actOnceForClient?: pulumi.Input<boolean | undefined>;
  /**
   * The last day it is good for.
   *
   * `YYYY-MM-DD`, a day that exists.
   */
  readonly expiredAt?: pulumi.Input<string | undefined>;
  /**
   * The order's sum from which it is good.
   *
   * A number or its decimals as a string, at most 15 significant digits. At least 0.
   */
  readonly minPrice?: pulumi.Input<number | string | undefined>;
  /**
   * Takes over an object that is in the shop instead of creating one: its id, or "key" to find it by its natural key.
   * Taking the argument away later changes nothing.
   */
  readonly adopt?: pulumi.Input<string | undefined>;
}

/** Outputs of a Coupon. */
export interface CouponOutputs {
  /** What a shopper types to get the discount. Two coupons of a shop can't have the same. */
  readonly code: pulumi.Output<string>;
  /** How much is taken off: percent or money, as `typeId` says. */
  readonly discount: pulumi.Output<number>;
  /** What `discount` counts. */
  readonly typeId: pulumi.Output<1 | 2>;
  /** A note; shoppers don't see it. */
  readonly description: pulumi.Output<string | undefined>;
  /** Keeps the coupon, but refuses it to shoppers. */
  readonly disabled: pulumi.Output<boolean | undefined>;
  /** Good for one order in all. */
  readonly actOnce: pulumi.Output<boolean | undefined>;
  /** Good for one order of each customer. */
  readonly actOnceForClient: pulumi.Output<boolean | undefined>;
  /** The last day it is good for. */
  readonly expiredAt: pulumi.Output<string | undefined>;
  /** The order's sum from which it is good. */
  readonly minPrice: pulumi.Output<number | undefined>;
  /** The shop's own mark; its meaning is not documented. */
  readonly worked: pulumi.Output<boolean | undefined>;
  /** The collections it is limited to; none means all. */
  readonly discountCollections: pulumi.Output<readonly number[] | undefined>;
  /** When it was made. ISO 8601, with its offset. */
  readonly createdAt: pulumi.Output<string | undefined>;
  /** When the shop last changed it. ISO 8601, with its offset. */
  readonly updatedAt: pulumi.Output<string | undefined>;
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
  /**
   * Takes over an object that is in the shop instead of creating one: its id, or "key" to find it by its natural key.
   * Taking the argument away later changes nothing.
   */
  readonly adopt?: pulumi.Input<string | undefined>;
}

/** Outputs of a PriceKind. */
export interface PriceKindOutputs {
  /** The price kind's name in the back office. */
  readonly title: pulumi.Output<string>;
  /** Its number, given by the shop. */
  readonly priceIndex: pulumi.Output<number | undefined>;
  /** Whether lists of the back office show it. */
  readonly showInLists: pulumi.Output<boolean | undefined>;
  /** The variant's attribute that holds this price, `price2` for instance. */
  readonly variantPriceMethodName: pulumi.Output<string | undefined>;
}

/**
 * Arguments of a ApplicationCharge.
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
   * What the shop's owner reads on the invoice.
   *
   * Forces replacement.
   */
  readonly name: pulumi.Input<string>;
  /**
   * What is asked, once.
   *
   * A number or its decimals as a string, at most 15 significant digits. Forces replacement. At least 0.
   */
  readonly price: pulumi.Input<number | string>;
  /**
   * Where the owner's browser goes afterwards; the platform calls it once.
   *
   * Forces replacement.
   */
  readonly returnUrl: pulumi.Input<string>;
  /**
   * Confirms without a payment.
   *
   * Forces replacement.
   */
  readonly test?: pulumi.Input<boolean | undefined>;
  /**
   * Takes over the object of this id instead of creating one.
   * Taking the argument away later changes nothing.
   */
  readonly adopt?: pulumi.Input<string | undefined>;
}

/** Outputs of a ApplicationCharge. */
export interface ApplicationChargeOutputs {
  /** What the shop's owner reads on the invoice. */
  readonly name: pulumi.Output<string>;
  /** What is asked, once. */
  readonly price: pulumi.Output<number>;
  /** Where the owner's browser goes afterwards; the platform calls it once. */
  readonly returnUrl: pulumi.Output<string>;
  /** Confirms without a payment. */
  readonly test: pulumi.Output<boolean | undefined>;
  /** pending, accepted or declined. */
  readonly status: pulumi.Output<string | undefined>;
  /** Where the owner confirms. */
  readonly confirmationUrl: pulumi.Output<string | undefined>;
  /** When it was made. ISO 8601, with its offset. */
  readonly createdAt: pulumi.Output<string | undefined>;
  /** When the shop last changed it. ISO 8601, with its offset. */
  readonly updatedAt: pulumi.Output<string | undefined>;
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
   * What the shop pays each month.
   *
   * A number or its decimals as a string, at most 15 significant digits. At least 0.
   */
  readonly monthly: pulumi.Input<number | string>;
  /**
   * Takes over an object that is in the shop instead of creating one: its id, or "key" to find it by its natural key.
   * Taking the argument away later changes nothing.
   */
  readonly adopt?: pulumi.Input<string | undefined>;
}

/** Outputs of a RecurringCharge. */
export interface RecurringChargeOutputs {
  /** What the shop pays each month. */
  readonly monthly: pulumi.Output<number>;
  /** The last day of the trial. */
  readonly trialExpiredAt: pulumi.Output<string | undefined>;
  /** Access is stopped. */
  readonly blocked: pulumi.Output<boolean | undefined>;
  /** The day until which access is paid. */
  readonly paidTill: pulumi.Output<string | undefined>;
  /** When it was made. ISO 8601, with its offset. */
  readonly createdAt: pulumi.Output<string | undefined>;
  /** When the shop last changed it. ISO 8601, with its offset. */
  readonly updatedAt: pulumi.Output<string | undefined>;
}

/**
 * Arguments of a Asset.
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
   * The theme it belongs to.
   *
   * The id of a Theme. Forces replacement.
   */
  readonly themeId: pulumi.Input<number>;
  /**
   * What the theme uses it for.
   *
   * One of `Asset::Template` (a page of the shop, in Liquid), `Asset::Snippet` (a part that templates include, in Liquid), `Asset::Media` (a style sheet, a script, an image or a font), `Asset::Configuration` (the theme's settings). Forces replacement.
   */
  readonly type: pulumi.Input<"Asset::Template" | "Asset::Snippet" | "Asset::Media" | "Asset::Configuration">;
  /** File name in the theme; a page's own template is `page.<name>.liquid`. Changed in place by renaming. */
  readonly name: pulumi.Input<string>;
  /**
   * The body as text. State one of `content`, `file` and `src`.
   *
   * Exactly one of `content`, `file`, `src`.
   */
  readonly content?: pulumi.Input<string | undefined>;
  /**
   * The body as a file of the project, text or not.
   *
   * Exactly one of `content`, `file`, `src`. A path inside the project's folder.
   */
  readonly file?: pulumi.Input<string | pulumi.asset.FileAsset | undefined>;
  /**
   * The body as an address from which the shop fetches it.
   *
   * Exactly one of `content`, `file`, `src`. Forces replacement.
   */
  readonly src?: pulumi.Input<string | undefined>;
  /**
   * Takes over an object that is in the shop instead of creating one: its id, or "key" to find it by its natural key.
   * Taking the argument away later changes nothing.
   */
  readonly adopt?: pulumi.Input<string | undefined>;
}

/** Outputs of a Asset. */
export interface AssetOutputs {
  /** The theme it belongs to. */
  readonly themeId: pulumi.Output<number>;
  /** What the theme uses it for. */
  readonly type: pulumi.Output<
    "Asset::Template" | "Asset::Snippet" | "Asset::Media" | "Asset::Configuration"
  >;
  /** File name in the theme; a page's own template is `page.<name>.liquid`. Changed in place by renaming. */
  readonly name: pulumi.Output<string>;
  /** MIME type. */
  readonly contentType: pulumi.Output<string | undefined>;
  /** Bytes, as the shop counts them; not always the length of the content. */
  readonly fileSize: pulumi.Output<number | undefined>;
  /** The name that the back office shows. */
  readonly humanReadableName: pulumi.Output<string | undefined>;
  /** Path at which the shop serves it; changes with each edit. */
  readonly assetUrl: pulumi.Output<string | undefined>;
  /** Whether the body is text, which can be changed in place. */
  readonly isText: pulumi.Output<boolean | undefined>;
  /** SHA-256 of the body, lowercase hex: read back where it is text, as sent where it is not. */
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
   * The body as text. State one of `content`, `file` and `src`.
   *
   * Exactly one of `content`, `file`, `src`. Forces replacement.
   */
  readonly content?: pulumi.Input<string | undefined>;
  /**
   * The body as a file of the project.
   *
   * Exactly one of `content`, `file`, `src`. A path inside the project's folder. Forces replacement.
   */
  readonly file?: pulumi.Input<string | pulumi.asset.FileAsset | undefined>;
  /**
   * The body as an address from which the shop fetches it.
   *
   * Exactly one of `content`, `file`, `src`. Forces replacement.
   */
  readonly src?: pulumi.Input<string | undefined>;
  /**
   * Last part of the file's address; that of `file` when left out, needed beside `content`.
   *
   * Forces replacement.
   */
  readonly filename?: pulumi.Input<string | undefined>;
  /**
   * Takes over the object of this id instead of creating one.
   * Taking the argument away later changes nothing.
   */
  readonly adopt?: pulumi.Input<string | undefined>;
}

/** Outputs of a File. */
export interface FileOutputs {
  /** Where shoppers get it. */
  readonly absoluteUrl: pulumi.Output<string | undefined>;
  /** When it was uploaded. ISO 8601, with its offset. */
  readonly createdAt: pulumi.Output<string | undefined>;
  /** SHA-256 of the body as it was sent, lowercase hex; absent with `src`. */
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
   * How `content` is meant.
   *
   * One of `JsTag::TextTag` (content is JavaScript, put into the page), `JsTag::FileTag` (content is the address of a script). Forces replacement.
   */
  readonly type: pulumi.Input<"JsTag::TextTag" | "JsTag::FileTag">;
  /**
   * JavaScript, or the address of a script.
   *
   * Forces replacement.
   */
  readonly content: pulumi.Input<string>;
  /**
   * A label by which staff, and `adopt: "key"`, find it.
   *
   * Forces replacement.
   */
  readonly name?: pulumi.Input<string | undefined>;
  /**
   * Takes over an object that is in the shop instead of creating one: its id, or "key" to find it by its natural key.
   * Taking the argument away later changes nothing.
   */
  readonly adopt?: pulumi.Input<string | undefined>;
}

/** Outputs of a JsTag. */
export interface JsTagOutputs {
  /** How `content` is meant. */
  readonly type: pulumi.Output<"JsTag::TextTag" | "JsTag::FileTag">;
  /** JavaScript, or the address of a script. */
  readonly content: pulumi.Output<string>;
  /** A label by which staff, and `adopt: "key"`, find it. */
  readonly name: pulumi.Output<string | undefined>;
  /** The shop's account. */
  readonly accountId: pulumi.Output<number | undefined>;
  /** The installed application that owns it. */
  readonly applicationPasswordId: pulumi.Output<number | undefined>;
  /** When it was made. ISO 8601, with its offset. */
  readonly createdAt: pulumi.Output<string | undefined>;
  /** When the shop last changed it. ISO 8601, with its offset. */
  readonly updatedAt: pulumi.Output<string | undefined>;
}
