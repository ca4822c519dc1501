// Edits of staff after a refresh has read them: a preview marks the edits that it puts back.
import { describe, expect, test } from "vitest";
import { chosenEnv } from "../../provider/settings/protocol.ts";
import { shownChanges } from "../../runs/report/changes.ts";
import { stepNotices } from "../../runs/report/step-notices.ts";
import type { Ran, Resource } from "./house/types.ts";
import type { House } from "./house.ts";
import { coupon, meaning, mug, open, type Variant, variantsOf, writes } from "./scenes.ts";
import { walk } from "./walk.ts";

const both = (price: number, discount: number) => [...mug([{ sku: "M", price }]), ...coupon(discount)];

function setVariants(house: House, variants: readonly Variant[]): void {
  house.shop.edit({ kind: "product", id: Number(house.rows("product")[0]?.id), set: { variants } });
}
const edit = (house: House, sku: string, set: Variant): void =>
  setVariants(
    house,
    variantsOf(house).map((one) => (one.sku === sku ? { ...one, ...set } : one)),
  );
const editCoupon = (house: House, set: Variant) =>
  house.shop.edit({ kind: "discount_code", id: Number(house.rows("discount_code")[0]?.id), set });

const changesOf = ({ plan, notices }: Ran): readonly string[] =>
  plan
    .flatMap((step) => shownChanges(step, stepNotices(notices)))
    .map(({ path, old, new: next, becomes }) => `${path} ${becomes ?? `${old} => ${next}`}`)
    .toSorted();
const ways = " (accept writes them into the program, --keep leaves them in the shop)";
const way = " (accept writes it into the program, --keep leaves it in the shop)";
const asked = (house: House) => JSON.stringify(house.state()).includes("__asked");

