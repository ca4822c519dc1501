// Decoding and encoding of scalars (interface.md, Conventions 3 to 5).
import { describe, expect, test } from "vitest";
import type { Codec } from "../../provider/definition/field.ts";
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
} from "../../provider/definition/scalars.ts";

/** The decoded value, or the reason for a failure. */
function read(wire: Codec, text: string): unknown {
  const result = wire.decode(text);
  return "value" in result ? result.value : [result.wrong];
}

function written(wire: Codec, value: unknown): unknown {
  const result = wire.encode(value);
  return "value" in result ? result.value : [result.wrong];
}

describe("an integer", () => {
  test.each([
    ["0", 0],
    ["7", 7],
    ["-12", -12],
    ["+12", 12],
    ["007", 7],
    [" 12 ", 12],
    ["\n1234\t", 1234],
    ["9007199254740991", 9007199254740991],
    ["-9007199254740991", -9007199254740991],
  ])("the text %j is the integer %d", (text, value) => {
    expect(read(integerWire, text)).toBe(value);
  });

  test.each([
    "",
    " ",
    "x",
    "1x",
    "x1",
    "1.0",
    "1e3",
    "0x10",
    "1 2",
    "--1",
    "+-1",
    "9007199254740992",
    "1".repeat(20),
  ])("%j is none", (text) => {
    expect(read(integerWire, text)).toEqual([`${JSON.stringify(text)} is not an integer`]);
  });

  test("an integer is encoded as it is", () => {
    expect([0, -12, 9007199254740991].map((value) => written(integerWire, value))).toEqual([
      "0",
      "-12",
      "9007199254740991",
    ]);
  });
});

/** Texts and their canonical decimals. */
const decimals: readonly (readonly [string, string])[] = [
  ["0", "0"],
  ["-0", "0"],
  ["+0", "0"],
  ["0.0", "0"],
  ["-0.00", "0"],
  ["00", "0"],
  ["7", "7"],
  ["07", "7"],
  ["007.50", "7.5"],
  ["+7", "7"],
  ["-7", "-7"],
  ["-7.10", "-7.1"],
  ["7.", "7"],
  [".5", "0.5"],
  ["-.5", "-0.5"],
  ["0.05", "0.05"],
  ["100", "100"],
  ["100.00", "100"],
  ["1001", "1001"],
  ["10.01", "10.01"],
  [" 7.5 ", "7.5"],
  ["1e2", "100"],
  ["1E2", "100"],
  ["1e+2", "100"],
  ["1.5e1", "15"],
  ["1.5e3", "1500"],
  ["12.34e1", "123.4"],
  ["1e-1", "0.1"],
  ["1e-2", "0.01"],
  ["12e-1", "1.2"],
  ["12e-2", "0.12"],
  ["12e-3", "0.012"],
  ["120e-1", "12"],
  ["0.5e1", "5"],
  ["-5e-3", "-0.005"],
  ["1e12", "1000000000000"],
];

const noDecimals = [
  "",
  " ",
  ".",
  "-",
  "+",
  "e1",
  ".e1",
  "-.",
  "x",
  "1x",
  "x1",
  "1.2.3",
  "1,5",
  "1 2",
  "1e",
  "1e1.5",
  "--1",
];

describe("a decimal", () => {
  test.each(decimals)("the text %j is the decimal %s", (text, canonical) => {
    expect(canonicalDecimal(text)).toBe(canonical);
    expect(decimalOf(text)).toBe(Number(canonical));
    expect(read(decimalWire, text)).toBe(Number(canonical));
  });

  test.each(noDecimals)("%j is none", (text) => {
    expect(canonicalDecimal(text)).toBeUndefined();
    expect(decimalOf(text)).toBeUndefined();
    expect(read(decimalWire, text)).toEqual([
      `${JSON.stringify(text)} is not a decimal that a number holds without loss`,
    ]);
  });
});

describe("a boolean", () => {
  test.each([booleanWire, flagWire])("a boolean is true, 1, false or 0", (wire) => {
    expect(["true", "1", "false", "0"].map((text) => read(wire, text))).toEqual([true, true, false, false]);
    for (const text of ["", "maybe", "TRUE", "10", " true"])
      expect(read(wire, text)).toEqual([`${JSON.stringify(text)} is neither true nor false`]);
  });

  test("a boolean is encoded in words, a flag in digits", () => {
    expect([true, false].map((value) => written(booleanWire, value))).toEqual(["true", "false"]);
    expect([true, false].map((value) => written(flagWire, value))).toEqual(["1", "0"]);
  });
});

