// The fields that a saved plan covers, and those that are stale when it is carried out.
import { describe, expect, test } from "vitest";
import { sha256 } from "../../provider/body/body.ts";
import {
  matchesPlan,
  type PlannedField,
  plannedDelete,
  plannedUpdate,
  staleFields,
} from "../../provider/change/planned-fields.ts";
import { integer, items, text } from "../../provider/definition/define.ts";
import { unknownValue } from "../../provider/wire/text.ts";
import { side } from "./changes.ts";
import { kindOf, shownBody } from "./kind.ts";

const seal = (value: string) => `<${value}>`;
const of = (path: string, is: unknown, asked: unknown = null, more = {}): PlannedField => ({
  path,
  is,
  asked,
  ...more,
});

describe("agreement of values", () => {
  test.each<readonly [unknown, unknown, boolean]>([
    [1, 1, true],
    [1, "1", false],
    [null, null, true],
    [null, 0, false],
    [unknownValue, { any: "thing" }, true],
    [{ any: "thing" }, unknownValue, false],
    [[1, 2], [1, 2], true],
    [[1, 2], [2, 1], false],
    [[1], [1, 2], false],
    [[1, 2], [1], false],
    [[unknownValue], [7], true],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: 1, b: 2 }, { a: 1 }, false],
    [{ a: { b: [1] } }, { a: { b: [2] } }, false],
    [[1], { 0: 1 }, false],
    [{}, null, false],
    [[], {}, false],
  ])("whether %j agrees with %j: %s", (before, now, same) => {
    expect(matchesPlan(before, now)).toBe(same);
  });
});

describe("changes since a plan", () => {
  const moved = (planned: readonly PlannedField[], now: readonly PlannedField[], ends = false) =>
    staleFields(planned, now, ends).map(({ path, side, planned: was, now: is }) => [path, side, was, is]);

  test("a field that already has its planned value isn't stale", () => {
    expect(moved([of("a", 1, 2)], [of("a", 2, 2, { isDone: true })])).toEqual([]);
    expect(moved([of("a", 1, 2)], [of("a", 3, 3, { isDone: true })])).toEqual([["a", "program", 2, 3]]);
  });

  test("a field that the plan doesn't have is stale, unless it is done or its list was unknown", () => {
    expect(moved([], [of("b", 1, 2)])).toEqual([["b", "shop", null, 1]]);
    expect(moved([], [of("b", 2, 2, { isDone: true })])).toEqual([]);
    expect(moved([of("list", null, unknownValue)], [of("list[a].b", 1, 2)])).toEqual([]);
    expect(moved([of("list", null, unknownValue)], [of("other[a].b", 1, 2)])).toEqual([
      ["other[a].b", "shop", null, 1],
    ]);
    expect(moved([of("list", null, [])], [of("list[a].b", 1, 2)])).toEqual([["list[a].b", "shop", null, 1]]);
    expect(moved([of("list[a].b", 1, 2)], [of("list[a]", null, 3)])).toEqual([
      ["list[a].b", "shop", 1, null],
    ]);
  });

  test("a field that is gone is stale only for a delete", () => {
    expect(moved([of("a", 1)], [], true)).toEqual([["a", "shop", 1, null]]);
    expect(moved([of("a", 1)], [], false)).toEqual([]);
    expect(moved([of("a", 1)], [of("a", 1)], true)).toEqual([]);
  });

  test("settings are compared value by value if both sides know them so, otherwise as text", () => {
    const plan = [of("content", "h1", "h2"), of("content: x", 1, 2)];
    expect(moved(plan, [of("content", "h9", "h8"), of("content: x", 1, 2)])).toEqual([]);
    expect(moved(plan, [of("content", "h1", "h2"), of("content: x", 5, 2)])).toEqual([
      ["content: x", "shop", 1, 5],
    ]);
    expect(moved(plan, [of("content", "h9", "h2")])).toEqual([["content", "shop", "h1", "h9"]]);
    expect(moved([of("content", "h1", "h2")], [of("content", "h1", "h2"), of("content: x", 5, 2)])).toEqual(
      [],
    );
  });
});

test("the planned fields of an update have null for unset and empty values", () => {
  const sides = side("a", 0, "", { verdict: "send" });
  expect(plannedUpdate([sides, side("b", 0, 1, { asked: 1, verdict: "done" })], {}, seal)).toEqual([
    of("a", null, null),
    of("b", 1, 1, { isDone: true }),
  ]);
});

test("a planned secret is a digest, and an unknown value stays unknown", () => {
  const change = (path: string, is: unknown, asked: unknown) =>
    plannedUpdate([side(path, 0, is, { asked })], { __secret: ["code", "parts"] }, seal);
  expect(change("code", "A", "B")).toEqual([of("code", 'secret <"A">', 'secret <"B">')]);
  expect(change("code", undefined, unknownValue)).toEqual([of("code", null, unknownValue)]);
  expect(change("parts[KEY].price", 1, "")).toEqual([
    of("parts[secret <parts[KEY].price>]", "secret <1>", null),
  ]);
  expect(change("title", "A", "B")).toEqual([of("title", "A", "B")]);
});

describe("the planned fields of a delete are those that the program set", () => {
  const thing = kindOf(
    "Thing",
    {
      title: text(),
      stock: integer({ serverManaged: true }),
      sealed: text({ writeOnly: true }),
      parts: items(
        { code: text(), price: integer(), left: integer({ serverManaged: true }) },
        { element: "part", key: "code" },
      ),
      content: text({ mode: "body" }),
      at: text({ mode: "computed" }),
    },
    { body: shownBody },
  );
  const seen = {
    title: "Cup",
    stock: 4,
    sealed: "s",
    parts: [{ code: "a", price: 1, left: 2 }, { price: 3 }],
    content: "text",
    at: "/1",
  };
  const bound = (stated: string, shown: Record<string, unknown> = seen) =>
    plannedDelete(thing, { __stated: stated }, shown, seal);

  test.each<readonly [string, readonly PlannedField[]]>([
    ["", []],
    ["title", [of("title", "Cup")]],
    ["stock,sealed,at", []],
    ["parts,parts.code,parts.left", [of("parts[a]", { code: "a" }), of("parts[1]", {})]],
    ["parts,parts.code,parts.price", [of("parts[a]", { code: "a", price: 1 }), of("parts[1]", { price: 3 })]],
    ["content", [of("content", sha256("text"))]],
  ])("the planned fields of a delete with the arguments %j", (stated, fields) => {
    expect(bound(stated)).toEqual(fields);
  });

  test("a deleted object's body without text is planned by its address", () => {
    expect(bound("content,parts,title", { at: "/1" })).toEqual([of("title", null), of("content", "/1")]);
    expect(plannedDelete(thing, {}, seen, seal)).toEqual([]);
  });
});
