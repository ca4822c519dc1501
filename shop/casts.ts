/** Texts of a request to values of a column, the way Rails casts them; what can't be cast is a refusal. */
import type { Param, Params } from "./documents.ts";

/** A refusal with 422: field and text; the field is "base" where none is to blame. */
export class Invalid extends Error {
  readonly errors: readonly (readonly [field: string, text: string])[];
  constructor(errors: readonly (readonly [field: string, text: string])[]) {
    super(errors.map(([field, text]) => `${field} ${text}`).join("; "));
    this.errors = errors;
  }
}

/** An answer without an object: 404, 400, 413 and their like. */
export class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** How one column takes a parameter. */
export type Cast = (value: Param, field: string) => unknown;

const blank = (value: Param) => value === null || value === "";

export const asText: Cast = (value, field) => {
  if (value === null || typeof value === "string") return value;
  throw new Invalid([[field, "must be a text"]]);
};
export const asBoolean: Cast = (value, field) => {
  if (blank(value)) return null;
  if (value === "1" || value === "true") return true;
  if (value === "0" || value === "false") return false;
  throw new Invalid([[field, "must be true or false"]]);
};
export const asInteger: Cast = (value, field) => {
  if (blank(value)) return null;
  if (typeof value === "string" && /^\s*-?\d{1,15}\s*$/.test(value)) return Number(value);
  throw new Invalid([[field, "is not a number"]]);
};
/** Decimals are kept as texts with at least one fractional digit (platform-facts.md, section 2). */
export const asDecimal: Cast = (value, field) => {
  if (blank(value)) return null;
  const match = typeof value === "string" ? /^\s*([+-]?)(\d+)(?:\.(\d+))?\s*$/.exec(value) : null;
  if (match === null) throw new Invalid([[field, "is not a number"]]);
  const whole = (match[2] as string).replace(/^0+(?=\d)/, "");
  const fraction = (match[3] ?? "").replace(/0+$/, "");
  return `${match[1] === "-" ? "-" : ""}${whole}.${fraction === "" ? "0" : fraction}`;
};
export const asDate: Cast = (value, field) => {
  if (blank(value)) return null;
  if (
    typeof value === "string" &&
    /^\d{4}-\d{2}-\d{2}$/.test(value) &&
    new Date(`${value}T00:00:00Z`).toJSON()?.startsWith(value)
  )
    return value;
  throw new Invalid([[field, "is not a date"]]);
};
export const oneOf =
  (...known: readonly string[]): Cast =>
  (value, field) => {
    if (typeof value === "string" && known.includes(value)) return value;
    throw new Invalid([[field, "is not included in the list"]]);
  };

export type Columns = Readonly<Record<string, Cast>>;

/** The columns that a request states, cast; what is no column is ignored (platform-facts.md, section 3). */
export function cast(columns: Columns, params: Params): Record<string, unknown> {
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

/** Refuses where one of these is missing or blank. */
export function require_(values: Readonly<Record<string, unknown>>, names: readonly string[]): void {
  const missing = names.filter(
    (name) => values[name] === undefined || values[name] === null || values[name] === "",
  );
  if (missing.length > 0) throw new Invalid(missing.map((name) => [name, "can't be blank"] as const));
}

/** A parameter as a hash. */
export function asHash(value: Param | undefined): Params {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Params) : {};
}

/** Nested attributes: a list, or a hash with one key, which holds one or many (platform-facts.md, section 2). */
export function asItems(value: Param | undefined): readonly Params[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return value.map(asHash);
  if (value === "") return [];
  const inner = Object.values(asHash(value))[0];
  return Array.isArray(inner) ? inner.map(asHash) : [asHash(inner)];
}
