// A delete whose answer was lost: whether it is sent again is decided by a look at the object.
import { expect, test } from "vitest";
import type { Definition } from "../../provider/definition/define.ts";
import { definitions } from "../../provider/resources/index.ts";
import { openWorld } from "../support/world.ts";

const coupon = definitions.coupons as Definition;

async function made() {
  const world = await openWorld();
  const verbs = world.verbs(coupon);
  const { id, outs } = await verbs.create({ code: "SPRING", discount: 10, typeId: 2, __of: "dev::spring" });
  const path = `/admin/discount_codes/${id}.xml`;
  // Without what the program stated nothing is compared with the shop before.
  const { __stated: _none, ...unstated } = outs;
  return { world, path, remove: () => verbs.delete(id, unstated) };
}

test.each([
  ["and that was done, is not sent again", "drop-after-commit", ["DELETE", "GET"]],
  ["and that was not done, is sent again", "drop-before", ["DELETE", "GET", "DELETE"]],
])("one whose answer was lost, %s", async (_what, fault, methods) => {
  const { world, path, remove } = await made();
  await world.fault({ method: "DELETE", path: "*", fault });
  expect(await world.during(remove)).toEqual(methods.map((method) => `${method} ${path}`));
  expect(world.rows("discount_code")).toEqual([]);
});

test("one whose answer was lost may have happened where the look at it fails too", async () => {
  const { world, remove } = await made();
  await world.fault({ method: "DELETE", path: "*", fault: "drop-after-commit" });
  await world.fault({ method: "GET", path: "*", fault: "drop-before", times: 99 });
  const error = await remove().catch((reason: Error) => reason);
  expect(String(error)).toMatch(
    /the delete of Coupon \d+ may have happened: its answer was lost\. After that, .*The next run looks at the shop before/,
  );
  expect(String(error)).not.toContain("othing was changed;");
});

test("one of what is gone already succeeds, by one request", async () => {
  const { world, path, remove } = await made();
  await remove();
  expect(await world.during(remove)).toEqual([`DELETE ${path}`]);
});
