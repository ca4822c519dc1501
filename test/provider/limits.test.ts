// What a protected stack refuses, each refusal beside the same change, allowed: by a smaller step, by a name, or because
// it takes nothing from shoppers.
import { describe, expect, test } from "vitest";
import type { Diff } from "../../provider/change/diff.ts";
import type { Guard } from "../../provider/context/limits.ts";
import { guardChange, guardDelete, guardOf, ProtectedError } from "../../provider/context/limits.ts";
import type { Definition } from "../../provider/definition/define.ts";
import { definitions } from "../../provider/resources/index.ts";
import { messageEnv } from "../../provider/settings/protocol.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { hidden, unknownValue } from "../../provider/wire/text.ts";
import { noLimits } from "./limit-samples.ts";

const product = definitions.products as Definition;
const guard = (more: Partial<Guard> = {}): Guard => ({
  ...noLimits,
  isProtected: true,
  maxPriceChange: 20,
  isPlanned: false,
  allowed: new Set(),
  ...more,
});
const update: Diff = { type: "update", paths: [["title"]] };

/** All that is refused of a change of a product. */
function refused(
  state: Values,
  args: Values,
  more: Partial<Guard> = {},
  verdict: Diff = update,
): readonly string[] {
  try {
    guardChange(guard(more), { definition: product, id: "7", olds: state, args }, verdict);
    return [];
  } catch (error) {
    if (!(error instanceof ProtectedError)) throw error;
    // Nothing is refused without a reason.
    return error.refusals.length > 0 ? error.refusals : ["refused without a reason"];
  }
}

const variants = (...prices: readonly unknown[]) => ({
  variants: prices.map((price, index) => ({ sku: "ABC"[index], price })),
});

describe("limits of prices", () => {
  test.each<readonly [number, unknown, readonly string[]]>([
    [100, 120, []],
    [100, 80, []],
    [100, 100, []],
    [100, 121, ["would move variants[A].price by 21 %, 100 => 121, and shop:maxPriceChange is 20 %"]],
    [100, 79, ["would move variants[A].price by 21 %, 100 => 79, and shop:maxPriceChange is 20 %"]],
    [300, 400, ["would move variants[A].price by 33.3 %, 300 => 400, and shop:maxPriceChange is 20 %"]],
    [100, "", ["would move variants[A].price by 100 %, 100 => 0, and shop:maxPriceChange is 20 %"]],
    [0, 1, ["would move variants[A].price from nothing, 0 => 1, and shop:maxPriceChange is 20 %"]],
    [0, 0, []],
  ])("the limit on a price from %d to %j", (old, next, what) => {
    expect(refused(variants(old), variants(next))).toEqual(what);
  });

  test("a secret price beyond a limit is refused without its value", () => {
    const secret = { ...variants(500), __secret: ["variants"] };
    expect(refused(variants(100), secret)).toEqual([
      "would move variants, a secret value, by more than is allowed, and shop:maxPriceChange is 20 %",
    ]);
    expect(refused(variants(100), { ...variants(110), __secret: ["variants"] })).toEqual([]);
  });
});

describe("limits of visible objects", () => {
  test("a limit protects the items of a list that the program sets, and doesn't read other lists", () => {
    expect(refused(variants(1, 2), variants(1))).toEqual(["would lose variants[B] (shop:protected)"]);
    expect(refused(variants(1, 2), variants(1, 2))).toEqual([]);
    expect(refused(variants(1, 2), { title: "Mug" })).toEqual([]);
    // Of a list with something that the engine hides only the provider can judge, which sees it.
    expect(refused(variants(1, 2, 3), variants(1, hidden))).toEqual([]);
    expect(refused(variants(1, 2), { variants: hidden })).toEqual([]);
    expect(refused(variants(1, 2), { variants: [unknownValue, { sku: "B", price: 2 }] })).toEqual([]);
    expect(refused(variants(1, 2, 3), { ...variants(1), __secret: ["variants"] })).toEqual([
      "would lose items of variants (shop:protected)",
    ]);
  });

  test("a limit refuses a replacement with its cause, and reports all refusals at once", () => {
    const replace: Diff = {
      type: "replace",
      paths: [],
      replaces: [["title"], ["title"]],
      deleteFirst: false,
    };
    expect(refused({}, { title: "Mug" }, {}, replace)).toEqual([
      "would be replaced, because of title (shop:protected)",
    ]);
    expect(refused({ isHidden: false }, { isHidden: true }, {}, replace)).toEqual([
      "would be replaced, because of title (shop:protected)",
      "would be hidden from shoppers (isHidden; shop:protected)",
    ]);
  });

  test("a limit refuses a delete of a visible object", () => {
    expect(() => guardDelete(guard(), product, "7")).toThrow("Product 7 would be deleted");
    expect(() => guardDelete(guard({ allowed: new Set(["Product:8"]) }), product, "7")).toThrow(
      ProtectedError,
    );
    expect(() => guardDelete(guard({ allowed: new Set(["Product:7"]) }), product, "7")).not.toThrow();
    const state = { __of: "urn:pulumi:live::p::Product::mug" };
    expect(() => guardDelete(guard({ allowed: new Set(["mug"]) }), product, "7", state)).not.toThrow();
    expect(() => guardDelete(guard({ allowed: new Set(["cup"]) }), product, "7", state)).toThrow("Product 7");
    expect(() => guardDelete(undefined, product, "7")).not.toThrow();
  });
});

test("--allow permits one object or all objects of a kind, and nothing else", () => {
  const hide = (allowed: readonly string[]) =>
    refused({ isHidden: false }, { isHidden: true }, { allowed: new Set(allowed) });
  expect(hide(["Product:7"])).toEqual([]);
  expect(hide(["Product"])).toEqual([]);
  expect(hide(["Product:8", "Coupon:7", "7", "Coupon", "product"])).toHaveLength(1);
});

describe("settings of limits", () => {
  const of = (config: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}) =>
    guardOf({ config: (key) => config[key], env });

  test.each([{}, { "shop:protected": "" }, { "shop:protected": "false" }])(
    "the settings %j set no limit",
    (config) => {
      expect(of(config)).toBeUndefined();
      // A limit holds by itself.
      expect(of({ ...config, "shop:maxPriceChange": "20" })).toMatchObject({
        isProtected: false,
        maxPriceChange: 20,
      });
    },
  );

  test("the settings name the permitted objects, and whether the limits apply to a whole plan", () => {
    const read = of(
      { "shop:protected": "true" },
      { SHOP_ALLOW: "Product:7, Coupon:8", ...messageEnv({}, { guard: "plan" }) },
    );
    expect(read).toEqual({
      ...noLimits,
      isProtected: true,
      isPlanned: true,
      allowed: new Set(["Product:7", "Coupon:8"]),
    });
  });

  test.each(["-1", "a fifth", "20 %"])("the setting shop:maxPriceChange: %s is refused", (text) => {
    expect(() => of({ "shop:protected": "true", "shop:maxPriceChange": text })).toThrow(
      `shop:maxPriceChange must be a percentage such as 20, got ${JSON.stringify(text)}`,
    );
  });
});
