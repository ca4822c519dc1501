// A protected stack: no deletes, nothing hidden, no large price changes, unless --allow names them.
import { describe, expect, test } from "vitest";
import { campaignTest } from "../support/campaign.ts";
import { openScene } from "./terminal.ts";

const program = (body: string) => `import { Coupon, Product } from "pulumi-shop";\n${body}\n`;
const before = program(`
new Product("mug", { title: "Mug", isHidden: false, variants: [{ sku: "R", price: 100 }, { sku: "B", price: 200 }] });
new Product("jug", { title: "Jug", variants: [{ sku: "J", price: 50 }] });
new Coupon("spring", { code: "SPRING", discount: 10, typeId: 1 });
new Coupon("autumn", { code: "AUTUMN", discount: 10, typeId: 1 }, { retainOnDelete: true });
`);

async function opened(config: Readonly<Record<string, string>> = {}) {
  const { world, terminal } = await openScene(before, "", ["live"]);
  await terminal.done("up", "--stack", "live", "--yes", "--skip-preview");
  const settings = { "shop:protected": "true", "shop:maxPriceChange": "20", ...config };
  terminal.write("Pulumi.live.yaml", JSON.stringify({ config: settings }));
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
          "Refused on the stack live:",
          "Product mug would be hidden from shoppers (isHidden; shop:protected); pass --allow mug to permit it",
          "Product mug would move variants[R].price by 50 %, 100 => 150, and shop:maxPriceChange is 20 %; pass --allow mug to permit it",
          "Product mug would lose variants[B] (shop:protected); pass --allow mug to permit it",
          "Coupon spring would be deleted (shop:protected); pass --allow spring to permit it\nNothing was changed in the shop.\n",
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
    expect(stderr).toContain(
      "Coupon spring would be deleted (shop:protected); pass --allow spring to permit it",
    );
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
    const { code, stderr } = await terminal.run("up", "--yes", "--skip-preview", "--stack", "live");
    expect(code).toBe(1);
    expect(stderr).toMatch(/Coupon spring would be deleted/);
    expect(writes()).toEqual([]);
    expect(world.rows("discount_code")).toHaveLength(2);
    terminal.write("index.ts", worse);
    const changed = await terminal.run("up", "--yes", "--skip-preview", "--stack", "live");
    expect(changed.code).toBe(1);
    expect(changed.stderr).toContain("would be hidden from shoppers (isHidden; shop:protected)");
    expect(writes().filter((line) => line.includes("products") && !line.startsWith("PUT"))).toEqual([]);
  });

  test("lets through what is named, and only that", async () => {
    const { terminal, writes, world } = await opened();
    terminal.write("index.ts", worse);
    const { code, all } = await terminal.run("up", "--yes", "--stack", "live", "--allow", "mug, spring");
    expect(code, all).toBe(0);
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
      stderr: expect.stringContaining("the stack live has no resource nobody, and the plan creates none"),
    });
  });

  test("a name that nothing has is refused before a run without a preview changes anything", async () => {
    const { terminal, writes } = await opened();
    terminal.write("index.ts", worse);
    const ran = await terminal.run("up", "--yes", "--skip-preview", "--stack", "live", "--allow", "nobody");
    expect(ran).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("the stack live has no resource nobody, and the plan creates none"),
    });
    expect(writes()).toEqual([]);
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
    const refused = await terminal.run("preview", "--stack", "live");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("Product plate would move variants[P].price by 800 %, 10 => 90");
    expect(writes()).toEqual([]);
    // A new name permits it, too.
    await terminal.done("up", "--yes", "--stack", "live", "--allow", "plate");
    expect(writes().map((line) => line.replace(/\d+/, "N"))).toEqual(["PUT /admin/products/N.xml"]);
  });

  test("says what is wrong with its own settings before anything starts", async () => {
    const { terminal } = await opened({ "shop:maxPriceChange": "a lot" });
    const { code, stderr } = await terminal.run("preview", "--stack", "live");
    expect(code).toBe(2);
    expect(stderr).toContain('shop:maxPriceChange must be a percentage such as 20, got "a lot"');
    terminal.write("Pulumi.live.yaml", "config:\n  shop:maxDeletez: 5\n");
    const mistyped = await terminal.run("preview", "--stack", "live");
    expect(mistyped.code).toBe(2);
    expect(mistyped.stderr).toContain(
      "shop:maxDeletez is not a setting of the provider, did you mean shop:maxDeletes?",
    );
    expect(await terminal.run("config", "set", "shop:maxDicsount", "5", "--stack", "live")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("did you mean shop:maxDiscount?"),
    });
  });
});

