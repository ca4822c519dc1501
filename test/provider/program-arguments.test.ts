// The values of an object without an argument, and the names of objects.
import { describe, expect, test } from "vitest";
import { decimal, integer, integers, items, nested, oneOf, text } from "../../provider/definition/define.ts";
import { nameOf, pathsNotPulled, titleOf } from "../../provider/inventory/program-arguments.ts";
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
