// Single reads become list reads if that is cheaper; the requests in order.
import { describe, expect, test } from "vitest";
import { sha256 } from "../../provider/body/body.ts";
import type { Definition } from "../../provider/definition/define.ts";
import { definitions } from "../../provider/resources/index.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { full } from "../support/size.ts";
import { openWorld, type World } from "../support/world.ts";

const coupons = definitions.coupons as unknown as Definition;
const code = (index: number) => ({ code: `C${index}`, discount: 10, typeId: 1 as const });

/** A shop with coupons, and the states of some. @param perPage the stack's setting; default 250 */
async function filled(count: number, managed: (index: number) => boolean, perPage?: number) {
  const world = await openWorld({ perPage });
  const states: { id: string; outs: Values }[] = [];
  const verbs = world.verbs(coupons);
  for (let index = 0; index < count; index += 1) {
    if (managed(index)) states.push(await verbs.create(await verbs.checked(code(index))));
    else await world.client.coupons.create(code(index));
  }
  return { world, states };
}

async function readAll(world: World, states: readonly { id: string; outs: Values }[], atOnce = 16) {
  const verbs = world.verbs(coupons);
  const queue = [...states];
  const found: (Values | undefined)[] = [];
  const worker = async () => {
    for (let state = queue.shift(); state !== undefined; state = queue.shift())
      found.push((await verbs.read(state.id, state.outs))?.props);
  };
  const sent = await world.during(() => Promise.all(Array.from({ length: atOnce }, worker)));
  return { sent, found };
}

const list = (page: number, perPage = 250) =>
  `GET /admin/discount_codes.xml?page=${page}&per_page=${perPage}`;

describe("reading many objects of one kind", () => {
  const [many, onPage] = full ? [600, 250] : [60, 25];
  test(`costs pages: ${many} coupons are three requests`, async () => {
    const { world, states } = await filled(many, () => true, full ? undefined : onPage);
    const { sent, found } = await readAll(world, states);
    expect(sent).toEqual([list(1, onPage), list(2, onPage), list(3, onPage)]);
    expect(found.filter((props) => props !== undefined)).toHaveLength(many);
  });

  test("three objects take three requests in a shop of any size", async () => {
    const { world, states } = await filled(30, (index) => index % 10 === 9, 25);
    const { sent } = await readAll(world, states);
    expect(sent).toEqual(states.map(({ id }) => `GET /admin/discount_codes/${id}.xml`));
  });

  test("a few objects at the end of a large list cost one extra page", async () => {
    const { world, states } = await filled(100, (index) => index >= 95, 25);
    const { sent } = await readAll(world, states);
    expect(sent).toHaveLength(6);
  });

  test("an object that isn't in the list is read by itself before it counts as deleted", async () => {
    const { world, states } = await filled(20, () => true);
    const gone = states[7]?.id;
    await world.edit({ kind: "discount_code", id: Number(gone), delete: true });
    const { sent, found } = await readAll(world, states);
    expect(sent).toEqual([list(1), `GET /admin/discount_codes/${gone}.xml`]);
    expect(found.filter((props) => props === undefined)).toHaveLength(1);
  });

  test("no object is lost if the list changes during the reading", async () => {
    const { world, states } = await filled(60, () => true, 25);
    // Staff delete from the first page after it was read, so that all objects behind move forward.
    const verbs = world.verbs(coupons);
    const first = await Promise.all(states.slice(0, 16).map(({ id, outs }) => verbs.read(id, outs)));
    expect(first).not.toContain(undefined);
    for (const { id } of states.slice(16, 22))
      await world.edit({ kind: "discount_code", id: Number(id), delete: true });
    const rest = await Promise.all(states.slice(22).map(({ id, outs }) => verbs.read(id, outs)));
    expect(rest.filter((read) => read === undefined)).toEqual([]);
  });

  test("a read after a write in the same run sees the write", async () => {
    const { world, states } = await filled(30, () => true);
    const verbs = world.verbs(coupons);
    await Promise.all(states.map(({ id, outs }) => verbs.read(id, outs)));
    const { id, outs } = states[3] as { id: string; outs: Values };
    await verbs.update(id, outs, await verbs.checked({ ...code(3), discount: 99 }));
    const sent = await world.during(async () => {
      expect((await verbs.read(id, outs))?.props.discount).toBe(99);
    });
    expect(sent).toEqual([`GET /admin/discount_codes/${id}.xml`]);
  });

  test("sequential reads also use the pages", async () => {
    const { world, states } = await filled(40, () => true);
    const { sent } = await readAll(world, states, 1);
    expect(sent.filter((line) => line.includes("per_page"))).toEqual([list(1)]);
    expect(sent.length).toBeLessThan(6);
  });
});

