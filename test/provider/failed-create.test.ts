// After a failed create, the next run sends it again if nothing was created, and searches for the object if it may have been.
import { expect, test } from "vitest";
import type { Definition, Operation } from "../../provider/definition/define.ts";
import { definitions } from "../../provider/resources/index.ts";
import { openWorld } from "../support/world.ts";

const coupon = definitions.coupons as Definition;
const args = { code: "SPRING", discount: 10, typeId: 2, __of: "dev::spring" };
/** What no check lets pass, so that the shop has to refuse it. */
const refused = { ...args, code: "" };
const post = "POST /admin/discount_codes.xml";

test("a create that the shop refused is not searched for", async () => {
  const world = await openWorld();
  const verbs = world.verbs(coupon);
  const failed = await world.during(() => expect(verbs.create(refused)).rejects.toThrow("422"));
  expect(failed).toEqual([post]);
  expect(await world.during(() => verbs.create(args))).toEqual([post]);
});

test("a create that the shop refused at its second attempt is searched for, because the first may have succeeded", async () => {
  const world = await openWorld();
  const verbs = world.verbs(coupon);
  await world.fault({ method: "POST", path: "*", fault: "drop-before" });
  const failed = await world.during(() => expect(verbs.create(refused)).rejects.toThrow("422"));
  expect(failed.filter((line) => line.startsWith("POST"))).toEqual([post, post]);
  const again = await world.during(() => expect(verbs.create(refused)).rejects.toThrow("422"));
  expect(again).toEqual([expect.stringMatching(/^GET \/admin\/discount_codes\.xml\?/), post]);
});

test("a create that the shop answered without its object is searched for", async () => {
  const world = await openWorld();
  // Of an operation that promises no object an answer that is no document is none.
  await world.fault({ method: "POST", path: "*", fault: "wrong-content-type" });
  const create = { ...(coupon.operations.create as Operation), answers: "nothing" as const };
  const verbs = world.verbs({ ...coupon, operations: { ...coupon.operations, create } });
  const list = expect.stringMatching(/^GET \/admin\/discount_codes\.xml\?/);
  let made = "";
  expect(
    await world.during(async () => {
      made = (await verbs.create(args)).id;
    }),
    // A page that is shorter than was asked for may not be the last.
  ).toEqual([post, list, list]);
  expect(world.rows("discount_code").at(-1)).toMatchObject({ id: Number(made), code: "SPRING" });
});