describe("an edit of staff that refreshes have read", () => {
  test.each([1, 2, 3])("is marked where it is put back, after %i refreshes", async (times) => {
    const house = open();
    await house.up(both(28.6, 10));
    expect(asked(house)).toBe(false);
    edit(house, "M", { price: "9.0" });
    editCoupon(house, { discount: "55.0" });
    for (let time = 0; time < times; time += 1) await house.refresh();
    const { planned, ...ran } = await house.up(both(28.6, 10));
    expect(changesOf(planned)).toEqual([
      "discount puts back: 10 %, staff: 55 %",
      "variants[M].price puts back: 28.6, staff: 9",
    ]);
    expect(meaning(planned)).toContain(
      `! Puts back: 2 edits of staff: Mug M price 9 → 28.6; SALE discount 55 % → 10 %${ways}`,
    );
    expect(meaning(ran)).toEqual(meaning(planned));
    expect(ran.said.join("\n")).toContain("puts back what staff changed: variants[M].price: 28.6 (staff: 9)");
    expect(variantsOf(house)).toMatchObject([{ price: "28.6" }]);
    expect(asked(house)).toBe(false);
    expect((await house.up(both(28.6, 10))).steps).toEqual([]);
  });

  test("is a conflict with its three values where the program changes the field too, and is overwritten by a person's word", async () => {
    const house = open();
    await house.up(both(28.6, 10));
    editCoupon(house, { discount: "55.0" });
    await house.refresh();
    await house.refresh();
    const ran = await house.up(both(28.6, 12));
    expect(ran.steps).toEqual(["update sale refused"]);
    expect(ran.result?.failures[0]?.message).toContain(
      "discount: was 10 %, is 55 % in the shop, the program asks for 12 %",
    );
    await house.up(both(28.6, 12), { config: { "shop:conflicts": "overwrite" } });
    expect(house.rows("discount_code")).toMatchObject([{ discount: "12.0" }]);
    expect(asked(house)).toBe(false);
  });

  test("is not marked, and asks for nothing, where the program takes it over; what the program changes next is its own", async () => {
    const house = open();
    await house.up(both(28.6, 10));
    edit(house, "M", { price: "9.0" });
    await house.refresh();
    const taken = await house.up(both(9, 10));
    expect([writes(taken.requests), changesOf(taken.planned)]).toEqual([[], []]);
    expect(asked(house)).toBe(false);
    const next = await house.up(both(28.6, 10));
    expect(changesOf(next.planned)).toEqual(["variants[M].price 9 => 28.6"]);
    expect(next.result?.failures).toEqual([]);
  });

  test("and that staff edit again is marked by a preview with --refresh as it then stands, and isn't where the program takes it over", async () => {
    const house = open();
    await house.up(both(28.6, 10));
    editCoupon(house, { discount: "55.0" });
    await house.refresh();
    editCoupon(house, { discount: "60.0" });
    const options = { refresh: true };
    const back = await house.preview(both(28.6, 10), options);
    expect([back.steps, back.said]).toEqual([["update sale", "update sale"], []]);
    expect(meaning(back)).toContain(`! Puts back: 1 edit of staff: SALE discount 60 % → 10 %${way}`);
    const { planned, ...ran } = await house.up(both(28.6, 60), options);
    expect(meaning(planned).filter((line) => line.includes("Puts back"))).toEqual([]);
    expect(writes(ran.requests)).toEqual([]);
    expect(asked(house)).toBe(false);
  });

  test.each([
    ["--keep", { env: chosenEnv({ keep: ["tag"] }) }],
    ["shop:drift: keep", { config: { "shop:drift": "keep" } }],
    ["shop:drift: stop", { config: { "shop:drift": "stop" } }],
  ] as const)("is not lost with a replacement: %s refuses it", async (_how, options) => {
    const house = open();
    const tag = (content: string): readonly Resource[] => [
      { kind: "JsTag", name: "tag", args: { type: "JsTag::TextTag", name: "n", content } },
    ];
    await house.up(tag("one()"));
    const [row] = house.rows("js_tag");
    house.shop.edit({ kind: "js_tag", id: Number(row?.id), set: { name: "by staff" } });
    await house.refresh();
    const held = await house.up(tag("two()"), options);
    expect(held.planned.steps).toEqual(["update tag refused"]);
    expect(held.planned.result?.failures[0]?.message).toContain('name: was "n", is now "by staff"');
    expect([held.steps, writes(held.requests)]).toEqual([["update tag refused"], []]);
    expect(house.rows("js_tag")).toMatchObject([{ id: row?.id, name: "by staff", content: "one()" }]);
  });

  test("is marked where the program takes the object out, and shop:drift: stop refuses the delete", async () => {
    const house = open();
    await house.up(both(28.6, 10));
    editCoupon(house, { discount: "55.0" });
    await house.refresh();
    const left = mug([{ sku: "M", price: 28.6 }]);
    const stopped = await house.up(left, { config: { "shop:drift": "stop" } });
    expect(stopped.steps).toEqual(["delete sale refused"]);
    expect(house.rows("discount_code")).toHaveLength(1);
    const { planned, ...ran } = await house.up(left);
    expect(changesOf(planned)).toEqual(["discount deletes staff's edit: 10 % => 55 %"]);
    expect(meaning(planned)).toContain("! Edits lost: 1 edit of staff: SALE discount 55 %");
    expect(meaning(planned).join("\n")).not.toContain("Puts back");
    expect(ran.steps).toEqual(["delete sale"]);
    expect(house.rows("discount_code")).toHaveLength(0);
  });

  test("beside a change of the program is marked alone", async () => {
    const house = open();
    await house.up(both(28.6, 10));
    edit(house, "M", { price: "9.0" });
    await house.refresh();
    const planned = await house.preview([
      ...mug([{ sku: "M", price: 28.6 }], { permalink: "jug" }),
      ...coupon(12),
    ]);
    expect(changesOf(planned)).toContain("variants[M].price puts back: 28.6, staff: 9");
    expect(changesOf(planned)).toContain("discount 10 => 12");
    expect(meaning(planned)).toContain(`! Puts back: 1 edit of staff: Mug M price 9 → 28.6${way}`);
  });

  test("that staff take back is nobody's any more", async () => {
    const house = open();
    await house.up(both(28.6, 10));
    editCoupon(house, { discount: "55.0" });
    await house.refresh();
    editCoupon(house, { discount: "10.0" });
    await house.refresh();
    expect(asked(house)).toBe(false);
    expect((await house.up(both(28.6, 10))).steps).toEqual([]);
  });

  test("and that staff edit again before the next refresh stays in the shop", async () => {
    const house = open();
    await house.up(both(28.6, 10));
    editCoupon(house, { discount: "55.0" });
    await house.refresh();
    editCoupon(house, { discount: "60.0" });
    const ran = await house.up(both(28.6, 10));
    expect(writes(ran.requests)).toEqual([]);
    expect(house.rows("discount_code")).toMatchObject([{ discount: "60.0" }]);
    await house.refresh();
    expect(changesOf(await house.preview(both(28.6, 10)))).toEqual(["discount puts back: 10 %, staff: 60 %"]);
  });
});

