// Laws of the shop, over random edits and values: the delta loop ends and loses nothing; what is read can be written back.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { routes } from "../../shop/routes/index.ts";
import { element, noon, openInProcess } from "./in-process.ts";

type World = ReturnType<typeof openInProcess>;
type Ask = World["ask"];

// ---- the delta loop: always page 1, from the last object's time and id (platform-facts.md, section 4) ----

interface Seen {
  readonly id: string;
  readonly at: string;
}

const delta = {
  products: {
    create: (title: string) =>
      `<product><title>${title}</title><variants-attributes><variants-attribute><price>1</price></variants-attribute></variants-attributes></product>`,
    edit: (text: string) => `<product><short-description>${text}</short-description></product>`,
  },
  discount_codes: {
    create: (code: string) =>
      `<discount-code><code>${code}</code><discount>1</discount><type-id>1</type-id></discount-code>`,
    edit: (text: string) => `<discount-code><description>${text}</description></discount-code>`,
  },
} as const;
type Kind = keyof typeof delta;
type Format = "xml" | "json";
const storedKind = (kind: Kind) => (kind === "products" ? "product" : "discount_code");

function seenIn(text: string, format: Format): readonly Seen[] {
  if (format === "json")
    return (JSON.parse(text) as { id: number; updated_at: string }[]).map(({ id, updated_at: at }) => ({
      id: String(id),
      at,
    }));
  // Variants have an id and a time as well: they stand inside.
  return text
    .replace(/<variants[\s\S]*?<\/variants>/g, "")
    .split(/<(?:product|discount-code)>/)
    .slice(1)
    .map((part) => ({ id: element(part, "id") ?? "", at: element(part, "updated-at") ?? "" }));
}

/** Reads as clients do, until a page is empty. @param between what happens after each page */
async function loop(
  ask: Ask,
  kind: Kind,
  format: Format,
  perPage: number,
  since: string,
  between: (page: number) => Promise<void>,
) {
  const seen: Seen[] = [];
  let cursor = `updated_since=${encodeURIComponent(since)}`;
  for (let page = 0; page < 60; page += 1) {
    const { text } = await ask(
      "GET",
      `/admin/${kind}.${format}?with_deleted=true&per_page=${perPage}&${cursor}`,
    );
    const found = seenIn(text, format);
    const last = found.at(-1);
    if (last === undefined) return seen;
    seen.push(...found);
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
  what: fc.constantFrom("create", "edit", "edit", "delete"),
  which: fc.nat(),
  // Many objects of one second are the rule after an import.
  waitMs: fc.constantFrom(0, 0, 0, 1, 7, 400, 1_000, 2_500),
});

async function apply({ shop, ask }: World, kind: Kind, { what, which, waitMs }: Change, turn: string) {
  shop.advance(waitMs / 1_000);
  const rows = shop.store.list(storedKind(kind));
  const id = rows[which % Math.max(1, rows.length)]?.id;
  const path = `/admin/${kind}/${id}.xml`;
  if (what === "create" || id === undefined)
    await ask("POST", `/admin/${kind}.xml`, delta[kind].create(`T${turn}`));
  else if (what === "edit") await ask("PUT", path, delta[kind].edit(turn));
  else await ask("DELETE", path);
}

