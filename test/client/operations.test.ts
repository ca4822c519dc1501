// Every row of interface.md's endpoint tables against the strict shop: the client's method, and the request.
import { describe, expect, test } from "vitest";
import type { Client } from "../../provider/client/index.ts";
import type { Definition } from "../../provider/definition/define.ts";
import { definitions } from "../../provider/resources/index.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { sampleOf } from "../provider/samples.ts";
import { openWorld, type World } from "../support/world.ts";

interface Row {
  readonly row: string;
  /** Creates the row's objects and calls the method; returns the result. */
  readonly call: (client: Client, world: World) => Promise<unknown>;
  readonly answer: unknown;
}

const product = { title: "Mug", categoryId: 0, variants: [{ sku: "MUG-R", quantity: 4, price: 740 }] };
const coupon = {
  code: "SPRING",
  actOnce: true,
  discount: 10,
  typeId: 1,
  description: "",
  disabled: false,
  expiredAt: "2030-06-09",
} as const;
const anything = expect.anything();
const after = <T>(_made: unknown, next: () => Promise<T>) => next();

async function made(client: Client, world: World) {
  const [category] = world.rows("category");
  return client.products.create({ ...product, categoryId: Number(category?.id) });
}
const charged = (client: Client) =>
  client.applicationCharges.create({ name: "Setup", price: 180, returnUrl: "https://app.example.test/back" });
async function theme(client: Client) {
  const [first] = await client.themes.list();
  return Number(first?.id);
}
async function asset(client: Client, world: World) {
  const [given] = world
    .rows("asset")
    .filter(({ theme_id: id, name }) => name === "index.liquid" && id !== undefined);
  return { themeId: Number(given?.theme_id), id: Number(given?.id), client };
}
const page = (name: string) => ({ type: "Asset::Media" as const, name });