// A refresh compares with the program before it, here a script whose replacement was refused (shop:protected).
describe("a script that staff changed, of which every change replaces it, on a protected stack", () => {
  const script = (content: string): readonly Resource[] => [
    { kind: "JsTag", name: "counter", args: { type: "JsTag::TextTag", name: "counter", content } },
  ];
  const options = { config: { "shop:protected": "true" } };
  const changed = async (form: "dynamic" | "plugin") => {
    const house = open();
    await house.up(script("one"), { form });
    house.shop.edit({
      kind: "js_tag",
      id: Number(house.rows("js_tag")[0]?.id),
      set: { content: "staff's" },
    });
    return house;
  };

  test.each(["dynamic", "plugin"] as const)(
    "is taken over by an up with --refresh that states it as it is, and nothing is sent (%s)",
    async (form) => {
      const house = await changed(form);
      const ran = await house.up(script("staff's"), { ...options, form, refresh: true });
      expect([ran.planned.guarded, ran.result?.failures, writes(ran.requests)]).toEqual([[], [], []]);
      expect(asked(house)).toBe(false);
      expect((await house.up(script("staff's"), { ...options, form })).steps).toEqual([]);
    },
  );

  test.each(["dynamic", "plugin"] as const)(
    "is read by a refresh, and putting it back is refused by the preview and by a run without one (%s)",
    async (form) => {
      const house = await changed(form);
      const read = await house.refresh({ ...options, form });
      expect([read.result?.outcome, read.steps]).toEqual(["succeeded", ["update counter"]]);
      expect((await house.preview(script("one"), { ...options, form })).guarded).toHaveLength(1);
      const ran = await house.go(script("one"), { ...options, form, refresh: true });
      expect(ran.result?.failures).toMatchObject([
        { message: expect.stringContaining("would be replaced, because of content (shop:protected)") },
      ]);
      expect(writes(ran.requests)).toEqual([]);
    },
  );
});

test("an edit between the preview and the run, that a person lets the run overwrite, is told by the run: no preview could mark it", async () => {
  const house = open();
  await house.up(coupon(10));
  const { planned, ...ran } = await house.up(
    coupon(12),
    { config: { "shop:conflicts": "overwrite" } },
    () => void editCoupon(house, { discount: "55.0" }),
  );
  const told = ({ notices }: Pick<Ran, "notices">) =>
    notices.flatMap((one) => (one.type === "overwrites" || one.type === "puts-back" ? [one.type] : []));
  expect([told(planned), told(ran)]).toEqual([[], ["overwrites"]]);
  // The walks' own rule asks for no more.
  const { broken } = await walk([
    { do: "add", kind: 916, slot: 851 },
    { do: "up", how: {} },
    { do: "value", at: 373, place: 991 },
    {
      do: "up",
      how: { overwrite: true, meanwhile: { before: 0, edit: { staff: "set", at: 330, place: 586 } } },
    },
  ]);
  expect(broken).toEqual([]);
});

describe("items of a list that staff changed and a refresh read", () => {
  const two = mug([
    { sku: "A", price: 1 },
    { sku: "B", price: 2 },
  ]);

  test("one that they added is marked as it goes, as is one that they deleted as it comes back", async () => {
    const house = open();
    await house.up(two);
    const [a] = variantsOf(house);
    const added = [99_001, 99_002].map((id) => ({ ...a, id, sku: `NEW-${id}`, price: "7.0" }));
    setVariants(house, [a as Variant, ...added]);
    await house.refresh();
    await house.refresh();
    const planned = await house.preview(two);
    const told = changesOf(planned);
    expect(told).toHaveLength(3);
    expect(told[0]).toMatch(/^variants\[B\] puts back: .*, staff: none$/);
    expect(told[1]).toMatch(/^variants\[NEW-99001\] puts back: none, staff: /);
    expect((await house.up(two)).result?.failures).toEqual([]);
    expect(variantsOf(house).map(({ sku }) => sku)).toEqual(["A", "B"]);
    expect((await house.up(two)).steps).toEqual([]);
    expect(asked(house)).toBe(false);
  });

  test("one that they added doesn't become one that they deleted, with its stock", async () => {
    const house = open();
    await house.up(two);
    const [a] = variantsOf(house);
    setVariants(house, [a as Variant, { ...a, id: 99_001, sku: "NEW", price: "7.0", quantity: 9 }]);
    await house.refresh();
    expect(changesOf(await house.preview(two))).toEqual([
      expect.stringMatching(/^variants\[B\] puts back: .*, staff: none$/),
      expect.stringMatching(/^variants\[NEW\] puts back: none, staff: /),
    ]);
    expect((await house.up(two)).result?.failures).toEqual([]);
    expect(variantsOf(house).map(({ id, sku }) => [id === 99_001, sku])).toEqual([
      [false, "A"],
      [false, "B"],
    ]);
    expect((await house.up(two)).steps).toEqual([]);
    expect(asked(house)).toBe(false);
  });

  test("one that they deleted is taken out of the program without a word", async () => {
    const house = open();
    await house.up(two);
    setVariants(house, variantsOf(house).slice(0, 1));
    await house.refresh();
    const taken = await house.up(mug([{ sku: "A", price: 1 }]));
    expect(writes(taken.requests)).toEqual([]);
    expect(asked(house)).toBe(false);
  });
});

