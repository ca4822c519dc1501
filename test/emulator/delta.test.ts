// Clients that read changes during random edits: always page 1, from the last object's time and id (platform-facts.md,
// section 4). Reading ends and misses nothing.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { element, noon, openInProcess } from "./in-process.ts";

type World = ReturnType<typeof openInProcess>;
type Ask = World["ask"];
type Format = "xml" | "json";

interface Seen {
  readonly id: string;
  readonly at: string;
}

/** A list that clients read by changes. */
interface Delta {
  readonly path: string;
  /** The element name of an object in XML. */
  readonly item: string;
  readonly kind: string;
  /** Whether deleted objects stay in the list, with `with_deleted`. */
  readonly archives: boolean;
  /** The body of a new object; undefined if no more can be created. */
  create(world: World, name: string): object | undefined;
  readonly edit: (text: string) => object;
}

const plain = { archives: false };
const deltas: readonly Delta[] = [
  {
    path: "products",
    item: "product",
    kind: "product",
    archives: true,
    create: (_world, title) => ({ product: { title, variants_attributes: [{ price: 1 }] } }),
    edit: (text) => ({ product: { short_description: text } }),
  },
  {
    path: "discount_codes",
    item: "discount-code",
    kind: "discount_code",
    archives: true,
    create: (_world, code) => ({ discount_code: { code, discount: 1, type_id: 1 } }),
    edit: (text) => ({ discount_code: { description: text } }),
  },
  {
    ...plain,
    path: "categories",
    item: "category",
    kind: "category",
    create: (_world, title) => ({ category: { title } }),
    edit: (text) => ({ category: { title: text } }),
  },
  {
    ...plain,
    path: "collects",
    item: "collect",
    kind: "collect",
    create: ({ shop }) => {
      const taken = new Set(
        shop.store.list("collect").map((one) => `${one.product_id}/${one.collection_id}`),
      );
      for (const product of shop.store.list("product"))
        for (const collection of shop.store.list("collection"))
          if (!taken.has(`${product.id}/${collection.id}`))
            return { collect: { product_id: product.id, collection_id: collection.id } };
      return undefined;
    },
    edit: (text) => ({ collect: { position: 2 + Number(/\d+/.exec(text)?.[0] ?? 0) } }),
  },
];

function seenIn(text: string, format: Format, item: string): readonly Seen[] {
  if (format === "json")
    return (JSON.parse(text) as { id: number; updated_at: string }[]).map(({ id, updated_at: at }) => ({
      id: String(id),
      at,
    }));
  // Variants inside the object also have an id and a time.
  return text
    .replace(/<variants[\s\S]*?<\/variants>/g, "")
    .split(`<${item}>`)
    .slice(1)
    .map((part) => ({ id: element(part, "id") ?? "", at: element(part, "updated-at") ?? "" }));
}

/**
 * Reads like clients, until a page is empty.
 * @param between runs after each page
 */
async function loop(
  ask: Ask,
  { path, item }: Delta,
  format: Format,
  perPage: number,
  since: string,
  between: (page: number) => Promise<void>,
) {
  const seen: Seen[] = [];
  let cursor = `updated_since=${encodeURIComponent(since)}`;
  for (let page = 0; page < 60; page += 1) {
    const query = `with_deleted=true&per_page=${perPage}&${cursor}`;
    const found = seenIn((await ask("GET", `/admin/${path}.${format}?${query}`)).text, format, item);
    seen.push(...found);
    const last = found.at(-1);
    if (last === undefined) return seen;
    cursor = `updated_since=${encodeURIComponent(last.at)}&from_id=${last.id}`;
    await between(page);
  }
  throw new Error("the loop doesn't end");
}

type Change = {
  readonly what: "create" | "edit" | "delete";
  readonly which: number;
  readonly waitMs: number;
};
const change: fc.Arbitrary<Change> = fc.record({
  what: fc.constantFrom("create", "create", "edit", "edit", "delete"),
  which: fc.nat(),
  // After an import, many objects have the same second.
  waitMs: fc.constantFrom(0, 0, 0, 1, 7, 400, 1_000, 2_500),
});

async function apply(world: World, delta: Delta, { what, which, waitMs }: Change, turn: string) {
  world.shop.advance(waitMs / 1_000);
  const rows = world.shop.store.list(delta.kind);
  const id = rows[which % Math.max(1, rows.length)]?.id;
  const path = `/admin/${delta.path}/${id}.json`;
  if (what === "delete" && id !== undefined) await world.ask("DELETE", path);
  const body = what === "create" || id === undefined ? delta.create(world, `T${turn}`) : undefined;
  if (body !== undefined)
    expect((await world.json("POST", `/admin/${delta.path}.json`, body)).status).toBe(201);
  else if (what === "edit" && id !== undefined)
    expect((await world.json("PUT", path, delta.edit(turn))).status).toBe(200);
}

const secondsOf = (at: string) => Date.parse(at.replace(/ ([+-]\d\d)(\d\d)$/, "$1:$2"));

