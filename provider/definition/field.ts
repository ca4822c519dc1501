import type { WrittenForm, WrittenForms } from "../names/written-forms.ts";

/** One field of a kind: who writes it, what it is on the way and in a program, and what else a definition says of it. */

/**
 * Who writes a field and where it is seen.
 * - `required`, `optional`: a program's argument and an output
 * - `computed`: the shop's, an output only
 * - `body`: an argument that is sent and maybe read, but never kept in the state
 * - `program`: an argument that never travels under its own name (a local file)
 * - `client`: travels, but a program can't set it (an attachment)
 * - `derived`: an output that the provider makes of what was sent or read (a hash)
 */
export type Mode = "required" | "optional" | "computed" | "body" | "program" | "client" | "derived";

/** What a field says of itself beside its type. */
export interface Flags {
  /** The element in a response; the field's name in hyphens unless told. */
  readonly read?: string;
  /** The key in a request; as `read` unless told. */
  readonly sent?: string;
  /** A change can't be made in place: the object is replaced. */
  readonly replaces?: true;
  /** The interface shows no request key: an edit whose answer is empty is proved by reading. */
  readonly undocumented?: true;
  /** No answer carries it: the state keeps what was asked. */
  readonly writeOnly?: true;
  /** Changed by the operation of this name instead of the edit. */
  readonly updateVia?: string;
  /** What to use instead, as the reference says it. */
  readonly deprecated?: string;
  /** The number of another object: its kind, or undefined where no data source finds it. It differs from shop to shop. */
  readonly refersTo?: { readonly kind: string | undefined };
  /** The shop changes it without anybody's edit (stock sells): a pull leaves it to the shop, a comparison leaves it out. */
  readonly serverManaged?: true;
  /** What it means to the shop's business: what a plan's impact and a stack's limits are computed of. */
  readonly role?: Role;
  /** On a `unit`: its value that means percent; every other is money. */
  readonly percent?: number;
  /** Every object that the shop answers with has it: its output is never undefined. */
  readonly always?: true;
  /** Other forms of it: an object with one of these names says the value, and these arguments beside it (provider/names/written-forms.ts). */
  readonly forms?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The least number that it may be. */
  readonly minimum?: number;
  /** The most that it may be where the `unit` beside it means percent. */
  readonly maxPercent?: number;
  /**
   * On a computed field: whether another argument carries what it holds (true), or staff set it and nothing does
   * (false). Where it isn't said, nothing carries a list, and a scalar is the shop's own affair.
   */
  readonly hasArgument?: boolean;
  /** Of amounts by the title of another object: what it is of, as `NamedBy` says. */
  readonly namedBy?: NamedBy;
  /** What a pull states where no answer carries it. */
  readonly pullValue?: (values: Readonly<Record<string, unknown>>) => unknown;
}

/**
 * Amounts under the titles of objects that each shop numbers by itself: an answer has an element for each, called as the
 * object says, `price2` in one shop and `price4` in another.
 */
export interface NamedBy {
  /** The kind of those objects, which is `numbered`. */
  readonly kind: string;
  /** What such elements are called. */
  readonly read: RegExp;
}

/** A value, or why the one that was given can't be used. */
export type Parsed<T = unknown> = { readonly value: T } | { readonly wrong: string };
/** Reads a text of a document, and writes a value as one. */
export interface Codec<T = unknown> {
  readonly decode: (text: string) => Parsed<T>;
  readonly encode: (value: unknown) => Parsed<string>;
}
/** Checks a program's value and normalises it. */
export type Argument<T = unknown> = (value: unknown) => Parsed<T>;

/** One field. `Arg` is what a program writes, `Value` what comes back. */
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
  /** Text of a document to value and back. */
  readonly codec: Codec;
  /** What a program may write, normalised to what comes back. */
  readonly argument: Argument;
  readonly items?: Items;
  /** What each of the amounts is. */
  readonly each?: Field;
  /** The allowed values with their meaning, where they are few. */
  readonly values?: Readonly<Record<string, string>>;
  /** Never set: carries the types. */
  readonly as?: { readonly argument: Arg; readonly value: Value };
}

