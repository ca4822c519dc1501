// Each limit of a stack: what it refuses, and a smaller change that it allows.
import { describe, expect, test } from "vitest";
import type { Step } from "../../engine/index.ts";
import { checkSettingName } from "../../runs/plans/limits.ts";
import { refusalText } from "../../runs/report/step-words.ts";
import { refusedOf } from "./plans.ts";
import { stepOf } from "./steps.ts";

const product = (op: Step["op"], olds: Step["olds"], inputs: Step["inputs"], more: Partial<Step> = {}) =>
  stepOf(op, "Product", "mug", {
    olds: { title: "Mug", ...olds },
    inputs: { title: "Mug", ...inputs },
    ...more,
  });
const sells = (price: number, costPrice?: number) => ({
  variants: [{ id: 1, sku: "R", price, ...(costPrice !== undefined && { costPrice }) }],
});
const coupon = (op: Step["op"], olds: Step["olds"], inputs: Step["inputs"], more: Partial<Step> = {}) =>
  stepOf(op, "Coupon", "spring", {
    olds: { code: "SPRING", typeId: 1, ...olds },
    inputs: { code: "SPRING", typeId: 1, ...inputs },
    ...more,
  });
const asset = (olds: Step["olds"], inputs: Step["inputs"]) =>
  stepOf("update", "Asset", "layout", {
    olds: { name: "layout.liquid", sha256: "a", ...olds },
    inputs: { name: "layout.liquid", ...inputs },
  });
const named = (op: Step["op"], names: string, more: Partial<Step> = {}) =>
  [...names].map((name) => stepOf(op, "Coupon", name, { id: name, ...more }));

const texts = (config: Readonly<Record<string, string>>, ...steps: readonly Step[]) =>
  refusedOf(steps, config).map(({ text }) => text);

