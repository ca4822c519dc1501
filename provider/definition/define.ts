/**
 * The vocabulary of definitions. A definition says of one kind what interface.md says of it: operations, names of
 * its documents, fields. Codec, check, diff, lifecycle, client and reference follow from it.
 */
import { z } from "zod";
import { forbiddenAt } from "../wire/xml.ts";
import type { Operation } from "./operation.ts";
import {
  booleanWire,
  dateWire,
  decimalOf,
  decimalWire,
  flagWire,
  integerWire,
  isDate,
  refuse,
  textWire,
  timeWire,
} from "./scalars.ts";
import type { Arguments, Cleared, Values } from "./types.ts";

/**
 * Who writes a field and where it is seen.
 * - `required`, `optional`: a program's argument and an output
 * - `computed`: the shop's, an output only
 * - `body`: an argument that is sent and maybe read, but never kept in the state
 * - `program`: an argument that never travels under its own name (a local file)
 * - `client`: travels, but is no argument (an attachment)
 * - `derived`: an output that the provider makes of what was sent or read (a hash)
 */
export type Mode = "required" | "optional" | "computed" | "body" | "program" | "client" | "derived";

/** What a field says of itself beside its type. */
export interface Flags {
  /** The element in a response; the field's name in hyphens unless told. */
  readonly read?: string;
  /** The key in a request; as `read` unless told. */
  readonly sent?: string;
  /** A change can't be made in place: the object is made anew. */
  readonly replaces?: true;
  /** The interface shows no request key: an edit whose answer is empty is proved by reading. */
  readonly unshown?: true;
  /** No answer carries it: the state keeps what was asked. */
  readonly unread?: true;
  /** Changed by the operation of this name instead of the edit. */
  readonly by?: string;
  /** What to use instead, as the reference says it. */
  readonly deprecated?: string;
  /** The number of another object: its kind, or undefined where no data source finds it. It differs from shop to shop. */
  readonly refers?: { readonly kind: string | undefined };
  /** The shop changes it without anybody's edit (stock sells): a pull leaves it to the shop, a comparison leaves it out. */
  readonly moves?: true;
  /** True takes the object from the shoppers' eyes, or out of their hands. */
  readonly hides?: true;
  /** Money; a protected stack watches how far it moves. */
  readonly money?: true;
  /**
   * On a computed field: whether another argument carries what it holds (true), or staff set it and nothing does
   * (false). Where it isn't said, nothing carries a list, and a scalar is the shop's own affair.
   */
  readonly travels?: boolean;
  /** What a pull states where no answer carries it. */
  readonly inferred?: (values: Readonly<Record<string, unknown>>) => unknown;
}

type Parsed<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly error: { readonly issues: readonly { readonly message: string }[] } };
/** Text to value and back. zod's codecs are; named here by what is used of them, so that no user's compiler reads zod. */
export interface Codec {
  safeDecode(text: string): Parsed<unknown>;
  safeEncode(value: unknown): Parsed<unknown>;
}
/** What a program wrote to what is compared; zod's types are. */
export interface Argument {
  safeParse(value: unknown): Parsed<unknown>;
}

/** One field. `Arg` is what a program writes, `Value` what comes back. */
export interface Field<Arg = unknown, Value = unknown, M extends Mode = Mode> extends Flags {
  readonly mode: M;
  readonly type: "text" | "integer" | "decimal" | "boolean" | "date" | "time" | "file" | "items" | "nested";
  /** Text of a document to value and back. */
  readonly codec: Codec;
  /** What a program may write, normalised to what comes back. */
  readonly argument: Argument;
  readonly items?: Items;
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
  /** The operation that removes one item. */
  readonly remove: string | undefined;
}

export type Fields = Readonly<Record<string, Field>>;

type Options = Flags & { readonly mode?: Mode };
type ModeOf<O> = O extends { readonly mode: infer M extends Mode } ? M : "optional";

function scalar<Arg, Value, const O extends Options>(
  type: Field["type"],
  codec: Codec,
  argument: Argument,
  options: O,
  values?: Readonly<Record<string, string>>,
): Field<Arg, Value, ModeOf<O>> {
  const mode = (options.mode ?? "optional") as ModeOf<O>;
  return { ...options, mode, type, codec, argument, ...(values && { values }) };
}

