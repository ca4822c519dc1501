/**
 * Limits for coupons and prices. A policy sees the arguments of the program after the provider checked them, never the state or the
 * shop. So a price is compared with the old price beside it (`oldPrice`), and with fixed bounds.
 */
import { type ResourceValidationPolicy, validateResourceOfType } from "@pulumi/policy";
import { Coupon, Product } from "pulumi-shop";

const percent = 1;

/** In percent. Each is a setting of its policy. */
const defaults = { mostOff: 50, mostCut: 60, least: 1, most: 10_000 };

const couponAtMost: ResourceValidationPolicy = {
  name: "coupon-at-most",
  description: "No coupon takes more than half of an order.",
  configSchema: { properties: { mostOff: { type: "number", default: defaults.mostOff } } },
  validateResource: validateResourceOfType(Coupon, (coupon, args, report) => {
    const { mostOff } = { ...defaults, ...args.getConfig<Partial<typeof defaults>>() };
    const off = Number(coupon.discount);
    const least = Number(coupon.minPrice ?? 0);
    if (coupon.typeId === percent && off > mostOff)
      report(`the coupon ${coupon.code} takes ${off} %, at most ${mostOff} % is allowed`);
    if (coupon.typeId !== percent && off * 100 > least * mostOff)
      report(
        `the coupon ${coupon.code} takes ${off} of an order of ${least}, at most ${mostOff} % is allowed: raise minPrice`,
      );
  }),
};

/** The variants of a product, as a list or as an object by SKU. */
type Variants = Readonly<
  Record<string, { readonly sku?: string; readonly price?: unknown; readonly oldPrice?: unknown }>
>;
const variantsOf = (variants: unknown) => Object.values((variants ?? {}) as Variants);

const cutAtMost: ResourceValidationPolicy = {
  name: "price-cut-at-most",
  description:
    "No price falls by more than so many percent of the one that is shown crossed out, or rises above it.",
  configSchema: { properties: { mostCut: { type: "number", default: defaults.mostCut } } },
  validateResource: validateResourceOfType(Product, ({ variants }, args, report) => {
    const { mostCut } = { ...defaults, ...args.getConfig<Partial<typeof defaults>>() };
    for (const { sku, price, oldPrice } of variantsOf(variants)) {
      const [now, before] = [Number(price ?? 0), Number(oldPrice ?? 0)];
      if (before === 0) continue;
      const cut = Math.round((1 - now / before) * 100);
      if (cut > mostCut)
        report(`${sku}: ${before} -> ${now} is ${cut} % less, at most ${mostCut} % is allowed`);
      if (now >= before) report(`${sku}: oldPrice ${before} isn't above the price, ${now}`);
    }
  }),
};

const priceBetween: ResourceValidationPolicy = {
  name: "price-between",
  description: "No price is outside what this shop sells for: a slipped decimal point.",
  configSchema: {
    properties: {
      least: { type: "number", default: defaults.least },
      most: { type: "number", default: defaults.most },
    },
  },
  validateResource: validateResourceOfType(Product, ({ variants }, args, report) => {
    const { least, most } = { ...defaults, ...args.getConfig<Partial<typeof defaults>>() };
    for (const { sku, price } of variantsOf(variants))
      if (price !== undefined && (Number(price) < least || Number(price) > most))
        report(`${sku}: the price ${Number(price)} is not between ${least} and ${most}`);
  }),
};

export const policies = [couponAtMost, cutAtMost, priceBetween];
