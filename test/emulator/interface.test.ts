// The shop's conventions, paging, formats, rate limit, database, and initial content.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openWorld } from "../support/world.ts";

const coupon = (code: string) => ({ code, discount: 10, typeId: 1 }) as const;

describe("conventions of the interface", () => {
  test("times are in format A for coupons, files and charges, and in format B for other kinds", async () => {
    const { client, ask } = await openWorld();
    await client.coupons.create(coupon("A"));
    await client.files.create({ content: "x", filename: "a.txt" } as never).catch(() => undefined);
    const { id } = await client.products.create({ title: "Mug", variants: [{ price: 1 }] });
    const formatA = /<created-at[^>]*>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d</;
    const formatB = /<created-at[^>]*>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4}</;
    expect(await (await ask("GET", "/admin/discount_codes.xml")).text()).toMatch(formatA);
    for (const path of [
      `/admin/products/${id}.xml`,
      "/admin/collections.xml",
      "/admin/themes.xml",
      "/admin/account.xml",
    ])
      expect(await (await ask("GET", path)).text(), path).toMatch(formatB);
  });

  test("decimals have a fraction, unset values are nil, and scalars are texts", async () => {
    const { client, ask } = await openWorld();
    const { id } = await client.coupons.create(coupon("A"));
    const text = await (await ask("GET", `/admin/discount_codes/${id}.xml`)).text();
    expect(text).toMatch(/<discount[^>]*>10\.0</);
    expect(text).toMatch(/<min-price[^>]*\/>|<min-price[^>]*><\/min-price>/);
    expect(text).toMatch(/<disabled[^>]*>false</);
  });

  test("requests may mix hyphens and underscores", async () => {
    const { ask, rows } = await openWorld();
    const body =
      "<discount-code><code>A</code><discount>10</discount><type-id>1</type-id><act_once>1</act_once><expired-at>2030-06-09</expired-at></discount-code>";
    expect((await ask("POST", "/admin/discount_codes.xml", body)).status).toBe(201);
    expect(rows("discount_code")[0]).toMatchObject({ code: "A", act_once: true, expired_at: "2030-06-09" });
  });

  test("an empty list is nil-classes, which our client reads as no objects", async () => {
    const { client, ask } = await openWorld();
    expect(await (await ask("GET", "/admin/discount_codes.xml")).text()).toContain("<nil-classes");
    expect(await client.coupons.list()).toEqual([]);
  });

  test("lists have pages by per_page, are empty past the end, and have at least 10 products", async () => {
    const { client } = await openWorld();
    for (let index = 0; index < 12; index += 1)
      await client.products.create({ title: `P${index}`, variants: [{ price: index }] });
    expect(await client.products.list({ perPage: 3 })).toHaveLength(10);
    expect(await client.products.list({ perPage: 10, page: 2 })).toHaveLength(2);
    expect(await client.products.list({ perPage: 10, page: 3 })).toEqual([]);
  });

  test("updated_since includes its own time", async () => {
    const { client, control } = await openWorld();
    await client.coupons.create(coupon("OLD"));
    await control("POST", "clock", { advanceSeconds: 3 * 86_400 });
    const { id } = await client.coupons.create(coupon("NEW"));
    const made = (await client.coupons.get({ id })).createdAt as string;
    expect((await client.coupons.list({ updatedSince: made })).map(({ code }) => code)).toEqual(["NEW"]);
  });
});

