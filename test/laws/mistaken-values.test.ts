// Mistaken values of every argument: refused, warned of, or kept by the embedded shop as they are.
import { describe, expect, test } from "vitest";
import { type Definition, type Field, type Fields, isArgument } from "../../provider/definition/define.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { sampleOf } from "../provider/samples.ts";
import { openWorld, resources, type World } from "../support/world.ts";

const texts = [
  "",
  "-a--b-",
  "Tea Mug",
  "a/b",
  "..",
  "nope",
  "Tässe",
  "чашка",
  "ABC",
  "a?b=1",
  "a%20b",
  5,
  ["x"],
  new Date(0),
];
const numbers = ["", null, -1, 0, 1.5, "12,5", "5 kg", "0x10", true, [5]];
const valuesOf: Partial<Record<Field["type"], readonly unknown[]>> = {
  text: texts,
  integer: numbers,
  decimal: numbers,
  date: ["31.12.2026", "2026-1-1", "2026-01-01T00:00:00Z", "tomorrow", "", 5, new Date(0)],
  boolean: ["", "false", 0, "yes", []],
  path: ["nosuch.txt", ".", "/etc/hostname", " ", 5],
  items: ["", null, [], "x", 5, [null], ["x"], [[]]],
  amounts: [[1], 5, "x", { Wholesale: -1 }, { Wholesale: Number.NaN }, { Wholesale: "5 EUR" }],
};

/** Values that no argument of the type takes without a word. */
const neverOf: Partial<Record<Field["type"], readonly unknown[]>> = {
  text: ["a\u0001b", "a\uD800b", "a\0"],
  integer: [Number.NaN, Number.POSITIVE_INFINITY, 10 ** 15, 2 ** 53],
  decimal: [Number.NaN, Number.NEGATIVE_INFINITY, 10 ** 15, 5e-324, 1.7e308],
  date: ["2026-02-30", "2026-13-01"],
};
const neverInPlainText = [
  `Mug ${undefined}`,
  `Mug ${Number.NaN}`,
  "Tea &amp; Mug",
  "<b>Mug</b>",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the mistake
  "Mug ${colour}",
  " Mug",
  "Mug\n",
  "a\nb",
  "TÃ¤sse",
  "T\uFFFDsse",
  "\uFEFFMug",
  "a\u202Eb",
];

interface Case {
  readonly path: string;
  readonly field: Field;
  /** The arguments with a value at the path. */
  readonly put: (value: unknown) => Values;
}

function casesOf(fields: Fields, path: string, put: (values: Values) => Values): readonly Case[] {
  return Object.entries(fields).flatMap(([name, field]): readonly Case[] => {
    if (!isArgument(field)) return [];
    const own = { path: path + name, field, put: (value: unknown) => put({ [name]: value }) };
    const inner = field.items?.fields;
    if (inner === undefined) return [own];
    const required = Object.entries(inner).filter(([, { mode, needed }]) => mode === "required" || needed);
    const others = Object.fromEntries(
      required.map(([other, { type }]) => [other, type === "text" ? "red" : 5]),
    );
    const below = casesOf(inner, `${path}${name}[].`, (item) => put({ [name]: [{ ...others, ...item }] }));
    return [own, ...below];
  });
}

describe.each(resources)("$kind", (definition) => {
  const cases = casesOf(definition.fields, "", (values) => values);

  test("a mistaken value is refused, warned of, or kept by the shop", async () => {
    const world = await openWorld();
    const take = await openTaker(definition, world);
    for (const { path, field, put } of cases)
      for (const value of field.values === undefined ? (valuesOf[field.type] ?? []) : ["x", 99, true])
        expect([path, value, await take(put(value), true)]).toEqual([
          path,
          value,
          expect.stringMatching(/^(said|kept)$/),
        ]);
  });

  test("a value that can't be meant is never taken without a word", async () => {
    const world = await openWorld();
    const take = await openTaker(definition, world);
    for (const { path, field, put } of cases) {
      const isPlain = field.type === "text" && field.format === undefined && !isBodyText(field);
      for (const value of [...(neverOf[field.type] ?? []), ...(isPlain ? neverInPlainText : [])])
        expect([path, value, await take(put(value), false)]).toEqual([path, value, "said"]);
    }
  });
});

const isBodyText = ({ mode, must }: Field) => (mode === "body" || mode === "program") && must === undefined;

/** @returns a function that checks arguments, and creates what they describe if nothing is said of them */
async function openTaker(definition: Definition, world: World) {
  const { args } = await sampleOf(definition, world);
  let count = 0;
  return async (given: Values, isMade: boolean): Promise<string> => {
    count += 1;
    const preview = world.verbs(definition, undefined, undefined, { isPreview: true });
    const verbs = world.verbs(definition);
    const news = { ...withOwnKey(definition, args, count), ...given };
    const isBodyGiven = ["content", "file", "src"].some((name) => name in given);
    if (isBodyGiven) for (const name of ["content", "file", "src"]) if (!(name in given)) delete news[name];
    const before = world.said.length;
    const { inputs, failures } = await preview.check({}, news);
    if (failures.length > 0 || world.said.length > before) return "said";
    if (!isMade) return "taken without a word";
    const made = await verbs.create(inputs).catch((error: Error) => error.message);
    if (typeof made === "string") return made;
    await verbs.delete(made.id, made.outs);
    const changed = Object.keys(given).filter(
      (name) =>
        made.outs[name] !== undefined && inputs[name] !== undefined && !has(made.outs[name], inputs[name]),
    );
    return changed.length === 0 ? "kept" : `the shop changed ${changed}`;
  };
}

/** Whether a value has all that was asked for. */
function has(value: unknown, asked: unknown): boolean {
  if (asked === "") return value === undefined || value === asked;
  if (typeof asked !== "object" || asked === null) return Object.is(value, asked);
  return Object.entries(asked).every(([name, inner]) => has((value as Values)[name], inner));
}

/** The sample with a natural key that no other object has. */
function withOwnKey({ keys = [], fields }: Definition, args: Values, count: number): Record<string, unknown> {
  const name = keys[0]?.find((one) => fields[one]?.role === "title");
  if (name === undefined) return { ...args };
  return { ...args, [name]: String(args[name]).replace(/(?=\.liquid$)|$/, String(count)) };
}
