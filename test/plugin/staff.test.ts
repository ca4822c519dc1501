// What staff and shoppers change, where the provider is a plugin: as test/walks/staff.test.ts has it of dynamic resources.
import { expect, test } from "vitest";
import type { Event } from "../../engine/index.ts";
import type { Goal } from "../../engine/values/goal.ts";
import { goal } from "../engine/in-process.ts";
import { openWorld } from "../world.ts";
import { projectOf, type Ran, refreshed, run } from "./memory.ts";

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

test("stock that sold never comes back by a refresh, whatever else the program changes", async () => {
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
