// What of an object can be compared with one of another shop, fact by fact, and what is said to be left out and why.

import { describe, expect, test } from "vitest";
import { boolean, integer, integers, items, text } from "../../provider/definition/define.ts";
import { comparedObject, type ReferredObjects } from "../../provider/inventory/comparable.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { kindOf } from "./kind.ts";

const shelf = kindOf(
  "Shelf",
  { title: text(), isMain: boolean() },
  { names: ["title"], lookups: { title: "title", main: "isMain" } },
);
const thing = kindOf(
  "Thing",
  {
    name: text(),
    code: text(),
    label: text(),
    shelf: integer({ refersTo: { kind: "Shelf" } }),
    stock: integer({ serverManaged: true }),
    parts: items(
      {
        id: integer({ mode: "computed" }),
        sku: text(),
        price: integer(),
        left: integer({ serverManaged: true }),
      },
      { element: "part", key: "sku" },
    ),
    plain: items({ value: text() }, { element: "plain" }),
    note: text({ mode: "computed", hasArgument: false }),
    stamp: text({ mode: "computed" }),
    pictures: items(
      {
        id: integer({ mode: "computed" }),
        partId: integer({ mode: "computed" }),
        idea: integer({ mode: "computed" }),
        title: text({ mode: "computed" }),
        url: text({ mode: "computed" }),
        thumb: text({ mode: "computed" }),
      },
      { mode: "computed", element: "picture" },
    ),
    shelves: integers({ element: "shelf", refersTo: { kind: "Shelf" } }),
    sizes: integers({ element: "size" }),
  },
  { keys: [["shelf", "name"], ["code"]], names: ["label"] },
);

const shelves: readonly Values[] = [
  { id: 1, title: "Mugs", isMain: false },
  { id: 2, title: "Bowls", isMain: true },
  { id: 3, title: "Twin", isMain: false },
  { id: 4, title: "Twin", isMain: false },
];
const referred: ReferredObjects = new Map([["Shelf", shelves.map((seen) => ({ definition: shelf, seen }))]]);
const of = (args: Values, seen?: Values, more = {}) => {
  const { fields, hidden, ...keys } = comparedObject(
    { definition: thing, args, seen, body: undefined, ...more },
    referred,
  );
  return { facts: Object.fromEntries(fields), hidden: Object.fromEntries(hidden), ...keys };
};

describe("comparable arguments", () => {
  test("a list is compared by the keys of its items, with a number for a second item of the same key", () => {
    const parts = [
      { sku: "a", price: 1 },
      { sku: "[b]", price: 2, left: 3 },
      { sku: "a", price: 4 },
      { price: 5 },
    ];
    const { facts, hidden } = of({ parts });
    expect(facts).toEqual({
      parts: "there",
      "parts[a]": "there",
      "parts[a].sku": "a",
      "parts[a].price": 1,
      "parts[(b)]": "there",
      "parts[(b)].sku": "[b]",
      "parts[(b)].price": 2,
      "parts[a#2]": "there",
      "parts[a#2].sku": "a",
      "parts[a#2].price": 4,
      "parts[#1]": "there",
      "parts[#1].price": 5,
    });
    expect(hidden).toEqual({ "parts.left": "moves" });
    expect(Object.keys(of({ plain: [{ value: "x" }, { value: "x" }] }).facts)).toEqual([
      "plain",
      "plain[#1]",
      "plain[#1].value",
      "plain[#2]",
      "plain[#2].value",
    ]);
  });

  test("the id of another object is compared as that object's mark, else as its unique key", () => {
    expect(of({ shelf: 2 }).facts).toEqual({ shelf: "main" });
    expect(of({ shelf: 1 }).facts).toEqual({ shelf: "Mugs" });
    for (const number of [3, 9])
      expect(of({ shelf: number })).toMatchObject({ facts: {}, hidden: { shelf: "numbered" } });
  });
});

describe("values that no argument carries", () => {
  test("values that no argument carries are compared by content, without ids, and addresses are reported as left out", () => {
    const picture = {
      id: 5,
      partId: 7,
      idea: 8,
      title: "Front",
      url: "https://a.test/1.png",
      thumb: "//a.test/1",
    };
    const { facts, hidden } = of(
      {},
      { pictures: [picture, { title: "Back", url: "", thumb: undefined }, { id: 9 }] },
    );
    expect(facts).toEqual({
      "pictures[Front]": "there",
      "pictures[Front].idea": 8,
      "pictures[Front].title": "Front",
      "pictures[Back]": "there",
      "pictures[Back].title": "Back",
      "pictures[#1]": "there",
    });
    expect(hidden).toEqual({ "pictures.url": "address", "pictures.thumb": "address" });
  });

  test("numbers of other objects are compared as those objects, and not compared if the object isn't found", () => {
    expect(of({}, { shelves: [2, 1] }).facts).toEqual({
      "shelves[Bowls]": "there",
      "shelves[Mugs]": "there",
    });
    expect(of({}, { shelves: [1, 3] })).toMatchObject({
      facts: {},
      hidden: { shelves: "numbered" },
    });
    expect(of({}, { shelves: [1, 9] }).hidden).toEqual({ shelves: "numbered" });
    expect(of({}, { sizes: [4, 4] }).facts).toEqual({
      "sizes[4]": "there",
      "sizes[4#2]": "there",
    });
  });

  test("a value that the shop changes by itself is reported if the shop has it and the program doesn't set it", () => {
    expect(of({}, { parts: [{ sku: "a" }, { sku: "b", left: 2 }] }).hidden).toEqual({
      "parts.left": "moves",
    });
    expect(of({}, { parts: [{ sku: "a" }] }).hidden).toEqual({});
  });
});

describe("the key of an object", () => {
  const secret = (...paths: readonly string[]) => ({
    hidden: new Map(paths.map((path) => [path, "secret"])),
  });

  test("an object is paired by its first complete key, and loosely without the parent's part", () => {
    expect(of({ name: "cup", shelf: 1, code: "C" })).toMatchObject({
      key: "Mugs cup",
      looseKey: "cup",
      called: "name",
    });
    expect(of({ name: "cup", code: "C" })).toMatchObject({ key: "C", looseKey: "C", called: "name" });
  });

  test("a key with a secret part, or a secret name, is not shown", () => {
    expect(of({ code: "C" }, undefined, secret("code"))).toMatchObject({
      key: "(not shown)",
      called: "secret",
    });
    expect(of({ label: "Cup" }, undefined, secret("label"))).toMatchObject({
      key: "(not shown)",
      called: "secret",
    });
    expect(of({ name: "cup", shelf: 1, code: "C" }, undefined, secret("code"))).toMatchObject({
      key: "Mugs cup",
    });
  });

  test("an object without a key is shown by the beginning of its content", () => {
    const note = kindOf("Note", { kind: text(), content: text({ mode: "required" }) });
    const called = (content: string, hidden?: Map<string, "secret">) =>
      comparedObject(
        { definition: note, args: { content }, body: undefined, ...(hidden && { hidden }) },
        referred,
      );
    expect(called("  one\ntwo")).toMatchObject({ key: '"one"', called: "text" });
    expect(called("x".repeat(40)).key).toBe(`"${"x".repeat(40)}"`);
    expect(called("x".repeat(41)).key).toBe(`"${"x".repeat(40)}..."`);
    expect(called("a", new Map([["content", "secret"]]))).toMatchObject({
      key: "(not shown)",
      called: "secret",
    });
    expect(
      comparedObject(
        { definition: { ...note, singleton: "/note.xml" } as never, args: {}, body: undefined },
        referred,
      ).key,
    ).toBe("note");
  });
});
