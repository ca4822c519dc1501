import { type Problems, quote } from "./problems.ts";
import { type Season, seasons } from "./seasons.ts";

/** The settings that differ between stacks. The rest of the shop is the same in all of them. */
export interface Settings {
  /** The year of the coupons. It is a setting, so that the same program always creates the same shop. */
  readonly year: number;
  /** The current season. Its coupons are enabled, the others are disabled. */
  readonly season: Season;
  /** The largest discount of a coupon, in percent. */
  readonly discountCeiling: number;
  /** A line at the top of every page. Empty: no line. */
  readonly banner: string;
  /** The monthly fee of this application. */
  readonly monthly: string;
  /** Charges are confirmed without a payment. */
  readonly testCharges: boolean;
}

interface Setting<T> {
  readonly fallback: string;
  readonly form: RegExp;
  readonly wanted: string;
  readonly value: (text: string) => T;
}

const settings: { readonly [K in keyof Settings]: Setting<Settings[K]> } = {
  year: { fallback: "2027", form: /^20\d\d$/, wanted: "a year such as 2027", value: Number },
  season: {
    fallback: "spring",
    form: new RegExp(`^(${Object.keys(seasons).join("|")})$`),
    wanted: `one of ${Object.keys(seasons).join(", ")}`,
    value: (text) => text as Season,
  },
  discountCeiling: {
    fallback: "25",
    form: /^([1-9]\d?|100)$/,
    wanted: "an integer percent from 1 to 100",
    value: Number,
  },
  banner: {
    fallback: "The first warm firing of the year is out of the kiln.",
    // A Liquid template contains it unescaped.
    form: /^[^{}<>&\r\n]{0,120}$/,
    wanted: "one line of at most 120 characters without { } < > &",
    value: (text) => text,
  },
  monthly: {
    fallback: "29.00",
    form: /^\d{1,7}(\.\d{1,2})?$/,
    wanted: "an amount such as 29.00",
    value: (text) => text,
  },
  testCharges: {
    fallback: "false",
    form: /^(true|false)$/,
    wanted: "true or false",
    value: (text) => text === "true",
  },
};

/** @param get the stack's own value of a key of `storefront:`, if it has one */
export function readSettings(get: (key: string) => string | undefined, problems: Problems): Settings {
  const read = Object.entries(settings).map(([key, { fallback, form, wanted, value }]) => {
    const text = get(key) ?? fallback;
    if (!form.test(text))
      problems.push(`configuration: storefront:${key} is ${quote(text)}; write ${wanted}`);
    return [key, value(text)];
  });
  return Object.fromEntries(read) as Settings;
}
