// Numbers that no shop should get: sums below zero, discounts above all of an order, offers that are over before they begin.
import { expect, test } from "vitest";
import { check } from "../../provider/change/check.ts";
import type { Definition, Fields } from "../../provider/definition/define.ts";
import { definitions } from "../../provider/resources/index.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { openPlug, urn } from "../plugin/engine.ts";
import { openWorld, resources } from "../support/world.ts";
import { sampleOf } from "./samples.ts";

const coupon = definitions.coupons as unknown as Definition;
const reasons = async (definition: Definition, news: Values) =>
  (await check(definition, news, { folder: "/nowhere" })).failures.map(
    ({ property, reason }) => `${property}: ${reason}`,
  );

/** Arguments, and arguments of items, that must not be below a number. */
function bounded(fields: Fields, args: Values): readonly (readonly [name: string, below: Values])[] {
  return Object.entries(fields).flatMap(([name, { minimum, items, type }]) => {
    if (minimum !== undefined)
      return [[name, { ...args, [name]: minimum - (type === "integer" ? 1 : 0.01) }] as const];
    const list = args[name];
    const [first, ...others] = (Array.isArray(list) ? list : []) as readonly Values[];
    if (items?.fields === undefined || first === undefined) return [];
    return bounded(items.fields, first).map(
      ([, below]) => [name, { ...args, [name]: [below, ...others] }] as const,
    );
  });
}

test("no kind accepts a sum below zero or an id below one, in either form of the provider", async () => {
  const world = await openWorld();
  const plug = await openPlug(world);
  const met: string[] = [];
  for (const definition of resources) {
    const { args } = await sampleOf(definition, world);
    for (const [name, below] of bounded(definition.fields, args)) {
      const failures = await reasons(definition, below);
      expect(failures).toEqual([expect.stringMatching(/must be at least (0; got -0\.01|1; got 0)$/)]);
      const news = { urn: urn(definition.kind), olds: {}, news: below };
      expect((await plug.call("check", news)).failuresList).toHaveLength(1);
      met.push(`${definition.kind}.${name}`);
    }
  }
  expect(new Set(met)).toEqual(
    new Set([
      "Product.categoryId",
      "Product.canonicalUrlCollectionId",
      "Product.variants",
      "Coupon.discount",
      "Coupon.minPrice",
      "ApplicationCharge.price",
      "RecurringCharge.monthly",
      "Asset.themeId",
    ]),
  );
  expect(world.requests().filter((line) => !line.startsWith("GET "))).toEqual([]);
});

test("a percentage above 100 is refused, and a sum of money above 100 is not", async () => {
  const args = { code: "A", discount: 100.5, typeId: 1 };
  expect(await reasons(coupon, args)).toEqual(["discount: must be at most 100 percent; got 100.5"]);
  expect(await reasons(coupon, { ...args, __secret: "discount" })).toEqual([
    "discount: must be at most 100 percent",
  ]);
  expect(await reasons(coupon, { ...args, discount: "100" })).toEqual([]);
  expect(await reasons(coupon, { ...args, typeId: 2 })).toEqual([]);
});

test("an offer that has ended is reported when it is new or changes, and not later", async () => {
  const { verbs, said } = await openWorld();
  const check = verbs(coupon, undefined, undefined, { isPreview: true }).check;
  const args = { code: "A", discount: 1, typeId: 1, __of: "dev::a" };
  const over = { ...args, expiredAt: "2020-01-01" };
  await check({}, { ...args, expiredAt: "2999-01-01" });
  await check(args, { ...args, expiredAt: "" });
  await check(over, over);
  expect(said).toEqual([]);
  await check(args, over);
  await check({}, { ...over, __of: "dev::b", code: "B" });
  expect(said).toEqual([
    `a: expiredAt is "2020-01-01"; it is in the past: nobody can use it`,
    `b: expiredAt is "2020-01-01"; it is in the past: nobody can use it`,
  ]);
});