// An empty text takes a value away: left out, empty, zero and false are four different things.
function clearable(options: Options, argument: z.ZodType): z.ZodType {
  if (options.mode === "required") return argument;
  return z.unknown().transform((value, context) => {
    if (value === "") return "";
    const result = argument.safeParse(value);
    return result.success ? result.data : refuse(context, result.error.issues[0]?.message ?? "is not valid");
  });
}

const textArgument = z.string("write a text").transform((text, context) => {
  const at = forbiddenAt(text);
  // Browsers and some checkouts make line ends CR LF; both sides of a comparison use LF.
  if (at === undefined) return text.replaceAll("\r\n", "\n");
  const code = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, "0");
  return refuse(context, `remove the character U+${code} at position ${at}: XML can't carry it`);
});

const decimalArgument = z.unknown().transform((value, context) => {
  const number =
    typeof value === "number" || typeof value === "string" ? decimalOf(String(value)) : undefined;
  return number ?? refuse(context, "write a number, or its decimals as text, with no more than 15 digits");
});

/** Length x width x height; the shop writes the sign between them in Latin (platform-facts.md, section 11). */
export const dimensions = <const O extends Options>(options: O = {} as O) =>
  scalar<string, string, O>(
    "text",
    textWire,
    z
      .string("write a text")
      .transform((size) => size.replaceAll("\u0445", "x"))
      .pipe(textArgument),
    options,
  );

/** Any text; line ends become LF. */
export const text = <const O extends Options>(options: O = {} as O) =>
  scalar<string, string, O>("text", textWire, textArgument, options);

/** A whole number; an empty text takes it away. */
export const integer = <const O extends Options>(options: O = {} as O) =>
  scalar<number | Cleared<O>, number, O>(
    "integer",
    integerWire,
    clearable(options, z.int("write a whole number")),
    options,
  );

/** A decimal as number or text, compared as a number: "180.0" is 180. An empty text takes it away. */
export const decimal = <const O extends Options>(options: O = {} as O) =>
  scalar<number | string, number, O>("decimal", decimalWire, clearable(options, decimalArgument), options);

/** true or false. */
export const boolean = <const O extends Options>(options: O = {} as O) =>
  scalar<boolean, boolean, O>("boolean", booleanWire, z.boolean("write true or false"), options);

/** true or false, sent as 1 or 0. */
export const flag = <const O extends Options>(options: O = {} as O) =>
  scalar<boolean, boolean, O>("boolean", flagWire, z.boolean("write true or false"), options);

/** A day, YYYY-MM-DD; an empty text takes it away. */
export const date = <const O extends Options>(options: O = {} as O) =>
  scalar<string, string, O>(
    "date",
    dateWire,
    clearable(
      options,
      z.string("write a date as YYYY-MM-DD").refine(isDate, "write a date that exists, as YYYY-MM-DD"),
    ),
    options,
  );

/** A moment that the shop stamps, in format A or B of interface.md; ISO 8601 with its offset here. */
export const time = (format: "A" | "B") =>
  scalar<never, string, { mode: "computed" }>("time", timeWire(format), z.never(), { mode: "computed" });

/** One of a few texts, each with its meaning. */
export function oneOf<const V extends Readonly<Record<string, string>>, const O extends Options>(
  values: V,
  options: O,
) {
  const names = Object.keys(values);
  const argument = z.enum(names, `write one of ${names.join(", ")}`);
  return scalar<keyof V & string, keyof V & string, O>("text", textWire, argument, options, values);
}

/** One of a few numbers, each with its meaning. */
export function oneOfNumbers<const V extends Readonly<Record<number, string>>, const O extends Options>(
  values: V,
  options: O,
) {
  const meanings = Object.entries(values).map(([value, meaning]) => `${value} (${meaning})`);
  const argument = z.literal(Object.keys(values).map(Number), `write ${meanings.join(" or ")}`);
  return scalar<keyof V & number, keyof V & number, O>(
    "integer",
    integerWire,
    argument,
    options,
    values as Record<string, string>,
  );
}

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
}

/** A file of the project, read when it is written. */
export const localFile = () =>
  scalar<string, FileFact, { mode: "program" }>(
    "file",
    textWire,
    z.union(
      [
        z.string(),
        z.object({
          path: z.string(),
          size: z.number(),
          sha256: z.string(),
          binary: z.literal(true).optional(),
        }),
      ],
      "write the path of a file of the project",
    ),
    { mode: "program" },
  );

