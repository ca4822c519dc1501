// Edits by staff after a refresh, with the plugin; test/walks/put-back.test.ts has the same for dynamic resources.
import { expect, test, vi } from "vitest";
import type { Goal } from "../../engine/values/goal.ts";
import { goal } from "../engine/in-process.ts";
import { openWorld } from "../support/world.ts";
import { coupon, projectOf, type Ran, refreshed, run, spring } from "./memory.ts";

const said = ({ events }: Ran): readonly string[] =>
  events.flatMap((event) => (event.type === "message" ? [event.text] : []));
const shelf = (price: number, theirs: number): readonly Goal[] =>
  Array.from({ length: 21 }, (_one, n) =>
    goal(`p${n}`, { title: `P${n}`, variants: [{ sku: `S${n}`, price: n < 10 ? theirs : price }] } as never, {
      type: "shop:index:Product",
    }),
  );

test("after many edits by program and staff, each one that is put back is marked, and no other", async () => {
  const world = await openWorld();
  const disk = projectOf(world);
  await run(disk, [...shelf(20, 30), coupon("spring", spring)]);
  // By title, because they were created in parallel.
  const rows = world.rows("product") as readonly { title: string; variants: object[] }[];
  for (const { title, variants } of rows.filter((one) => /^P\d$/.test(one.title))) {
    const edited = variants.map((one) => ({ ...one, price: "9.0" }));
    await world.edit({ kind: "product", where: { title }, set: { variants: edited } });
  }
  await refreshed(disk);
  await refreshed(disk);
  vi.stubEnv("SHOP_KEEP", "Product");
  const kept = await run(disk, [...shelf(20, 30), coupon("spring", spring)]);
  expect([kept.failures, said(kept).filter((line) => line.includes("puts back"))]).toEqual([[], []]);
  const prices = () =>
    (world.rows("product") as readonly { variants: { price: string }[] }[]).map(
      ({ variants }) => variants[0]?.price,
    );
  expect(prices().filter((price) => price === "9.0")).toHaveLength(10);
  vi.stubEnv("SHOP_KEEP", "");
  const ran = await run(disk, [...shelf(22, 30), coupon("spring", { ...spring, discount: 12 })]);
  const marked = said(ran).filter((line) => line.includes("puts back what staff changed"));
  expect(marked).toHaveLength(10);
  for (const line of marked) expect(line).toMatch(/variants\[S\d\]\.price: 30 \(staff: 9\)/);
  expect(prices().filter((price) => price === "30.0")).toHaveLength(10);
  expect(prices().filter((price) => price === "22.0")).toHaveLength(11);
  await refreshed(disk);
  expect(said(await run(disk, [...shelf(22, 30), coupon("spring", { ...spring, discount: 12 })]))).toEqual(
    [],
  );
});

test("after a refresh, fields that both changed are conflicts, and adopted values are not", async () => {
  const world = await openWorld();
  const disk = projectOf(world);
  await run(disk, [coupon("spring", spring)]);
  await world.edit({ kind: "discount_code", where: { code: "SPRING" }, set: { discount: 55 } });
  await refreshed(disk);
  vi.stubEnv("SHOP_DRIFT", "stop");
  const stopped = await run(disk, [coupon("spring", spring)]);
  expect(stopped.failures.join()).toContain(
    "discount: was 10 %, is 55 % in the shop, the program asks for 10 %",
  );
  vi.stubEnv("SHOP_DRIFT", "");
  const both = await run(disk, [coupon("spring", { ...spring, discount: 12 })]);
  expect(both.failures.join()).toContain(
    "discount: was 10 %, is 55 % in the shop, the program asks for 12 %",
  );
  expect((await run(disk, [coupon("spring", { ...spring, discount: 55 })])).failures).toEqual([]);
  expect((await run(disk, [coupon("spring", { ...spring, discount: 12 })])).failures).toEqual([]);
  expect(world.rows("discount_code")).toMatchObject([{ discount: "12.0" }]);
});

test("an edit by staff after the refresh is kept, and the next run has nothing to do", async () => {
  const world = await openWorld();
  const disk = projectOf(world);
  await run(disk, [coupon("spring", spring)]);
  const edit = (discount: number) =>
    world.edit({ kind: "discount_code", where: { code: "SPRING" }, set: { discount } });
  await edit(55);
  await refreshed(disk);
  await edit(60);
  for (const _turn of [1, 2]) {
    const ran = await run(disk, [coupon("spring", spring)]);
    const steps = ran.events.flatMap((event) => (event.type === "done" ? [event.step.op] : []));
    expect(new Set(steps)).toEqual(new Set(["same"]));
    expect(said(ran)).toEqual([expect.stringContaining("and kept: discount: 10 % => 60 %")]);
  }
  expect(world.rows("discount_code")).toMatchObject([{ discount: 60 }]);
});
