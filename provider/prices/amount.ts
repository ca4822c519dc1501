/** Amounts as people write them: 1 234,50 ₽ and 1,234.50 are one. */
import { decimalOf } from "../definition/scalars.ts";

/** Which sign stands before the decimals. */
export type Point = "." | ",";

const codes =
  "AED|AMD|AZN|BGN|BRL|BYN|CAD|CHF|CNY|CZK|DKK|EUR|GBP|GEL|HUF|ILS|INR|JPY|KGS|KZT|MDL|NOK|PLN|RON|RSD|RUB|RUR|SEK|TRY|UAH|USD|UZS";
const currency = `(?:${codes}|руб|р|коп|грн|тг|сум|сом|лв|дин|zł|Kč|kr|Ft|TL|lei|US|R)\\.?`;
const currencies = new RegExp(`^${currency}|${currency}$`, "giu");
const spaces = /[\s\u00a0\u202f'’]/gu;
/** `12,-`: no cents. */
const noCents = /(?<=\d)[.,:]\s?[-–—]+$/u;

const bareOf = (text: string) =>
  text
    // Signs without width come along when cells are copied from a page.
    .replaceAll(/[\p{Sc}\p{Cf}]/gu, "")
    .replace(/^\u2212/u, "-")
    .trim()
    .replaceAll(currencies, "")
    .trim()
    .replace(noCents, "");

/** What the decimals of a text are told by; undefined where it has none, or they may be thousands. */
function pointIn(text: string): Point | undefined {
  const signs = text.replaceAll(/[^.,]/g, "");
  if (signs === "") return undefined;
  const last: Point = signs.endsWith(".") ? "." : ",";
  const isMixed = new Set(signs).size > 1;
  if (!isMixed && signs.length > 1) return last === "." ? "," : ".";
  const after = text.slice(text.lastIndexOf(last) + 1).length;
  return isMixed || after !== 3 || /^[+-]?0*[.,]/.test(text) ? last : undefined;
}

/** What the decimals of a column are told by, where its amounts say one thing. */
export function pointOf(texts: readonly string[]): Point | undefined {
  const amounts = [...new Set(texts)].filter((text) => amountOf(text, ",") !== undefined);
  const [point, ...others] = new Set(amounts.flatMap((text) => pointIn(bareOf(text)) ?? []));
  return others.length === 0 ? point : undefined;
}

/** A number, `ambiguous` where its one sign may be of decimals or of thousands, undefined where it is none. */
export function amountOf(text: string, usual: Point | undefined): number | "ambiguous" | undefined {
  const bare = bareOf(text);
  // Thousands are three digits each, whatever stands between them.
  const isGrouped = /^[+-]?\d{1,3}(?:[\s\u00a0\u202f'’]\d{3})+(?:[.,]\d+)?$/u.test(bare);
  // In India those above the thousands are two each: 12,34,567.
  const isIndian = /^[+-]?\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?$/.test(bare);
  if (isIndian) return decimalOf(bare.replaceAll(",", ""));
  const digits = isGrouped ? bare.replaceAll(spaces, "") : bare;
  if (!/^[+-]?\d+(?:[.,]\d+)*$/.test(digits)) return undefined;
  const point = isGrouped ? ([".", ","] as const).find((sign) => digits.includes(sign)) : pointIn(digits);
  const isOpen = /[.,]/.test(digits) && point === undefined;
  if (isOpen && usual === undefined) return "ambiguous";
  const decimal = point ?? usual ?? ".";
  const thousands = decimal === "." ? "," : ".";
  const [whole = "", fraction, ...more] = digits.split(decimal);
  if (more.length > 0 || fraction?.includes(thousands)) return undefined;
  if (whole.includes(thousands) && !/^[+-]?\d{1,3}(?:[.,]\d{3})+$/.test(whole)) return undefined;
  return decimalOf(`${whole.replaceAll(thousands, "")}${fraction === undefined ? "" : `.${fraction}`}`);
}

/**
 * An amount written as another one is: its currency, its decimals and their sign, its thousands.
 * @param usual the sign of decimals, where that one doesn't tell
 */
export function amountLike(sample: string, value: number, usual: Point | undefined): string {
  const [, before = "", digits = "", end = ""] = /^(\D*)(\d(?:.*\d)?)(\D*)$/s.exec(sample) ?? [];
  const own = amountOf(digits, usual);
  const signs = [".", ","] as const;
  const sign = signs.find((one) => {
    const [whole = "", fraction, ...more] = digits.split(one);
    return (
      more.length === 0 &&
      /^\d+$/.test(fraction ?? "") &&
      Number(`${whole.replaceAll(/\D/g, "")}.${fraction}`) === own
    );
  });
  const [whole = "", fraction = ""] = sign === undefined ? [digits] : digits.split(sign);
  const between = /\d(\D)\d{3}/.exec(whole)?.[1] ?? "";
  const [units = "", cents = ""] = String(value).split(".");
  const decimals = cents.padEnd(fraction.length, "0");
  const after = cents === "" ? end : end.replace(/^[.,:]\s?[-–—]+/u, "");
  const grouped = units.replaceAll(/\B(?=(?:\d{3})+$)/g, between);
  return `${before}${grouped}${decimals === "" ? "" : `${sign ?? usual ?? "."}${decimals}`}${after}`;
}