const written: readonly Row[] = [
  {
    row: "GET /admin/account.xml",
    call: (client) => client.account.get(),
    answer: { owner: { email: anything, id: anything } },
  },
  {
    row: "GET /admin/products/{product_id}.xml",
    call: async (client, world) => client.products.get({ id: (await made(client, world)).id }),
    answer: { title: "Mug", variants: [{ sku: "MUG-R", price: 740 }] },
  },
  {
    row: "GET /admin/products.xml",
    call: async (client, world) =>
      after(await made(client, world), () =>
        client.products.list({ page: 1, perPage: 100, updatedSince: "2020-01-01" }),
      ),
    answer: [{ title: "Mug" }],
  },
  {
    row: "POST /admin/products.xml",
    call: made,
    answer: { title: "Mug", permalink: "mug", variants: [{ quantity: 4 }] },
  },
  {
    row: "PUT /admin/products/{product_id}.xml",
    call: async (client, world) => client.products.edit({ id: (await made(client, world)).id, title: "Cup" }),
    answer: { title: "Cup", permalink: "mug" },
  },
  {
    row: "DELETE /admin/products/{product_id}.xml",
    call: async (client, world) => client.products.remove({ id: (await made(client, world)).id }),
    answer: undefined,
  },
  {
    row: "GET /admin/discount_codes/{coupon_id}.xml",
    call: async (client) => client.coupons.get({ id: (await client.coupons.create(coupon)).id }),
    answer: { code: "SPRING", discount: 10, typeId: 1, disabled: false, expiredAt: "2030-06-09" },
  },
  {
    row: "GET /admin/discount_codes.xml",
    call: async (client) =>
      after(await client.coupons.create(coupon), () => client.coupons.list({ page: 1, perPage: 250 })),
    answer: [{ code: "SPRING" }],
  },
  {
    row: "POST /admin/discount_codes.xml",
    call: (client) => client.coupons.create(coupon),
    answer: { code: "SPRING", actOnce: true },
  },
  {
    row: "PUT /admin/discount_codes/{coupon_id}.xml",
    call: async (client) =>
      client.coupons.edit({ id: (await client.coupons.create(coupon)).id, code: "SUMMER" }),
    answer: undefined,
  },
  {
    row: "DELETE /admin/discount_codes/{coupon_id}.xml",
    call: async (client) => client.coupons.remove({ id: (await client.coupons.create(coupon)).id }),
    answer: undefined,
  },
  {
    row: "GET /admin/price_kinds/{price_kind_id}.json",
    call: async (client) =>
      client.priceKinds.get({ id: (await client.priceKinds.create({ title: "Wholesale" })).id }),
    answer: { title: "Wholesale", variantPriceMethodName: "price2" },
  },
  {
    row: "GET /admin/price_kinds.json",
    call: async (client) =>
      after(await client.priceKinds.create({ title: "Wholesale" }), () => client.priceKinds.list()),
    answer: [{ title: "Wholesale", priceIndex: 1 }],
  },
  {
    row: "POST /admin/price_kinds.json",
    call: (client) => client.priceKinds.create({ title: "Wholesale" }),
    answer: { title: "Wholesale" },
  },
  {
    row: "PUT /admin/price_kinds/{price_kind_id}.xml",
    call: async (client) =>
      client.priceKinds.edit({
        id: (await client.priceKinds.create({ title: "Wholesale" })).id,
        title: "Retail",
      }),
    answer: { title: "Retail" },
  },
  {
    row: "DELETE /admin/price_kinds/{price_kind_id}.json",
    call: async (client) =>
      client.priceKinds.remove({ id: (await client.priceKinds.create({ title: "Wholesale" })).id }),
    answer: undefined,
  },
  {
    row: "GET /admin/application_charges/{charge_id}.xml",
    call: async (client) => client.applicationCharges.get({ id: (await charged(client)).id }),
    answer: { name: "Setup", price: 180, status: "pending" },
  },
  {
    row: "GET /admin/application_charges.xml",
    call: async (client) => after(await charged(client), () => client.applicationCharges.list()),
    answer: [{ name: "Setup" }],
  },
  {
    row: "POST /admin/application_charges.xml",
    call: charged,
    answer: { status: "pending", confirmationUrl: expect.stringContaining("/admin/invoices/") },
  },
  {
    row: "POST /admin/application_charges/{charge_id}/decline.xml",
    call: async (client) => client.applicationCharges.decline({ id: (await charged(client)).id }),
    answer: { status: "declined" },
  },
  {
    row: "GET /admin/recurring_application_charge.xml",
    call: async (client) =>
      after(await client.recurringCharge.create({ monthly: 1000 }), () => client.recurringCharge.get()),
    answer: { monthly: 1000, blocked: false },
  },
  {
    row: "POST /admin/recurring_application_charge.xml",
    call: (client) => client.recurringCharge.create({ monthly: 1000 }),
    answer: { monthly: 1000, paidTill: anything },
  },
  {
    row: "PUT /admin/recurring_application_charge.xml",
    call: async (client) =>
      after(await client.recurringCharge.create({ monthly: 1000 }), () =>
        client.recurringCharge.edit({ monthly: 500 }),
      ),
    answer: expect.toSatisfy((value) => value === undefined || value.monthly === 500),
  },
  {
    row: "DELETE /admin/recurring_application_charge.xml",
    call: async (client) =>
      after(await client.recurringCharge.create({ monthly: 1000 }), () => client.recurringCharge.remove()),
    answer: undefined,
  },
  {
    row: "GET /admin/collections/{collection_id}.xml",
    call: async (client) => client.collections.get({ id: Number((await client.collections.list())[0]?.id) }),
    answer: { title: anything, permalink: anything },
  },
  {
    row: "GET /admin/collections.xml",
    call: (client) => client.collections.list(),
    answer: expect.arrayContaining([
      expect.objectContaining({ url: expect.stringMatching(/^\/collection\//) }),
    ]),
  },
  {
    row: "GET /admin/themes.xml",
    call: (client) => client.themes.list(),
    answer: [{ isPublished: true, isMobile: false }, { isMobile: true }],
  },
  {
    row: "GET /admin/themes/{theme_id}/assets.xml",
    call: async (client) => client.assets.list({ themeId: await theme(client) }),
    answer: expect.toSatisfy((list) => list.length > 5 && list.every((one: object) => !("content" in one))),
  },
  {
    row: "GET /admin/themes/{theme_id}/assets/{asset_id}.xml",
    call: async (client, world) => {
      const { themeId, id } = await asset(client, world);
      return client.assets.get({ themeId, id });
    },
    answer: { name: "index.liquid", content: anything },
  },
  {
    row: "POST /admin/themes/{theme_id}/assets.xml",
    call: async (client, world) =>
      client.assets.create({
        themeId: await theme(client),
        ...page("logo.png"),
        src: `${world.url}/logo.png`,
      }),
    answer: { name: "logo.png", assetUrl: expect.stringContaining("logo.png") },
  },
  {
    row: "PUT /admin/themes/{theme_id}/assets/{asset_id}.xml",
    call: async (client, world) => {
      const { themeId, id } = await asset(client, world);
      return client.assets.edit({ themeId, id, content: "<p>{{ shop }}</p>" });
    },
    answer: { name: "index.liquid" },
  },
  {
    row: "PUT /admin/themes/{theme_id}/assets/{asset_id}/rename.xml",
    call: async (client, world) => {
      const { themeId, id } = await asset(client, world);
      return client.assets.rename({ themeId, id, name: "page.start.liquid" });
    },
    answer: { name: "page.start.liquid" },
  },
  {
    row: "DELETE /admin/themes/{theme_id}/assets/{asset_id}.xml",
    call: async (client, world) => {
      const { themeId, id } = await asset(client, world);
      return client.assets.remove({ themeId, id });
    },
    answer: undefined,
  },
  {
    row: "GET /admin/files.xml",
    call: async (client, world) =>
      after(await client.files.create({ src: `${world.url}/a.gif` }), () =>
        client.files.list({ page: 1, perPage: 250 }),
      ),
    answer: [{ absoluteUrl: expect.stringContaining("a.gif") }],
  },
  {
    row: "POST /admin/files.xml",
    call: (client, world) => client.files.create({ src: `${world.url}/a.gif` }),
    answer: { absoluteUrl: expect.stringContaining("a.gif"), createdAt: anything },
  },
  {
    row: "DELETE /admin/files/{file_id}.xml",
    call: async (client, world) =>
      client.files.remove({ id: (await client.files.create({ src: `${world.url}/a.gif` })).id }),
    answer: undefined,
  },
  {
    row: "POST /admin/js_tags.xml",
    call: (client) => client.jsTags.create({ type: "JsTag::TextTag", content: "alert(1)" }),
    answer: { content: "alert(1)", accountId: anything },
  },
];

/** Rows without an entry here create the kind's sample and read it. */
function rowsOf(name: string, definition: Definition): readonly Row[] {
  type Operations = Readonly<Record<string, (given?: Values) => Promise<unknown>>>;
  const ask = (client: Client, operation: string, given: Values) => {
    const own = (client as unknown as Readonly<Record<string, Operations>>)[name] as Operations;
    return (own[operation] as Operations[string])(given);
  };
  return Object.entries(definition.operations).flatMap(
    ([operation, { method, path, undocumented, answers }]) => {
      if (undocumented) return [];
      const call: Row["call"] = async (client, world) => {
        const { args, change } = await sampleOf(definition, world);
        const made = (await ask(client, "create", args)) as { readonly id: number };
        if (operation === "create") return made;
        const given = operation === "list" ? {} : { id: made.id, ...(operation === "edit" && change) };
        return ask(client, operation, given);
      };
      const answer = { nothing: undefined, list: [anything], object: anything }[answers];
      return [{ row: `${method} ${path}`, call, answer }];
    },
  );
}

const all = Object.entries(definitions) as readonly (readonly [string, Definition])[];
const rows: readonly Row[] = [
  ...written,
  ...all
    .filter(([, { operations }]) => {
      const paths = new Set(Object.values(operations).map(({ path }) => path.replace(/\{\w+\}/g, "{}")));
      return !written.some(({ row }) => paths.has((row.split(" ")[1] ?? "").replace(/\{\w+\}/g, "{}")));
    })
    .flatMap(([name, definition]) => rowsOf(name, definition)),
];

const download = async (url: string) => ({ bytes: Buffer.from("GIF89a"), name: url.split("/").at(-1) });

describe("every operation of interface.md, on a shop that has nothing else", () => {
  for (const { row, call, answer } of rows) {
    test(row, async () => {
      const world = await openWorld({ strict: true, download });
      const result = await call(world.client, world);
      if (answer === undefined) expect(result).toBeUndefined();
      else if (Array.isArray(answer) || Object.getPrototypeOf(answer) === Object.prototype)
        expect(result).toMatchObject(answer as object);
      else expect(result).toEqual(answer);
      const last = world.requests().at(-1)?.replace(/\?.*$/, "");
      expect(last).toMatch(new RegExp(`^${row.replace(/[.]/g, "\\.").replace(/\{\w+\}/g, "\\d+")}$`));
    });
  }

  test("this file tests every operation of the definitions", () => {
    const normal = (row: string) => row.replace(/\{\w+\}/g, "{}");
    const shown = all.flatMap(([, { operations }]) =>
      Object.values(operations)
        .filter(({ undocumented }) => !undocumented)
        .map(({ method, path }) => normal(`${method} ${path}`)),
    );
    expect(rows.map(({ row }) => normal(row)).toSorted()).toEqual(shown.toSorted());
  });
});

describe("what public material adds, on a shop that has it", () => {
  test("the client reads and removes a JS tag", async () => {
    const { client } = await openWorld();
    const { id } = await client.jsTags.create({
      type: "JsTag::FileTag",
      content: "//cdn.example.test/a.js",
      name: "a",
    });
    expect(await client.jsTags.get({ id })).toMatchObject({ name: "a", content: "//cdn.example.test/a.js" });
    expect(await client.jsTags.list()).toHaveLength(1);
    await client.jsTags.remove({ id });
    expect(await client.jsTags.list()).toEqual([]);
  });

  test("the client creates an asset from text and from bytes", async () => {
    const { client } = await openWorld();
    const themeId = await theme(client);
    const text = await client.assets.create({
      themeId,
      type: "Asset::Template",
      name: "page.a.liquid",
      content: "Hi {{ x }}",
    });
    expect(await client.assets.get({ themeId, id: text.id })).toMatchObject({ content: "Hi {{ x }}" });
    const bytes = await client.assets.create({
      themeId,
      ...page("a.gif"),
      attachment: Buffer.from("GIF89a").toString("base64"),
    });
    expect(bytes.fileSize).toBe(6);
  });

  test("every sends one request for each page", async () => {
    const world = await openWorld();
    for (let index = 0; index < 25; index += 1)
      await world.client.coupons.create({ ...coupon, code: `C${index}` });
    const codes: (string | undefined)[] = [];
    const sent = await world.during(async () => {
      for await (const { code } of world.client.coupons.every({ perPage: 10 })) codes.push(code);
    });
    expect(new Set(codes).size).toBe(25);
    expect(sent).toEqual(
      [1, 2, 3].map((number) => `GET /admin/discount_codes.xml?page=${number}&per_page=10`),
    );
  });

  test("the default page sizes are those of interface.md", async () => {
    const { client, during } = await openWorld();
    const asked = async (every: () => AsyncIterable<unknown>) =>
      (
        await during(async () => {
          for await (const _one of every()) break;
        })
      )[0];
    expect(await asked(() => client.products.every())).toBe("GET /admin/products.xml?page=1&per_page=100");
    expect(await asked(() => client.coupons.every())).toBe(
      "GET /admin/discount_codes.xml?page=1&per_page=250",
    );
    expect(await asked(() => client.files.every())).toBe("GET /admin/files.xml?page=1&per_page=250");
    expect(await asked(() => client.products.every({ deleted: false }))).not.toContain("deleted");
  });

  test("deleted products are listed separately", async () => {
    const world = await openWorld();
    const { id } = await made(world.client, world);
    await world.client.products.remove({ id });
    expect(await world.client.products.list()).toEqual([]);
    expect(await world.client.products.list({ deleted: true })).toMatchObject([{ id, archived: true }]);
  });
});