test("a long run reads old pages again instead of each object", async () => {
  const { world, states } = full ? await filled(320, () => true) : await filled(64, () => true, 50);
  const verbs = world.verbs(coupons);
  const sent: (readonly string[])[] = [];
  for (const part of [0, 1, 2, 3]) {
    const its = states.filter((_state, index) => index % 4 === part);
    sent.push(
      await world.during(async () => {
        const queue = [...its];
        const worker = async () => {
          for (let state = queue.shift(); state !== undefined; state = queue.shift())
            await verbs.delete(state.id, state.outs);
        };
        await Promise.all(Array.from({ length: 16 }, worker));
      }),
    );
    world.pass(61_000);
  }
  expect(world.rows("discount_codes")).toEqual([]);
  // How often earlier pages are read again depends on the order of responses, so the number has only a maximum.
  for (const lines of sent) {
    const looks = lines.filter((line) => line.startsWith("GET"));
    expect(looks.filter((line) => !line.includes("per_page"))).toEqual([]);
    expect(looks.length).toBeLessThan(20);
  }
});

describe("adopting many objects by key", () => {
  test("adopting many objects by key reads their list once and sends no POST", async () => {
    const { world } = await filled(30, () => false);
    const verbs = world.verbs(coupons);
    const sent = await world.during(async () => {
      for (let index = 0; index < 30; index += 1)
        await verbs.create(
          await verbs.checked({ ...code(index), discount: index === 7 ? 99 : 10, adopt: "key" }),
        );
    });
    // A short page may not be the last.
    expect(sent).toEqual([list(1), list(2), expect.stringMatching(/^PUT /), expect.stringMatching(/^GET /)]);
  });

  test("shop:adopt adopts existing objects and creates the others", async () => {
    const { world } = await filled(5, () => false);
    const verbs = world.verbs(coupons, "key");
    const sent = await world.during(async () => {
      for (let index = 0; index < 6; index += 1) await verbs.create(await verbs.checked(code(index)));
    });
    expect(sent).toEqual([list(1), list(2), "POST /admin/discount_codes.xml"]);
    expect(world.rows("discount_code")).toHaveLength(6);
  });
});

test("kinds without a get operation are read as a list, once", async () => {
  const world = await openWorld();
  const verbs = world.verbs(definitions.files as unknown as Definition);
  const states: { id: string; outs: Values }[] = [];
  for (let index = 0; index < 5; index += 1)
    states.push(await verbs.create(await verbs.checked({ content: `${index}`, filename: `f${index}.txt` })));
  const again = world.verbs(definitions.files as unknown as Definition);
  const sent = await world.during(() => Promise.all(states.map(({ id, outs }) => again.read(id, outs))));
  expect(sent).toEqual(["GET /admin/files.xml?page=1&per_page=250"]);
});

test("each theme file is read by itself, because a list doesn't show changed pictures", async () => {
  const world = await openWorld();
  const [theme] = await world.client.themes.list();
  const themeId = theme?.id ?? 0;
  const verbs = world.verbs(definitions.assets as unknown as Definition);
  const states: { id: string; outs: Values }[] = [];
  for (let index = 0; index < 6; index += 1) {
    const name = `p${index}.gif`;
    const file = world.file(name, Buffer.from([0x47, 0xff, index]));
    states.push(await verbs.create(await verbs.checked({ themeId, type: "Asset::Media", name, file })));
  }
  const theirs = Buffer.from([0x47, 0xff, 9]);
  await world.control("POST", "clock", { advanceSeconds: 5 });
  const [first] = states;
  const own = Number(first?.id.split("/").at(-1));
  await world.client.assets.edit({ themeId, id: own, attachment: theirs.toString("base64") });
  const again = world.verbs(definitions.assets as unknown as Definition);
  const read = await Promise.all(states.map(({ id, outs }) => again.read(id, outs)));
  const hashes = read.map((one) => one?.props.sha256);
  expect(hashes).toEqual([sha256(theirs), ...states.slice(1).map(({ outs }) => outs.sha256)]);
});

