// How an object is named: by the engine's id, by the path of its operations, by its natural key.
import { describe, expect, test } from "vitest";
import { integer, items, text } from "../../provider/definition/define.ts";
import {
  engineIdOf,
  hasKey,
  keyOf,
  keyText,
  parentNames,
  parentsText,
} from "../../provider/values/identity.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { kindOf } from "./kind.ts";

const fields = {
  id: integer({ mode: "computed" }),
  shelfId: integer(),
  title: text(),
  parts: items({ code: text() }, { element: "part" }),
};
const operations = (path: string) => ({
  get: { method: "GET", path: `${path}/{id}.xml` },
  create: { method: "POST", path: `${path}.xml` },
  removeItem: { method: "DELETE", path: `${path}/{id}/parts/{item}.xml` },
});
const thing = kindOf("Thing", fields, { operations: operations("/things") as never });
const inner = kindOf("Inner", fields, { operations: operations("/shelves/{shelfId}/inners") as never });
const single = kindOf("Single", fields, { operations: operations("/single") as never, singleton: "title" });

describe("the engine's id", () => {
  test("the engine's id of an object is the shop's id after the ids of its parents", () => {
    expect([thing, inner, single].map(parentNames)).toEqual([[], ["shelfId"], []]);
    expect(engineIdOf(thing, { id: 7 }, {})).toBe("7");
    expect(engineIdOf(inner, { id: 7, shelfId: 3 }, { shelfId: 4 })).toBe("3/7");
    expect(engineIdOf(inner, { id: 7 }, { shelfId: 4 })).toBe("4/7");
  });

  test("two texts of the same object have ids in the same list", () => {
    expect(parentsText(inner, "3/7")).toBe(parentsText(inner, "3/8"));
    expect(parentsText(inner, "3/7")).not.toBe(parentsText(inner, "4/7"));
    expect([parentsText(thing, "7"), parentsText(thing, "8")]).toEqual(["{}", "{}"]);
  });
});

describe("natural keys", () => {
  const keyed = kindOf("Keyed", fields, { keys: [["parts.code"], ["title", "shelfId"], ["title"]] });

  test.each<[args: Values, key: Values | undefined]>([
    [{}, undefined],
    [{ shelfId: 1 }, undefined],
    [{ title: "a" }, { title: "a" }],
    [{ title: "" }, undefined],

    [{ title: "a", shelfId: "" }, { title: "a" }],
    [{ title: "", shelfId: 1 }, undefined],
    [{ title: "a", parts: [] }, { title: "a" }],
    [{ title: "a", parts: [{}] }, { title: "a" }],
    [{ title: "a", parts: [{ code: "" }] }, { title: "a" }],
    [{ title: "a", parts: [{ code: "x" }, {}, { code: "y" }] }, { "parts.code": ["x", "y"] }],
    [{ title: 0 }, { title: 0 }],
  ])("the natural key of %j is the first complete one: %j", (args, key) => {
    expect(keyOf(keyed, args)).toEqual(key);
  });

  test("a natural key in a list's items matches any item, in any order", () => {
    const seen = { parts: [{ code: "x" }, {}, { code: "y" }] };
    expect(hasKey(seen, { "parts.code": ["y"] })).toBe(true);
    expect(hasKey(seen, { "parts.code": ["z", "y"] })).toBe(true);
    expect(hasKey(seen, { "parts.code": ["z"] })).toBe(false);
  });

  test("a natural key is readable in a message", () => {
    expect(keyText({ "parts.code": ["x", "y"] })).toBe("parts.code x or y");
    expect(keyText({ title: "a", "parts.code": "x" })).toBe("title a, parts.code x");
  });
});