describe("the delta loop", () => {
  const world = openInProcess();
  const empty = world.shop.snapshot();

  for (const kind of ["products", "discount_codes"] as const)
    for (const format of ["xml", "json"] as const)
      test(`of ${kind} in ${format} ends, sees each object once, and what changes meanwhile again`, async () => {
        await fc.assert(
          fc.asyncProperty(
            fc.array(change, { maxLength: 60 }),
            fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 3 }),
            fc.integer({ min: 10, max: 30 }),
            async (before, meanwhile, perPage) => {
              world.shop.restore(empty);
              for (const [index, one] of before.entries()) await apply(world, kind, one, `b${index}`);
              const changed = new Set<string>();
              const seen = await loop(world.ask, kind, format, perPage, "2020-01-01", async (page) => {
                // What is changed in the very millisecond of the last object can't be told from what was seen.
                world.shop.advance(0.001);
                for (const [index, one] of (meanwhile[page] ?? []).entries()) {
                  const was = new Map(all(kind).map((row) => [row.id, row.updated_at]));
                  await apply(world, kind, one, `m${page}-${index}`);
                  for (const row of all(kind))
                    if (was.get(row.id) !== row.updated_at) changed.add(String(row.id));
                }
              });
              const times = new Map<string, number>();
              for (const { id } of seen) times.set(id, (times.get(id) ?? 0) + 1);
              expect([...times.keys()].sort()).toEqual(
                all(kind)
                  .map(({ id }) => String(id))
                  .sort(),
              );
              expect([...times].filter(([id, count]) => count > 1 && !changed.has(id))).toEqual([]);
              // Each was seen as it is in the end.
              const last = new Map(
                seen.map(({ id, at }) => [id, Date.parse(at.replace(/ ([+-]\d\d)(\d\d)$/, "$1:$2"))]),
              );
              const step = format === "xml" ? 1_000 : 1;
              for (const row of all(kind))
                expect(last.get(String(row.id))).toBe(Math.floor(row.updated_at / step) * step);
            },
          ),
          { numRuns: 40 },
        );
      });

  const all = (kind: Kind) => world.shop.store.list(storedKind(kind), { archived: "with" });

  test("of a day's changes skips what didn't change, and sees the deleted ones with `deleted`", async () => {
    const { shop, ask } = openInProcess();
    for (let index = 0; index < 25; index += 1)
      await ask("POST", "/admin/discount_codes.xml", delta.discount_codes.create(`C${index}`));
    shop.advance(86_400);
    const ids = shop.store.list("discount_code").map(({ id }) => id);
    for (const id of ids.slice(0, 12))
      await ask("PUT", `/admin/discount_codes/${id}.xml`, delta.discount_codes.edit("x"));
    for (const id of ids.slice(20)) await ask("DELETE", `/admin/discount_codes/${id}.xml`);
    const since = new Date(noon + 3_600_000).toISOString();
    const seen = await loop(ask, "discount_codes", "xml", 10, since, async () => undefined);
    expect(seen.map(({ id }) => Number(id))).toEqual([...ids.slice(0, 12), ...ids.slice(20)]);
    const { text } = await ask("GET", `/admin/discount_codes.xml?deleted=true&updated_since=${since}`);
    expect(seenIn(text, "xml").map(({ id }) => Number(id))).toEqual(ids.slice(20));
  });

  test("gives a second again where the shop was opened again and the last object has left its second", async () => {
    const { shop, ask } = openInProcess();
    for (const code of ["A", "B", "C"])
      await ask("POST", "/admin/discount_codes.xml", delta.discount_codes.create(code));
    const ids = shop.store.list("discount_code").map(({ id }) => String(id));
    const other = openInProcess();
    other.shop.restore(shop.snapshot());
    const query = `updated_since=${new Date(noon).toISOString().slice(0, 19)}Z&from_id=${ids[1]}`;
    const found = async () =>
      seenIn((await other.ask("GET", `/admin/discount_codes.xml?${query}`)).text, "xml").map(({ id }) => id);
    expect(await found()).toEqual([ids[2]]);
    other.shop.advance(5);
    await other.ask("PUT", `/admin/discount_codes/${ids[1]}.xml`, delta.discount_codes.edit("x"));
    expect(await found()).toEqual([ids[0], ids[2], ids[1]]);
  });

  test("of collections gives the anchor again, as the platform does", async () => {
    const { shop, json } = openInProcess();
    const [first] = shop.store.list("collection");
    const query = `updated_since=2027-01-15&from_id=${first?.id}`;
    expect((await json("GET", `/admin/collections.json?${query}`)).value[0].id).toBe(first?.id);
  });
});

