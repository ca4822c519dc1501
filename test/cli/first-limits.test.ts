// A new stack gets a limit, and an unattended run deletes no catalogue.
import { describe, expect, test } from "vitest";
import { stackText } from "../../cli/pull/scaffold.ts";
import { firstLimit } from "../../cli/stack/first-limits.ts";
import { campaignTest } from "../support/campaign.ts";
import { openWorld } from "../support/world.ts";
import { openScene, openTerminal } from "./terminal.ts";

const shop = "https://my-shop.example";

describe("the first limit of a stack", () => {
  test.each([
    ["live", "shop:protected"],
    ["shop-PROD", "shop:protected"],
    ["eu.production", "shop:protected"],
    ["staging", "shop:maxDeletes"],
    ["delivery", "shop:maxDeletes"],
  ])("%s: %s", (stack, key) => {
    expect(firstLimit(stack, shop, ["shop:url"])?.key).toBe(key);
  });

  test("is nobody's who has one, nor that of a shop on this machine", () => {
    expect(firstLimit("live", shop, ["shop:maxDeletes"])).toBeUndefined();
    expect(firstLimit("live", shop, ["shop:protected"])).toBeUndefined();
    for (const url of ["http://127.0.0.1:4000", "localhost:80", "http://[::1]/"])
      expect(firstLimit("live", url, [])).toBeUndefined();
  });

  test("stands in the file that pull writes, under a line that says what it does", () => {
    const limit = firstLimit("live", shop, []);
    expect(stackText("", { "shop:url": shop }, "p", { config: {}, limit })).toBe(
      `config:\n  shop:url: ${shop}\n  # Deleting, hiding and emptying objects is refused, unless you name them with --allow.\n  shop:protected: "true"\n`,
    );
  });

  test("is written with the shop's address, once, and said", async () => {
    const { run, read } = openTerminal("", {}, "", []);
    const set = (value: string) => run("config", "set", "shop:url", value, "--stack", "live", "--create");
    const first = await set(shop);
    expect(first.code).toBe(0);
    expect(first.stderr).toMatch(/^Pulumi\.live\.yaml: shop:protected is true\. Deleting, hiding/);
    expect(read("Pulumi.live.yaml")).toBe(
      `config:\n  shop:url: ${shop}\n  # Deleting, hiding and emptying objects is refused, unless you name them with --allow.\n  shop:protected: "true"\n`,
    );
    // A removed limit stays removed.
    await run("config", "remove", "shop:protected", "--stack", "live");
    await set("https://other.example");
    expect(read("Pulumi.live.yaml")).not.toContain("protected");
  });
});

describe("up --yes where no terminal is", () => {
  const program = (many: number) => `
import { Coupon } from "pulumi-shop";
for (let at = 0; at < ${many}; at += 1) new Coupon(\`c\${at}\`, { code: \`C\${at}\`, discount: 10, typeId: 1 });
`;
  const up = ["up", "--yes", "--stack", "dev", "--create"] as const;
  const opened = async (many: number) => {
    const { world, terminal } = await openScene(program(many));
    expect((await terminal.run(...up)).code).toBe(0);
    const left = () => world.rows("discount_code").filter(({ isDeleted }) => !isDeleted).length;
    return { ...terminal, world, left };
  };

  test("deletes no larger part of a kind without a word: of an empty sheet nothing comes", async () => {
    const { run, write, left } = await opened(20);
    write("index.ts", "export const nothing = 1;");
    const { code, stderr } = await run(...up);
    expect(code).toBe(1);
    expect(stderr).toContain("20 of 20 Coupon resources would be deleted");
    expect(stderr).toContain("shop:maxDeletes");
    expect(left()).toBe(20);
    // A limit of the stack, or the names with --allow, permit it.
    expect((await run("config", "set", "shop:maxDeletes", "20", "--stack", "dev")).code).toBe(0);
    expect((await run(...up)).code).toBe(0);
    expect(left()).toBe(0);
  });

  test("deletes what is named, and what is few or a small part", async () => {
    const { run, write, left } = await opened(20);
    write("index.ts", program(10));
    const names = Array.from({ length: 10 }, (_, at) => `c${at + 10}`).join(",");
    expect((await run(...up)).code).toBe(1);
    expect(left()).toBe(20);
    expect((await run(...up, "--allow", names)).code).toBe(0);
    expect(left()).toBe(10);
    write("index.ts", program(1));
    expect((await run(...up)).code).toBe(0);
    expect(left()).toBe(1);
  });
});

campaignTest(
  "a pulled charge is of the stack that it was pulled of: another stack's shop is asked for nothing",
  async () => {
    const [live, staging] = [await openWorld(), await openWorld()];
    await live.client.recurringCharge.create({ monthly: 990 });
    await live.client.coupons.create({ code: "A", discount: 1, typeId: 1 });
    const terminal = openTerminal("", live.env);
    await terminal.done("pull", "--stack", "live", "--force");
    const at = (world: typeof live) => ({
      SHOP_URL: world.url,
      SHOP_APPLICATION_ID: world.credentials.applicationId,
      SHOP_PASSWORD: world.credentials.password,
    });
    await terminal.done("up", "--yes", "--skip-preview", "--stack", "live");
    expect((await terminal.run("state", "list", "--stack", "live")).stdout).toContain("RecurringCharge");
    Object.assign(terminal.env, at(staging), { SHOP_ADOPT: "key" });
    const { code } = await terminal.run("up", "--yes", "--stack", "staging", "--create");
    expect(code).toBe(0);
    expect(staging.rows("discount_code")).toHaveLength(1);
    expect(
      staging.rows("recurring_charge").filter(({ monthly }) => monthly !== null && monthly !== undefined),
    ).toEqual([]);
  },
);
