import type { WrittenForm, WrittenForms } from "../names/written-forms.ts";

/** One field of a kind. */

/**
 * Who sets a field, and where it occurs:
 * - `required`, `optional`: an argument and an output
 * - `computed`: an output that the shop sets
 * - `body`: an argument that is sent, and never kept in the state
 * - `program`: an argument that isn't sent under its own name (a local file)
 * - `client`: sent by the client; a program can't set it (an attachment)
 * - `derived`: an output that the provider computes (a hash)
 */
export type Mode = "required" | "optional" | "computed" | "body" | "program" | "client" | "derived";

/** A form of texts, and its description: `a date, YYYY-MM-DD`. */
export interface Expected {
  readonly matches: RegExp;
  readonly be: string;
}

/** Properties of a field besides its type. */
export interface Flags {
  /** The element in a response; default: the field's name with hyphens. */
  readonly read?: string;
  /** The key in a request; default: as in `read`. */
  readonly sent?: string;
  /** A change replaces the object. */
  readonly replaces?: true;
  /** interface.md shows no request key. */
  readonly undocumented?: true;
  /** No response contains it: the state keeps the argument. */
  readonly writeOnly?: true;
  /** The operation that changes it, instead of the edit. */
  readonly updateVia?: string;
  /**
   * The field is the id of another object, which differs from shop to shop. `kind` is undefined if no data source finds it.
   */
  readonly refersTo?: { readonly kind: string | undefined };
  /** The shop changes it by itself (stock): pull leaves it out, and compare skips it. */
  readonly serverManaged?: true;
  /** The business meaning, used for a plan's impact and a stack's limits. */
  readonly role?: Role;
  /** For a `unit`: the value that means percent. All others mean money. */
  readonly percent?: number;
  /** Every object in a response has it, so the output is never undefined. */
  readonly always?: true;
  /**
   * Short forms: an object with one of these names sets the value and the given arguments (provider/names/written-forms.ts).
   */
  readonly forms?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** No required argument, and yet the shop creates no object without it. */
  readonly needed?: true;
  /** The form of a text; any other is an error. An empty text has none. */
  readonly must?: Expected;
  /** The usual form of a value; a preview warns of any other, because the interface doesn't document the shop's rule. */
  readonly should?: Expected;
  /** How a text is written. Default: plain text in one line. */
  readonly format?: "lines" | "html" | "code";
  /** The minimum. */
  readonly minimum?: number;
  /** The maximum if the `unit` beside it means percent. */
  readonly maxPercent?: number;
  /**
   * For a computed field: whether another argument sets its value (true), or staff set it and no argument does (false).
   * Default: false for a list; a scalar isn't set by staff.
   */
  readonly hasArgument?: boolean;
  /** For amounts: the kind of object whose titles are the keys. */
  readonly namedBy?: NamedBy;
  /** Computes the argument for pull, if no response contains it. */
  readonly pullValue?: (values: Readonly<Record<string, unknown>>) => unknown;
}

/**
 * Amounts by the titles of objects that each shop numbers by itself. A response has one element for each: `price2` in one
 * shop, `price4` in another.
 */
export interface NamedBy {
  /** The kind of those objects, which is `sequential`. */
  readonly kind: string;
  /** Matches the names of such elements. */
  readonly read: RegExp;
}

/** A value, or the reason why it isn't valid. */
export type Parsed<T = unknown> = { readonly value: T } | { readonly wrong: string };
/** Decodes a text of a document, and encodes a value. */
export interface Codec<T = unknown> {
  readonly decode: (text: string) => Parsed<T>;
  readonly encode: (value: unknown) => Parsed<string>;
}
/** Checks and normalises an argument. */
export type Argument<T = unknown> = (value: unknown) => Parsed<T>;

/** One field. `Arg` is the type of the argument, `Value` of the output. */
export interface Field<Arg = unknown, Value = unknown, M extends Mode = Mode> extends Flags {
  readonly mode: M;
  readonly type:
    | "text"
    | "integer"
    | "decimal"
    | "boolean"
    | "date"
    | "time"
    | "path"
    | "items"
    | "nested"
    | "amounts";
  readonly codec: Codec;
  readonly argument: Argument;
  readonly items?: Items;
  /** The definition of each amount. */
  readonly each?: Field;
  /** The allowed values with their meanings. */
  readonly values?: Readonly<Record<string, string>>;
  /** Never set; carries the types. */
  readonly as?: { readonly argument: Arg; readonly value: Value };
}

