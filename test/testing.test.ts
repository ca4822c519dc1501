// pulumi-shop/testing as in the README: a user's program, unmodified, with a shop of the test.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openShop, type TestShopOptions } from "../sdk/testing/index.ts";
import { root } from "./cli/terminal.ts";
import { campaignTest } from "./support/campaign.ts";

const program = `import * as pulumi from "@pulumi/pulumi";
import { Asset, Coupon, getThemeOutput } from "pulumi-shop";
const config = new pulumi.Config();
const spring = new Coupon("spring", { code: "SPRING", discount: config.getNumber("percent") ?? 10, typeId: 1 });
new Asset("about", { themeId: getThemeOutput({ published: true }).id, type: "Asset::Template", name: "page.about.liquid", content: "<h1>About {{ account.title }}</h1>" });
export const code = spring.code;
console.log("a line of the program");
`;

async function opened(text = program, options: TestShopOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-user "));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(
    join(folder, "Pulumi.yaml"),
    "name: my-shop\nruntime: { name: nodejs, options: { typescript: false } }\nmain: src/index.ts\n",
  );
  writeFileSync(join(folder, "src/index.ts"), text);
  const shop = await openShop({ folder, ...options });
  onTestFinished(() => shop.close());
  return shop;
}

describe("a shop for a test", () => {
  test("runs the program, and is asserted on by client, by page and by what was sent", async () => {
    const shop = await opened(program, { config: { "my-shop:percent": "15" } });
    const planned = await shop.preview();
    expect(planned.counts).toMatchObject({ create: 2 });
    expect(planned.requests.filter((line) => !line.startsWith("GET "))).toEqual([]);
    const made = await shop.up();
    expect(made.steps.toSorted()).toEqual(["create Asset about", "create Coupon spring"]);
    expect(made.outputs).toEqual({ code: "SPRING" });
    expect(made.printed).toContain("a line of the program");
    expect(made.requests).toContain("POST /admin/discount_codes.xml");
    expect(await shop.client.coupons.list()).toMatchObject([{ code: "SPRING", discount: 15 }]);
    expect(await (await fetch(`${shop.url}/page/about`)).text()).toContain("<h1>About Demo");
    expect((await shop.up()).steps).toEqual([]);
  });

  campaignTest("is edited by staff, found and healed; it breaks when it is told to", async () => {
    const shop = await opened();
    await shop.fault({ method: "POST", path: "*", fault: "503", times: 1 });
    await shop.up();
    await shop.edit({ kind: "discount_code", where: { code: "SPRING" }, set: { discount: 55 } });
    expect((await shop.refresh()).steps).toEqual(["update Coupon spring"]);
    expect((await shop.up()).steps).toEqual(["update Coupon spring"]);
    expect((await shop.destroy()).counts.delete).toBe(2);
    expect(await shop.client.coupons.list()).toEqual([]);
    await expect(shop.edit({ kind: "discount_code", id: 1, set: {} })).rejects.toThrow(
      "the shop has no discount_code with id 1",
    );
  });

  campaignTest("takes a setting's key without the project's name, like config set", async () => {
    const shop = await opened(program, { config: { percent: "15" } });
    await shop.up();
    expect(await shop.client.coupons.list()).toMatchObject([{ discount: 15 }]);
    await expect(
      shop.edit({ kind: "discount_code", where: { code: "NOPE" }, set: { discount: 55 } }),
    ).rejects.toThrow('the shop has no discount_code with code "NOPE"');
  });

  test("tells every failure of a run, with the resource's name", async () => {
    const shop = await opened(program.replace("typeId: 1", "typeId: 7"));
    await expect(shop.up()).rejects.toThrow(
      /up failed:[\s\S]*spring[\s\S]*must be 1 \(percent of the order\)/,
    );
    expect(await shop.client.coupons.list()).toEqual([]);
  });

  campaignTest("knows nothing of another, and leaves nothing behind", async () => {
    const [one, other] = [await opened(), await opened()];
    await one.up();
    expect(await other.client.coupons.list()).toEqual([]);
    expect((await other.preview()).counts).toMatchObject({ create: 2 });
    expect(one.env.SHOP_URL).not.toBe(other.env.SHOP_URL);
  });
});
