/** Functions that define fields. The types of arguments and outputs are inferred from them. */
import { isRecord } from "../../engine/common/record.ts";
import type { Arguments, Cleared, ValuesOf } from "./definition.ts";
import type {
  Argument,
  Codec,
  Expected,
  Field,
  Fields,
  FileFact,
  Flags,
  Items,
  Mode,
  NamedBy,
} from "./field.ts";
import {
  booleanWire,
  canonicalDecimal,
  dateWire,
  decimalOf,
  decimalWire,
  flagWire,
  forbiddenAt,
  integerWire,
  isDate,
  textWire,
  timeWire,
} from "./scalars.ts";

type Options = Flags & { readonly mode?: Mode };
type ModeOf<O> = O extends { readonly mode: infer M extends Mode } ? M : "optional";

function scalar<Arg, Value, const O extends Options>(
  type: Field["type"],
  codec: Codec,
  argument: Argument,
  options?: O,
): Field<Arg, Value, ModeOf<O>> {
  const mode = (options?.mode ?? "optional") as ModeOf<O>;
  return { ...options, mode, type, codec, argument };
}

// An empty text unsets a value. Left out, empty, zero and false are four different things.
const clearable = (options: Options | undefined, argument: Argument): Argument =>
  options?.mode === "required" ? argument : (value) => (value === "" ? { value } : argument(value));

/** Accepts or rejects a value without changing it. */
const only =
  (is: (value: unknown) => boolean, wrong: string): Argument =>
  (value) =>
    is(value) ? { value } : { wrong };

const mustBeText = { wrong: "must be a string" };

const textArgument: Argument = (text) => {
  if (typeof text !== "string") return mustBeText;
  const at = forbiddenAt(text);
  // Browsers and some checkouts write CR LF; values are compared with LF.
  if (at === undefined) return { value: text.replaceAll("\r\n", "\n") };
  const code = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, "0");
  return { wrong: `remove the character U+${code} at position ${at}: XML can't carry it` };
};

const mostDigits = 15;

const decimalArgument =
  (least = -Infinity): Argument =>
  (given) => {
    const value =
      typeof given === "number" || typeof given === "string" ? decimalOf(String(given)) : undefined;
    if (value === undefined || !hasFewDigits(value))
      return {
        wrong: `must be a number (12.5), also as a string ("12.50"), of at most ${mostDigits} digits`,
      };
    return value < least ? { wrong: `must be at least ${least}` } : { value };
  };

/** Whether a decimal, written without an exponent, has at most as many digits as a number holds exactly. */
const hasFewDigits = (value: number) =>
  (canonicalDecimal(String(value)) ?? "").replace(/^-?(?:0\.)?/, "").replace(".", "").length <= mostDigits;

const integerArgument =
  (least = -Infinity): Argument =>
  (value) => {
    if (typeof value !== "number" || !Number.isInteger(value)) return { wrong: "must be an integer" };
    if (!hasFewDigits(value)) return { wrong: `must be an integer of at most ${mostDigits} digits` };
    return value < least ? { wrong: `must be at least ${least}` } : { value };
  };

const booleanArgument = only((value) => typeof value === "boolean", "must be true or false");

/** For computed fields: a program can't set them. */
const never = only(() => false, "is set by the shop");

/** Length x width x height. The shop writes a Latin x (platform-facts.md, section 11). */
export const dimensions = <const O extends Options>(options?: O) =>
  scalar<string, string, O>(
    "text",
    textWire,
    (size) => (typeof size === "string" ? textArgument(size.replaceAll("\u0445", "x")) : mustBeText),
    options,
  );

/** An address on the web. */
export const address: Expected = { matches: /^https?:\/\/[^\s/]+\S*$/i, be: "an address, https://..." };

const matching =
  ({ matches, be }: Expected, mode: Mode = "optional"): Argument =>
  (text) => {
    const taken = textArgument(text);
    // Nothing to unset: no state has a value that is only sent.
    const isUnset = text === "" && mode === "optional";
    return "wrong" in taken || isUnset || matches.test(String(text)) ? taken : { wrong: `must be ${be}` };
  };

/** Text; line ends become LF. */
export const text = <const O extends Options>(options?: O) =>
  scalar<string, string, O>(
    "text",
    textWire,
    options?.must === undefined ? textArgument : matching(options.must, options.mode),
    options,
  );

/** An integer; an empty text unsets it. */
export const integer = <const O extends Options>(options?: O) =>
  scalar<number | Cleared<O>, number, O>(
    "integer",
    integerWire,
    clearable(options, integerArgument(options?.minimum)),
    options,
  );

/** A decimal as a number or text; "180.0" equals 180. An empty text unsets it. */
export const decimal = <const O extends Options>(options?: O) =>
  scalar<number | string, number, O>(
    "decimal",
    decimalWire,
    clearable(options, decimalArgument(options?.minimum)),
    options,
  );

/**
 * Decimals by the titles of other objects. The shop has its own names for them. Amounts that aren't set keep their value.
 */