describe("the rate limit", () => {
  test("the rate limit counts each request, rejects excess ones, and opens again later", async () => {
    const { ask, control } = await openWorld({ limit: { max: 3, windowMs: 300_000 } });
    const statuses: number[] = [];
    for (let index = 0; index < 4; index += 1) {
      const response = await ask("GET", "/admin/themes.xml");
      statuses.push(response.status);
      if (index === 0) expect(response.headers.get("api-usage-limit")).toBe("1/3");
      if (index === 3) expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect(await control("GET", "stats")).toMatchObject({
      rejected: 1,
      requests: { "GET /admin/themes.xml": 4 },
    });
    await control("POST", "clock", { advanceSeconds: 300 });
    expect((await ask("GET", "/admin/themes.xml")).status).toBe(200);
  });
});

test("a second recurring charge replaces the first", async () => {
  const { ask, client } = await openWorld();
  const path = "/admin/recurring_application_charge.xml";
  const body = (monthly: number) =>
    `<recurring-application-charge><monthly>${monthly}</monthly></recurring-application-charge>`;
  expect((await ask("POST", path, body(1000))).status).toBe(201);
  expect((await ask("POST", path, body(500))).status).toBe(201);
  expect(await client.recurringCharge.get()).toMatchObject({ monthly: 500 });
  expect((await ask("DELETE", path)).status).toBe(200);
  expect((await client.recurringCharge.get()).monthly).toBeUndefined();
});

test("deleting a missing object is 404, except for products", async () => {
  const { ask, rows } = await openWorld();
  const [theme] = rows("theme");
  const statuses = async (paths: readonly string[]) =>
    Promise.all(paths.map(async (path) => (await ask("DELETE", `/admin/${path}`)).status));
  expect(await statuses(["products/1.xml"])).toEqual([200]);
  const others = [
    "discount_codes/1.xml",
    "price_kinds/1.json",
    "files/1.xml",
    `themes/${theme?.id}/assets/1.xml`,
  ];
  expect(await statuses([...others, "recurring_application_charge.xml"])).toEqual([404, 404, 404, 404, 404]);
});

test("a list without paging ignores paging parameters", async () => {
  const { ask } = await openWorld();
  const stray = "page=7&per_page=1&updated_since=2999-01-01&from_id=3";
  for (const path of ["collections.xml", "themes.xml", "price_kinds.json", "application_charges.xml"]) {
    const whole = await (await ask("GET", `/admin/${path}`)).text();
    expect(await (await ask("GET", `/admin/${path}?${stray}`)).text()).toBe(whole);
  }
});

test("a JSON document may have the names of XML, except with strict", async () => {
  const json = { "content-type": "application/json" };
  const body = JSON.stringify({ "price-kind": { title: "Wholesale" } });
  const coupon = JSON.stringify({
    "discount-code": { code: "A", discount: 5, "type-id": 1, "min-price": 7 },
  });
  const open = await openWorld();
  expect((await open.ask("POST", "/admin/price_kinds.json", body, json)).status).toBe(201);
  expect((await open.ask("POST", "/admin/discount_codes.json", coupon, json)).status).toBe(201);
  expect(open.rows("discount_code")[0]).toMatchObject({ type_id: 1, min_price: "7.0" });
  const strict = await openWorld({ strict: true });
  expect((await strict.ask("POST", "/admin/price_kinds.json", body, json)).status).toBe(400);
});

test("the last answer of a window has the time until the next one, except with strict", async () => {
  for (const [strict, said] of [
    [false, [null, "12"]],
    [true, [null, null]],
  ] as const) {
    const { ask } = await openWorld({ limit: { max: 2, windowMs: 12_000 }, strict });
    const waits = [await ask("GET", "/admin/themes.xml"), await ask("GET", "/admin/themes.xml")];
    expect(waits.map(({ headers }) => headers.get("retry-after"))).toEqual(said);
  }
});

describe("a shop's life", () => {
  test("a new shop has an account with its owner, a tree of collections, and a published and a mobile theme", async () => {
    const { client } = await openWorld();
    expect((await client.account.get()).owner).toMatchObject({ email: expect.stringContaining("@") });
    const collections = await client.collections.list();
    const ids = new Set(collections.map(({ id }) => id));
    expect(
      collections.filter(({ parentId }) => parentId !== undefined && ids.has(parentId)).length,
    ).toBeGreaterThan(2);
    const themes = await client.themes.list();
    expect(themes.filter(({ isPublished }) => isPublished)).toHaveLength(1);
    expect(themes.filter(({ isMobile }) => isMobile)).toHaveLength(1);
    const names = (await client.assets.list({ themeId: themes[0]?.id as number })).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(
        [
          "layout.liquid",
          "index.liquid",
          "product.liquid",
          "collection.liquid",
          "cart.liquid",
          "page.liquid",
        ].filter((name) => name !== "layout.liquid"),
      ),
    );
  });

  test("a shop in a file continues after a restart with the same credentials", async () => {
    const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-database-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const { serveShop } = await import("../../emulator/index.ts");
    const database = join(folder, "shop.sqlite");
    const first = await serveShop({ database });
    const { openClient } = await import("../../provider/client/index.ts");
    const client = openClient({ url: first.url, ...first.shop.credentials });
    const { id } = await client.coupons.create(coupon("KEPT"));
    const { credentials } = first.shop;
    await client.transport.close();
    await first.close();
    const second = await serveShop({ database });
    expect(second.shop.credentials).toEqual(credentials);
    const again = openClient({ url: second.url, ...credentials });
    expect((await again.coupons.get({ id })).code).toBe("KEPT");
    await again.transport.close();
    await second.close();
  });

  test("a shop and its control requests are reachable from this machine only", async () => {
    const { url, ask } = await openWorld();
    expect(new URL(url).hostname).toBe("127.0.0.1");
    expect((await ask("GET", "/_control/stats")).status).toBe(200);
    expect((await ask("GET", "/_control/nothing")).status).toBe(400);
  });

  test("each fault happens as often as requested", async () => {
    const world = await openWorld();
    const statuses: Readonly<Record<string, number | string>> = {
      "500": 500,
      "503": 503,
      "429": 429,
      "504-after-commit": 504,
      "drop-before": "dropped",
      "drop-after-commit": "dropped",
      truncate: "dropped",
      garbage: 200,
      html: 200,
      "wrong-content-type": 200,
      slow: 200,
    };
    for (const [fault, wanted] of Object.entries(statuses)) {
      await world.fault({ method: "GET", path: "/admin/themes.xml", fault, times: 1, delayMs: 1 });
      const result = await world
        .ask("GET", "/admin/themes.xml")
        .then(async (response) => {
          await response.text();
          return response.status;
        })
        .catch(() => "dropped");
      expect(result, fault).toBe(wanted);
      expect((await world.ask("GET", "/admin/themes.xml")).status).toBe(200);
    }
    await expect(world.fault({ fault: "earthquake" })).rejects.toThrow(
      "there is no fault earthquake; there are",
    );
    await expect(world.edit({ kind: "order" })).rejects.toThrow(/no kind order; .*\bproduct\b/);
    await expect(world.edit({ kind: "produkt" })).rejects.toThrow("no kind produkt, did you mean product?");
    await expect(world.edit({ kind: "theme", set: { titel: "x" } })).rejects.toThrow(
      "a theme has no titel, did you mean title?",
    );
    await expect(world.edit({ kind: "product", id: 1 })).rejects.toThrow("the shop has no product with id 1");
  });
});
