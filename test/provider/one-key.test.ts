// Two resources with one natural key are rejected before any request, for every kind with a key.
import { describe, expect, test } from "vitest";
import { openPlug, urn } from "../plugin/engine.ts";
import { openWorld, resources } from "../support/world.ts";
import { sampleOf } from "./samples.ts";

const keyed = resources.filter(({ keys, singleton }) => keys !== undefined && singleton === undefined);

describe.each(keyed)("$kind", (definition) => {
  const { kind, unique } = definition;

  test("the second resource that adopts an object by its key is rejected, with the first one's name", async () => {
    const world = await openWorld();
    const verbs = world.verbs(definition, undefined, undefined, { isPreview: true });
    const { args } = await sampleOf(definition, world);
    const news = { ...args, adopt: "key" };
    expect((await verbs.check({}, { ...news, __of: "dev::one" })).failures).toEqual([]);
    const asked = await world.during(async () => {
      const { failures } = await verbs.check({}, { ...news, __of: "dev::two" });
      expect(failures).toEqual([
        {
          property: expect.any(String),
          reason: expect.stringMatching(
            new RegExp(`^resource "one" of this program asks for .* too, and only one ${kind} can have it`),
          ),
        },
      ]);
    });
    expect(asked).toEqual([]);
    // A resource may be checked twice, and a key that was given up is free.
    expect((await verbs.check({}, { ...news, __of: "dev::one" })).failures).toEqual([]);
  });

  test("a unique key is rejected for a second resource in both forms of the provider", async () => {
    const world = await openWorld();
    const { args } = await sampleOf(definition, world);
    const verbs = world.verbs(definition, undefined, undefined, { isPreview: true });
    await verbs.check({}, { ...args, __of: "dev::one" });
    const dynamic = await verbs.check({}, { ...args, __of: "dev::two" });
    const plug = await openPlug(world);
    await plug.call("check", { urn: urn(kind, "one"), olds: {}, news: args });
    const { failuresList } = await plug.call("check", { urn: urn(kind, "two"), olds: {}, news: args });
    expect([dynamic.failures.length, (failuresList as unknown[]).length]).toEqual(unique ? [1, 1] : [0, 0]);
  });
});

const spring = { code: "SPRING", discount: 10, typeId: 1 };
const coupon = resources.find(({ kind }) => kind === "Coupon") as (typeof resources)[number];

test("the key of a managed object is rejected with its resource's name, in either order", async () => {
  const world = await openWorld();
  const first = world.verbs(coupon);
  const args = await first.checked({ ...spring, __of: "dev::spring" });
  await first.create(args);
  for (const order of [
    ["managed", "new"],
    ["new", "managed"],
  ]) {
    const verbs = world.verbs(coupon, undefined, undefined, { isPreview: true });
    const both = {
      managed: () => verbs.check(args, args),
      new: () => verbs.check({}, { ...spring, __of: "dev::other" }),
    };
    const checks = await Promise.all(order.map((name) => both[name as "new"]()));
    const reasons = checks.flatMap(({ failures }) => failures.map(({ reason }) => reason));
    expect(reasons.length).toBeGreaterThan(0);
    for (const reason of reasons) {
      expect(reason).toMatch(/resource "(spring|other)" of this program asks for code SPRING too/);
      expect(reason).not.toContain("adopt");
    }
  }
});

test("a key that a resource gives up is free for another one", async () => {
  const world = await openWorld();
  const verbs = world.verbs(coupon);
  await verbs.check({}, { ...spring, __of: "dev::a" });
  await verbs.check({}, { ...spring, code: "OTHER", __of: "dev::a" });
  expect((await verbs.check({}, { ...spring, __of: "dev::b" })).failures).toEqual([]);
});