export const amounts = <const O extends Options & { readonly namedBy: NamedBy }>(
  each: Field,
  options: O,
) => ({
  ...scalar<Readonly<Record<string, number | string>>, Readonly<Record<string, number>>, O>(
    "amounts",
    decimalWire,
    only(isRecord, "must be an object of amounts, each by its title"),
    options,
  ),
  each,
});

/** true or false. */
export const boolean = <const O extends Options>(options?: O) =>
  scalar<boolean, boolean, O>("boolean", booleanWire, booleanArgument, options);

/** true or false, sent as 1 or 0. */
export const flag = <const O extends Options>(options?: O) =>
  scalar<boolean, boolean, O>("boolean", flagWire, booleanArgument, options);

/** A date, YYYY-MM-DD; an empty text unsets it. */
export const date = <const O extends Options>(options?: O) =>
  scalar<string, string, O>(
    "date",
    dateWire,
    clearable(options, (value) => {
      if (typeof value !== "string") return { wrong: "must be a date, YYYY-MM-DD" };
      return isDate(value) ? { value } : { wrong: "must be a date that exists, YYYY-MM-DD" };
    }),
    options,
  );

/** A timestamp that the shop sets, in format A or B of interface.md. Values are ISO 8601 with an offset. */
export const time = (format: "A" | "B") =>
  scalar<never, string, { mode: "computed"; always: true }>("time", timeWire(format), never, {
    mode: "computed",
    always: true,
  });

/** One of several texts, each with its meaning. */
export function oneOf<const V extends Readonly<Record<string, string>>, const O extends Options>(
  values: V,
  options: O,
): Field<keyof V & string, keyof V & string, ModeOf<O>> {
  const names = Object.keys(values);
  const argument = only(
    (value) => names.some((name) => name === value),
    `must be one of ${names.join(", ")}`,
  );
  return { ...scalar<keyof V & string, keyof V & string, O>("text", textWire, argument, options), values };
}

/** One of several numbers, each with its meaning. */
export function oneOfNumbers<const V extends Readonly<Record<number, string>>, const O extends Options>(
  values: V,
  options: O,
): Field<keyof V & number, keyof V & number, ModeOf<O>> {
  const meanings = Object.entries(values).map(([value, meaning]) => `${value} (${meaning})`);
  const numbers = Object.keys(values).map(Number);
  const argument = only((value) => numbers.some((one) => one === value), `must be ${meanings.join(" or ")}`);
  const field = scalar<keyof V & number, keyof V & number, O>("integer", integerWire, argument, options);
  return { ...field, values: values as Readonly<Record<string, string>> };
}

/** Whether a value is the size and hash of a file, which the state has in place of its path. */
const isFact = (value: unknown) =>
  isRecord(value) &&
  typeof value.path === "string" &&
  typeof value.size === "number" &&
  (value.binary ?? true) === true;

/** A file of the project, which is read when it is sent. */
export const localFile = () =>
  scalar<string, FileFact, { mode: "program" }>(
    "path",
    textWire,
    only((value) => typeof value === "string" || isFact(value), "must be the path of a file in the project"),
    { mode: "program" },
  );

/** An address from which the shop downloads a body. */
export const source = (options: Pick<Flags, "replaces"> = {}) =>
  text({
    mode: "body",
    writeOnly: true,
    must: { ...address, be: `${address.be}; for a file of the project write file instead` },
    ...options,
  });

type ItemOptions = Options &
  Omit<Items, "fields" | "identifiers" | "isPartial"> &
  Partial<Pick<Items, "identifiers">>;

function list<Arg, Value, const O extends ItemOptions>(
  fields: Fields | undefined,
  codec: Codec,
  options: O,
): Field<Arg, Value, ModeOf<O>> {
  const { element, sentElement, key, pairs, identifiers = [], othersArgument, ...others } = options;
  const { scalar: inner, remove: gone, ...flags } = others;
  const own = { element, sentElement, key, pairs, identifiers, othersArgument };
  return {
    ...scalar<Arg, Value, O>("items", codec, only(Array.isArray, "must be a list"), flags as unknown as O),
    items: { ...own, fields, scalar: inner, remove: gone },
  };
}

/** A list of objects. */
export const items = <const F extends Fields, const O extends ItemOptions>(fields: F, options: O) =>
  list<readonly Arguments<F>[], readonly ValuesOf<F>[], O>(fields, textWire, options);

/** A list of integers that the shop computes; `refersTo` names the kind if they are ids. */
export const integers = (options: ItemOptions) =>
  list<never, readonly number[], ItemOptions & { mode: "computed" }>(undefined, integerWire, {
    ...options,
    mode: "computed",
  });

/** An object that the shop computes. */
export function nested<const F extends Fields>(fields: F): Field<never, ValuesOf<F>, "computed"> {
  return {
    ...scalar<never, ValuesOf<F>, { mode: "computed" }>("nested", textWire, never, { mode: "computed" }),
    items: { element: "", identifiers: [], fields },
  };
}
