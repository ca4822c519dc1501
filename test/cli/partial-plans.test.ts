// A saved plan of which a part can no longer be applied: `up --plan FILE --partial` does the rest.
import { expect, test } from "vitest";
import { storyForms as forms } from "../support/forms.ts";
import { openWorld } from "../support/world.ts";
import { openTerminal } from "./terminal.ts";

const coupons = (discount: number, ...codes: readonly string[]) => `import { Coupon } from "pulumi-shop";
for (const code of ${JSON.stringify(codes)}) new Coupon(code, { code, discount: ${discount}, typeId: 1 });
`;

test.each(forms)("a create that fails by now is skipped, the rest is done: %s", async (_how, plugins) => {
  const world = await openWorld();
  const terminal = openTerminal(coupons(10, "A", "Z"), world.env, plugins);
  await terminal.done("up", "--yes");
  terminal.write("index.ts", coupons(20, "A", "B", "C"));
  await terminal.done("preview", "--save-plan", "plan.json");
  const taken = await world.client.coupons.create({ code: "B", discount: 5, typeId: 2 });
  world.requests();
  const discounts = () => world.rows("discount_code").map(({ code, discount }) => `${code} ${discount}`);
  const carryOut = (...more: readonly string[]) =>
    terminal.dev("up", "--yes", "--plan", "plan.json", ...more);
  const whole = await carryOut();
  expect(whole.code, whole.all).toBe(1);
  expect(whole.all).toContain("The plan was not applied.");
  expect(discounts()).toEqual(["A 10.0", "Z 10.0", "B 5.0"]);
  const part = await carryOut("--partial");
  expect(part.code, part.all).toBe(1);
  expect(part.stderr).toContain(`Skipped, because these have changed since plan.json was saved:
  Coupon B: planned create, now failed: code: the shop has Coupon ${taken.id} with code B already`);
  expect(part.stderr).toContain("Coupon Z: planned delete, now waiting until the program finishes");
  expect(part.all).not.toContain("Nothing was changed");
  expect(discounts()).toEqual(["A 20.0", "Z 10.0", "B 5.0", "C 20.0"]);
  // With the cause gone, the same plan does what is left.
  await world.client.coupons.remove({ id: taken.id });
  await terminal.done("up", "--yes", "--plan", "plan.json");
  expect(discounts()).toEqual(["A 20.0", "C 20.0", "B 20.0"]);
});
