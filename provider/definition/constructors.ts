/** The words a definition states its fields with; a field's type is inferred from them. */
import { z } from "zod";
import type { Arguments, Cleared, ValuesOf } from "./definition.ts";
import type { Argument, Codec, Field, Fields, FileFact, Flags, Items, Mode, NamedBy } from "./field.ts";
import {
  booleanWire,
  dateWire,
  decimalOf,
  decimalWire,
  flagWire,
  forbiddenAt,
  integerWire,
  isDate,
  refuse,
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

// An empty text takes a value away: left out, empty, zero and false are four different things.
function clearable(options: Options | undefined, argument: z.ZodType): z.ZodType {
  if (options?.mode === "required") return argument;
  return z.unknown().transform((value, context) => {
    if (value === "") return "";
    const result = argument.safeParse(value);
    return result.success ? result.data : refuse(context, result.error.issues[0]?.message ?? "is not valid");
  });
}

const textArgument = z.string("must be a string").transform((text, context) => {
  const at = forbiddenAt(text);
  // Browsers and some checkouts make line ends CR LF; both sides of a comparison use LF.
  if (at === undefined) return text.replaceAll("\r\n", "\n");
  const code = text.charCodeAt(at).toString(16).toUpperCase().padStart(4, "0");
  return refuse(context, `remove the character U+${code} at position ${at}: XML can't carry it`);
});

const decimalArgument = z.unknown().transform((value, context) => {
  const number =
    typeof value === "number" || typeof value === "string" ? decimalOf(String(value)) : undefined;
  return (
    number ??
    refuse(context, 'must be a number (12.5) or its decimals as a string ("12.50"), at most 15 digits')
  );
});

/** Length x width x height; the shop writes the sign between them in Latin (platform-facts.md, section 11). */
export const dimensions = <const O extends Options>(options?: O) =>
  scalar<string, string, O>(
    "text",
    textWire,
    z
      .string("must be a string")
      .transform((size) => size.replaceAll("\u0445", "x"))
      .pipe(textArgument),
    options,
  );

/** Any text; line ends become LF. */
export const text = <const O extends Options>(options?: O) =>
  scalar<string, string, O>("text", textWire, textArgument, options);

/** An integer; an empty text takes it away. */
export const integer = <const O extends Options>(options?: O) =>
  scalar<number | Cleared<O>, number, O>(
    "integer",
    integerWire,
    clearable(options, z.int("must be an integer")),
    options,
  );

/** A decimal as number or text, compared as a number: "180.0" is 180. An empty text takes it away. */
export const decimal = <const O extends Options>(options?: O) =>
  scalar<number | string, number, O>(
    "decimal",
    decimalWire,
    clearable(options, atLeast(options?.minimum)),
    options,
  );

const atLeast = (least: number | undefined) =>
  least === undefined
    ? decimalArgument
    : decimalArgument.transform((number, context) =>
        number < least ? refuse(context, `must be at least ${least}`) : number,
      );

/** Decimals by the titles of other objects, which the shop keeps under names of its own; those that aren't stated are left alone. */
export const amounts = <const O extends Options & { readonly namedBy: NamedBy }>(
  each: Field,
  options: O,
) => ({
  ...scalar<Readonly<Record<string, number | string>>, Readonly<Record<string, number>>, O>(
    "amounts",
    decimalWire,
    z.record(z.string(), z.unknown(), "must be an object of amounts, each by its title"),
    options,
  ),
  each,
});

/** true or false. */
export const boolean = <const O extends Options>(options?: O) =>
  scalar<boolean, boolean, O>("boolean", booleanWire, z.boolean("must be true or false"), options);

/** true or false, sent as 1 or 0. */
export const flag = <const O extends Options>(options?: O) =>
  scalar<boolean, boolean, O>("boolean", flagWire, z.boolean("must be true or false"), options);

/** A day, YYYY-MM-DD; an empty text takes it away. */
export const date = <const O extends Options>(options?: O) =>
  scalar<string, string, O>(
    "date",
    dateWire,
    clearable(
      options,
      z.string("must be a date, YYYY-MM-DD").refine(isDate, "must be a date that exists, YYYY-MM-DD"),
    ),
    options,
  );

/** A timestamp that the shop sets, in format A or B of interface.md; ISO 8601 with its offset here. */
export const time = (format: "A" | "B") =>
  scalar<never, string, { mode: "computed"; always: true }>("time", timeWire(format), z.never(), {
    mode: "computed",
    always: true,
  });

/** One of a few texts, each with its meaning. */
export function oneOf<const V extends Readonly<Record<string, string>>, const O extends Options>(
  values: V,
  options: O,
): Field<keyof V & string, keyof V & string, ModeOf<O>> {
  const names = Object.keys(values);
  const argument = z.enum(names, `must be one of ${names.join(", ")}`);
  return { ...scalar<keyof V & string, keyof V & string, O>("text", textWire, argument, options), values };
}

/** One of a few numbers, each with its meaning. */
export function oneOfNumbers<const V extends Readonly<Record<number, string>>, const O extends Options>(
  values: V,
  options: O,
): Field<keyof V & number, keyof V & number, ModeOf<O>> {
  const meanings = Object.entries(values).map(([value, meaning]) => `${value} (${meaning})`);
  const argument = z.literal(Object.keys(values).map(Number), `must be ${meanings.join(" or ")}`);
  const field = scalar<keyof V & number, keyof V & number, O>("integer", integerWire, argument, options);
  return { ...field, values: values as Readonly<Record<string, string>> };
}

/** A file of the project, read when it is written. */
export const localFile = () =>
  scalar<string, FileFact, { mode: "program" }>(
    "path",
    textWire,
    z.union(
      [
        z.string(),
        z.object({
          path: z.string(),
          size: z.number(),
          sha256: z.string(),
          binary: z.literal(true).optional(),
          blank: z.literal(true).optional(),
        }),
      ],
      "must be the path of a file in the project",
    ),
    { mode: "program" },
  );

type ItemOptions = Options & {
  readonly element: string;
  readonly sentElement?: string;
  readonly scalar?: string;
  readonly key?: string;
  readonly pairs?: string;
  readonly identifiers?: readonly string[];
  readonly remove?: string;
  readonly othersArgument?: string;
};

function list<Arg, Value, const O extends ItemOptions>(
  fields: Fields | undefined,
  codec: Codec,
  options: O,
): Field<Arg, Value, ModeOf<O>> {
  const {
    element,
    sentElement,
    scalar: inner,
    key,
    pairs,
    identifiers = [],
    remove: gone,
    othersArgument,
    ...flags
  } = options;
  const shape: Items = {
    element,
    sentElement: sentElement ?? element,
    fields,
    scalar: inner,
    key,
    pairs,
    identifiers,
    remove: gone,
    othersArgument,
  };
  return {
    ...scalar<Arg, Value, O>("items", codec, z.array(z.unknown(), "must be a list"), flags as unknown as O),
    items: shape,
  };
}

/** A list of objects inside an object. */
export const items = <const F extends Fields, const O extends ItemOptions>(fields: F, options: O) =>
  list<readonly Arguments<F>[], readonly ValuesOf<F>[], O>(fields, textWire, options);

/** A list of integers that the shop computes; `refers` says what they are numbers of. */
export const integers = (options: ItemOptions) =>
  list<never, readonly number[], ItemOptions & { mode: "computed" }>(undefined, integerWire, {
    ...options,
    mode: "computed",
  });

/** An object inside an object, computed by the shop. */
export function nested<const F extends Fields>(fields: F): Field<never, ValuesOf<F>, "computed"> {
  const shape: Items = {
    element: "",
    sentElement: "",
    fields,
    scalar: undefined,
    key: undefined,
    pairs: undefined,
    identifiers: [],
    remove: undefined,
    othersArgument: undefined,
  };
  return {
    ...scalar<never, ValuesOf<F>, { mode: "computed" }>("nested", textWire, z.never(), { mode: "computed" }),
    items: shape,
  };
}
