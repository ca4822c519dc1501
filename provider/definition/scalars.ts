/**
 * Decodes the texts of documents, and encodes values (interface.md, Conventions 3 to 5). A text that would need a guess is
 * rejected.
 */
import { meantNumber } from "../names/number.ts";
import type { Codec } from "./field.ts";

type Is<T> = (value: unknown) => value is T;
const isText: Is<string> = (value) => typeof value === "string";
const isBoolean: Is<boolean> = (value) => typeof value === "boolean";
const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);
const isNumber = (value: unknown): value is number => Number.isFinite(value);

/** @param wrong the reason for a rejection: `is not an integer` */
function codec<T>(
  is: Is<T>,
  wrong: string,
  {
    read,
    write = String,
  }: { readonly read: (text: string) => T | undefined; readonly write?: (value: T) => string },
): Codec<T> {
  return {
    decode(text) {
      const value = read(text);
      return value === undefined ? { wrong: `${quoted(text)} ${wrong}` } : { value };
    },
    encode: (value) => (is(value) ? { value: write(value) } : { wrong }),
  };
}

/** An integer that a number can hold. */
export const integerWire = codec(isInteger, "is not an integer", {
  read: (text) => {
    const value = Number(text);
    return /^\s*[+-]?\d+\s*$/.test(text) && isInteger(value) ? value : undefined;
  },
});

/** A decimal with up to fifteen digits (`decimalOf`). */
export const decimalWire = codec(isNumber, "is not a decimal that a number holds without loss", {
  read: (text) => decimalOf(text),
  write: (value) => withFraction(canonicalDecimal(String(value)) ?? String(value)),
});

const booleans = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);
const readBoolean = (text: string) => booleans.get(text);

/** true and false, or 1 and 0 as in requests for coupons (interface.md, Discount code). */
export const booleanWire = codec(isBoolean, "is neither true nor false", { read: readBoolean });

/** A boolean that requests have as a number (interface.md, Discount code: disabled). */
export const flagWire = codec(isBoolean, "is neither true nor false", {
  read: readBoolean,
  write: (value) => (value ? "1" : "0"),
});

/** A date, YYYY-MM-DD. */
export const dateWire = codec(isText, "is not a date YYYY-MM-DD", {
  read: (text) => (isDate(text) ? text : undefined),
});

/** A timestamp in format A or B (interface.md, Conventions 4). Values are ISO 8601 with an offset. */
export const timeWire = (format: "A" | "B"): Codec<string> =>
  codec(isText, "is not a timestamp of format A or B", {
    read: isoTime,
    write: (value) =>
      format === "A" ? value : value.replace("T", " ").replace(/([+-]\d\d):(\d\d)$/, " $1$2"),
  });

export const textWire = codec(isText, "is not a text", { read: (text) => text });

/**
 * The number of a decimal text; undefined if it isn't one or has too many digits. Rounding errors of arithmetic are removed
 * (`meantNumber`).
 */
export function decimalOf(text: string): number | undefined {
  const canonical = canonicalDecimal(text);
  if (canonical === undefined) return undefined;
  const value = Number(canonical);
  return canonicalDecimal(String(value)) === canonical ? meantNumber(value) : undefined;
}

/** "Decimals carry a fractional part (for example 180.0)" (interface.md, Conventions 3). */
export function withFraction(canonical: string): string {
  return canonical.replace(/^(-?\d+)$/, "$1.0");
}

const longestDecimal = 1_000;

/** The canonical spelling of a decimal: no redundant zeros, no exponent, no plus, no minus zero. */
export function canonicalDecimal(text: string): string | undefined {
  // No number has more digits, and the expressions below are slow on a long row of zeros.
  if (text.length > longestDecimal) return undefined;
  const match = /^\s*([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?\s*$/.exec(text);
  const whole = match?.[2] ?? "";
  const fraction = match?.[3] ?? "";
  if (match === null || (whole === "" && fraction === "")) return undefined;
  const digits = whole + fraction;
  const point = whole.length + Number(match[4] ?? 0);
  const left = (point <= 0 ? "" : digits.padEnd(point, "0").slice(0, point))
    .replace(/^0+(?=\d)/, "")
    .padStart(1, "0");
  const right = (point <= 0 ? "0".repeat(-point) + digits : digits.slice(point)).replace(/0+$/, "");
  const magnitude = right === "" ? left : `${left}.${right}`;
  return match[1] === "-" && magnitude !== "0" ? `-${magnitude}` : magnitude;
}

/** Whether a text is an existing date, YYYY-MM-DD. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const moment = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text);
}

function isoTime(text: string): string | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2}(?:\.\d+)?)\s*(Z|UTC|[+-]\d{2}:?\d{2})$/.exec(
    text,
  );
  if (match === null) return undefined;
  const offset = /^[ZU]/.test(match[3] ?? "")
    ? "+00:00"
    : (match[3] ?? "").replace(/^([+-]\d\d):?(\d\d)$/, "$1:$2");
  const iso = `${match[1]}T${match[2]}${offset}`;
  return isDate(match[1] ?? "") && !Number.isNaN(Date.parse(iso)) ? iso : undefined;
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}...` : text);
}

const forbiddenCharacter = new RegExp(
  "[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]" +
    "|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]",
);

/**
 * Finds a character that XML 1.0 can't carry.
 * @returns its position from 0; undefined if there is none
 */
export function forbiddenAt(text: string): number | undefined {
  const found = forbiddenCharacter.exec(text);
  return found === null ? undefined : found.index;
}