interface Case {
  readonly steps: readonly Step[];
  readonly refused: readonly string[];
}
const cases: Readonly<Record<string, Readonly<Record<string, readonly Case[]>>>> = {
  "shop:maxPriceChange 20": {
    "a price that moves further, up or down, or from nothing": [
      {
        steps: [product("update", sells(100), sells(121))],
        refused: ["would move variants[R].price by 21 %, 100 => 121, and shop:maxPriceChange is 20 %"],
      },
      {
        steps: [product("adopt", sells(100), sells(79))],
        refused: ["would move variants[R].price by 21 %, 100 => 79, and shop:maxPriceChange is 20 %"],
      },
      {
        steps: [product("rename", sells(0), sells(1))],
        refused: ["would move variants[R].price from nothing, 0 => 1, and shop:maxPriceChange is 20 %"],
      },
      {
        steps: [
          stepOf("update", "RecurringCharge", "plan", { olds: { monthly: 10 }, inputs: { monthly: 20 } }),
        ],
        refused: ["would move monthly by 100 %, 10 => 20, and shop:maxPriceChange is 20 %"],
      },
    ],
    "another currency, in which each price is another one": [
      {
        steps: [
          product("update", { ...sells(100), currencyCode: "RUR" }, { ...sells(100), currencyCode: "USD" }),
        ],
        refused: [
          "would change the currency of all its prices (currencyCode, RUR => USD), and shop:maxPriceChange is 20 %",
        ],
      },
      // The first program that names the currency changes nothing.
      {
        steps: [
          product("adopt", { ...sells(100), currencyCode: "RUR" }, { ...sells(100), currencyCode: "RUR" }),
        ],
        refused: [],
      },
    ],
    "not one that moves as far as it may, that is new, or that a refresh found": [
      { steps: [product("update", sells(100), sells(120))], refused: [] },
      { steps: [product("update", sells(100), sells(80))], refused: [] },
      { steps: [product("create", {}, sells(1_000))], refused: [] },
      { steps: [product("update", sells(100), sells(200), { found: true })], refused: [] },
    ],
  },
  "shop:maxDiscount 30": {
    "a discount that is deeper, new, opened, or good for longer": [
      {
        steps: [coupon("update", { discount: 10 }, { discount: 100 })],
        refused: ["would take 100 % off (discount), and shop:maxDiscount is 30 %"],
      },
      {
        steps: [coupon("create", {}, { discount: 31 })],
        refused: ["would take 31 % off (discount), and shop:maxDiscount is 30 %"],
      },
      {
        steps: [coupon("update", { discount: 50, disabled: true }, { discount: 50, disabled: false })],
        refused: ["would take 50 % off (discount), and shop:maxDiscount is 30 %"],
      },
      {
        steps: [coupon("update", { discount: 50, expiredAt: "2026-01-01" }, { expiredAt: "2027-01-01" })],
        refused: ["would take 50 % off (discount), and shop:maxDiscount is 30 %"],
      },
      {
        steps: [coupon("update", { discount: 99, typeId: 2, minPrice: 1_000 }, { typeId: 1 })],
        refused: ["would take 99 % off (discount), and shop:maxDiscount is 30 %"],
      },
      {
        steps: [coupon("create", {}, { discount: 500, typeId: 2 })],
        refused: ["would take 500 off, which may be all of a small order, and shop:maxDiscount is 30 %"],
      },
      {
        steps: [coupon("create", {}, { discount: 500, typeId: 2, minPrice: 1_000 })],
        refused: ["would take 500 off, 50 % of the smallest order, and shop:maxDiscount is 30 %"],
      },
    ],
    "not one within it, one that is disabled, or one that was too deep and gets no better": [
      { steps: [coupon("update", { discount: 10 }, { discount: 30 })], refused: [] },
      { steps: [coupon("create", {}, { discount: 100, disabled: true })], refused: [] },
      { steps: [coupon("create", {}, { discount: 300, typeId: 2, minPrice: 1_000 })], refused: [] },
      { steps: [coupon("update", { discount: 90 }, { discount: 50, description: "less" })], refused: [] },
      { steps: [coupon("update", { discount: 90 }, { disabled: true })], refused: [] },
      { steps: [coupon("delete", { discount: 90 }, {})], refused: [] },
    ],
  },
  "shop:belowCost refuse": {
    "a price below its cost, whichever of the two moved, and of what is new": [
      {
        steps: [product("update", sells(100, 80), sells(79.5))],
        refused: ["would make variants[R].price 79.5, below its cost 80, and shop:belowCost is refuse"],
      },
      {
        steps: [product("update", sells(100, 80), sells(100, 101))],
        refused: ["would make variants[R].price 100, below its cost 101, and shop:belowCost is refuse"],
      },
      {
        steps: [product("create", {}, sells(1, 2))],
        refused: ["would make variants[R].price 1, below its cost 2, and shop:belowCost is refuse"],
      },
    ],
    "not one at its cost, one without a cost, or one that comes nearer": [
      { steps: [product("update", sells(100, 80), sells(80))], refused: [] },
      { steps: [product("update", sells(100), sells(1))], refused: [] },
      { steps: [product("update", sells(50, 80), sells(70))], refused: [] },
    ],
  },
  "shop:maxDeletes 2": {
    "more deletes than that, with their names": [
      {
        steps: named("delete", "abc"),
        refused: ["3 objects would be deleted, but shop:maxDeletes is 2: Coupon a, Coupon b, Coupon c"],
      },
    ],
    "not as many, not what stays in the shop, not what a replacement deletes": [
      { steps: named("delete", "ab"), refused: [] },
      { steps: [...named("delete", "ab"), ...named("delete", "c", { stays: true })], refused: [] },
      { steps: [...named("delete", "ab"), ...named("replace", "cd")], refused: [] },
    ],
  },
  "shop:maxReplacements 1": {
    "more replacements than that": [
      {
        steps: named("replace", "ab"),
        refused: ["2 objects would be replaced, but shop:maxReplacements is 1: Coupon a, Coupon b"],
      },
    ],
    "not as many": [{ steps: named("replace", "a"), refused: [] }],
  },
  "shop:protected true": {
    "what is lost, hidden or emptied": [
      { steps: named("delete", "a"), refused: ["would be deleted (shop:protected)"] },
      {
        steps: named("replace", "a", { replaces: ["code"] }),
        refused: ["would be replaced, because of code (shop:protected)"],
      },
      {
        steps: [product("update", { isHidden: false }, { isHidden: true })],
        refused: ["would be hidden from shoppers (isHidden; shop:protected)"],
      },
      {
        steps: [product("update", sells(1), { variants: {} })],
        refused: ["would lose variants[R] (shop:protected)"],
      },
      {
        steps: [asset({}, { content: " \n" })],
        refused: ["would be emptied, with nothing left on its pages (shop:protected)"],
      },
      {
        steps: [asset({}, { file: { path: "a", size: 3, sha256: "b", blank: true } })],
        refused: ["would be emptied, with nothing left on its pages (shop:protected)"],
      },
    ],
    "not what is changed, shown, new and hidden, or was empty before": [
      { steps: [product("update", { isHidden: true }, { isHidden: false })], refused: [] },
      { steps: [product("create", {}, { isHidden: true })], refused: [] },
      { steps: [asset({}, { content: "text" })], refused: [] },
      {
        steps: [
          asset(
            { sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
            { content: "\n" },
          ),
        ],
        refused: [],
      },
    ],
  },
};

describe.each(Object.entries(cases))("%s refuses", (setting, groups) => {
  const [key = "", value = ""] = setting.split(" ");
  test.each(Object.entries(groups))("%s", (_what, all) => {
    for (const { steps, refused } of all) {
      expect(texts({ [key]: value }, ...steps)).toEqual(refused);
      // Without the limit nothing is refused.
      expect(texts({}, ...steps)).toEqual([]);
    }
  });
});

test("what is permitted by name is neither refused nor counted", () => {
  const steps = [...named("delete", "abc"), coupon("create", {}, { discount: 99 })];
  const config = { "shop:maxDeletes": "2", "shop:maxDiscount": "30", "shop:protected": "true" };
  expect(refusedOf(steps, config)).toHaveLength(5);
  expect(refusedOf(steps, config, { SHOP_ALLOW: "a,spring" }).map(refusalText)).toEqual([
    "Coupon b would be deleted (shop:protected); pass --allow b to permit it",
    "Coupon c would be deleted (shop:protected); pass --allow c to permit it",
  ]);
  expect(refusedOf(steps, config, { SHOP_ALLOW: "Coupon:a,Coupon:b,Coupon:c,spring" })).toEqual([]);
});

test("none permits what another refuses", () => {
  const config = { "shop:protected": "true", "shop:maxDeletes": "9", "shop:belowCost": "allow" };
  expect(texts(config, ...named("delete", "a"))).toEqual(["would be deleted (shop:protected)"]);
});

test.each([
  ["shop:maxPrice", "shop:maxPriceChange"],
  ["shop:maxprice", "shop:maxPriceChange"],
  ["shop:max-deletes", "shop:maxDeletes"],
  ["shop:maxReplacement", "shop:maxReplacements"],
  ["Shop:maxDeletes", "shop:maxDeletes"],
  ["pulumi-shop:maxDeletes", "shop:maxDeletes"],
])("%s protects nothing: it is refused, for %s was meant", (typed, meant) => {
  expect(() => checkSettingName(typed)).toThrow(
    `${typed} is not a setting of the provider, did you mean ${meant}?`,
  );
});

test("keys of a project that is called shop are its own", () => {
  for (const key of ["shop:max", "shop:opensAt", "shop:priceList", "other:maxPrice"])
    expect(() => checkSettingName(key)).not.toThrow();
  expect(() => checkSettingName("shops:url", "shops")).not.toThrow();
});
