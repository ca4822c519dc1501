// --engine pulumi with a state in a bucket: our limits and saved plans, on a copy of the exported state.
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

import { openBucket } from "../support/shared-backend.ts";
import { openWorld } from "../support/world.ts";
import { connectStack, openTerminal } from "./terminal.ts";

const programOf = (discount: number, coupons: readonly string[] = ["SPRING", "VIP"]) => `
import { Coupon } from "pulumi-shop";
${coupons.map((code) => `new Coupon("${code.toLowerCase()}", { code: "${code}", discount: ${discount}, typeId: 1 });`).join("\n")}
`;

/** A stack in the bucket with two coupons of 10, created before it moved there. */
async function openShared() {
  const world = await openWorld();
  const path = [dirname(process.execPath), process.env.PATH].join(":");
  const terminal = openTerminal(programOf(10), { PATH: path });
  const { folder, env, run, start, write } = terminal;
  const shared = openBucket(folder, path);
  env.PULUMI_BACKEND_URL = `file://${shared.folder}`;
  await connectStack(terminal, "dev", world);
  await run("config", "set", "shop:maxDeletes", "0", "--stack", "dev");
  const first = await run("up", "--stack", "dev", "--yes");
  expect(first.code, first.stderr).toBe(0);
  const temporary = join(folder, "tmp");
  mkdirSync(temporary);
  Object.assign(env, shared.env, { TMPDIR: temporary });
  // Pulumi writes to the terminal of the process itself.
  const pulumi = (verb: string, ...args: readonly string[]) =>
    start(verb, "--engine", "pulumi", "--stack", "dev", ...args);
  return {
    ...terminal,
    ...shared,
    world,
    pulumi,
    program: (text: string) => write("index.ts", text),
    discounts: () => world.rows("discount_code").map(({ discount }) => String(discount)),
    read: (name: string) => readFileSync(join(folder, name), "utf8"),
    /** Remaining copies of a command. */
    left: () => readdirSync(temporary).filter((name) => name.startsWith("pulumi-shop-")),
  };
}

test("a plan is saved on a copy of the state, shown as a comment, refused when it is stale, and carried out as it was approved", {
  timeout: 400_000,
}, async () => {
  const { pulumi, program, discounts, asked, read, left, world } = await openShared();
  program(programOf(15));
  const saved = await pulumi("preview", "--save-plan", "plan.json", "--markdown", "plan.md");
  expect(saved.code, saved.stderr).toBe(0);
  expect(asked()).toEqual(["stack export", "preview"]);
  expect(read("plan.md")).toContain("discount: 10 % → **15 %**");
  expect(discounts()).toEqual(["10.0", "10.0"]);

  const staff = (discount: number) =>
    world.edit({ kind: "discount_code", where: { code: "VIP" }, set: { discount } });
  await staff(55);
  world.requests();
  const stale = await pulumi("up", "--plan", "plan.json", "--yes");
  expect([stale.code, asked()]).toEqual([7, ["stack export"]]);
  expect(stale.stderr).toContain("Coupon vip: discount in the shop: planned 10 %, now 55 %");
  expect(world.requests().filter((line) => !line.startsWith("GET "))).toEqual([]);

  await staff(10);
  const done = await pulumi("up", "--plan", "plan.json", "--yes");
  expect(done.code, done.stderr).toBe(0);
  expect(asked()).toEqual(["stack export", "up"]);
  expect(discounts()).toEqual(["15.0", "15.0"]);
  expect(left()).toEqual([]);
});

test("limits that count are held; what can't be read ends the command, or is said", {
  timeout: 400_000,
}, async () => {
  const { pulumi, start, program, discounts, asked, write, read, left } = await openShared();
  program(programOf(10, ["SPRING"]));
  const refused = await pulumi("up", "--yes");
  expect([refused.code, asked()]).toEqual([1, ["stack export"]]);
  expect(refused.stderr).toContain("shop:maxDeletes");
  expect(discounts()).toHaveLength(2);

  const nobody = await start("up", "--engine", "pulumi", "--stack", "nobody", "--yes");
  expect(nobody.code).not.toBe(0);
  expect(nobody.stderr).toContain("no stack named 'nobody' found");
  expect(nobody.stderr).toContain("pulumi stack export --stack nobody failed");
  expect(left()).toEqual([]);
  asked();

  // A cloud key: only pulumi decrypts such secrets.
  write("Pulumi.dev.yaml", `secretsprovider: awskms://alias/ours\n${read("Pulumi.dev.yaml")}`);
  const plan = await pulumi("preview", "--save-plan", "plan.json");
  expect([plan.code, asked()]).toEqual([2, ["stack export"]]);
  expect(plan.stderr).toContain(
    "a plan is saved and carried out only where the stack's secrets are under a passphrase",
  );
  const preview = await pulumi("preview");
  expect(preview.stderr).toContain("warning: limits are held one resource at a time");
  expect(asked()).toEqual(["stack export", "preview"]);
});
