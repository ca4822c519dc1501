// What staff changed isn't deleted: the preview says so in the same words as the run, through the real host and the command.
import { expect, test } from "vitest";
import { openWorld } from "../world.ts";
import { openTerminal } from "./terminal.ts";

const coupon = (discount: number) => `import { Coupon } from "pulumi-shop";
new Coupon("sale", { code: "SALE", discount: ${discount}, typeId: 1, description: "ours" });
`;

test("a delete of what staff changed is refused by preview and up, and done with --overwrite", {
  timeout: 300_000,
}, async () => {
  const world = await openWorld();
  const terminal = openTerminal(coupon(10), world.env);
  const up = await terminal.run("up", "--stack", "dev", "--yes", "--skip-preview");
  expect(up.code, up.stdout + up.stderr).toBe(0);
  const [row] = world.rows("discount_code");
  await world.edit({ kind: "discount_code", id: row?.id, set: { discount: "55.0" } });
  terminal.write("index.ts", "export {};\n");
  world.requests();
  const preview = await terminal.run("preview", "--stack", "dev");
  const words = "is to be deleted, but was changed in the shop since the last run";
  expect(preview.code).toBe(1);
  expect(preview.stdout + preview.stderr).toContain(words);
  expect(preview.stdout + preview.stderr).toContain("discount: was 10, is now 55");
  expect(world.requests().filter((line) => !line.startsWith("GET "))).toEqual([]);
  const refused = await terminal.run("up", "--stack", "dev", "--yes");
  expect(refused.code).toBe(1);
  expect(refused.stdout + refused.stderr).toContain(words);
  expect(world.rows("discount_code")).toHaveLength(1);
  const done = await terminal.run("up", "--stack", "dev", "--yes", "--overwrite", "sale");
  expect(done.code, done.stdout + done.stderr).toBe(0);
  expect(world.rows("discount_code")).toEqual([]);
});
