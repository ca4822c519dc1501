import { expect, test } from "vitest";
import { openShop } from "pulumi-shop/testing";

// Change this test together with the program.
test("the program makes the shop, and a second up changes nothing", async () => {
  const shop = await openShop({ config: { "${PROJECT}:welcomePercent": "15" } });
  const { outputs } = await shop.up();
  expect(outputs).toEqual({ code: "WELCOME" });
  expect(await shop.client.coupons.list()).toMatchObject([{ code: "WELCOME", discount: 15 }]);
  const page = await fetch(`${shop.url}/page/about`);
  expect(await page.text()).toContain("<h1>About Demo</h1>");
  expect((await shop.up()).steps).toEqual([]);
  await shop.close();
}, 60_000);
