/** Converts request parameters to column values as Rails does; a value that can't be converted is refused. */
import type { Param, Params, Shape } from "./documents.ts";

/** A refusal with 422: field and text; the field is "base" if no single one is wrong. */
export class Invalid extends Error {
  readonly errors: readonly (readonly [field: string, text: string])[];
  constructor(errors: readonly (readonly [field: string, text: string])[]) {
    super(errors.map(([field, text]) => `${field} ${text}`).join("; "));
    this.errors = errors;
  }
}

/** A refusal without an object: 404, 400, 413 and so on. */
export class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export type Convert = (value: Param, field: string) => unknown;

/** Whether a value is missing or only white space, like Rails' `blank?`. */
export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "string" && value.trim() === "");

export const asText: Convert = (value, field) => {
  if (value === null || typeof value === "string") return value;
  throw new Invalid([[field, "must be a text"]]);
};

const truths = ["1", "true", "t", "on"];
const untruths = ["0", "false", "f", "off"];

// Rails takes any other word for true. Not attested; chosen: only known words, so that typing errors are found.
export const asBoolean: Convert = (value, field) => {
  if (isBlank(value)) return null;
  const word = typeof value === "string" ? value.trim().toLowerCase() : "";
  if (truths.includes(word)) return true;
  if (untruths.includes(word)) return false;
  throw new Invalid([[field, "must be true or false"]]);
};
/** A boolean that interface.md never shows empty: blank means false. */
export const asFlag: Convert = (value, field) => asBoolean(value, field) ?? false;
export const asInteger: Convert = (value, field) => {
  if (isBlank(value)) return null;
  if (typeof value === "string" && /^\s*[+-]?\d{1,15}(\.0*)?\s*$/.test(value)) return Number(value);
  throw new Invalid([[field, "is not a number"]]);
};

/** Decimals are kept as texts with at least one fractional digit (platform-facts.md, section 2). */
export const asDecimal: Convert = (value, field) => {
  if (isBlank(value)) return null;
  const pattern = /^\s*([+-]?)(?=\.?\d)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,2}))?\s*$/i;
  const match = typeof value === "string" && value.length < 100 ? pattern.exec(value) : null;
  if (match === null) throw new Invalid([[field, "is not a number"]]);
  const [, sign, before = "", after = "", exponent = "0"] = match;
  const shift = Number(exponent);
  // Shift the decimal point in the text: floating point would round prices.
  const digits = shift < 0 ? before.padStart(1 - shift, "0") + after : before + after.padEnd(shift, "0");
  const point = shift < 0 ? Math.max(before.length, 1 - shift) + shift : before.length + shift;
  const whole = digits.slice(0, point).replace(/^0+(?=\d)/, "") || "0";
  const fraction = digits.slice(point).replace(/0+$/, "");
  const isZero = /^0*$/.test(whole + fraction);
  return `${sign === "-" && !isZero ? "-" : ""}${whole}.${fraction === "" ? "0" : fraction}`;
};

/** A date; a time is cut to its day, as in Rails. */
export const asDate: Convert = (value, field) => {
  if (isBlank(value)) return null;
  const [, day] =
    typeof value === "string"
      ? (/^\s*(\d{4}-\d{2}-\d{2})(?:[T ][\d:.]+\s*(?:Z|UTC|[+-][\d:]+)?)?\s*$/i.exec(value) ?? [])
      : [];
  if (day !== undefined && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day)) return day;
  throw new Invalid([[field, "is not a date"]]);
};
export const oneOf =
  (...known: readonly string[]): Convert =>
  (value, field) => {
    if (typeof value === "string" && known.includes(value)) return value;
    throw new Invalid([[field, "is not included in the list"]]);
  };

export type Columns = Readonly<Record<string, Convert>>;

const byType: Columns = {
  string: asText,
  integer: asInteger,
  decimal: asDecimal,
  boolean: asBoolean,
  date: asDate,
};

/**
 * The columns that a request sets: those of a document, except for its id, its times and its lists.
 * @param onlyShown the other ones that a request doesn't set
 * @param own those that have other rules than their type
 */
export function columnsOf(shape: Shape, onlyShown: readonly string[], own: Columns = {}): Columns {
  const typed = Object.entries(shape).flatMap(([name, type]): [string, Convert][] => {
    const take = typeof type === "string" && name !== "id" ? byType[type] : undefined;
    return take === undefined || onlyShown.includes(name) ? [] : [[name, take]];
  });
  return { ...Object.fromEntries(typed), ...own };
}

/** Converts the columns that a request sets; unknown keys are ignored (platform-facts.md, section 3). */
export function convertedColumns(columns: Columns, params: Params): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const errors: (readonly [string, string])[] = [];
  for (const [name, take] of Object.entries(columns)) {
    const value = params[name];
    if (value === undefined) continue;
    try {
      values[name] = take(value, name);
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      errors.push(...error.errors);
    }
  }
  if (errors.length > 0) throw new Invalid(errors);
  return values;
}

export function refuseBlank(values: Readonly<Record<string, unknown>>, names: readonly string[]): void {
  const missing = names.filter((name) => isBlank(values[name]));
  if (missing.length > 0) throw new Invalid(missing.map((name) => [name, "can't be blank"] as const));
}

export function asHash(value: Param | undefined): Params {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Params) : {};
}

/**
 * Nested attributes: a list, a hash of numbers as web forms send it, or a hash with one key that has one or many items
 * (platform-facts.md, section 2).
 */
export function asItems(value: Param | undefined, field: string): readonly Params[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (value === "" || (typeof value === "string" && value.trim() === "")) return [];
  const items = Array.isArray(value) ? (value as readonly Param[]) : Object.values(asHash(value)).flat();
  if (
    typeof value === "string" ||
    !items.every((item) => typeof item === "object" && item !== null && !Array.isArray(item))
  )
    throw new Invalid([[field, "must be a list"]]);
  return items as readonly Params[];
}

/** A list of ids, or a hash with one key that has one or many. @throws Invalid if there is none */
export function asIds(value: Param | undefined, field: string): readonly number[] {
  const ids = Array.isArray(value) ? (value as readonly Param[]) : Object.values(asHash(value)).flat();
  if (ids.length === 0) throw new Invalid([[field, "can't be blank"]]);
  return ids.map((id) => {
    const number = asInteger(id as Param, field);
    if (typeof number !== "number") throw new Invalid([[field, "is not a number"]]);
    return number;
  });
}

/** Refuses unknown keys of a nested item, as the platform does (platform-facts.md, section 3). */
export function knownOnly(item: Params, field: string, known: readonly string[]): void {
  const unknown = Object.keys(item).filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Invalid([
      [field, `undefined keys [${unknown.map((name) => JSON.stringify(name)).join(", ")}]`],
    ]);
}
