// What a change means to the shop's business, read off the roles of fields: what limits are asked about, and reviewers told.
import { describe, expect, test } from "vitest";
import { boolean, decimal, items, text } from "../../provider/definition/define.ts";
import { type Effect, effectsOf, offerOf } from "../../provider/run/effects.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { hidden, unknownValue } from "../../provider/wire/text.ts";
import { kindOf, offer, shownBody } from "./kind.ts";

const ware = kindOf("Ware", {
  shelved: boolean({ role: "hides" }),
  currency: text({ role: "currency" }),
  price: decimal({ role: "price" }),
  cost: decimal({ role: "cost" }),
  parts: items(
    { code: text(), price: decimal({ role: "price" }), cost: decimal({ role: "cost" }) },
    { element: "part", key: "code" },
  ),
});

const told = (effects: readonly Effect[]) =>
  effects.map((one) =>
    one.type === "price" ? `${one.path}: ${one.from} => ${one.to}` : `${one.type} ${one.path}`,
  );
const effects = (before: Values | undefined, args: Values | undefined, isReplaced = false) =>
  told(effectsOf(ware, before, args, isReplaced));

describe("a price", () => {
  test.each<readonly [Values | undefined, Values | undefined, readonly string[]]>([
    [{ price: 1 }, { price: 2 }, ["price: 1 => 2"]],
    [{ price: 1 }, { price: 1 }, []],
    [{ price: 1 }, {}, []],
    [{ price: 1 }, { price: "" }, ["price: 1 => 0"]],
    [{ price: 1 }, { price: "2.50" }, ["price: 1 => 2.5"]],
    [{}, { price: 2 }, ["price: undefined => 2"]],
    [undefined, { price: 2 }, ["price: undefined => 2"]],
    [{ price: 1 }, undefined, ["price: 1 => undefined"]],
    [{ price: 1 }, { price: unknownValue }, []],
    [{ price: 1 }, { price: hidden }, []],
    [{ price: hidden }, { price: 1 }, []],
    [{ price: 1, cost: 1 }, { cost: 2 }, ["price: 1 => 1"]],
    [{ price: null }, { price: 3 }, ["price: undefined => 3"]],
  ])("of %j, asked %j", (before, args, expected) => {
    expect(effects(before, args)).toEqual(expected);
  });

  test("has what it costs before and after, and its currency; what isn't stated stays as it is", () => {
    expect(effectsOf(ware, { price: 1, cost: 2, currency: "EUR" }, { price: 3 })).toEqual([
      {
        type: "price",
        role: "price",
        path: "price",
        from: 1,
        to: 3,
        cost: 2,
        costBefore: 2,
        currency: "EUR",
      },
    ]);
    expect(
      effectsOf(ware, { price: 1, cost: 2, currency: "EUR" }, { price: 3, cost: 4, currency: "USD" }),
    ).toMatchObject([{ cost: 4, costBefore: 2, currency: "USD" }]);
  });

  test("of what another takes the place of is none where that one doesn't state it", () => {
    expect(effects({ price: 1 }, {}, true)).toEqual(["price: 1 => undefined"]);
    expect(effects({ price: 1 }, { price: 1 }, true)).toEqual([]);
  });
});

describe("items", () => {
  const part = (code: string, price?: unknown) => ({ code, ...(price !== undefined && { price }) });

  test.each<readonly [unknown, unknown, readonly string[]]>([
    [[part("a", 1)], [part("a", 2)], ["parts[a].price: 1 => 2"]],
    [[part("a", 1)], [part("a")], []],
    [[part("a", 1), part("b", 1)], [part("a", 1)], ["loses parts[b]"]],
    [[part("a", 1)], [], ["loses parts[a]"]],
    [[part("a", 1)], undefined, []],
    [[part("a", 1)], unknownValue, []],
    [[part("a", 1)], [unknownValue], []],
    [[part("a", hidden)], [part("a", 5)], []],
    [[], [part("a", 1)], ["parts[a].price: undefined => 1"]],
  ])("%j, asked %j", (before, args, expected) => {
    expect(effects({ parts: before }, args === undefined ? {} : { parts: args })).toEqual(expected);
  });

  test("of an object that is deleted are none that it loses; one that another replaces has none of theirs", () => {
    expect(effects({ parts: [part("a", 1)] }, undefined)).toEqual([]);
    expect(effects({ parts: [part("a", 1)] }, {}, true)).toEqual(["loses parts[a]"]);
    expect(effects({ parts: [part("a", 1)] }, { parts: [part("a")] }, true)).toEqual([
      "parts[a].price: 1 => undefined",
    ]);
  });
});

