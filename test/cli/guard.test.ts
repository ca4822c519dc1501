// A protected stack: no deletes, nothing hidden, no price further than it may move, unless a person names it.
import { describe, expect, test } from "vitest";
import { campaignTest } from "../campaign.ts";
import { openWorld } from "../world.ts";
import { openTerminal } from "./terminal.ts";

const program = (body: string) => `import { Coupon, Product } from "pulumi-shop";\n${body}\n`;
const before = program(`
new Product("mug", { title: "Mug", isHidden: false, variants: [{ sku: "R", price: 100 }, { sku: "B", price: 200 }] });
new Product("jug", { title: "Jug", variants: [{ sku: "J", price: 50 }] });
new Coupon("spring", { code: "SPRING", discount: 10, typeId: 1 });
new Coupon("autumn", { code: "AUTUMN", discount: 10, typeId: 1 }, { retainOnDelete: true });
`);

async function opened(config: Readonly<Record<string, string>> = {}) {
  const world = await openWorld();
  const terminal = openTerminal(before, world.env, ["live"]);
  const made = await terminal.run("up", "--stack", "live", "--yes", "--skip-preview");
  expect(made.code, made.stdout).toBe(0);
  for (const [key, value] of Object.entries({
    "shop:protected": "true",
    "shop:maxPriceChange": "20",
    ...config,
  }))
    await terminal.run("config", "set", key, value, "--stack", "live");
  world.requests();
  const writes = () => world.requests().filter((line) => !line.startsWith("GET "));
  return { world, terminal, writes };
}

const worse = program(`
new Product("mug", { title: "Mug", isHidden: true, variants: [{ sku: "R", price: 150 }] });
new Product("jug", { title: "Jug", variants: [{ sku: "J", price: 59 }] });
`);

describe("a protected stack", () => {
  test("refuses in the preview, with the list of all that it refuses, and sends nothing", async () => {
    const { terminal, writes } = await opened();
    terminal.write("index.ts", worse);
    for (const command of [["preview"], ["up", "--yes"]]) {
      const { code, stderr } = await terminal.run(...command, "--stack", "live");
      expect(code).toBe(1);
      expect(stderr).toBe(
        [
          "Refused, because the stack live is protected (shop:protected):",
          "Product mug would be hidden from shoppers (isHidden); pass --allow mug to permit it",
          "Product mug would move variants[R].price by 50 %, 100 => 150, and shop:maxPriceChange is 20 %; pass --allow mug to permit it",
          "Product mug would lose variants[B]; pass --allow mug to permit it",
          "Coupon spring would be deleted; pass --allow spring to permit it\n",
        ].join("\n  "),
      );
    }
    expect(writes()).toEqual([]);
  });

  campaignTest("refuses deletes in the preview, but not of what stays in the shop", async () => {
    const { terminal, writes } = await opened();
    terminal.write("index.ts", before.replace(/^new Coupon.*$/gm, ""));
    const { code, stderr } = await terminal.run("up", "--yes", "--stack", "live");
    expect(code).toBe(1);
    expect(stderr).toContain("Coupon spring would be deleted; pass --allow spring to permit it");
    expect(stderr).not.toContain("autumn");
    expect(writes()).toEqual([]);
    const destroyed = await terminal.run("destroy", "--yes", "--stack", "live");
    expect(destroyed.code).toBe(1);
    expect(destroyed.stderr).toContain("Product jug would be deleted");
    expect(writes()).toEqual([]);
  });

  campaignTest("refuses deletes also where nobody looked at a preview, and keeps what it has", async () => {
    const { world, terminal, writes } = await opened();
    terminal.write("index.ts", before.replace(/^new Coupon\("spring".*$/gm, ""));
    const { code, stdout } = await terminal.run("up", "--yes", "--skip-preview", "--stack", "live");
    expect(code).toBe(1);
    expect(stdout).toMatch(/Coupon spring: .*would be deleted/);
    expect(writes()).toEqual([]);
    expect(world.rows("discount_code")).toHaveLength(2);
    terminal.write("index.ts", worse);
    const changed = await terminal.run("up", "--yes", "--skip-preview", "--stack", "live");
    expect(changed.code).toBe(1);
    expect(changed.stdout).toContain("would be hidden from shoppers (isHidden)");
    expect(writes().filter((line) => line.includes("products") && !line.startsWith("PUT"))).toEqual([]);
  });

  test("lets through what is named, and only that", async () => {
    const { terminal, writes, world } = await opened();
    terminal.write("index.ts", worse);
    const { code, stdout, stderr } = await terminal.run(
      "up",
      "--yes",
      "--stack",
      "live",
      "--allow",
      "mug, spring",
    );
    expect(code, stdout + stderr).toBe(0);
    expect(
      writes()
        .map((line) => line.replace(/\d+/g, "N"))
        .toSorted(),
    ).toEqual([
      "DELETE /admin/discount_codes/N.xml",
      "DELETE /admin/products/N/variants/N.xml",
      "PUT /admin/products/N.xml",
      "PUT /admin/products/N.xml",
    ]);
    const live = world.rows("discount_code").filter(({ archived }) => archived !== true);
    expect(live.map(({ code: own }) => own)).toEqual(["AUTUMN"]);
    expect(await terminal.run("up", "--stack", "live", "--allow", "nobody")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("the stack live has no resource nobody"),
    });
  });

  campaignTest("refuses to take over what it would then hide or reprice", async () => {
    const { world, terminal, writes } = await opened();
    await world.client.products.create({
      title: "Plate",
      permalink: "plate",
      variants: [{ sku: "P", price: 10 }],
    });
    world.requests();
    terminal.write(
      "index.ts",
      `${before}new Product("plate", { title: "Plate", permalink: "plate", variants: [{ sku: "P", price: 90 }], adopt: "key" });`,
    );
    const { code, stdout } = await terminal.run("preview", "--stack", "live");
    expect(code).toBe(1);
    expect(stdout).toContain("would move variants[P].price by 800 %");
    expect(writes()).toEqual([]);
  });

  test("says what is wrong with its own settings", async () => {
    const { terminal } = await opened({ "shop:maxPriceChange": "a lot" });
    const { code, stdout } = await terminal.run("preview", "--stack", "live");
    expect(code).toBe(1);
    expect(stdout).toContain("shop:maxPriceChange is a percentage");
  });
});
