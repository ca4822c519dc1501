// Settings that a program and a shop both changed, merged: the program's text, in its layout, with the shop's values.
import { describe, expect, test } from "vitest";
import { clashOf, leafHashes, leavesOf, mergedText, printLeaves } from "../../provider/body/json-leaves.ts";

const merged = (text: string, theirs: string, ...paths: readonly string[]) =>
  mergedText(text, leavesOf(theirs) ?? new Map(), paths);

describe("the merged text has the program's layout", () => {
  test.each([
    ["in one line", '{"a":1,"b":{"c":2}}', '{"a":1,"b":{"c":3}}'],
    [
      "two spaces",
      '{\n  "a": 1,\n  "b": {\n    "c": 2\n  }\n}',
      '{\n  "a": 1,\n  "b": {\n    "c": 3\n  }\n}',
    ],
    ["tabs", '{\n\t"a": 1,\n\t"b": {\n\t\t"c": 2\n\t}\n}', '{\n\t"a": 1,\n\t"b": {\n\t\t"c": 3\n\t}\n}'],
    [
      "four spaces, lines of Windows, space before and a line's end",
      '  {\r\n    "a": 1,\r\n    "b": {\r\n        "c": 2\r\n    }\r\n}\n',
      '{\n    "a": 1,\n    "b": {\n        "c": 3\n    }\n}\n',
    ],
    ["an inner one's says nothing", '{"a":1,"b":{\n   "c":2}}', '{"a":1,"b":{"c":3}}'],
  ])("%s", (_what, text, expected) => {
    expect(merged(text, '{"a":9,"b":{"c":3}}', "b.c")).toBe(expected);
  });
});

test("only the named values are the shop's: set, added where nothing was, and taken away", () => {
  const text = '{"a":1,"b":{"c":2,"d":4}}';
  expect(merged(text, '{"a":9,"b":{"c":3}}', "b.d")).toBe('{"a":1,"b":{"c":2}}');
  expect(merged(text, '{"n":{"m":[1]}}', "n.m")).toBe('{"a":1,"b":{"c":2,"d":4},"n":{"m":[1]}}');
  expect(merged(text, '{"x.y":5}', "x\\.y")).toBe('{"a":1,"b":{"c":2,"d":4},"x.y":5}');
});

describe("any name is only a name", () => {
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

  test.each(paths)("%j, in it %j", (outer, inner) => {
    const settings = (value: number) => `{${JSON.stringify(outer)}:{${JSON.stringify(inner)}:${value}}}`;
    const theirs = leavesOf(settings(2)) ?? new Map();
    expect(mergedText(settings(1), theirs, [...theirs.keys()])).toBe(settings(2));
    expect(mergedText("{}", theirs, [...theirs.keys()])).toBe(settings(2));
    expect(mergedText(settings(1), new Map(), [...theirs.keys()])).toBe(`{${JSON.stringify(outer)}:{}}`);
    // What is said of it in a shop is said of nothing else.
    expect(({} as Record<string, unknown>)[inner]).not.toBe(2);
  });

  test("each has a path of its own", () => {
    const said = (names: string) => [...(leavesOf(names)?.keys() ?? [])];
    const all = [
      ...paths.map(([outer, inner]) => `{${JSON.stringify(outer)}:{${JSON.stringify(inner)}:1}}`),
      ...names.map((name) => `{${JSON.stringify(name)}:1}`),
    ].map(said);
    expect(all.map((found) => found.length)).toEqual(all.map(() => 1));
    expect(new Set(all.flat()).size).toBe(all.length);
  });
});

describe("values are compared one by one", () => {
  const leaves = (text: string) => Object.fromEntries(leavesOf(text) ?? []);

  test("a value is whatever is no object; an empty object is one", () => {
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

  test.each([undefined, "", "x", "[]", "1", "null", '"{}"', "{", '{"a":1', "{a:1}"])(
    "%j has none",
    (text) => {
      expect(leavesOf(text)).toBeUndefined();
    },
  );

  test("two thousand at most", () => {
    const of = (count: number) =>
      JSON.stringify(
        Object.fromEntries(Array.from({ length: count }, (_none, index) => [`n${index}`, index])),
      );
    expect(leavesOf(of(2_000))?.size).toBe(2_000);
    expect(leavesOf(of(2_001))).toBeUndefined();
  });

  test("as the state keeps them", () => {
    const hashes = leafHashes(printLeaves(leavesOf('{"a":1,"b":{"c":2}}') ?? new Map()));
    expect([hashes.has("a", "1"), hashes.has("a", "2"), hashes.has("a", undefined)]).toEqual([
      true,
      false,
      false,
    ]);
    expect([hashes.has("b.c", "2"), hashes.has("b", undefined), hashes.has("d", "1")]).toEqual([
      true,
      true,
      false,
    ]);
    const only = leafHashes(hashes.only(["b.c", "d"]));
    expect([only.has("b.c", "2"), only.has("a", undefined), only.has("d", undefined)]).toEqual([
      true,
      true,
      true,
    ]);
    expect(leafHashes("").has("a", undefined)).toBe(true);
    expect([hashes.only([]), hashes.only(["d"])]).toEqual(["", ""]);
  });
});

describe("a value can't be had beside values inside of it", () => {
  test.each<[mine: readonly string[], theirs: readonly string[], clashes: readonly string[]]>([
    [["a"], ["b"], []],
    [["a"], ["a"], []],
    [["a"], ["a.b"], ["a", "a.b"]],
    [["a.b"], ["a"], ["a", "a.b"]],
    [
      ["a.b", "c"],
      ["a", "d"],
      ["a", "a.b"],
    ],
    [
      ["a", "c"],
      ["a.b", "a.d.e", "c"],
      ["a", "a.b", "a.d.e"],
    ],
    [["ab"], ["a"], []],
    [["a.b"], ["a.bc", "a.c"], []],
  ])("%j and %j", (mine, theirs, clashes) => {
    const isClash = clashOf(mine, theirs);
    expect([...new Set([...mine, ...theirs])].filter(isClash).toSorted()).toEqual(clashes);
  });
});