test.each<readonly [Values | undefined, Values | undefined, readonly string[]]>([
  [{ shelved: false }, { shelved: true }, ["hides shelved"]],
  [{}, { shelved: true }, ["hides shelved"]],
  [{ shelved: true }, { shelved: false }, ["shows shelved"]],
  [{ shelved: true }, {}, []],
  [{ shelved: true }, { shelved: true }, []],
  [{}, { shelved: false }, []],
  [undefined, { shelved: true }, []],
  [{ shelved: false }, undefined, []],
])("what shoppers see of %j, asked %j: %j", (before, args, expected) => {
  expect(effects(before, args)).toEqual(expected);
});

describe("an offer", () => {
  const depth = (values: Values) => offerOf(offer.fields, values)?.depth;

  test.each<readonly [Values, number | undefined]>([
    [{ off: 30, unit: 1 }, 30],
    [{ off: 130, unit: 1 }, 100],
    [{ off: 30, unit: 2, least: 100 }, 30],
    [{ off: 30, unit: 2, least: 10 }, 100],
    [{ off: 30, unit: 2 }, 100],
    [{ off: 30, unit: 2, least: "" }, 100],
    [{ off: 0, unit: 2 }, 0],
    [{ off: 30 }, 100],
    [{ unit: 1 }, undefined],
    [{ off: "", unit: 1 }, undefined],
    [{ off: unknownValue, unit: 1 }, undefined],
    [{ off: 30, unit: unknownValue }, undefined],
    [{ off: 30, unit: 2, least: hidden }, undefined],
    [{ off: 30, unit: 1, closed: hidden }, undefined],
  ])("%j takes %j percent of the smallest order", (values, expected) => {
    expect(depth(values)).toBe(expected);
  });

  test("is open where it isn't closed, from a day to a day", () => {
    expect(offerOf(offer.fields, { off: 5, unit: 1, from: "2026-01-01", until: "", closed: false })).toEqual({
      amount: 5,
      isPercent: true,
      depth: 5,
      isOpen: true,
      starts: "2026-01-01",
      ends: undefined,
    });
    expect(offerOf(offer.fields, { off: 5, unit: 1, closed: true, until: "2026-02-01" })).toMatchObject({
      isOpen: false,
      ends: "2026-02-01",
    });
  });

  test("is told where anything of it changes; what the program doesn't state stays as it is", () => {
    const before = { off: 5, unit: 1, closed: true };
    expect(told(effectsOf(offer, before, { off: 5 }))).toEqual([]);
    expect(effectsOf(offer, before, { off: 7 })).toMatchObject([
      {
        type: "discount",
        path: "off",
        from: { amount: 5, isOpen: false },
        to: { amount: 7, isPercent: true, isOpen: false },
      },
    ]);
    expect(effectsOf(offer, before, { closed: false })).toMatchObject([
      { type: "shows", path: "closed" },
      { type: "discount", from: { isOpen: false }, to: { isOpen: true } },
    ]);
    expect(effectsOf(offer, undefined, before)).toMatchObject([{ from: undefined, to: { amount: 5 } }]);
    expect(effectsOf(offer, before, undefined)).toMatchObject([{ from: { amount: 5 }, to: undefined }]);
    // Of one that replaces it nothing is what the old one was.
    expect(effectsOf(offer, { off: 5, unit: 1, least: 9 }, { off: 5, unit: 2 }, true)).toMatchObject([
      { to: { isPercent: false, depth: 100 } },
    ]);
    expect(effectsOf(ware, {}, {})).toEqual([]);
  });
});

describe("a page", () => {
  const page = kindOf(
    "Page",
    { content: text({ mode: "body", role: "page" }), at: text({ mode: "computed" }) },
    { body: shownBody },
  );
  const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

  test.each<readonly [Values | undefined, Values | undefined, readonly boolean[]]>([
    [{ sha256: "x" }, { content: "text" }, [false]],
    [{ sha256: "x" }, { content: " \n" }, [true]],
    [{ sha256: empty }, { content: " " }, [false]],
    [{ sha256: empty }, { content: "" }, []],
    [undefined, { content: "" }, [false]],
    [{ sha256: "x" }, undefined, [false]],
  ])("%j, asked %j", (before, args, emptied) => {
    expect(effectsOf(page, before, args)).toEqual(
      emptied.map((isEmptied) => ({ type: "page", path: "content", isEmptied })),
    );
  });
});