describe("a day", () => {
  test.each([
    "",
    "2026",
    "2026-01",
    "2026-02-29",
    "2026-13-01",
    "2026-00-10",
    "2026-04-31",
    "2026-01-00",
    "2026-1-1",
    "26-01-01",
    "2026-01-01 ",
    " 2026-01-01",
    "+2026-01-01",
    "12026-01-01",
    "2026-01-011",
    "2026-01-01T00:00:00Z",
    "2026/01/01",
    "today",
  ])("%j is none", (text) => {
    expect(isDate(text)).toBe(false);
    expect(read(dateWire, text)).toEqual([`${JSON.stringify(text)} is not a date YYYY-MM-DD`]);
  });
});

describe("a time", () => {
  test.each([
    ["2026-01-02T03:04:05+03:00", "2026-01-02T03:04:05+03:00"],
    ["2026-01-02T03:04:05-03:30", "2026-01-02T03:04:05-03:30"],
    ["2026-01-02 03:04:05 +0300", "2026-01-02T03:04:05+03:00"],
    ["2026-01-02 03:04:05 -0330", "2026-01-02T03:04:05-03:30"],
    ["2026-01-02 03:04:05+0300", "2026-01-02T03:04:05+03:00"],
    ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05+00:00"],
    ["2026-01-02 03:04:05 UTC", "2026-01-02T03:04:05+00:00"],
    ["2026-01-02T03:04:05.25+03:00", "2026-01-02T03:04:05.25+03:00"],
    ["2024-02-29T23:59:59.123456Z", "2024-02-29T23:59:59.123456+00:00"],
  ])("the text %s is the time %s", (text, iso) => {
    expect(read(timeWire("A"), text)).toBe(iso);
    expect(read(timeWire("B"), text)).toBe(iso);
  });

  test.each([
    "",
    "2026-01-02",
    "2026-01-02T03:04:05",
    "2026-01-02T03:04+03:00",
    "2026-02-30T03:04:05Z",
    "2026-01-02T25:04:05Z",
    "2026-01-02T03:61:05Z",
    "2026-01-02T03:04:05.Z",
    "2026-01-02T03:04:05.xZ",
    "2026-01-02T03:04:05+3:00",
    "2026-01-02T03:04:05+99:00",
    "2026-01-02T03:04:05 CET",
    "x2026-01-02T03:04:05Z",
    "2026-01-02T03:04:05Zx",
    "2026-01-02_03:04:05Z",
  ])("%j is none", (text) => {
    expect(read(timeWire("A"), text)).toEqual([
      `${JSON.stringify(text)} is not a timestamp of format A or B`,
    ]);
  });

  test("a timestamp is encoded in its format", () => {
    const times = ["2026-01-02T03:04:05+03:00", "2026-01-02T03:04:05-03:30"];
    expect(times.map((time) => written(timeWire("A"), time))).toEqual(times);
    expect(times.map((time) => written(timeWire("B"), time))).toEqual([
      "2026-01-02 03:04:05 +0300",
      "2026-01-02 03:04:05 -0330",
    ]);
    // An offset is only valid at the end.
    expect(written(timeWire("B"), "2026-01-02T03:04:05+03:00?")).toBe("2026-01-02 03:04:05+03:00?");
  });
});

test("a text is decoded unchanged", () => {
  expect(read(textWire, " a\n")).toBe(" a\n");
  expect(written(textWire, " a\n")).toBe(" a\n");
});

test("a message shows the start of a long text", () => {
  const [short, long] = ["x".repeat(60), "x".repeat(61)];
  expect(read(integerWire, short)).toEqual([`"${short}" is not an integer`]);
  expect(read(integerWire, long)).toEqual([`"${short}..." is not an integer`]);
});

describe("characters that XML can't carry are reported with their position", () => {
  test.each<[what: string, text: string, at: number | undefined]>([
    ["nothing", "", undefined],
    ["tab and both ends of lines", "a\t\r\nb", undefined],
    ["a character beyond the basic plane", "a\u{1F3FA}", undefined],
    ["the last allowed ones", "\uD7FF\uE000\uFFFD", undefined],
    ["a zero", "a\u0000", 1],
    ["a backspace", "ab\b", 2],
    ["a vertical tab", "\u000B", 0],
    ["a form feed", "a\f", 1],
    ["the last control character", "a\u001F", 1],
    ["no character", "a\uFFFE", 1],
    ["nor this", "a\uFFFF", 1],
    ["half of a pair, the first", "a\uD83Cb", 1],
    ["half of a pair, the second", "ab\uDFFA", 2],
  ])("%s", (_what, text, at) => {
    expect(forbiddenAt(text)).toBe(at);
  });
});