describe("a text that staff changed and a refresh read", () => {
  const page = (content: string, name = "note.liquid"): readonly Resource[] => [
    { kind: "Asset", name: "note", args: { themeId: 0, type: "Asset::Snippet", name, content } },
  ];
  const opened = (house: House, content: string, name?: string) => {
    const themeId = Number(house.rows("theme")[0]?.id);
    return page(content, name).map((one) => ({ ...one, args: { ...one.args, themeId } }));
  };
  const editText = (house: House, content: string, called = "note.liquid") =>
    house.shop.edit({
      kind: "asset",
      id: Number(house.rows("asset").find(({ name }) => name === called)?.id),
      set: { content },
    });

  test("that are settings in another layout asks for nothing, and a value that the program changes is sent", async () => {
    const house = open();
    const text = (color: string) => `{\n  "color": "${color}",\n  "size": 1\n}\n`;
    const program = (color: string) => opened(house, text(color), "own.json");
    await house.up(program("red"));
    editText(house, '{"size":1,"color":"red"}', "own.json");
    for (const _time of [1, 2]) {
      await house.refresh();
      const { planned, ...ran } = await house.up(program("red"));
      expect([planned.steps, writes(ran.requests)]).toEqual([[], []]);
    }
    const { planned } = await house.up(program("blue"));
    expect(changesOf(planned)).toEqual(["content: color red => blue"]);
    expect(house.rows("asset").find(({ name }) => name === "own.json")?.content).toBe(text("blue"));
    expect(asked(house)).toBe(false);
  });

  test("is marked where it is put back, and a conflict where the program changes it too", async () => {
    const house = open();
    await house.up(opened(house, "one\ntwo\n"));
    editText(house, "one\nstaff's\n");
    await house.refresh();
    const planned = await house.preview(opened(house, "one\ntwo\n"));
    expect(meaning(planned)).toContainEqual(expect.stringMatching(/^! Puts back: 1 edit of staff/));
    expect((await house.preview(opened(house, "one\nours\n"))).steps).toEqual(["update note refused"]);
    expect(writes((await house.up(opened(house, "one\nstaff's\n"))).requests)).toEqual([]);
    expect(asked(house)).toBe(false);
  });
});

test("of a shop that staff went through, nothing is put back unmarked after a refresh (L7)", async () => {
  const house = open();
  const of = (title: string, args: object = {}): Resource => ({
    kind: "Product",
    name: title.toLowerCase(),
    args: {
      title,
      permalink: title.toLowerCase(),
      isHidden: false,
      variants: [
        { sku: `${title}-S`, price: 10 },
        { sku: `${title}-XS`, price: 12 },
      ],
      ...args,
    },
  });
  const before = [of("One"), of("Two"), ...coupon(10)];
  await house.up(before);
  for (const row of house.rows("product")) {
    const title = String(row.title);
    const variants = (row.variants as readonly Variant[]).map((one) =>
      one.sku === `${title}-XS` ? { ...one, sku: `${title}-RENAMED` } : one,
    );
    const set = {
      title: `${title} (staff)`,
      is_hidden: true,
      permalink: `${title.toLowerCase()}-staff`,
      variants: [...variants, { id: Number(row.id) * 2, sku: `${title}-NEW`, price: "7.0", quantity: 3 }],
    };
    house.shop.edit({ kind: "product", id: Number(row.id), set });
  }
  await house.refresh();
  const planned = await house.preview([of("One"), of("Two", { title: "Two (code)" }), ...coupon(12)]);
  expect(planned.steps.toSorted()).toEqual(["update one", "update sale", "update two refused"]);
  const one = changesOf(planned).filter((line) => !/Two|two/.test(line));
  // The renamed variant is one line; its key is marked in another.
  expect(one.filter((line) => !line.includes("puts back"))).toEqual([
    "discount 10 => 12",
    "variants[One-RENAMED] renamed One-XS",
  ]);
  expect(one).toContain('variants[One-XS].sku puts back: "One-XS", staff: "One-RENAMED"');
  expect(meaning(planned)).toContainEqual(expect.stringMatching(/^! Puts back: 5 edits of staff: /));
});

