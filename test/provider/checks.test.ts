// What a program may write: each type of argument, what is missing, what is unknown, and the word `adopt`.
import { describe, expect, test } from "vitest";
import { check, splitReason } from "../../provider/change/check.ts";
import {
  boolean,
  date,
  decimal,
  dimensions,
  flag,
  integer,
  integers,
  items,
  localFile,
  oneOf,
  oneOfNumbers,
  text,
  time,
} from "../../provider/definition/define.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { unknownValue } from "../../provider/wire/text.ts";
import { kindOf } from "./kind.ts";

const fields = {
  id: integer({ mode: "computed" }),
  made: time("A"),
  numbers: integers({ element: "number" }),
  text: text(),
  size: dimensions(),
  integer: integer(),
  decimal: decimal(),
  boolean: boolean(),
  flag: flag(),
  date: date(),
  word: oneOf({ a: "the first", b: "the second" }, {}),
  number: oneOfNumbers({ 1: "one", 2: "two" }, {}),
  file: localFile(),
  parts: items(
    { code: text({ mode: "required" }), price: integer(), tags: items({ name: text() }, { element: "tag" }) },
    { element: "part", key: "code" },
  ),
};
const thing = kindOf("Thing", fields);
const strict = kindOf("Strict", {
  title: text({ mode: "required" }),
  count: integer({ mode: "required" }),
  day: date({ mode: "required" }),
});

const checked = async (news: Values, kind = thing) => {
  const { inputs, failures } = await check(kind, news, { folder: "/nowhere" });
  return {
    inputs,
    wrong: failures.map(({ property, reason }) => `${property}: ${splitReason(reason).reason}`),
  };
};

describe("valid arguments", () => {
  test.each<[name: keyof typeof fields, given: unknown, taken: unknown]>([
    ["text", "a\r\nb\r", "a\nb\r"],
    ["text", "", ""],
    ["size", "10x20", "10x20"],
    ["size", "10х20х30", "10x20x30"],
    ["integer", 0, 0],
    ["integer", -3, -3],
    ["integer", "", ""],
    ["decimal", 1.5, 1.5],
    ["decimal", 12 * 1.1, 13.2],
    ["decimal", 123456789012.345, 123456789012.345],
    ["decimal", "13.200000000000001", 13.2],
    ["decimal", "180.0", 180],
    ["decimal", "-.5", -0.5],
    ["decimal", "", ""],
    ["boolean", false, false],
    ["flag", true, true],
    ["date", "2026-02-28", "2026-02-28"],
    ["date", "", ""],
    ["word", "b", "b"],
    ["number", 2, 2],

    ["file", "a.txt", "a.txt"],
    ["parts", [], []],

    ["parts", [unknownValue], [unknownValue]],
    ["parts", unknownValue, unknownValue],
    ["integer", unknownValue, unknownValue],
  ])("the argument %s %j is read as %j", async (name, given, taken) => {
    expect(await checked({ [name]: given })).toEqual({ inputs: { [name]: taken }, wrong: [] });
  });
});

describe("invalid arguments", () => {
  const decimalWords = 'must be a number (12.5), also as a string ("12.50"), of at most 15 digits';

  test.each<[name: keyof typeof fields, given: unknown, reason: string]>([
    ["text", 1, "must be a string"],
    ["text", "ab\u0007", "remove the character U+0007 at position 2: XML can't carry it"],
    ["text", "\uFFFE", "remove the character U+FFFE at position 0: XML can't carry it"],
    ["size", 1, "must be a string"],
    ["size", "\u0000", "remove the character U+0000 at position 0: XML can't carry it"],
    ["integer", 1.5, "must be an integer"],
    ["integer", "1", "must be an integer"],
    ["decimal", "1,5", decimalWords],
    ["decimal", true, decimalWords],
    ["decimal", [1], decimalWords],
    ["decimal", Number.NaN, decimalWords],
    ["boolean", "true", "must be true or false"],
    ["flag", 1, "must be true or false"],
    ["date", "2026-02-30", "must be a date that exists, YYYY-MM-DD"],
    ["date", 20260228, "must be a date, YYYY-MM-DD"],
    ["word", "c", "must be one of a, b"],
    ["number", 3, "must be 1 (one) or 2 (two)"],
    ["number", "1", "must be 1 (one) or 2 (two)"],
    ["file", 1, "must be the path of a file in the project"],
    ["file", { path: "a" }, "must be the path of a file in the project"],
    ["file", { path: "a", size: 1, sha256: "x", binary: false }, "must be the path of a file in the project"],
    ["parts", { code: "a" }, "must be a list"],
    ["parts", "a", "must be a list"],
  ])("the argument %s %j is refused: %s", async (name, given, reason) => {
    expect((await checked({ [name]: given })).wrong).toEqual([`${name}: ${reason}`]);
  });

  test.each(["id", "made", "numbers"])("%s can't be set because the shop writes it", async (name) => {
    expect((await checked({ [name]: 1 })).wrong).toEqual([
      `${name}: is set by the shop; a program can't set it`,
    ]);
  });

  test("an argument that doesn't exist is refused", async () => {
    const known = "text, size, integer, decimal, boolean, flag, date, word, number, file, parts";
    expect((await checked({ colour: 1, "": 2 })).wrong).toEqual([
      `colour: unknown argument; Thing takes ${known}`,
      `[""]: unknown argument; Thing takes ${known}`,
    ]);
  });
});

