// The plugin as Pulumi starts it: its language host runs the SDK's own starter on the folder in Pulumi.yaml. That is
// undocumented, so these tests pin it. They use the build.
import { expect, test } from "vitest";
import { openWorld } from "../support/world.ts";
import { openPlug, urn } from "./engine.ts";

test("Pulumi's starter runs the folder as a plugin, which prints its port and has its schema", async () => {
  const plug = await openPlug(await openWorld(), "started");
  const { schema } = await plug.call("getSchema");
  expect(JSON.parse(schema as string)).toMatchObject({
    name: "shop",
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
  });
});

test("a cancelled run stops waiting for the rate limit and sends nothing more", async () => {
  const world = await openWorld({ limit: { max: 2, windowMs: 300_000 } });
  const plug = await openPlug(world, "started");
  const create = (code: string) =>
    plug.call("create", { urn: urn("Coupon", code), properties: { code, discount: 10, typeId: 1 } });
  // The first write of a process also reads the account.
  await create("FIRST");
  const waiting = create("SECOND").then(
    () => "made",
    (error: Error) => error.message,
  );
  // It is stopped only after the message that it waits.
  await expect.poll(() => plug.logged.join("\n")).toContain("waiting");
  await plug.call("cancel");
  expect(await waiting).toContain("was cancelled. Nothing was changed by it");
  expect(world.rows("discount_code").map(({ code }) => code)).toEqual(["FIRST"]);
});