// ---- what is read back can be written back unchanged ----

// Any text that XML can hold, with what is easily lost: ends of lines, blanks at the ends, what looks like markup.
const text = fc
  .oneof(
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.constantFrom(" a ", "a\r\nb", "\r", "]]>", "<b>&amp;</b>", "é́", "😀", "0", "nil", "a\tb"),
  )
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML can't hold
  .map((value) => value.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ""));
const filled = text.map((value) => `x${value}`);
const price = fc
  .integer({ min: 0, max: 10_000_000 })
  .map((cents) => `${Math.floor(cents / 100)}.${cents % 100}`);
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });

interface Law {
  /** The route of its PUT. */
  readonly route: string;
  /** The answer's root in XML, which is the request's as well; underscored it is JSON's. */
  readonly root: string;
  readonly values: fc.Arbitrary<Readonly<Record<string, unknown>>>;
  /** Creates the object. @returns its path without an extension */
  make(world: World, values: Readonly<Record<string, unknown>>): Promise<string>;
}

const madeBy =
  (path: string, root: string) => async (world: World, values: Readonly<Record<string, unknown>>) => {
    const made = await world.json("POST", `${path}.json`, { [root]: values });
    expect(made.status, made.text).toBe(201);
    return `${path}/${made.value.id}`;
  };