describe("items of a list", () => {
  test("each item of a list is checked, and a failure names it by its key or its position", async () => {
    const parts = [
      { code: "a" },
      {},
      { code: "b", price: "x", colour: 1, tags: [{ name: 1 }] },
      "c",
      null,
      [],
    ];
    expect((await checked({ parts })).wrong).toEqual([
      "parts[1].code: is required",
      "parts[b].colour: unknown argument; an item of parts takes code, price, tags",
      "parts[b].price: must be an integer",
      "parts[b].tags[0].name: must be a string",
      "parts[3]: must be an object",
      "parts[4]: must be an object",
      "parts[5]: must be an object",
    ]);
  });
});

describe("the value in a message", () => {
  const reasons = async (news: Values) =>
    (await check(thing, news, { folder: "/nowhere" })).failures.map(
      ({ property, reason }) => [property, splitReason(reason).given] as const,
    );

  test.each<[given: unknown, told: string]>([
    ["10,99", '"10,99"'],
    ['a "b"; got\n1', '"a \\"b\\"; got\\n1"'],
    ["x".repeat(50), `"${"x".repeat(39)}…"`],
    [Number.NaN, "NaN"],
    [Number.NEGATIVE_INFINITY, "-Infinity"],
    [true, "true"],
    [[1], "a list"],
    [{ a: 1 }, "an object"],
  ])("%j is shown beside the expected value: %s", async (given, told) => {
    expect(await reasons({ decimal: given })).toEqual([["decimal", told]]);
  });

  test("a message shows no secret value and no key of a secret item", async () => {
    expect(await reasons({ decimal: "10,99", __secret: "decimal" })).toEqual([["decimal", undefined]]);
    const parts = [{ code: "hush", price: "10,99" }];
    expect(await reasons({ parts })).toEqual([["parts[hush].price", '"10,99"']]);
    expect(await reasons({ parts, __secret: "parts" })).toEqual([["parts", undefined]]);
  });
});

describe("required arguments", () => {
  test("a required argument may be unknown in a preview, and can't be removed", async () => {
    const later = { title: unknownValue, count: unknownValue, day: unknownValue };
    expect(await checked(later, strict)).toEqual({ inputs: later, wrong: [] });
    expect((await checked({ title: "", count: "", day: "" }, strict)).wrong).toEqual([
      "title: must not be empty",
      "count: must be an integer",
      "day: must be a date that exists, YYYY-MM-DD",
    ]);
  });
});

test("fields that the SDK adds to the arguments are kept, and fields of an engine are not", async () => {
  const beside = { __of: "program", __secret: "text", __ignored: "parts.price" };
  expect(await checked({ text: "a", ...beside, __defaults: [], __other__: 1 })).toEqual({
    inputs: { text: "a", ...beside },
    wrong: [],
  });
  expect(Object.keys((await checked({ text: "a", __of: undefined })).inputs)).toEqual(["text"]);
});

describe("adopt", () => {
  const keyed = kindOf("Keyed", fields, { keys: [["text"]] });
  const single = kindOf("Single", fields, { singleton: "text" });

  test("adopt by key requires a natural key, unless a shop has only one such object", async () => {
    expect((await checked({ adopt: "key" }, thing)).wrong).toEqual([
      "adopt: Thing has no natural key: use the id of the object to adopt",
    ]);
    expect((await checked({ adopt: "key" }, keyed)).wrong).toEqual([]);
    expect((await checked({ adopt: "key" }, single)).wrong).toEqual([]);
  });
});

describe("arguments with several forms", () => {
  const coupon = kindOf("Coupon", {
    off: decimal({ mode: "required", forms: { percent: { unit: 1 }, amount: { unit: 2 } } }),
    unit: oneOfNumbers({ 1: "percent", 2: "money" }, { mode: "required" }),
    colours: items(
      { name: text({ mode: "required" }), code: text() },
      { element: "colour", key: "name", pairs: "code" },
    ),
  });
  test.each<[what: string, given: Values, taken: Values]>([
    ["by the name of what it is", { off: { percent: "10.0" } }, { off: 10, unit: 1 }],
    ["by its other name", { off: { amount: 5 }, unit: 2 }, { off: 5, unit: 2 }],
    ["with a value that isn't known yet", { off: { amount: unknownValue } }, { off: unknownValue, unit: 2 }],
    ["before its form is known", { off: unknownValue }, { off: unknownValue, unit: unknownValue }],
    [
      "as an object of names",
      { off: 1, unit: 1, colours: { red: "f00" } },
      { off: 1, unit: 1, colours: [{ name: "red", code: "f00" }] },
    ],
  ])("an argument with several forms is accepted %s", async (_what, given, taken) => {
    expect(await checked(given, coupon)).toEqual({ inputs: taken, wrong: [] });
  });
  test.each<[what: string, given: Values, wrong: readonly string[]]>([
    [
      "under an unknown name",
      { off: { pct: 10 } },
      ["off: got { pct }, expected { percent: ... } or { amount: ... }, or a number and unit"],
    ],
    [
      "beside something else than it means",
      { off: { percent: 10 }, unit: 2 },
      ["off: sets unit too: leave out unit, which is 2"],
    ],
    [
      "as a number alone",
      { off: 10 },
      ["unit: is required if off is a plain number; or write off as { percent: ... } or { amount: ... }"],
    ],
  ])("an argument with several forms is refused %s", async (_what, given, wrong) => {
    expect((await checked(given, coupon)).wrong).toEqual(wrong);
  });
});

test("an empty price, and two items of the same key that nothing else tells apart, are refused", async () => {
  const priced = kindOf("Priced", { cost: decimal({ role: "price" }), was: decimal(), parts: fields.parts });
  const given = { cost: "", was: "", parts: [{ code: "A" }, { code: "B" }, { code: "A" }] };
  expect((await checked(given, priced)).wrong).toEqual([
    "cost: must be an amount; leave it out to keep the one in the shop",
    "parts[2].code: occurs twice: write each code once",
  ]);
});