describe("SKUs that staff gave to other variants", () => {
  const program = (...prices: readonly [string, number][]) =>
    mug(prices.map(([sku, price]) => ({ sku, price })));
  const two = program(["A", 9], ["B", 12]);
  const renamed = (house: House, names: Readonly<Record<string, string>>) =>
    setVariants(
      house,
      variantsOf(house).map((one) => ({ ...one, sku: names[String(one.sku)] ?? one.sku })),
    );
  // Prices move with the SKU, too; each SKU is marked in a line of its own.
  const marked = (ran: Ran) => changesOf(ran).filter((line) => line.includes("puts back"));
  const stock = (house: House) => variantsOf(house).map(({ id, sku, price }) => [id, sku, price]);

  test("are put back with a mark on each, and the variants keep their prices", async () => {
    const house = open();
    await house.up(two);
    const before = stock(house);
    renamed(house, { A: "B", B: "A" });
    await house.refresh();
    const { planned } = await house.up(two);
    expect(marked(planned)).toEqual([
      'variants[A].sku puts back: "A", staff: "B"',
      'variants[B].sku puts back: "B", staff: "A"',
    ]);
    expect(stock(house)).toEqual(before);
    expect((await house.up(two)).steps).toEqual([]);
  });

  test("are put back where a variant got the SKU of one that got another", async () => {
    const house = open();
    const same = program(["A", 9], ["B", 9]);
    await house.up(same);
    const before = stock(house);
    renamed(house, { A: "B", B: "C" });
    await house.refresh();
    const { planned } = await house.up(same);
    expect(marked(planned)).toEqual([
      'variants[A].sku puts back: "A", staff: "B"',
      'variants[B].sku puts back: "B", staff: "C"',
    ]);
    expect(stock(house)).toEqual(before);
  });

  test("stay with their variants where the program has taken them over", async () => {
    const house = open();
    await house.up(program(["A", 9], ["B", 12], ["C", 1]));
    renamed(house, { A: "B", B: "A" });
    const theirs = stock(house);
    await house.refresh();
    const { planned } = await house.up(program(["B", 9], ["A", 12], ["C", 2]));
    expect(changesOf(planned)).toEqual(["variants[C].price 1 => 2"]);
    expect(stock(house).slice(0, 2)).toEqual(theirs.slice(0, 2));
  });
});

describe("what would be put back stays in the shop", () => {
  test.each([
    ["by the stack's word", { config: { "shop:drift": "keep" } }],
    ["by kinds", { env: { SHOP_KEEP: "Coupon,Product" } }],
  ])("%s: nothing is sent, and a later run marks it again", async (_how, options) => {
    const house = open();
    await house.up([
      ...mug([
        { sku: "A", price: 1 },
        { sku: "B", price: 2 },
      ]),
      ...coupon(10),
    ]);
    const program = [
      ...mug([
        { sku: "A", price: 1 },
        { sku: "B", price: 2 },
      ]),
      ...coupon(10),
    ];
    const [a, b] = variantsOf(house);
    setVariants(house, [
      { ...a, price: "7.0" },
      { ...b, id: 99_001, sku: "N1" },
      { ...b, id: 99_002, sku: "N2" },
    ]);
    editCoupon(house, { discount: "55.0" });
    await house.refresh();
    const marked = changesOf(await house.preview(program));
    for (const _time of [1, 2]) {
      const { planned, ...ran } = await house.up(program, options);
      expect([planned.steps, ran.steps, writes(ran.requests)]).toEqual([[], [], []]);
      expect(planned.said.join("\n")).toContain("staff's edits stay in the shop: discount: 10 % => 55 %");
      await house.refresh();
    }
    expect(changesOf(await house.preview(program))).toEqual(marked);
    expect(variantsOf(house).map(({ sku }) => sku)).toEqual(["A", "N1", "N2"]);
  });

  test("while the program changes something else of the object", async () => {
    const house = open();
    await house.up(coupon(10, { minPrice: 5 }));
    editCoupon(house, { discount: "55.0" });
    await house.refresh();
    const ran = await house.up(coupon(10, { minPrice: 6 }), { env: { SHOP_KEEP: "Coupon" } });
    expect(ran.steps).toEqual(["update sale"]);
    expect(house.rows("discount_code")).toMatchObject([{ discount: "55.0", min_price: "6.0" }]);
    expect(changesOf(await house.preview(coupon(10, { minPrice: 6 })))).toEqual([
      "discount puts back: 10 %, staff: 55 %",
    ]);
  });
});