describe("adopting products by key", () => {
  const products = definitions.products as unknown as Definition;
  const made = async (world: World, count: number) => {
    for (let n = 1; n <= count; n += 1)
      await world.client.products.create({
        title: `P${n}`,
        permalink: `p${n}`,
        variants: [
          { sku: `P${n}-A`, price: 1 },
          { sku: `P${n}-B`, price: 1 },
        ],
      } as never);
  };

  test("adopted products are found in a shop with short pages, and none is created twice", async () => {
    const world = await openWorld({ mostPerPage: 10 });
    const before = world.rows("product").length;
    await made(world, 25);
    const verbs = world.verbs(products, "key");
    const sent = await world.during(async () => {
      for (let n = 1; n <= 25; n += 1)
        await verbs.create(await verbs.checked({ title: `P${n}`, permalink: `p${n}` }));
    });
    expect(sent.filter((line) => !line.startsWith("GET "))).toEqual([]);
    expect(world.rows("product")).toHaveLength(before + 25);
  });

  test("a product is adopted by the SKU of any variant, unless two products have it", async () => {
    const world = await openWorld();
    await made(world, 2);
    const ids = world
      .rows("product")
      .slice(-2)
      .map(({ id }) => String(id));
    const variants = (...skus: string[]) => ({
      title: "P",
      adopt: "key",
      variants: skus.map((sku) => ({ sku, price: 1 })),
    });
    const adopted = async (args: Values) => {
      const verbs = world.verbs(products, undefined, undefined, { isPreview: true });
      return verbs.check({}, args);
    };
    expect((await adopted(variants("P1-B"))).taken?.id).toBe(ids[0]);
    expect((await adopted(variants("P2-NEW", "P2-B", "P2-A"))).taken?.id).toBe(ids[1]);
    expect((await adopted(variants("P3-A"))).taken).toBeUndefined();
    const { failures } = await adopted(variants("P1-B", "P2-A"));
    expect(failures).toEqual([
      {
        property: "adopt",
        reason: `adopt: "key" found 2 of Product with variants.sku P1-B or P2-A: write the id of one of ${ids.join(", ")} instead`,
      },
    ]);
  });

  test("products that a delete moved to an earlier page are searched once more before they are created", async () => {
    const world = await openWorld({ mostPerPage: 10 });
    await made(world, 25);
    const [third] = world.rows("product").filter(({ permalink }) => permalink === "p3");
    const before = world.rows("product").length;
    const verbs = world.verbs(products, "key");
    const { transport } = world.client;
    const send = transport.send.bind(transport);
    let lists = 0;
    transport.send = async (request, read) => {
      const answered = await send(request, read);
      if (request.path.includes("page=") && ++lists === 1)
        await world.edit({ kind: "product", id: third?.id, delete: true });
      return answered;
    };
    for (let n = 4; n <= 25; n += 1)
      await verbs.create(await verbs.checked({ title: `P${n}`, permalink: `p${n}` }));
    expect(world.rows("product")).toHaveLength(before - 1);
  });

  test("a product with an unreadable price doesn't block the others", async () => {
    const world = await openWorld();
    await made(world, 3);
    const rows = world.rows("product").slice(-3);
    const [one, ...others] = rows.map(({ id }) => String(id));
    const [{ variants = [] } = {}] = rows as readonly { readonly variants?: readonly Values[] }[];
    const [first, ...rest] = variants;
    const set = { variants: [{ ...first, price: "12345678901234567.89" }, ...rest] };
    await world.edit({ kind: "product", id: Number(one), set });
    const verbs = world.verbs(products, "key");
    const adopted = async (n: number) => {
      const args = { title: `P${n}`, permalink: `p${n}` };
      const { failures } = await verbs.check({}, args);
      return failures.length > 0 ? failures[0]?.reason : (await verbs.create(args)).id;
    };
    expect(await adopted(1)).toContain(`Product ${one}`);
    expect(await adopted(1)).toContain("12345678901234567.89");
    expect([await adopted(2), await adopted(3)]).toEqual(others);
  });
});

test("a refresh reads amounts by the shop's current titles", async () => {
  const world = await openWorld();
  const [kinds, products] = [definitions.priceKinds, definitions.products].map((one) =>
    world.verbs(one as unknown as Definition),
  ) as [ReturnType<World["verbs"]>, ReturnType<World["verbs"]>];
  const title = await kinds.checked({ title: "Wholesale" });
  const kind = await kinds.create(title);
  const mug = { title: "Mug", variants: [{ sku: "MUG", price: 10, prices: { Wholesale: 8 } }] };
  const product = await products.create(await products.checked(mug));
  await world.edit({ kind: "price_kind", id: Number(kind.id), set: { title: "Trade" } });
  const refreshed = [definitions.priceKinds, definitions.products].map((one) =>
    world.verbs(one as unknown as Definition),
  ) as [ReturnType<World["verbs"]>, ReturnType<World["verbs"]>];
  const found = await refreshed[0].read(kind.id, kind.outs);
  // The options of a refresh without renames.
  await refreshed[0].diff(kind.id, found?.props ?? {}, title);
  const seen = await refreshed[1].read(product.id, product.outs);
  expect(seen?.props.variants).toMatchObject([{ prices: { Trade: 8 } }]);
});
