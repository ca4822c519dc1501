import { expect, test } from "vitest";
import { openClient } from "../../provider/client/index.ts";
import { serveShop } from "../../shop/index.ts";

test("a coupon is created, read, edited and removed", async () => {
  const { url, shop, close } = await serveShop();
  const client = openClient({
    url,
    applicationId: shop.credentials.applicationId,
    password: shop.credentials.password,
  });
  const made = await client.coupons.create({ code: "SPRING", discount: "10.50", typeId: 1 });
  expect(made).toMatchObject({ code: "SPRING", discount: 10.5, typeId: 1 });
  await client.coupons.edit({ id: made.id, code: "SUMMER" });
  expect((await client.coupons.get({ id: made.id })).code).toBe("SUMMER");
  await client.coupons.remove({ id: made.id });
  await expect(client.coupons.get({ id: made.id })).rejects.toThrow("found nothing there");
  await client.transport.close();
  await close();
});
