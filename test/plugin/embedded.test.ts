// The plugin with our engine in this process, connected by the protocol only.
import { expect, test } from "vitest";
import { type RunOptions, recorder } from "../../engine/index.ts";
import { openMemory } from "../engine/in-process.ts";
import { openWorld } from "../support/world.ts";
import { coupon, projectOf, run, spring } from "./memory.ts";

test("an imported object becomes managed, and the provider's messages appear with it", async () => {
  const world = await openWorld();
  const disk = projectOf(world);
  const { id } = await world.client.coupons.create(spring as never);
  const args = { ...spring, discount: 12 };
  const imported = coupon("spring", args, { importId: String(id) });
  expect(await run(disk, [imported])).toMatchObject({ outcome: "succeeded" });
  expect(world.rows("discount_code")).toMatchObject([{ code: "SPRING", discount: "12.0" }]);
  await world.edit({ kind: "discount_code", where: { code: "SPRING" }, set: { discount: 55 } });
  const { events } = await run(disk, [coupon("spring", { ...args, description: "for staff" })]);
  const said = events.flatMap((event) => (event.type === "message" ? [event.urn?.split("::").at(-1)] : []));
  expect(new Set(said)).toEqual(new Set(["spring"]));
});

test("an object of another resource isn't imported", async () => {
  const world = await openWorld();
  const disk = projectOf(world);
  await run(disk, [coupon("spring", spring)]);
  const [{ id } = {}] = world.rows("discount_code");
  const renamed = await run(disk, [coupon("sale", spring, { importId: String(id) })]);
  expect(renamed).toMatchObject({
    outcome: "failed",
    failures: [
      `sale can't import Coupon ${id}: resource spring of this stack has it; two resources can't manage one object`,
    ],
  });
  expect(world.rows("discount_code")).toMatchObject([{ id }]);
});

test("a cancelled run ends within a second and sends nothing more", async () => {
  const world = await openWorld({ limit: { max: 1, windowMs: 300_000 } });
  const stop = new AbortController();
  const { events, watch } = recorder();
  const watched: RunOptions["watch"] = (event) => {
    watch(event);
    // A message appears when it begins to wait.
    if (event.type === "message" && event.text.includes("waiting")) stop.abort();
  };
  const goals = ["ONE", "TWO", "THREE"].map((code) => coupon(code, { ...spring, code }));
  const ran = await run(projectOf(world), goals, { watch: watched, signal: stop.signal, parallel: 1 });
  expect(ran.outcome).toBe("cancelled");
  expect(world.requests()).toHaveLength(1);
  expect(events.some((event) => event.type === "message")).toBe(true);
});

test("a plugin that the project doesn't name is an error with its package", async () => {
  const world = await openWorld();
  const ran = await run(projectOf(world, "[{name: other, path: plugin}]"), [coupon("spring", spring)]);
  expect(ran.failures.join("\n")).toContain(
    "the provider of the package shop is a plugin, and neither plugins.providers nor packages of /project/Pulumi.yaml names its folder",
  );
  expect(world.rows("discount_code")).toEqual([]);
});

test("an invalid list of plugins is refused", async () => {
  const disk = projectOf(await openWorld(), "[{name: shop}]");
  expect(() => openMemory(disk)).toThrow(
    "/project/Pulumi.yaml: plugins.providers must be a list of {name, path}",
  );
});
