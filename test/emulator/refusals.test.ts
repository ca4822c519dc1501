// Refusals of a real shop, requested with fetch instead of our client; platform-facts.md, sections 1, 3, 5, 8, 11.
import { describe, expect, test } from "vitest";
import { openWorld } from "../support/world.ts";

const product = (inner: string) => `<?xml version="1.0"?><product>${inner}</product>`;
const variants =
  "<variants-attributes><variants-attribute><sku>A</sku><price>10</price></variants-attribute></variants-attributes>";
const coupon = (code: string) =>
  `<discount_code><code>${code}</code><discount>10</discount><type_id>1</type_id></discount_code>`;

describe("refusals of the shop", () => {
  test("wrong credentials are 401 without a document", async () => {
    const { ask, url } = await openWorld();
    for (const authorization of ["", "Basic bm86bm8=", "Bearer x"]) {
      const response = await ask("GET", "/admin/account.xml", undefined, { authorization });
      expect(response.status).toBe(401);
      expect(response.headers.get("content-type")).toContain("text/html");
    }
    expect((await fetch(`${url}/admin/account.xml`)).headers.get("www-authenticate")).toContain("Basic");
  });

  test("a body with another content type is refused", async () => {
    const { ask } = await openWorld();
    const json = await ask("POST", "/admin/price_kinds.json", '{"price_kind":{"title":"W"}}', {
      "content-type": "text/plain",
    });
    expect(json.status).toBe(422);
    expect(await json.json()).toEqual({ message: "incorrect Content-Type, should be application/json" });
    expect(
      (
        await ask("POST", "/admin/products.xml", product(`<title>Mug</title>${variants}`), {
          "content-type": "text/plain",
        })
      ).status,
    ).toBe(422);
  });

  test("a product without variants, without a title, or with an unknown category is refused", async () => {
    const { ask, rows } = await openWorld();
    const bare = await ask("POST", "/admin/products.xml", product("<title>Mug</title>"));
    expect(bare.status).toBe(422);
    expect(await bare.text()).toMatch(/<errors>\s*<error>[^<]*modifications/);
    expect((await ask("POST", "/admin/products.xml", product(variants))).status).toBe(422);
    const category = product(`<title>Mug</title><category-id>1</category-id>${variants}`);
    expect((await ask("POST", "/admin/products.xml", category)).status).toBe(422);
    expect(rows("product")).toEqual([]);
  });

  test("a coupon without required fields, of an unknown type, or with a used code is refused", async () => {
    const { ask, rows } = await openWorld();
    expect(
      (await ask("POST", "/admin/discount_codes.xml", "<discount_code><code>A</code></discount_code>"))
        .status,
    ).toBe(422);
    expect((await ask("POST", "/admin/discount_codes.xml", coupon("A").replace(">1<", ">5<"))).status).toBe(
      422,
    );
    expect((await ask("POST", "/admin/discount_codes.xml", coupon("A"))).status).toBe(201);
    const taken = await ask("POST", "/admin/discount_codes.xml", coupon("A"));
    expect(taken.status).toBe(422);
    expect(await taken.text()).toContain("<errors>");
    const other = (await ask("POST", "/admin/discount_codes.xml", coupon("B"))).text();
    const id = /<id[^>]*>(\d+)</.exec(await other)?.[1];
    expect(
      (await ask("PUT", `/admin/discount_codes/${id}.xml`, "<discount_code><code>A</code></discount_code>"))
        .status,
    ).toBe(422);
    expect(rows("discount_code")).toHaveLength(2);
  });

  test("an asset with a used name, or of an unknown type, is refused", async () => {
    const { ask, rows } = await openWorld();
    const [given] = rows("asset");
    const body = (type: unknown, name: unknown) =>
      `<asset><name>${name}</name><type>${type}</type><content>x</content></asset>`;
    const path = `/admin/themes/${given?.theme_id}/assets.xml`;
    expect((await ask("POST", path, body(given?.type, given?.name))).status).toBe(422);
    expect((await ask("POST", path, body("Asset::Nothing", "a.liquid"))).status).toBe(422);
    expect((await ask("POST", "/admin/themes/999999/assets.xml", body("Asset::Media", "a.css"))).status).toBe(
      404,
    );
  });

  test("unknown ids and paths are 404 with an HTML page", async () => {
    const { ask } = await openWorld();
    for (const path of [
      "/admin/products/1.xml",
      "/admin/nothing.xml",
      "/admin/products",
      "/admin/themes/1/assets/1.xml",
    ]) {
      const response = await ask("GET", path);
      expect(response.status, path).toBe(404);
      expect(response.headers.get("content-type"), path).toContain("text/html");
    }
  });

  test("invalid XML is 400", async () => {
    const { ask } = await openWorld();
    for (const body of [
      "<product>",
      "not xml",
      "<a/><b/>",
      "",
      "<product><title>a</tilte></product>",
      '<!DOCTYPE x [<!ENTITY a "b">]><product>&a;</product>',
    ])
      expect((await ask("POST", "/admin/products.xml", body)).status, body).toBe(body === "" ? 422 : 400);
    expect(
      (await ask("POST", "/admin/price_kinds.json", "[]", { "content-type": "application/json" })).status,
    ).toBe(400);
    expect(
      (await ask("POST", "/admin/price_kinds.json", "{", { "content-type": "application/json" })).status,
    ).toBe(400);
  });

  test("a body that is too large is 413", async () => {
    const { ask } = await openWorld();
    const response = await ask(
      "POST",
      "/admin/files.xml",
      `<file><src>${"x".repeat(33 * 1024 * 1024)}</src></file>`,
    ).then(
      ({ status }) => status,
      // The socket may close before the whole body is sent, which is also a refusal.
      () => 413,
    );
    expect(response).toBe(413);
  });

  test("a src that can't be downloaded is refused", async () => {
    const { ask, rows } = await openWorld({ download: async () => undefined });
    for (const src of ["http://nobody.invalid/a.gif", "ftp://x/a", "a.gif"]) {
      const response = await ask("POST", "/admin/files.xml", `<file><src>${src}</src></file>`);
      expect(response.status, src).toBe(422);
    }
    expect(rows("file")).toEqual([]);
  });

  test("the last variant of a product can't be deleted", async () => {
    const { ask, client } = await openWorld();
    const { id, variants: made } = await client.products.create({ title: "Mug", variants: [{ price: 1 }] });
    const response = await ask("DELETE", `/admin/products/${id}/variants/${made?.[0]?.id}.xml`);
    expect(response.status).toBe(422);
  });

  test("declining a charge that isn't pending is refused", async () => {
    const { ask, client } = await openWorld();
    const { id } = await client.applicationCharges.create({
      name: "Setup",
      price: 1,
      returnUrl: "https://a.test/",
    });
    expect((await ask("POST", `/admin/application_charges/${id}/decline.xml`)).status).toBe(200);
    expect((await ask("POST", `/admin/application_charges/${id}/decline.xml`)).status).toBe(422);
  });
});