/** A list inside an object. */
export interface Items {
  /** The element of one item in a response. */
  readonly element: string;
  /** The element in a request; default: as in a response. */
  readonly sentElement?: string | undefined;
  /** The fields of an item; undefined if an item is a scalar. */
  readonly fields?: Fields | undefined;
  /** The element inside a scalar item that has the value; undefined if the item itself has it. */
  readonly scalar?: string | undefined;
  /** The field that identifies an item. */
  readonly key?: string | undefined;
  /** The field with the value, if a program may write the list as an object whose names are the keys. */
  readonly pairs?: string | undefined;
  /**
   * Fields that identify an item without a key, or with a new one. No two items of an object have the same values in them.
   */
  readonly identifiers: readonly string[];
  /** The operation that removes an item. */
  readonly remove?: string | undefined;
  /** The argument that tells whether unlisted items stay. Without it they are deleted. */
  readonly othersArgument?: string | undefined;
  /** Whether the program lists a part of the items, so that positions don't identify them (provider/change/partial.ts). */
  readonly isPartial?: true;
}

export type Fields = Readonly<Record<string, Field>>;

/** A local file in the state, without its body. */
export interface FileFact {
  /** Relative to the program's folder, with forward slashes. */
  readonly path: string;
  /** Size in bytes, as sent. */
  readonly size: number;
  /** SHA-256 as sent, lowercase hex. */
  readonly sha256: string;
  /** Set if the body isn't text; it can't be changed in place. */
  readonly binary?: true;
  /** Set if the text is blank. */
  readonly blank?: true;
}

// ---- the meaning of modes: no other code compares them ----

type Moded = Pick<Field, "mode">;

export const isRequired = ({ mode }: Moded): boolean => mode === "required";
/** An output that is never undefined. */
export const isAlwaysSet = ({ mode, always }: Pick<Field, "mode" | "always">): boolean =>
  always === true || isRequired({ mode });
/** A program can set it. */
export const isArgument = ({ mode }: Moded): boolean =>
  mode === "required" || mode === "optional" || mode === "body" || mode === "program";
/** An argument that is also an output. */
export const isReturnedArgument = ({ mode }: Moded): boolean => mode === "required" || mode === "optional";
export const isOutput = ({ mode }: Moded): boolean =>
  isReturnedArgument({ mode }) || mode === "computed" || mode === "derived";
/** An output that the shop or the program sets; derived ones follow from these. */
export const isStored = ({ mode }: Moded): boolean => isOutput({ mode }) && mode !== "derived";
/** Only the shop sets it. */
export const isComputed = ({ mode }: Moded): boolean => mode === "computed";
/** A field in which two sides can differ. */
export const isCompared = ({ mode }: Moded): boolean => mode !== "computed" && mode !== "derived";
export const isSent = ({ mode }: Moded): boolean => isCompared({ mode }) && mode !== "program";
export const isRead = ({ mode, writeOnly }: Pick<Field, "mode" | "writeOnly">): boolean =>
  mode !== "program" && mode !== "client" && mode !== "derived" && !writeOnly;
/** Only the client sends it. */
export const isClientOnly = ({ mode }: Moded): boolean => mode === "client";

/** The field with a role, and its name; undefined if there is none. */
export function fieldOf(fields: Fields, role: Role): readonly [string, Field] | undefined {
  return Object.entries(fields).find(([, field]) => field.role === role);
}

/**
 * The business meaning of a field:
 * - `title`: the object's name for staff
 * - `price`, `cost`: the price for shoppers, and the shop's cost; `currency`: the currency of both
 * - `stock`: the number on sale
 * - `hides`: true hides the object from shoppers, or disables it
 * - `discount`: the amount, in the `unit` beside it; `smallest-order`: the minimum order value; `starts`, `ends`: the first
 * and last day
 * - `charge`, `monthly-charge`: the shop owner pays it once, or each month
 * - `page`: the text of shoppers' pages
 */
export type Role =
  | "title"
  | "price"
  | "cost"
  | "currency"
  | "stock"
  | "hides"
  | "discount"
  | "unit"
  | "smallest-order"
  | "starts"
  | "ends"
  | "charge"
  | "monthly-charge"
  | "page";

/** The short forms of these fields; fields without one are left out. */
export function writtenFormsOf(fields: Fields): WrittenForms {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const own = writtenFormOf(field);
      return own === undefined ? [] : [[name, own] as const];
    }),
  );
}

function writtenFormOf({ forms, items }: Field): WrittenForm | undefined {
  if (forms !== undefined) return { forms };
  if (items?.pairs !== undefined) return { pairs: [items.key ?? "", items.pairs] };
  const within = writtenFormsOf(items?.fields ?? {});
  return Object.keys(within).length === 0 ? undefined : { within };
}

/** The field with a short form that sets another field; undefined if there is none. */
export const fieldWithFormFor = (fields: Fields, name: string): readonly [string, Field] | undefined =>
  Object.entries(fields).find(([, { forms = {} }]) =>
    Object.values(forms).some((states) => Object.hasOwn(states, name)),
  );

/** The short forms for a message: `{ percent: ... } or { amount: ... }`. */
export function formsText({ forms, items }: Field): string {
  if (items?.pairs !== undefined) return `{ [${items.key}]: ${items.pairs} }`;
  return Object.keys(forms ?? {})
    .map((form) => `{ ${form}: ... }`)
    .join(" or ");
}