const productValues = fc.record({
  title: filled,
  description: orNull(text),
  short_description: orNull(text),
  meta_keywords: orNull(text),
  dimensions: orNull(text),
  sort_weight: orNull(fc.integer({ min: -5, max: 5 })),
  is_hidden: fc.boolean(),
  ignore_discounts: orNull(fc.boolean()),
  properties_attributes: fc.array(fc.record({ title: filled, value: filled }), { maxLength: 3 }),
  variants_attributes: fc.array(
    fc.record({
      price,
      sku: orNull(text),
      quantity: orNull(fc.nat(100)),
      old_price: orNull(price),
      weight: orNull(price),
      price2: orNull(price),
      options: fc.array(fc.record({ title: fc.constantFrom("Colour", "Size"), value: filled }), {
        maxLength: 1,
      }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});
const themeOf = ({ shop }: World) => shop.store.list("theme")[0]?.id;

const laws: Readonly<Record<string, Law>> = {
  product: {
    route: "/admin/products/:id",
    root: "product",
    values: productValues,
    make: madeBy("/admin/products", "product"),
  },
  variant: {
    route: "/admin/products/:product/variants/:id",
    root: "variant",
    values: productValues,
    make: async (world, values) => {
      const path = await madeBy("/admin/products", "product")(world, values);
      const id = (await world.json("GET", `${path}/variants.json`)).value[0].id;
      return `${path}/variants/${id}`;
    },
  },
  image: {
    route: "/admin/products/:product/images/:id",
    root: "image",
    values: fc.record({
      title: orNull(text),
      filename: fc.constant("a.png"),
      attachment: fc.constant("eHl6"),
    }),
    make: async (world, values) => {
      const product = { title: "Mug", variants_attributes: [{ price: 1 }] };
      const path = await madeBy("/admin/products", "product")(world, product);
      return madeBy(`${path}/images`, "image")(world, values);
    },
  },
  coupon: {
    route: "/admin/discount_codes/:id",
    root: "discount-code",
    values: fc.record({
      code: filled,
      discount: price,
      type_id: fc.constantFrom(1, 2),
      description: orNull(text),
      disabled: fc.boolean(),
      act_once: fc.boolean(),
      act_once_for_client: orNull(fc.boolean()),
      min_price: orNull(price),
      expired_at: orNull(fc.constant("2030-06-09")),
    }),
    make: madeBy("/admin/discount_codes", "discount_code"),
  },
  "price kind": {
    route: "/admin/price_kinds/:id",
    root: "price-kind",
    values: fc.record({ title: filled }),
    make: madeBy("/admin/price_kinds", "price_kind"),
  },
  collection: {
    route: "/admin/collections/:id",
    root: "collection",
    values: fc.record({
      title: filled,
      description: orNull(text),
      is_hidden: fc.boolean(),
      position: fc.nat(5),
      seo_description: orNull(text),
    }),
    make: madeBy("/admin/collections", "collection"),
  },
  collect: {
    route: "/admin/collects/:id",
    root: "collect",
    values: fc.record({ position: fc.nat(5) }),
    make: async (world, values) => {
      const product = { title: "Mug", variants_attributes: [{ price: 1 }] };
      const path = await madeBy("/admin/products", "product")(world, product);
      const ids = {
        product_id: path.split("/").at(-1),
        collection_id: world.shop.store.list("collection")[0]?.id,
      };
      return madeBy("/admin/collects", "collect")(world, { ...values, ...ids });
    },
  },
  "text asset": {
    route: "/admin/themes/:theme/assets/:id",
    root: "asset",
    values: fc.record({ type: fc.constantFrom("Asset::Template", "Asset::Media"), content: text }),
    make: (world, values) =>
      madeBy(`/admin/themes/${themeOf(world)}/assets`, "asset")(world, { ...values, name: "page.x.liquid" }),
  },
  picture: {
    route: "/admin/themes/:theme/assets/:id",
    root: "asset",
    values: fc.record({ type: fc.constant("Asset::Media"), attachment: fc.constantFrom("/w==", "/v8=") }),
    make: (world, values) =>
      madeBy(`/admin/themes/${themeOf(world)}/assets`, "asset")(world, { ...values, name: "x.png" }),
  },
  "js tag": {
    route: "/admin/js_tags/:id",
    root: "file-tag",
    values: fc.record({
      type: fc.constantFrom("JsTag::TextTag", "JsTag::FileTag"),
      content: filled,
      name: orNull(text),
    }),
    make: madeBy("/admin/js_tags", "js_tag"),
  },
  "recurring charge": {
    route: "/admin/recurring_application_charge",
    root: "recurring-application-charge",
    values: fc.record({ monthly: price, trial_expired_at: orNull(fc.constant("2027-02-01")) }),
    make: async (world, values) => {
      await madeBy("/admin/recurring_application_charge", "recurring_application_charge")(world, values);
      return "/admin/recurring_application_charge";
    },
  },
};

describe("what is read can be written back, and nothing changes", () => {
  const world = openInProcess({ fixture: { price_kind: [{ title: "Wholesale" }] } });
  const start = world.shop.snapshot();

  test("has a law for each route that changes an object", () => {
    // Renaming and changing many variants at once answer with what nobody reads elsewhere.
    const others = /\/(rename|variants_group_update)$/;
    const changing = routes.filter(({ method, path }) => method === "PUT" && !others.test(path));
    expect(new Set(Object.values(laws).map(({ route }) => route))).toEqual(
      new Set(changing.map(({ path }) => path)),
    );
  });

  test.each(Object.entries(laws))("%s", async (_name, { root, values, make }) => {
    await fc.assert(
      fc.asyncProperty(values, async (given) => {
        world.shop.restore(start);
        const path = await make(world, given);
        world.shop.advance(60);
        const before = world.shop.store.snapshot();
        for (const format of ["xml", "json"] as const) {
          const { text: read } = await world.ask("GET", `${path}.${format}`);
          const bodies = format === "xml" ? [read] : [read, `{"${root.replaceAll("-", "_")}":${read}}`];
          for (const body of bodies) {
            const written = await world.ask("PUT", `${path}.${format}`, body);
            expect([written.status, written.headers.warning], `${written.text}\n${body}`).toEqual([
              200,
              undefined,
            ]);
            expect(world.shop.store.snapshot()).toEqual(before);
          }
          expect((await world.ask("GET", `${path}.${format}`)).text).toBe(read);
        }
      }),
      { numRuns: 60 },
    );
  });
});
