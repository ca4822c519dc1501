// Lists on their way between a program and the provider: objects by key outside, lists inside; what is ignored of them.
import { describe, expect, test } from "vitest";
import { asKeyedLists, asLists, withoutIgnoredItems } from "../../provider/change/keyed-lists.ts";
import { integer, items, text } from "../../provider/definition/define.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { kindOf } from "./kind.ts";

const thing = kindOf("Thing", {
  title: text(),
  parts: items({ code: text(), price: integer() }, { element: "part", key: "code" }),
  notes: items({ text: text() }, { element: "note" }),
  numbers: items({}, { element: "number", scalar: "number" }),
});

describe("lists inside the provider", () => {
  const parts = { b: { code: "b" }, a: { code: "a" }, c: { code: "c" } };
  const inOrder = (inputs: Values) => (asLists(thing, inputs).parts as Values[]).map(({ code }) => code);

  test.each<[what: string, order: unknown, found: readonly string[]]>([
    ["in the order that comes with them", { parts: ["c", "a", "b"] }, ["c", "a", "b"]],
    ["what the order doesn't name comes after it", { parts: ["c"] }, ["c", "b", "a"]],
    ["what it names and isn't there is left out", { parts: ["d", "c"] }, ["c", "b", "a"]],
    ["another list's order is none", { notes: ["c"] }, ["b", "a", "c"]],
    ["without an order as they come", undefined, ["b", "a", "c"]],
    ["an order that is none counts as none", "c", ["b", "a", "c"]],
    ["nor does a list", ["c"], ["b", "a", "c"]],
    ["nor does nothing", null, ["b", "a", "c"]],
  ])("a list with keys becomes a list inside the provider: %s", (_what, order, found) => {
    expect(inOrder({ parts, __order: order })).toEqual(found);
  });
});

describe("lists outside of the provider", () => {
  const list = [{ code: "b" }, { code: "a" }];
  const shaped = { parts: { b: { code: "b" }, a: { code: "a" } }, __order: { parts: ["b", "a"] } };

  test.each<[what: string, came: Values | undefined, found: Values]>([
    ["as an object", { parts: {} }, shaped],
    ["as a list", { parts: [] }, { parts: list }],
    ["not at all", {}, { parts: list }],
    ["as nothing", { parts: null }, { parts: list }],
    ["for a program that hasn't sent any, as the SDK sends them", undefined, shaped],
  ])("a list leaves the provider in the form in which it came: %s", (_what, came, found) => {
    expect(asKeyedLists(thing, { parts: list }, came)).toEqual(found);
  });

  test("a list with a stored order comes back in the same order", () => {
    expect(asLists(thing, asKeyedLists(thing, { parts: list }, undefined)).parts).toEqual(list);
  });
});

describe("ignored items", () => {
  const olds = { parts: [{ code: "a", price: 1 }] };
  const asked = {
    title: "x",
    parts: [
      { code: "a", price: 2 },
      { code: "b", price: 2 },
    ],
  };

  test.each<[what: string, ignored: unknown, parts: readonly Values[]]>([
    [
      "a field of what is there; what is new gets it",
      "parts.price",
      [{ code: "a" }, { code: "b", price: 2 }],
    ],
    ["several fields", "parts.price,parts.code", [{}, { code: "b", price: 2 }]],
    [
      "a field of one item, whatever its key",
      "parts[x,y].price,parts[a].price",
      [{ code: "a" }, { code: "b", price: 2 }],
    ],
    ["nothing of the others than the one", "parts[b].price", asked.parts],
    ["nothing that it doesn't name", "parts.x", asked.parts],
    ["nothing of another list", "notes.price", asked.parts],
    ["nothing of a list whose name begins the same way", "parts2.price", asked.parts],
    ["not the whole list, which is the engine's", "parts", asked.parts],
    ["nothing", "", asked.parts],
    ["nothing where nothing is said", undefined, asked.parts],
  ])("ignoreChanges of a list's items: %s", (_what, ignored, parts) => {
    const args = { ...asked, __ignored: ignored };
    expect(withoutIgnoredItems(thing, olds, args)).toEqual({ ...args, parts });
  });
});
