// What a change means to the shop's business, read off the roles of fields: what limits are asked about, and reviewers told.
import { describe, expect, test } from "vitest";
import { type Effect, effectsOf, offerOf } from "../../provider/context/effects.ts";
import { boolean, decimal, items, text } from "../../provider/definition/define.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { hidden, unknownValue } from "../../provider/wire/text.ts";
import { kindOf, offer } from "./kind.ts";

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

describe("prices", () => {
  test.each<readonly [Values | undefined, Values | undefined, readonly string[]]>([
    [{ price: 1 }, { price: unknownValue }, []],
    [{ price: 1 }, { price: hidden }, []],

    [{ price: null }, { price: 3 }, ["price: undefined => 3"]],
    [{ price: 3 }, { price: "" }, ["price: 3 => undefined"]],
    [{ price: 0, cost: 1 }, { price: "" }, ["price: 0 => undefined"]],
  ])("the effect on a price from %j to %j", (before, args, expected) => {
    expect(effects(before, args)).toEqual(expected);
  });

  test("a price's effect has its cost before and after, and unset values stay as they are", () => {
    expect(effectsOf(ware, { price: 1, cost: 2, currency: "EUR" }, { price: 3 })).toEqual([
      {
        type: "price",
        role: "price",
        path: "price",
        from: 1,
        to: 3,
        cost: 2,
        costBefore: 2,
      },
    ]);
    expect(
      effectsOf(ware, { price: 1, cost: 2, currency: "EUR" }, { price: 3, cost: 4, currency: "USD" }),
    ).toMatchObject([
      { type: "currency", path: "currency", from: "EUR", to: "USD" },
      { cost: 4, costBefore: 2 },
    ]);
  });
});

describe("items", () => {
  const part = (code: string, price?: unknown) => ({ code, ...(price !== undefined && { price }) });

  test.each<readonly [unknown, unknown, readonly string[]]>([
    [[part("a", 1)], [part("a")], []],
    [[part("a", 1), part("b", 1)], [part("a", 1)], ["loses parts[b]"]],

    [[part("a", 1)], undefined, []],

    [[part("a", 1)], [unknownValue], []],
  ])("the effect on items from %j to %j", (before, args, expected) => {
    expect(effects({ parts: before }, args === undefined ? {} : { parts: args })).toEqual(expected);
  });

  test("a deleted object loses no items, and an object that is replaced loses all its items", () => {
    expect(effects({ parts: [part("a", 1)] }, undefined)).toEqual([]);
    expect(effects({ parts: [part("a", 1)] }, {}, true)).toEqual(["loses parts[a]"]);
    expect(effects({ parts: [part("a", 1)] }, { parts: [part("a")] }, true)).toEqual([
      "parts[a].price: 1 => undefined",
    ]);
  });
});

describe("offers", () => {
  const depth = (values: Values) => offerOf(offer.fields, values)?.depth;

  test.each<readonly [Values, number | undefined]>([
    [{ unit: 1 }, undefined],
    [{ off: "", unit: 1 }, undefined],
    [{ off: unknownValue, unit: 1 }, undefined],
  ])("the offer %j takes %j percent of the smallest order", (values, expected) => {
    expect(depth(values)).toBe(expected);
  });
});