type ItemOptions = Options & {
  readonly element: string;
  readonly sentElement?: string;
  readonly scalar?: string;
  readonly key?: string;
  readonly remove?: string;
};

function list<Arg, Value, const O extends ItemOptions>(
  fields: Fields | undefined,
  codec: Codec,
  options: O,
): Field<Arg, Value, ModeOf<O>> {
  const { element, sentElement, scalar: inner, key, remove: gone, ...flags } = options;
  const shape: Items = {
    element,
    sentElement: sentElement ?? element,
    fields,
    scalar: inner,
    key,
    remove: gone,
  };
  return {
    ...scalar<Arg, Value, O>("items", codec, z.array(z.unknown(), "write a list"), flags as unknown as O),
    items: shape,
  };
}

/** A list of objects inside an object. */
export const items = <const F extends Fields, const O extends ItemOptions>(fields: F, options: O) =>
  list<readonly Arguments<F>[], readonly Values<F>[], O>(fields, textWire, options);

/** A list of whole numbers that the shop computes; `refers` says what they are numbers of. */
export const integers = (options: ItemOptions) =>
  list<never, readonly number[], ItemOptions & { mode: "computed" }>(undefined, integerWire, {
    ...options,
    mode: "computed",
  });

/** An object inside an object, computed by the shop. */
export function nested<const F extends Fields>(fields: F): Field<never, Values<F>, "computed"> {
  const shape: Items = {
    element: "",
    sentElement: "",
    fields,
    scalar: undefined,
    key: undefined,
    remove: undefined,
  };
  return {
    ...scalar<never, Values<F>, { mode: "computed" }>("nested", textWire, z.never(), { mode: "computed" }),
    items: shape,
  };
}

export { act, create, edit, get, listing, type Operation, remove } from "./operation.ts";
export type { Arguments, Read, Sent, Values } from "./types.ts";

// ---- definitions ----

/** How a body travels: text under one request key, bytes (base64) under another, its name under a third. */
interface Body {
  readonly text?: string;
  readonly bytes: string;
  readonly name?: string;
  /** The output that holds the address from which the shop serves it. */
  readonly address: string;
}

/** The whole definition of one kind. */
export interface Definition<
  F extends Fields = Fields,
  O extends Readonly<Record<string, Operation>> = Readonly<Record<string, Operation>>,
> {
  /** The class a program uses. */
  readonly kind: string;
  /** The section of interface.md that this definition states. */
  readonly section: string;
  /** Root of one in an answer, root of one in a request, root of many. */
  readonly one: string;
  readonly sent: string;
  readonly many: string;
  /** Other roots that an answer may have. */
  readonly alsoOne?: readonly string[];
  readonly operations: O;
  readonly fields: F;
  /** Natural keys, the first whose fields are all stated counts; a path like `variants.sku` means the first item's. */
  readonly keys?: readonly (readonly string[])[];
  /** Two with the same natural key can't be: a replacement deletes first. */
  readonly unique?: true;
  /** The shop gives a second one with the same natural key another: a replacement deletes first. */
  readonly deletesFirst?: true;
  /** Somebody pays for one: a create that may have happened is never sent again without a person's word. */
  readonly costs?: true;
  /** One per shop: the field without which there is none. */
  readonly singleton?: string;
  readonly body?: Body;
  /** What a person calls one: the first of these that is set; of an address its last part. */
  readonly names?: readonly string[];
  /** How delete ends an object that has no DELETE. */
  readonly ends?: {
    readonly operation: string;
    readonly when: Readonly<Record<string, string>>;
    readonly otherwise: string;
  };
  /** What a data source finds one by, each name with the field it means. */
  readonly lookups?: Readonly<Record<string, string>>;
  /** Values made of others after an answer was read. */
  readonly derive?: (values: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
}

/** States a definition; the literal's types are what the SDK's and the client's types are made of. */
export function resource<const F extends Fields, const O extends Readonly<Record<string, Operation>>>(
  definition: Omit<Definition<F, O>, "sent"> & { readonly sent?: string },
): Definition<F, O> {
  return { sent: definition.one, ...definition };
}
