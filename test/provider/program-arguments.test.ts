// The arguments for an existing object, the values without one, and the names of objects.
import { describe, expect, test } from "vitest";
import { decimal, integer, integers, items, nested, oneOf, text } from "../../provider/definition/define.ts";
import {
  nameOf,
  pathsNotPulled,
  programArguments,
  roleOf,
  titleOf,
} from "../../provider/inventory/program-arguments.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { kindOf } from "./kind.ts";

const part = {
  id: integer({ mode: "computed" }),
  code: text(),
  stock: integer({ serverManaged: true } as never),
  marks: items({ text: text({ mode: "computed" }) }, { element: "mark", mode: "computed" }),
  pages: items({ text: text() }, { element: "page" }),
};
const thing = kindOf("Thing", {
  id: integer({ mode: "computed" }),
  title: text(),
  price: decimal(),
  state: oneOf({ open: "open", shut: "shut" }, {}),
  stock: integer({ serverManaged: true } as never),
  word: text({ writeOnly: true }),
  guessed: text({
    writeOnly: true,
    pullValue: ({ title }: Values) => (title === "a" ? "guess" : undefined),
  } as never),
  own: text({ mode: "program" }),
  size: nested({ width: integer({ mode: "computed" }) }),
  noted: text({ mode: "computed", hasArgument: false } as never),
  moved: integers({ element: "number", hasArgument: true } as never),
  numbers: integers({ element: "number" }),
  parts: items(part, { element: "part", key: "code" }),
});
const argumentsOf = (seen: Values) => programArguments(thing, seen);

describe("the arguments of an object that a program could state", () => {
  test.each<[what: string, seen: Values, args: Values]>([
    ["nothing of nothing", {}, {}],

    ["zero and false, but nothing that is empty", { price: 0, title: "" }, { price: 0 }],
    ["nothing that the shop gives or moves", { id: 1, stock: 3, size: { width: 1 }, numbers: [1] }, {}],
    ["nothing that no answer has", { word: "w", own: "o", guessed: "g" }, {}],
    ["but what follows from an answer", { title: "a" }, { title: "a", guessed: "guess" }],

    ["no list without an item", { parts: [], title: "b" }, { title: "b" }],
  ])("%s", (_what, seen, args) => {
    expect(argumentsOf(seen)).toEqual({ args, leftOut: [] });
  });

  test("a value that isn't a valid argument is left out with the reason", () => {
    expect(argumentsOf({ state: "ajar", title: "b", parts: [{}, { code: "a\u0000" }] })).toEqual({
      args: { title: "b", parts: [{}, {}] },
      leftOut: [
        { path: "state", reason: "must be one of open, shut" },
        { path: "parts[1].code", reason: "remove the character U+0000 at position 1: XML can't carry it" },
      ],
    });
  });
});

describe("behind stays", () => {
  test.each<[what: string, seen: Values, paths: readonly string[]]>([
    ["nothing of nothing", {}, []],
    ["nothing that is stated", { title: "a", price: 1, id: 1 }, []],
    [
      "what stays, where there is any",
      { noted: "n", numbers: [1], size: { width: 1 } },
      ["size", "noted", "numbers"],
    ],
    ["nothing that is empty", { noted: "", numbers: [], stock: undefined }, []],
    ["what the shop moves, none of it too", { stock: 0 }, ["stock"]],
    ["nothing that travels", { moved: [1] }, []],
    [
      "of items each once",
      {
        parts: [
          { stock: 1, code: "x" },
          { stock: 2, marks: [{ text: "m" }] },
        ],
      },
      ["parts.stock", "parts.marks"],
    ],
    ["nothing of items in which nothing does", { parts: [{ code: "x", pages: [{ text: "p" }] }] }, []],
  ])("%s", (_what, seen, paths) => {
    expect(pathsNotPulled(thing.fields, seen)).toEqual(paths);
  });
});

describe("an object is called", () => {
  const named = kindOf("Named", thing.fields, { names: ["title", "address"] });
  const single = kindOf("Single", thing.fields, { names: ["title"], singleton: "title" });

  test.each<[seen: Values, name: string | undefined]>([
    [{ title: "a", address: "b" }, "a"],
    [{ title: " ", address: "b" }, "b"],
    [{ title: 7, address: "b" }, "b"],
    [{ title: "" }, undefined],
    [{}, undefined],
    [{ title: "https://shop.test/a/b%20c.png?v=1" }, "b c.png"],
    [{ title: "//cdn.test/x.png" }, "x.png"],
    [{ title: "http://shop.test/100%.png" }, "100%.png"],
    [{ title: "https://shop.test/folder/" }, "https://shop.test/folder/"],
    [{ title: "a/b.png" }, "a/b.png"],
    [{ title: "see https://shop.test/a" }, "see https://shop.test/a"],
    [{ title: "/a/b.png" }, "/a/b.png"],
  ])("%j: %j", (seen, name) => {
    expect(nameOf(named, seen)).toBe(name);
  });

  test("an object without a name is called by its id, or by its kind if there is only one", () => {
    expect(titleOf(named, { id: 7, title: "a" })).toBe("a");
    expect(titleOf(named, { id: 7 })).toBe("7");
    expect(titleOf(thing, { id: 7, title: "a" })).toBe("7");
    expect(titleOf(single, {})).toBe("single");
  });
});

describe("an object is found", () => {
  const found = kindOf("Found", thing.fields, { lookups: { main: "isMain", name: "title", path: "handle" } });
  const one = { title: "a", handle: "x", isMain: true };
  const two = { title: "a", handle: "y", isMain: false };
  const three = { title: "", handle: 3 };

  test("an object is found in another shop by a unique mark or text", () => {
    expect(roleOf(found, one, [one, two])).toBe("main");
    expect(roleOf(found, two, [one, two])).toBe("y");
    const other = { ...two, isMain: true };
    expect(roleOf(found, one, [one, other])).toBe("x");
    expect(roleOf(found, three, [one, three])).toBeUndefined();
    expect(roleOf(thing, one, [one])).toBeUndefined();
  });
});
