// Settings that a program and a shop both changed, merged: the program's text, in its layout, with the shop's values.
import { describe, expect, test } from "vitest";
import { clashesOf, jsonValues, mergedText } from "../../provider/body/json.ts";

const merged = (text: string, theirs: string, ...paths: readonly string[]) =>
  mergedText(text, jsonValues(theirs) ?? new Map(), paths);

describe("the layout of merged settings", () => {
  test.each([
    ["in one line", '{"a":1,"b":{"c":2}}', '{"a":1,"b":{"c":3}}'],

    ["tabs", '{\n\t"a": 1,\n\t"b": {\n\t\t"c": 2\n\t}\n}', '{\n\t"a": 1,\n\t"b": {\n\t\t"c": 3\n\t}\n}'],
    [
      "four spaces, lines of Windows, space before and a line's end",
      '  {\r\n    "a": 1,\r\n    "b": {\r\n        "c": 2\r\n    }\r\n}\n',
      '{\n    "a": 1,\n    "b": {\n        "c": 3\n    }\n}\n',
    ],
    ["an inner one's says nothing", '{"a":1,"b":{\n   "c":2}}', '{"a":1,"b":{"c":3}}'],
  ])("merged settings keep the program's layout: %s", (_what, text, expected) => {
    expect(merged(text, '{"a":9,"b":{"c":3}}', "b.c")).toBe(expected);
  });
});

describe("names in settings", () => {
  const names = [
    "\\",
    "a\\",
    "\\.",
    "a.b",
    ".",
    "",
    "\\0",
    "0",
    "__proto__",
    "constructor",
    "toString",
    "a\nb",
  ];
  const paths = names.flatMap((outer) => names.map((inner) => [outer, inner] as const));

  test.each(paths)("any property name is only a name: %j in %j", (outer, inner) => {
    const settings = (value: number) => `{${JSON.stringify(outer)}:{${JSON.stringify(inner)}:${value}}}`;
    const theirs = jsonValues(settings(2)) ?? new Map();
    expect(mergedText(settings(1), theirs, [...theirs.keys()])).toBe(settings(2));
    expect(mergedText("{}", theirs, [...theirs.keys()])).toBe(settings(2));
    expect(mergedText(settings(1), new Map(), [...theirs.keys()])).toBe(`{${JSON.stringify(outer)}:{}}`);
    // What is said of it in a shop is said of nothing else.
    expect(({} as Record<string, unknown>)[inner]).not.toBe(2);
  });
});

describe("values of settings", () => {
  const leaves = (text: string) => Object.fromEntries(jsonValues(text) ?? []);

  test("settings are compared value by value, and an empty object is a value", () => {
    expect(leaves('{"a":1,"b":"x","c":null,"d":[{"e":1}],"f":{},"g":{"h":true,"i":{}},"j":[]}')).toEqual({
      a: "1",
      b: '"x"',
      c: "null",
      d: '[{"e":1}]',
      f: "{}",
      "g.h": "true",
      "g.i": "{}",
      j: "[]",
    });
    expect(leaves(" \n{}")).toEqual({});
    expect(leaves(' {"a":1} ')).toEqual({ a: "1" });
  });
});

describe("values inside of values", () => {
  test.each<[mine: readonly string[], theirs: readonly string[], clashes: readonly string[]]>([
    [["a"], ["b"], []],
    [["a"], ["a"], []],
    [["a"], ["a.b"], ["a", "a.b"]],
    [["a.b"], ["a"], ["a", "a.b"]],

    [["ab"], ["a"], []],
    [["a.b"], ["a.bc", "a.c"], []],
  ])("a setting can't have a value and values inside it: %j and %j", (mine, theirs, clashes) => {
    const isClash = clashesOf(mine, theirs);
    expect([...new Set([...mine, ...theirs])].filter(isClash).toSorted()).toEqual(clashes);
  });
});
