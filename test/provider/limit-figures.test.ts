// The limits of a stack on prices, costs and discounts: each refused figure beside the nearest permitted one.
import { describe, expect, test } from "vitest";
import type { Guard } from "../../provider/context/limits.ts";
import { guardChange, guardCreate, isJudged, ProtectedError } from "../../provider/context/limits.ts";
import type { Definition } from "../../provider/definition/define.ts";
import { boolean, decimal, items, text } from "../../provider/definition/define.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { kindOf, offer, shownBody } from "./kind.ts";
import { guardOf } from "./limit-samples.ts";

const ware = kindOf("Ware", {
  shelved: boolean({ role: "hides" }),
  price: decimal({ role: "price" }),
  cost: decimal({ role: "cost" }),
  parts: items({ code: text(), price: decimal({ role: "price" }) }, { element: "part", key: "code" }),
});
const page = kindOf(
  "Page",
  { content: text({ mode: "body", role: "page" }), at: text({ mode: "computed" }) },
  { body: shownBody },
);

/** All that limits refuse of a change. */
function refused(
  limits: Partial<Guard>,
  definition: Definition,
  state: Values,
  args: Values,
): readonly string[] {
  try {
    guardChange(guardOf(limits), { definition, id: "7", olds: state, args }, { type: "update", paths: [] });
    return [];
  } catch (error) {
    if (!(error instanceof ProtectedError)) throw error;
    return error.refusals;
  }
}

/** What limits say of a create; undefined where they allow it. */
function created(limits: Partial<Guard>, definition: Definition, args: Values): Error | undefined {
  try {
    guardCreate(guardOf(limits), definition, args);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

describe("prices below cost", () => {
  const costs = (state: Values, args: Values, refusesBelowCost = true) =>
    refused({ refusesBelowCost }, ware, state, args);

  test.each<readonly [Values, Values, string]>([
    [{ price: 9, cost: 5 }, { price: 4.99 }, "price 4.99, below its cost 5"],

    [{ price: 3, cost: 5 }, { price: 2 }, "price 2, below its cost 5"],
    [{ price: 3, cost: 5 }, { price: 3, cost: 6 }, "price 3, below its cost 6"],

    [{ price: 3 }, { cost: 5 }, "price 3, below its cost 5"],
  ])("the price is below the cost from %j to %j", (state, args, what) => {
    expect(costs(state, args)).toEqual([`would make ${what}, and shop:belowCost is refuse`]);
    expect(costs(state, args, false)).toEqual([]);
  });
});

describe("discounts", () => {
  const offers = (state: Values, args: Values, maxDiscount: number | undefined = 30) =>
    refused({ maxDiscount }, offer, state, args);
  const percent = (off: number, more: Values = {}) => ({ off, unit: 1, ...more });
  const money = (off: number, least?: number) => ({ off, unit: 2, ...(least !== undefined && { least }) });

  test.each<readonly [Values, Values]>([
    [percent(10), percent(90, { closed: true })],
    // It was as deep before, and is good for no longer.
    [percent(90), percent(90, { until: "2027-01-01" })],
    [percent(90), percent(80)],

    [money(50), money(40)],

    [money(50, 100), money(60, 120)],

    [percent(100), money(900)],
  ])("the limit on discounts allows %j to become %j", (state, args) => {
    expect(offers(state, args)).toEqual([]);
  });

  const limit = ", and shop:maxDiscount is 30 %";
  test.each<readonly [Values, Values, string]>([
    [percent(10), money(30.01, 100), "30.01 off, 30.01 % of the smallest order"],
    [percent(10), money(1, 3), "1 off, 33.3 % of the smallest order"],

    // Deeper than it was, open, or good for longer.

    [percent(90, { until: "2027-01-01" }), percent(90, { until: "2027-01-02" }), "90 % off (off)"],
    [percent(90, { until: "2027-01-01" }), percent(90, { until: "" }), "90 % off (off)"],

    // Of any order a larger sum takes more, and a percentage takes more of a large one.

    [money(50, 100), percent(50), "50 % off (off)"],
  ])("the limit on discounts refuses %j to become %j, because it would take %s", (state, args, what) => {
    expect(offers(state, args)).toEqual([`would take ${what}${limit}`]);
    expect(offers(state, args, 100)).toEqual([]);
    expect(refused({ isProtected: true }, offer, state, args)).toEqual([]);
  });
});

test("a limit protects a page's text from being emptied, and allows another text", () => {
  const emptied = (state: Values, content: string) =>
    refused({ isProtected: true }, page, state, { content });
  expect(emptied({ sha256: "x" }, " ")).toEqual([
    "would be emptied, with nothing left on its pages (shop:protected)",
  ]);
  expect(emptied({ sha256: "x" }, "text")).toEqual([]);
  expect(refused({ maxDiscount: 1 }, page, { sha256: "x" }, { content: " " })).toEqual([]);
});

test("a message about thousands of rows beyond a limit names twenty and counts the rest", () => {
  const refusals = Array.from({ length: 2_020 }, (_none, row) => `would move ${row}`);
  const error = new ProtectedError("Prices list", "list", refusals);
  expect(error.message).toMatch(/list would move 0; .*would move 19; and 2,000 more\. Pass --allow/);
  expect(error.refusals).toHaveLength(2_020);
});

describe("creates", () => {
  const limits = { maxDiscount: 30, refusesBelowCost: true };
  const deep = { off: 90, unit: 1 };

  test("a create beyond a limit is refused by name, with the argument that causes it", () => {
    const error = created(limits, offer, { ...deep, __of: "dev::spring" });
    expect(error?.message).toBe(
      "beyond the limits of the stack: Offer spring would take 90 % off (off), and shop:maxDiscount is 30 %. " +
        "Pass --allow with the resource's name to permit it, or set SHOP_ALLOW=spring",
    );
    expect(error).toMatchObject({ argument: "off" });
    const parts = { cost: 1, price: 5, parts: [{ code: "a", price: 1 }] };
    expect(created(limits, ware, parts)).toBeUndefined();
    expect(created(limits, ware, { ...parts, cost: 6 })).toMatchObject({ argument: "price" });
    expect(created(limits, offer, deep)?.message).toContain("stack: Offer would take 90 % off");
    expect(created({ isProtected: true }, ware, { shelved: true })).toBeUndefined();
  });

  test("a create or an update with secret values is limited where the values are known", () => {
    const secret = { off: 90, __secret: "off" };
    expect(isJudged(undefined, secret)).toBe(false);
    expect(isJudged(guardOf({}), {})).toBe(true);
    expect(isJudged(guardOf({ isPlanned: true }), {}, {})).toBe(false);
    expect(isJudged(guardOf({ isPlanned: true }), {}, secret)).toBe(true);
    expect(isJudged(guardOf({ isPlanned: true }))).toBe(false);
    expect(() => guardCreate(undefined, offer, deep)).not.toThrow();
  });
});
