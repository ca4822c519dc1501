// The state of an object, the arguments for it, and messages about differences.
import { describe, expect, test } from "vitest";
import { pathIn } from "../../engine/pulumi/path.ts";
import { sha256 } from "../../provider/body/body.ts";
import { integer, items, localFile, text } from "../../provider/definition/define.ts";
import { inputsOf, setPaths, stateOf } from "../../provider/values/state.ts";
import { difference } from "../../provider/values/value-text.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { kindOf, shownBody } from "./kind.ts";

const thing = kindOf("Thing", {
  id: integer({ mode: "computed" }),
  title: text(),
  note: text(),
  price: integer(),
  word: text({ writeOnly: true }),
  parts: items(
    {
      id: integer({ mode: "computed" }),
      code: text(),
      price: integer(),
      tags: items({ name: text() }, { element: "tag" }),
    },
    { element: "part", key: "code" },
  ),
});
const bodied = kindOf(
  "Bodied",
  { key: text(), content: text({ mode: "body" }), file: localFile() },
  { body: shownBody, names: ["key"] },
);

describe("the state of an object", () => {
  test.each<[what: string, args: Values, seen: Values, before: Values, state: Values]>([
    ["else from before", {}, {}, { word: "y" }, { word: "y", __stated: "" }],

    [
      "which arguments were stated before, where nothing is asked now",
      { __stated: "note" },
      { note: "n" },
      {},
      { note: "n", __stated: "note" },
    ],
  ])("%s", (_what, args, seen, before, state) => {
    expect(stateOf(thing, args, seen, before)).toEqual(state);
  });

  test("the state has a body's hash", () => {
    expect(stateOf(bodied, { content: "a" }, {}, {})).toEqual({
      __stated: "content",
      sha256: sha256("a"),
      isText: true,
      __lines: expect.any(String),
    });
    // A line of a secret could be guessed from its hash.
    expect(stateOf(bodied, { content: "a", __secret: "content" }, {}, {})).not.toHaveProperty("__lines");
  });
});

test("setPaths returns the paths of arguments and of list items", () => {
  expect(setPaths(thing.fields, {})).toEqual([]);
  expect(setPaths(thing.fields, { title: "", price: 0, surprise: 1 })).toEqual(["title", "price"]);
  expect(setPaths(thing.fields, { parts: [] })).toEqual(["parts"]);
  expect(setPaths(thing.fields, { parts: "unknown" })).toEqual(["parts"]);
  expect(
    setPaths(thing.fields, { parts: [{ code: "a" }, { code: "b", price: 1, tags: [{ name: "x" }] }] }),
  ).toEqual(["parts", "parts.code", "parts.price", "parts.tags", "parts.tags.name"]);
});

describe("the arguments that made a state", () => {
  test.each<[what: string, state: Values, inputs: Values]>([
    ["empty where the shop has nothing there", { __stated: "title" }, { title: "" }],

    [
      "lists in lists, but empty ones",
      { parts: [{ tags: [{ name: "x" }] }, { tags: [] }, {}], __stated: "parts,parts.tags,parts.tags.name" },
      { parts: [{ tags: [{ name: "x" }] }, {}, {}] },
    ],
  ])("%s", (_what, state, inputs) => {
    expect(inputsOf(thing, state, {})).toEqual(inputs);
  });

  test("a refresh returns the shop's body as an argument", () => {
    expect(inputsOf(bodied, { __stated: "content", sha256: "x" }, { content: "b" })).toEqual({
      content: "b",
    });
  });
});

describe("messages about differences", () => {
  const told = (path: string, state: Values, args: Values, kind = thing) =>
    difference(kind, state, args, pathIn(path));

  test("a difference shows both values", () => {
    expect(told("title", { title: "a" }, { title: "b" })).toBe('title: expected "b", got "a"');
    expect(told("title", {}, { title: "b" })).toBe('title: expected "b", got unset');
    expect(told("surprise", { surprise: 1 }, {})).toBe("surprise: expected unset, got 1");
    expect(told("title[x]", { title: "a" }, { title: "b" })).toBe('title[x]: expected "b", got "a"');
  });

  test("a difference in a list item shows the values of that field", () => {
    const state = { parts: [{ code: "b", sizes: { M: 2 } }] };
    expect(told("parts[b].sizes[L]", state, { parts: [{ code: "b", sizes: { L: 4, M: 2 } }] })).toBe(
      "parts[b].sizes[L]: expected 4, got unset",
    );
  });

  test("the difference of an unlisted item says that it is removed", () => {
    const state = { parts: [{ code: "a" }, { code: "b" }] };
    expect(told("parts[b]", state, { parts: [{ code: "a" }] })).toBe("parts[b] is removed");
    expect(told("parts[a]", state, { parts: [{ code: "a", price: 1 }] })).not.toContain("removed");
    expect(told("parts[SKU-1]", { parts: [{ code: "SKU-1" }] }, { parts: [] })).toBe(
      "parts[SKU-1] is removed",
    );
    // Nothing is removed from a list that the program doesn't set.
    expect(told("parts[b]", state, {})).toBe('parts[b]: expected unset, got {"code":"b"}');
    expect(told("parts[b].price", state, { parts: [{ code: "a" }] })).toBe(
      "parts[b].price: expected unset, got unset",
    );
  });
});