/** A list of equals inside an object. */
export interface Items {
  /** The element of one item in an answer, and in a request. */
  readonly element: string;
  readonly sentElement: string;
  /** The fields of one item; undefined where an item is one scalar. */
  readonly fields: Fields | undefined;
  /** The element inside a scalar item that holds it; undefined where the item itself does. */
  readonly scalar: string | undefined;
  /** The field that recognises an item before its position does. */
  readonly key: string | undefined;
  /** The field that an entry's value is of where a program writes the list as an object, with the keys as names. */
  readonly pairs: string | undefined;
  /** Fields by which an item is recognised that has no key, or a new one: no two items of an object agree in them. */
  readonly identifiers: readonly string[];
  /** The operation that removes one item. */
  readonly remove: string | undefined;
  /** The argument that says whether items stay that a program doesn't list; without one they go. */
  readonly othersArgument: string | undefined;
  /** Whether a program lists a part of them: no place in a list says which one is meant (provider/values/partial.ts). */
  readonly isPartial?: true;
}

export type Fields = Readonly<Record<string, Field>>;

/** What the state keeps of a local file: never its body. */
export interface FileFact {
  /** Relative to the program's folder, with forward slashes. */
  readonly path: string;
  /** Bytes of the body as it is sent. */
  readonly size: number;
  /** Lowercase hex, of the body as it is sent. */
  readonly sha256: string;
  /** Set where the body is not text; such a body can't be changed in place. */
  readonly binary?: true;
  /** Set where there is nothing in it to see. */
  readonly blank?: true;
}

// ---- what a mode means: nobody else compares modes ----

type Moded = Pick<Field, "mode">;

/** An argument that a program must write. */
export const isRequired = ({ mode }: Moded): boolean => mode === "required";
/** An output that a program need not look for: it is there as soon as the object is. */
export const isAlwaysSet = ({ mode, always }: Pick<Field, "mode" | "always">): boolean =>
  always === true || isRequired({ mode });
/** What a program may write. */
export const isArgument = ({ mode }: Moded): boolean =>
  mode === "required" || mode === "optional" || mode === "body" || mode === "program";
/** An argument that comes back as an output of the same name. */
export const isReturnedArgument = ({ mode }: Moded): boolean => mode === "required" || mode === "optional";
/** What a resource has for outputs. */
export const isOutput = ({ mode }: Moded): boolean =>
  isReturnedArgument({ mode }) || mode === "computed" || mode === "derived";
/** An output that the shop gives or a program wrote; what is derived follows from it. */
export const isStored = ({ mode }: Moded): boolean => isOutput({ mode }) && mode !== "derived";
/** The shop's own: no program writes it. */
export const isComputed = ({ mode }: Moded): boolean => mode === "computed";
/** What two sides of an object may differ in; what the shop or the provider makes by itself is no difference. */
export const isCompared = ({ mode }: Moded): boolean => mode !== "computed" && mode !== "derived";
/** What a request may carry. */
export const isSent = ({ mode }: Moded): boolean => isCompared({ mode }) && mode !== "program";
/** What an answer may carry. */
export const isRead = ({ mode, writeOnly }: Pick<Field, "mode" | "writeOnly">): boolean =>
  mode !== "program" && mode !== "client" && mode !== "derived" && !writeOnly;
/** What the client sends of its own, and no program writes. */
export const isClientOnly = ({ mode }: Moded): boolean => mode === "client";

/** The field of a role, with its name; undefined where no field has it. */
export function fieldOf(fields: Fields, role: Role): readonly [string, Field] | undefined {
  return Object.entries(fields).find(([, field]) => field.role === role);
}

/** What fields mean to those who live of a shop: the definitions say it, a plan's impact and a stack's limits are computed of it. */

/**
 * The business meaning of a field.
 * - `title`: what staff call the object
 * - `price`, `cost`: what a shopper pays for one, what it cost the shop; `currency`: in what
 * - `stock`: how many there are to sell
 * - `hides`: true takes the object from the shoppers' eyes, or out of their hands
 * - `discount`: how much is taken off, in the `unit` beside it; `smallest-order`: the sum from which it is given;
 *   `starts`, `ends`: the first and the last day
 * - `charge`, `monthly-charge`: what the shop's owner pays, once or each month
 * - `page`: the text that shoppers' pages are made of
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

/** The other forms of these fields; fields that have none are left out. */
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

/** The field one of whose forms states another field, by name; undefined where none does. */
export const fieldWithFormFor = (fields: Fields, name: string): readonly [string, Field] | undefined =>
  Object.entries(fields).find(([, { forms = {} }]) =>
    Object.values(forms).some((states) => Object.hasOwn(states, name)),
  );

/** `{ percent: ... } or { amount: ... }`; empty where a field has no other form. */
export function formsText({ forms, items }: Field): string {
  if (items?.pairs !== undefined) return `{ [${items.key}]: ${items.pairs} }`;
  return Object.keys(forms ?? {})
    .map((form) => `{ ${form}: ... }`)
    .join(" or ");
}