describe("reading changes with updated_since", () => {
  const products = Array.from({ length: 4 }, (_none, index) => ({
    title: `Stock ${index}`,
    variants: [{ price: "1.0" }],
  }));
  const world = openInProcess({ fixture: { product: products } });
  const empty = world.shop.snapshot();
  const all = ({ kind }: Delta) => world.shop.store.list(kind, { archived: "with" });
  const idsOf = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => String(id)).sort();

  for (const delta of deltas)
    for (const format of ["xml", "json"] as const)
      test(`reading changes of ${delta.path} in ${format} ends and returns each object once, and again if it changes meanwhile`, async () => {
        await fc.assert(
          fc.asyncProperty(
            fc.array(change, { maxLength: 60 }),
            fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 3 }),
            fc.integer({ min: delta.path === "products" ? 10 : 2, max: 30 }),
            async (before, meanwhile, perPage) => {
              world.shop.restore(empty);
              for (const [index, one] of before.entries()) await apply(world, delta, one, `b${index}`);
              const there = new Set(idsOf(all(delta)));
              const changed = new Set<string>();
              const seen = await loop(world.ask, delta, format, perPage, "2020-01-01", async (page) => {
                // A change in the same millisecond as the last object can't be distinguished.
                world.shop.advance(0.001);
                for (const [index, one] of (meanwhile[page] ?? []).entries()) {
                  const was = new Map(all(delta).map((row) => [row.id, row.updated_at]));
                  await apply(world, delta, one, `m${page}-${index}`);
                  for (const row of all(delta))
                    if (was.get(row.id) !== row.updated_at) changed.add(String(row.id));
                }
              });
              const times = new Map<string, number>();
              for (const { id } of seen) times.set(id, (times.get(id) ?? 0) + 1);
              const left = idsOf(all(delta));
              expect([...times.keys()].filter((id) => left.includes(id)).sort()).toEqual(left);
              // If deleted objects aren't kept, one that was read may have been deleted since.
              const gone = [...times.keys()].filter((id) => !left.includes(id));
              expect(gone.filter((id) => delta.archives || !(there.has(id) || changed.has(id)))).toEqual([]);
              const twice = [...times].filter(([id, count]) => count > 1 && !changed.has(id));
              expect(twice).toEqual([]);
              // Each object was read in its final version.
              const last = new Map(seen.map(({ id, at }) => [id, secondsOf(at)]));
              const step = format === "xml" ? 1_000 : 1;
              for (const row of all(delta))
                expect(last.get(String(row.id))).toBe(Math.floor(row.updated_at / step) * step);
            },
          ),
          { numRuns: 40 },
        );
      });

  const ofCoupons = deltas[1] as Delta;
  const couponsIn = (text: string) => seenIn(text, "xml", ofCoupons.item).map(({ id }) => Number(id));
  const couponsOf = async ({ shop, json }: World, codes: readonly string[]) => {
    for (const code of codes)
      await json("POST", "/admin/discount_codes.json", { discount_code: { code, discount: 1, type_id: 1 } });
    return shop.store.list("discount_code").map(({ id }) => id);
  };
  const edited = { discount_code: { description: "x" } };

  test("reading a day's changes skips unchanged objects and includes deleted ones with `deleted`", async () => {
    const own = openInProcess();
    const ids = await couponsOf(
      own,
      Array.from({ length: 25 }, (_none, index) => `C${index}`),
    );
    own.shop.advance(86_400);
    for (const id of ids.slice(0, 12)) await own.json("PUT", `/admin/discount_codes/${id}.json`, edited);
    for (const id of ids.slice(20)) await own.ask("DELETE", `/admin/discount_codes/${id}.xml`);
    const since = new Date(noon + 3_600_000).toISOString();
    const seen = await loop(own.ask, ofCoupons, "xml", 10, since, async () => undefined);
    expect(seen.map(({ id }) => Number(id))).toEqual([...ids.slice(0, 12), ...ids.slice(20)]);
    const { text } = await own.ask("GET", `/admin/discount_codes.xml?deleted=true&updated_since=${since}`);
    expect(couponsIn(text)).toEqual(ids.slice(20));
  });

  test("after a restart, a second is sent again if its last object has changed since", async () => {
    const first = openInProcess();
    const ids = await couponsOf(first, ["A", "B", "C"]);
    const other = openInProcess();
    other.shop.restore(first.shop.snapshot());
    const query = `updated_since=${new Date(noon).toISOString().slice(0, 19)}Z&from_id=${ids[1]}`;
    const found = async () => couponsIn((await other.ask("GET", `/admin/discount_codes.xml?${query}`)).text);
    expect(await found()).toEqual([ids[2]]);
    other.shop.advance(5);
    await other.json("PUT", `/admin/discount_codes/${ids[1]}.json`, edited);
    expect(await found()).toEqual([ids[0], ids[2], ids[1]]);
  });
});