describe("a stack with limits, which is not protected", () => {
  const limits = {
    "shop:protected": "false",
    "shop:maxDiscount": "30",
    "shop:maxDeletes": "1",
    "shop:belowCost": "refuse",
  };
  const tooFar = program(`
new Product("mug", { title: "Mug", variants: [{ sku: "R", price: 99, costPrice: 99.5 }, { sku: "B", price: 200 }] });
new Product("jug", { title: "Jug", variants: [{ sku: "J", price: 50 }] });
new Coupon("spring", { code: "SPRING", discount: 100, typeId: 1 });
new Coupon("gift", { code: "GIFT", discount: 50, typeId: 1 });
new Coupon("extra", { code: "EXTRA", discount: 30, typeId: 1 });
`);

  test("refuses in the preview what goes beyond one of them, and does what is named", async () => {
    const { terminal, writes } = await opened(limits);
    terminal.write("index.ts", tooFar);
    const { code, stderr } = await terminal.run("preview", "--stack", "live");
    expect(code).toBe(1);
    expect(stderr.replace("\nNothing was changed in the shop.\n", "").split("\n  ").toSorted()).toEqual(
      [
        "Refused on the stack live:",
        "Coupon gift would take 50 % off (discount), and shop:maxDiscount is 30 %; pass --allow gift to permit it",
        "Coupon spring would take 100 % off (discount), and shop:maxDiscount is 30 %; pass --allow spring to permit it",
        "Product mug would make variants[R].price 99, below its cost 99.5, and shop:belowCost is refuse; pass --allow mug to permit it",
      ].toSorted(),
    );
    expect(writes()).toEqual([]);
    await terminal.done("up", "--yes", "--stack", "live", "--allow", "gift,spring,mug");
    expect(writes().filter((line) => line.startsWith("POST"))).toHaveLength(2);
  });

  campaignTest(
    "refuses a destroy, and an up without a preview, of more deletes than may be; what is named isn't counted",
    async () => {
      const { terminal, writes } = await opened(limits);
      const destroyed = await terminal.run("destroy", "--yes", "--skip-preview", "--stack", "live");
      expect(destroyed.code).toBe(1);
      expect(destroyed.stderr).toContain("3 objects would be deleted, but shop:maxDeletes is 1: ");
      terminal.write("index.ts", before.replace(/^new Product.*$/gm, ""));
      const skipped = await terminal.run("up", "--yes", "--skip-preview", "--stack", "live");
      expect(skipped.code).toBe(1);
      expect(skipped.stderr).toContain("2 objects would be deleted, but shop:maxDeletes is 1: ");
      expect(writes()).toEqual([]);
      await terminal.done("up", "--yes", "--stack", "live", "--allow", "jug");
      expect(writes().map((line) => line.replace(/\d+/, "N"))).toEqual([
        "DELETE /admin/products/N.xml",
        "DELETE /admin/products/N.xml",
      ]);
    },
  );

  campaignTest("holds without a preview and under any engine where one object goes beyond it", async () => {
    const { terminal, writes } = await opened({ ...limits, "shop:maxDeletes": "" });
    terminal.write("index.ts", tooFar.replace(/^new Coupon\("gift".*$/m, ""));
    const { code, stderr } = await terminal.run("up", "--yes", "--skip-preview", "--stack", "live");
    expect(code).toBe(1);
    expect(stderr).toMatch(/Coupon spring would take 100 % off \(discount\)/);
    expect(stderr).toMatch(/Product mug .*below its cost 99.5/);
    expect(writes().filter((line) => line.startsWith("PUT"))).toEqual([]);
  });
});
