/**
 * Wire types: what a text of a document means, both ways in one object (interface.md, Conventions 3 to 5).
 * Decoding refuses what it would have to guess; the message says what stood there.
 */
import { z } from "zod";
import { meantNumber } from "../names/number.ts";

interface Refusing {
  readonly issues: unknown[];
  readonly value: unknown;
}

/** Adds an issue and answers zod's mark for "no value". */
export function refuse(context: Refusing, message: string): never {
  context.issues.push({ code: "custom", message, input: context.value });
  return z.NEVER;
}

/** An integer without loss. */
export const integerWire = z.codec(z.string(), z.int(), {
  decode: (text, context) => {
    const value = Number(text);
    if (/^\s*[+-]?\d+\s*$/.test(text) && Number.isSafeInteger(value)) return value;
    return refuse(context, `${quoted(text)} is not an integer`);
  },
  encode: (value) => String(value),
});

/** A decimal of fifteen digits (`decimalOf`): more than a number holds are refused. */
export const decimalWire = z.codec(z.string(), z.number(), {
  decode: (text, context) =>
    decimalOf(text) ?? refuse(context, `${quoted(text)} is not a decimal that a number holds without loss`),
  encode: (value) => withFraction(canonicalDecimal(String(value)) ?? String(value)),
});

const readBoolean = (text: string, context: Refusing) => {
  if (text === "true" || text === "1") return true;
  if (text === "false" || text === "0") return false;
  return refuse(context, `${quoted(text)} is neither true nor false`);
};

/** true and false; 1 and 0 as coupons are sent (interface.md, Discount code). */
export const booleanWire = z.codec(z.string(), z.boolean(), { decode: readBoolean, encode: String });

/** A boolean that the interface shows as a number in requests (interface.md, Discount code: disabled). */
export const flagWire = z.codec(z.string(), z.boolean(), {
  decode: readBoolean,
  encode: (value) => (value ? "1" : "0"),
});

/** A day, YYYY-MM-DD. */
export const dateWire = z.codec(z.string(), z.string(), {
  decode: (text, context) =>
    isDate(text) ? text : refuse(context, `${quoted(text)} is not a date YYYY-MM-DD`),
  encode: (value) => value,
});

/** A timestamp in format A or B (interface.md, Conventions 4); ISO 8601 with its offset inside. */
export function timeWire(format: "A" | "B") {
  return z.codec(z.string(), z.string(), {
    decode: (text, context) =>
      isoTime(text) ?? refuse(context, `${quoted(text)} is not a timestamp of format A or B`),
    encode: (value) =>
      format === "A" ? value : value.replace("T", " ").replace(/([+-]\d\d):(\d\d)$/, " $1$2"),
  });
}

/** Text as it stands. */
export const textWire = z.codec(z.string(), z.string(), { decode: (text) => text, encode: (text) => text });

/**
 * The number that a decimal text means, or undefined where it says none or more digits than a number holds: programs and
 * shops alike have what arithmetic left (`meantNumber`).
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

/** One spelling for equal decimals: no leading or trailing zeros, no exponent, no plus, no minus zero. */
export function canonicalDecimal(text: string): string | undefined {
  // No number holds more; and what follows searches again and again in a long row of zeros.
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

/** Whether a text is a day that exists, as YYYY-MM-DD. */
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
 * Where a text holds a character that XML 1.0 can't carry.
 * @returns the character's position from 0, or undefined when the text is fine
 */
export function forbiddenAt(text: string): number | undefined {
  const found = forbiddenCharacter.exec(text);
  return found === null ? undefined : found.index;
}
