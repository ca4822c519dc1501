// Edits by staff and shoppers, with the plugin; test/walks/staff.test.ts has the same for dynamic resources.
import { expect, test, vi } from "vitest";
import type { Event } from "../../engine/index.ts";
import type { Goal } from "../../engine/values/goal.ts";
import { goal } from "../engine/in-process.ts";
import { openWorld } from "../support/world.ts";
import { coupon, projectOf, type Ran, refreshed, run, spring } from "./memory.ts";

const mug = (variants: readonly object[], more: object = {}): readonly Goal[] => [
  goal("mug", { title: "Mug", variants, ...more } as never, { type: "shop:index:Product" }),
];
const steps = ({ events }: Ran): readonly string[] =>
  events.flatMap((event: Event) =>
    event.type === "done" &&
    event.step.custom &&
    event.step.op !== "same" &&
    !event.step.type.startsWith("pulumi:")
      ? [event.step.op]
      : [],
  );

test("a refresh never restores sold stock", async () => {
  const world = await openWorld();
  const disk = projectOf(world);
  const one = (price: number) => mug([{ sku: "M", price, quantity: 5 }]);
  await run(disk, one(9));
  const [
    {
      variants: [variant],
    } = { variants: [] },
  ] = world.rows("product") as readonly { variants: object[] }[];
  const variants = [{ ...variant, quantity: 1 }];
  await world.edit({ kind: "product", where: { title: "Mug" }, set: { variants } });
  expect(steps(await refreshed(disk))).toEqual([]);
  expect(steps(await run(disk, one(9)))).toEqual([]);
  expect(steps(await run(disk, one(12)))).toEqual(["update"]);
  expect(steps(await run(disk, one(12), { refresh: true }))).toEqual([]);
  expect(world.rows("product")).toMatchObject([{ variants: [{ price: "12.0", quantity: 1 }] }]);
});

const said = ({ events }: Ran): string =>
  events.flatMap((event) => (event.type === "message" ? [event.text] : [])).join("\n");

test("a variant with a new SKU keeps its number and stock and is reported as renamed", async () => {
  const world = await openWorld();
  const disk = projectOf(world);
  const options = (value: string) => [{ title: "Size", value }];
  const b = { sku: "S1-B", price: 2, options: options("B") };
  await run(disk, mug([{ sku: "S1-A", price: 1, options: options("A"), quantity: 33 }, b]));
  const ran = await run(disk, mug([{ sku: "S1-NEW", price: 1, options: options("A"), quantity: 33 }]));
  expect(said(ran)).toMatch(
    /variants\[S1-A\] renamed S1-NEW \(keeps 33 in stock\); variants\[S1-B\] is lost/,
  );
  expect(world.rows("product")).toMatchObject([{ variants: [{ sku: "S1-NEW", quantity: 33 }] }]);
});

test("an overwrite shows the value it destroys, and an object that staff deleted is a conflict without it", async () => {
  const world = await openWorld();
  const disk = projectOf(world);
  await run(disk, [coupon("spring", spring), ...mug([{ sku: "M", price: 9 }])]);
  await world.edit({ kind: "discount_code", where: { code: "SPRING" }, set: { discount: 55 } });
  const next = [coupon("spring", { ...spring, discount: 12 }), ...mug([{ sku: "M", price: 10 }])];
  expect((await run(disk, next)).failures.join()).toContain("is 55 % in the shop, the program asks for 12 %");
  vi.stubEnv("SHOP_CONFLICTS", "overwrite");
  // Both its diff and its update would report it.
  expect(said(await run(disk, next)).match(/overwrites changes .*/g)).toEqual([
    "overwrites changes made in the shop: discount: 55 % => 12 %",
  ]);
  vi.stubEnv("SHOP_CONFLICTS", "stop");
  await world.edit({ kind: "discount_code", where: { code: "SPRING" }, delete: true });
  const last = [coupon("spring", { ...spring, discount: 14 }), ...mug([{ sku: "M", price: 11 }])];
  const refused = await run(disk, last);
  expect(refused.failures.join()).toContain("was deleted in the shop since the last run");
  expect(world.rows("product")).toMatchObject([{ variants: [{ price: "11.0" }] }]);
  vi.stubEnv("SHOP_CONFLICTS", "overwrite");
  expect((await run(disk, last)).failures).toEqual([]);
  expect(world.rows("discount_code")).toMatchObject([{ code: "SPRING", discount: "14.0" }]);
});

test("a row that staff changed, too, is refused with instructions, and the others are sent", async () => {
  const world = await openWorld();
  const disk = projectOf(world);
  await run(
    disk,
    mug([
      { sku: "A", price: 9 },
      { sku: "B", price: 9 },
    ]),
  );
  const sheet = (price: number): readonly Goal[] => [
    ...mug([{ sku: "A" }, { sku: "B" }]),
    goal(
      "sheet",
      {
        rows: [
          { sku: "A", price },
          { sku: "B", price },
        ],
      } as never,
      {
        type: "shop:index:Prices",
      },
    ),
  ];
  await run(disk, sheet(10));
  const [product] = world.rows("product") as readonly { variants: readonly { sku: string }[] }[];
  const variants = product?.variants.map((one) => (one.sku === "A" ? { ...one, price: "99.0" } : one));
  await world.edit({ kind: "product", where: { title: "Mug" }, set: { variants } });
  const { failures } = await run(disk, sheet(11));
  expect(failures.join("\n")).toContain(
    "last run 10, in the shop now 99, the sheet asks for 11. Nothing was sent for it",
  );
  expect(failures.join("\n")).toContain("write them into the sheet");
  const [named = ""] = /(?<=SHOP_OVERWRITE=)Prices:\S+/.exec(failures.join("\n")) ?? [];
  const prices = () =>
    (world.rows("product") as readonly { variants: readonly { price: string }[] }[])[0]?.variants.map(
      ({ price }) => price,
    );
  expect(prices()).toEqual(["99.0", "11.0"]);
  vi.stubEnv("SHOP_OVERWRITE", named);
  expect((await run(disk, sheet(11))).failures).toEqual([]);
  expect(prices()).toEqual(["11.0", "11.0"]);
});
