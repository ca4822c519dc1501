/** Arguments of any definition, made from the definition. */
import fc from "fast-check";
import { type Definition, type Field, type Fields, isAlwaysSet } from "../../provider/definition/define.ts";
import { forbiddenAt } from "../../provider/definition/scalars.ts";
import type { Values } from "../../provider/wire/codec.ts";

/** A text of any script that XML can carry; what is stated and empty is a case of its own. */
const text = fc
  .string({ minLength: 1, maxLength: 24, unit: "grapheme" })
  .filter((one) => forbiddenAt(one) === undefined && !one.includes("\r"));

const byType: Readonly<Record<Field["type"], fc.Arbitrary<unknown>>> = {
  text,
  integer: fc.integer({ min: 0, max: 1_000_000 }),
  decimal: fc.integer({ min: 0, max: 100_000_000 }).map((cents) => cents / 100),
  boolean: fc.boolean(),
  date: fc
    .date({ min: new Date("1990-01-01"), max: new Date("2090-01-01"), noInvalidDate: true })
    .map((day) => day.toISOString().slice(0, 10)),
  time: fc.constant(undefined),
  path: fc.constant(undefined),
  amounts: fc.dictionary(
    text.filter((title) => title.trim() === title && title !== "__proto__"),
    fc.integer({ min: 0, max: 100_000_000 }).map((cents) => cents / 100),
    { minKeys: 1, maxKeys: 3 },
  ),
  items: fc.constant(undefined),
  nested: fc.constant(undefined),
};

/** How the entries of a list are made: each for itself, or all with the same arguments stated. */
type Entries = (fields: Fields) => fc.Arbitrary<readonly Values[]>;
const unlike: Entries = (fields) => fc.array(argumentsOf(fields), { minLength: 1, maxLength: 3 });
export const alike: Entries = (fields) =>
  fc.subarray(plainArguments(fields)).chain((some) => {
    const required = plainArguments(fields).filter(([, { mode }]) => mode === "required");
    const shape = Object.fromEntries(
      [...required, ...some].map(([name, field]) => [name, anyOf(field, alike)]),
    );
    return fc.array(fc.record(shape) as fc.Arbitrary<Values>, { minLength: 1, maxLength: 3 });
  });

const inFormOf = (form: RegExp) =>
  fc
    .stringMatching(new RegExp(form.source))
    .filter((one) => one !== "" && forbiddenAt(one) === undefined && !/[\r\n]/.test(one));

/** One value of a field, as a program may write it. */
export function anyOf(field: Field, of: Entries = unlike): fc.Arbitrary<unknown> {
  const inner = field.items?.fields;
  if (inner !== undefined) {
    const { key } = field.items ?? {};
    const entries = of(inner);
    // Two items of one key are no list that a shop could keep.
    return key === undefined
      ? entries
      : entries.filter((list) => new Set(list.map((entry) => entry[key])).size === list.length);
  }
  if (field.values !== undefined) {
    const names = Object.keys(field.values);
    return fc.constantFrom<unknown>(...(field.type === "integer" ? names.map(Number) : names));
  }
  if (field.must !== undefined) return inFormOf(field.must.matches);
  if (field.type === "integer") return fc.integer({ min: field.minimum ?? 0, max: 1_000_000 });
  // What every object has is never empty.
  if (isAlwaysSet(field) && field.type === "text") return text.filter((one) => one.trim() !== "");
  return field.maxPercent === undefined ? byType[field.type] : fc.integer({ min: 0, max: field.maxPercent });
}

/** Names of a definition's arguments whose values stand for themselves (a body has laws of its own). */
export const plainArguments = (fields: Fields) =>
  Object.entries(fields).filter(([, { mode }]) => mode === "required" || mode === "optional");

/** Arguments: all that is required, and any of the rest. */
export function argumentsOf(fields: Fields, of: Entries = unlike): fc.Arbitrary<Values> {
  const entries = plainArguments(fields);
  const required = entries.filter(([, { mode }]) => mode === "required").map(([name]) => name);
  const shape = Object.fromEntries(entries.map(([name, field]) => [name, anyOf(field, of)]));
  return fc.record(shape, { requiredKeys: required }) as fc.Arbitrary<Values>;
}

/** Whole arguments of a kind: with a body where it wants one. */
export function programOf({ fields, body }: Definition, of: Entries = unlike): fc.Arbitrary<Values> {
  const plain = argumentsOf(fields, of);
  if (body === undefined) return plain;
  const named = body.name === undefined ? {} : { filename: fc.constant("note.txt") };
  return fc
    .tuple(plain, fc.record({ content: text, ...named }))
    .map(([values, given]) => ({ ...values, ...given }));
}
