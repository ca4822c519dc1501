// Edits of staff and shoppers to managed objects: reported, kept, and never put back unseen.
import { describe, expect, test } from "vitest";
import type { Ran, Resource } from "./house/types.ts";
import type { House } from "./house.ts";
import { changesOf, coupon, meaning, mug, open, type Variant, variantsOf, writes } from "./scenes.ts";

/** Shoppers or staff change a variant. */
function edit(house: House, sku: string, set: Variant): void {
  const [product] = house.rows("product");
  const variants = variantsOf(house).map((one) => (one.sku === sku ? { ...one, ...set } : one));
  house.shop.edit({ kind: "product", id: Number(product?.id), set: { variants } });
}

describe("stock that sells", () => {
  const one = (quantity: number, price = 9) => mug([{ sku: "M", price, quantity }]);

  test.each([
    ["a refresh", async (house: House) => void (await house.refresh())],
    ["two refreshes", async (house: House) => void [await house.refresh(), await house.refresh()]],
    [
      "up --refresh",
      async (house: House, price: number) => void (await house.up(one(5, price), { refresh: true })),
    ],
    ["nothing", async () => {}],
  ] as const)("never comes back after %s, whatever else the program changes", async (_what, between) => {
    const house = open();
    await house.up(one(5));
    edit(house, "M", { quantity: 1 });
    await between(house, 9);
    const same = await house.up(one(5));
    expect([same.steps, writes(same.requests)]).toEqual([[], []]);
    const priced = await house.up(one(5, 12));
    expect(priced.steps).toEqual(["update mug"]);
    expect(variantsOf(house)).toMatchObject([{ quantity: 1, price: "12.0" }]);
    await between(house, 12);
    expect((await house.up(one(5, 12))).steps).toEqual([]);
    expect(variantsOf(house)).toMatchObject([{ quantity: 1 }]);
  });

  test.each(["dynamic", "plugin"] as const)(
    "never comes back where the program states the number of what it took over after some were sold (%s)",
    async (form) => {
      const house = open();
      await house.up(one(4), { form });
      const adopt = String(house.rows("product")[0]?.id);
      house.loseState();
      house.loseNotes();
      await house.up(mug([{ sku: "M", price: 9 }], { adopt }), { form });
      edit(house, "M", { quantity: 3 });
      const stating = mug([{ sku: "M", price: 9, quantity: 4 }], { adopt });
      const ran = await house.up(stating, { form });
      expect([writes(ran.requests), meaning(ran.planned)]).toEqual([[], []]);
      await house.refresh({ form });
      expect(writes((await house.up(stating, { form })).requests)).toEqual([]);
      expect(variantsOf(house)).toMatchObject([{ sku: "M", quantity: 3 }]);
      await house.up(mug([{ sku: "M", price: 9, quantity: 8 }], { adopt }), { form });
      expect(variantsOf(house)).toMatchObject([{ sku: "M", quantity: 8 }]);
    },
  );

  test("is no drift: a refresh that finds it has nothing to tell", async () => {
    const house = open();
    await house.up(one(5));
    edit(house, "M", { quantity: 1 });
    expect((await house.refresh()).steps).toEqual([]);
    expect((await house.preview(one(5), { refresh: true })).steps).toEqual([]);
    expect(house.state()[0]?.outputs).toMatchObject({ variants: [{ quantity: 1 }] });
  });

  test("is set where the program's number changed and the state knows what the shop has", async () => {
    const house = open();
    await house.up(one(5));
    edit(house, "M", { quantity: 1 });
    const blind = await house.up(one(8));
    expect(blind.steps).toEqual(["update mug refused"]);
    await house.refresh();
    expect((await house.up(one(8))).steps).toEqual(["update mug"]);
    expect(variantsOf(house)).toMatchObject([{ quantity: 8 }]);
    expect(JSON.stringify(house.state()[0]?.outputs)).not.toContain("__asked");
  });
});

// L25, if only some items set a field.
test.each(["dynamic", "plugin"] as const)(
  "a refresh finds no change where one variant states an empty old price and another none: %s",
  async (form) => {
    const house = open();
    const program = mug(
      [
        { sku: "A, 1", price: 1, oldPrice: "" },
        { sku: "B", price: 2 },
      ],
      { unit: "pce" },
    );
    await house.up(program, { form });
    const [product] = house.rows("product");
    house.shop.edit({ kind: "product", id: Number(product?.id), set: { unit: "kgm" } });
    const found = await house.refresh({ form });
    expect(changesOf(found).map((line) => line.replace(/ .*/, ""))).toEqual(["unit"]);
    expect(house.state().find(({ type }) => type.includes("Product"))?.inputs).toMatchObject({
      variants: { "A, 1": { oldPrice: "" } },
    });
  },
);

// P2, if staff reordered them.
test.each(["dynamic", "plugin"] as const)(
  "variants that staff put in another order are in the program's, after an update and a refresh as before them: %s",
  async (form) => {
    const house = open();
    const program = (price: number) =>
      mug([
        { sku: "C", price },
        { sku: "A", price: 2 },
        { sku: "B", price: 3 },
      ]);
    const order = () =>
      house
        .state()
        .flatMap(({ outputs }) => (outputs?.variants ?? []) as Variant[])
        .map(({ sku }) => sku);
    await house.up(program(1), { form });
    const [product] = house.rows("product");
    const id = Number(product?.id);
    house.shop.edit({ kind: "product", id, set: { variants: variantsOf(house).toReversed() } });
    expect((await house.refresh({ form })).steps).toEqual([]);
    expect(order()).toEqual(["C", "A", "B"]);
    expect((await house.up(program(4), { form })).steps).toEqual(["update mug"]);
    expect(order()).toEqual(["C", "A", "B"]);
  },
);

describe("a variant whose sku changes is the same variant", () => {
  const size = (value: string) => [{ title: "Size", value }];
  const idOf = (house: House, sku: string) => variantsOf(house).find((one) => one.sku === sku)?.id;
  const first = mug([
    { sku: "S1-A", price: 1, options: size("A"), quantity: 33 },
    { sku: "S1-B", price: 2, options: size("B") },
  ]);

  test.each([
    [
      "alone",
      [
        { sku: "S1-NEW", price: 1, options: size("A") },
        { sku: "S1-B", price: 2, options: size("B") },
      ],
    ],
    [
      "with another that is added",
      [
        { sku: "S1-C", price: 3, options: size("C") },
        { sku: "S1-NEW", price: 1, options: size("A") },
        { sku: "S1-B", price: 2, options: size("B") },
      ],
    ],
    ["with another that is removed", [{ sku: "S1-NEW", price: 1, options: size("A") }]],
    [
      "beside one that is renamed and one that is removed, in another order",
      [
        { sku: "S1-X", price: 2, options: size("B") },
        { sku: "S1-NEW", price: 1, options: size("A") },
      ],
    ],
  ] as const)("%s: it keeps its number and its stock", async (_how, variants) => {
    const house = open();
    await house.up(first);
    const id = idOf(house, "S1-A");
    expect((await house.up(mug(variants))).result?.outcome).toBe("succeeded");
    expect(idOf(house, "S1-NEW")).toBe(id);
    expect(variantsOf(house).find((one) => one.id === id)).toMatchObject({ quantity: 33 });
    expect(variantsOf(house)).toHaveLength(variants.length);
    expect((await house.up(mug(variants))).steps).toEqual([]);
  });

  test("after staff renamed it and added another, and a refresh", async () => {
    const house = open();
    const one = mug([{ sku: "S1-NEW", price: 1, options: size("A"), quantity: 33 }]);
    await house.up(one);
    const id = idOf(house, "S1-NEW");
    const [product] = house.rows("product");
    const [variant] = variantsOf(house);
    const added = { ...variant, id: 99_001, sku: "S1-EXTRA", quantity: 1, option_values: [] };
    const variants = [{ ...variant, sku: "S1-STAFF" }, added];
    house.shop.edit({ kind: "product", id: Number(product?.id), set: { variants } });
    await house.refresh();
    await house.up(one);
    expect(idOf(house, "S1-NEW")).toBe(id);
    expect(variantsOf(house)).toMatchObject([{ sku: "S1-NEW", quantity: 33 }]);
  });

  test("skus that change places stay where they were put", async () => {
    const house = open();
    await house.up(first);
    const id = idOf(house, "S1-A");
    const swapped = mug([
      { sku: "S1-B", price: 1, options: size("A"), quantity: 33 },
      { sku: "S1-A", price: 2, options: size("B") },
    ]);
    expect((await house.up(swapped)).result?.outcome).toBe("succeeded");
    expect(variantsOf(house).find((one) => one.id === id)).toMatchObject({ quantity: 33 });
    expect((await house.up(swapped)).steps).toEqual([]);
  });
});

describe("a variant without a sku is there once", () => {
  const program = (more: readonly Variant[], title = "Mug") =>
    mug([{ sku: "A", price: 1 }, ...more], { title });
  const two = [
    { sku: "B", price: 2 },
    { barcode: "4600", price: 3 },
  ];
  const late = (line: string) => (line.startsWith("PUT ") ? 25_000 : undefined);

  test.each([
    ["by its bar code", two],
    ["by all that is stated of it", [{ sku: "B", price: 2 }, { price: 3 }]],
    [
      "by its options",
      [
        { sku: "B", price: 2, options: [{ title: "Size", value: "B" }] },
        { price: 3, options: [{ title: "Size", value: "C" }] },
      ],
    ],
  ])("where the answer of its write was lost and the shop took it later: %s", async (_how, added) => {
    const house = open();
    await house.up(program([]));
    const ran = await house.go(program(added), { late });
    expect(ran.result?.failures ?? []).toEqual([]);
    expect(variantsOf(house)).toHaveLength(3);
    expect((await house.up(program(added))).steps).toEqual([]);
  });

  test("where the run ended before it heard that the shop took it", async () => {
    const house = open();
    await house.up(program([]));
    await house.go(program(two), {
      crash: {
        plan: ({ path }) => (path.startsWith("answer PUT ") ? { crash: "before" } : undefined),
        left: "all",
      },
    });
    expect(variantsOf(house)).toHaveLength(3);
    expect((await house.up(program(two))).result?.outcome).toBe("succeeded");
    expect(variantsOf(house)).toHaveLength(3);
  });
});

describe("variants in a plan", () => {
  const size = (value: string) => [{ title: "Size", value }];
  const first = mug([
    { sku: "S1-A", price: 1, options: size("A"), quantity: 33 },
    { sku: "S1-B", price: 2, options: size("B"), quantity: 1 },
  ]);

  test("that are renamed are shown so, with their stock, and those that go as a loss", async () => {
    const house = open();
    await house.up(first);
    edit(house, "S1-A", { quantity: 30 });
    const planned = await house.preview(
      mug([{ sku: "S1-NEW", price: 1.5, options: size("A"), quantity: 33 }]),
    );
    expect(changesOf(planned)).toEqual([
      expect.stringContaining("variants[S1-B]"),
      "variants[S1-A] renamed S1-NEW (keeps 30 in stock)",
      "variants[S1-NEW].price 1 => 1.5",
    ]);
    expect(meaning(planned)).toEqual([
      "! Variants lost: 1 (S1-B, 1 in stock)",
      "Prices up: Mug, S1-NEW: 1 → 1.50, +50 %",
      "Variants renamed: 1 (S1-A → S1-NEW, keeps 30 in stock)",
    ]);
  });
});

const byStaff = (house: House, set: Variant) =>
  house.shop.edit({ kind: "discount_code", id: Number(house.rows("discount_code")[0]?.id), set });
const overwriting = { config: { "shop:conflicts": "overwrite" } };

describe("what an overwrite destroys", () => {
  test("is shown with the shop's value, in the plan and in the run, and counted", async () => {
    const house = open();
    await house.up([...coupon(10), ...mug([{ sku: "M", price: 20 }])]);
    byStaff(house, { discount: "55.0" });
    edit(house, "M", { price: "1000.0" });
    const next = [...coupon(12), ...mug([{ sku: "M", price: 22 }])];
    const { planned, ...ran } = await house.up(next, overwriting);
    expect(changesOf(planned).toSorted()).toEqual([
      "discount 10 => 12 (the shop has 55 %)",
      "variants[M].price 20 => 22 (the shop has 1000)",
    ]);
    expect(meaning(planned)).toEqual(meaning(ran));
    expect(meaning(planned)).toContain(
      "! Overwritten: 2 edits of staff: SALE discount 55 % → 12 %; Mug M price 1000 → 22",
    );
    expect(meaning(planned)).toContain("Prices down: Mug, M: 1,000 → 22, -97.8 %");
    expect(ran.said.join("\n")).toMatch(/overwrites changes made in the shop: discount: 55 % => 12 %/);
    expect(house.rows("discount_code")).toMatchObject([{ discount: "12.0" }]);
  });

  test("is within the stack's limits as the shop has it, in the preview and in the run", async () => {
    const house = open();
    await house.up(mug([{ sku: "M", price: 20 }]));
    edit(house, "M", { price: "1000.0" });
    const limited = { config: { ...overwriting.config, "shop:maxPriceChange": "20" } };
    const next = mug([{ sku: "M", price: 22 }]);
    const { guarded } = await house.preview(next, limited);
    expect(guarded).toEqual([expect.stringContaining("would move variants[M].price by 97.8 %, 1000 => 22")]);
    const ran = await house.go(next, limited);
    expect(ran.result?.failures[0]?.message).toContain("would move variants[M].price by 97.8 %, 1000 => 22");
    expect(variantsOf(house)).toMatchObject([{ price: "1000.0" }]);
    // The distance is measured from the edit of staff, not from the state's value.
    edit(house, "M", { price: "23.0" });
    expect((await house.up(mug([{ sku: "M", price: 26 }]), limited)).steps).toEqual(["update mug"]);
  });

  test("of an object that is deleted is shown too", async () => {
    const house = open();
    await house.up(coupon(10));
    byStaff(house, { discount: "55.0" });
    const planned = await house.preview([], overwriting);
    expect(changesOf(planned)).toEqual(["discount overwritten: the shop has 55 %"]);
    expect(meaning(planned)).toContain("! Overwritten: 1 edit of staff: SALE discount 55 %");
  });
});

describe("an object that staff deleted and the program changes", () => {
  const both = (discount: number) => [...coupon(discount), ...mug([{ sku: "M", price: discount }])];

  test("is a conflict like any other: shown, not sent, and the rest is done", async () => {
    const house = open();
    await house.up(both(10));
    house.shop.store.archive("discount_code", Number(house.rows("discount_code")[0]?.id), 0);
    const ran = await house.up(both(12));
    expect(ran.steps.toSorted()).toEqual(["update mug", "update sale refused"]);
    expect(ran.planned.steps.toSorted()).toEqual(["update mug", "update sale refused"]);
    expect(ran.result?.failures[0]?.message).toContain("was deleted in the shop since the last run");
    expect(variantsOf(house)).toMatchObject([{ price: "12.0" }]);
    expect(house.rows("discount_code")).toEqual([]);
  });

  test("is created again by a person's word, and the next run has nothing to do", async () => {
    const house = open();
    await house.up(both(10));
    house.shop.store.archive("discount_code", Number(house.rows("discount_code")[0]?.id), 0);
    const ran = await house.up(both(12), overwriting);
    expect(ran.result?.failures).toEqual([]);
    expect(house.rows("discount_code")).toMatchObject([{ code: "SALE", discount: "12.0" }]);
    expect((await house.up(both(12), overwriting)).steps).toEqual([]);
  });
});

test.each(["dynamic", "plugin"] as const)(
  "what staff changed after the preview and a refresh took into the state is not put back by the run (%s)",
  async (form) => {
    const house = open();
    const cup = (price: number) => mug([{ sku: "M", price }], { description: "Ours" });
    await house.up(cup(9), { form });
    const staff = async () => {
      const id = Number(house.rows("product")[0]?.id);
      house.shop.edit({ kind: "product", id, set: { description: "Theirs" } });
      await house.refresh({ form });
    };
    const ran = await house.up(cup(10), { form }, staff);
    expect(ran.result?.failures.map(({ message }) => message)).toEqual([
      "description differs from the preview: it was changed in the shop since. It was not applied; run again to preview it",
    ]);
    expect(writes(ran.requests)).toEqual([]);
    expect(house.rows("product")[0]?.description).toBe("Theirs");
    // The next preview marks it.
    const { planned } = await house.up(cup(10), { form });
    expect(meaning(planned)).toContainEqual(expect.stringMatching(/^! Puts back: 1 edit/));
  },
);

test.each(
  (["dynamic", "plugin"] as const).flatMap((form) =>
    [undefined, "overwrite"].map((conflicts) => ({ form, conflicts })),
  ),
)(
  "what staff changed that can't be changed in place, and the program states now, replaces nothing ($form, conflicts: $conflicts)",
  async ({ form, conflicts }) => {
    const house = open();
    const tag = (name: string): readonly Resource[] => [
      { kind: "JsTag", name: "tag", args: { type: "JsTag::TextTag", name, content: "a()" } },
    ];
    await house.up(tag("ours"), { form });
    const [{ id } = { id: 0 }] = house.rows("js_tag");
    house.shop.edit({ kind: "js_tag", id, set: { name: "theirs" } });
    const config = conflicts === undefined ? {} : { "shop:conflicts": conflicts };
    const ran = await house.up(tag("theirs"), { form, config });
    expect([ran.planned.steps, ran.result?.failures, writes(ran.requests)]).toEqual([["update tag"], [], []]);
    expect(ran.requests).toHaveLength(ran.planned.requestsNeeded ?? Number.NaN);
    expect(house.rows("js_tag")).toMatchObject([{ id, name: "theirs" }]);
    expect((await house.up(tag("theirs"), { form })).steps).toEqual([]);
  },
);

test.each(["dynamic", "plugin"] as const)(
  "what up --refresh finds gone and takes over again by its key is shown by its preview, with what it changes (%s)",
  async (form) => {
    const house = open();
    const options = { form, refresh: true, config: { "shop:adopt": "key" } };
    const own = mug([{ sku: "M", price: 9 }], { permalink: "mug" });
    await house.up(own, { form });
    const [made] = house.rows("product");
    if (made === undefined) throw new Error("nothing was made");
    const theirs = variantsOf(house).map((one) => ({ ...one, id: 5_000_000, sku: "Theirs" }));
    const { id, created_at: _created, updated_at: at, archived: _archived, ...data } = made;
    house.shop.edit({ kind: "product", id, delete: true });
    house.shop.store.insert("product", { ...data, variants: theirs }, at + 1, { key: "mug" });
    const ran = await house.up(own, options);
    expect(ran.planned.steps).toContain("adopt mug");
    expect(ran.steps).toEqual(ran.planned.steps);
    expect(changesOf(ran.planned)).toContain("variants[Theirs] renamed M");
  },
);

test("what staff did already is neither shown as to do nor counted", async () => {
  const house = open();
  await house.up([...coupon(10, { minPrice: 5 }), ...mug([{ sku: "M", price: 20 }])]);
  byStaff(house, { discount: "12.0" });
  edit(house, "M", { price: "22.0" });
  const next = [...coupon(12, { minPrice: 6 }), ...mug([{ sku: "M", price: 22 }])];
  const planned = await house.preview(next);
  expect(changesOf(planned)).toEqual(["minPrice 5 => 6"]);
  expect(
    meaning(planned).filter((line) => !line.startsWith("Overlap") && !line.startsWith("Discounts")),
  ).toEqual(["Done already: 1 product (Mug): the shop already has these values"]);
  const ran = await house.up(next);
  expect(writes(ran.requests)).toHaveLength(1);
  expect((await house.up(next)).steps).toEqual([]);
});

test("a discount that staff set already counts as the shop has it among those that are good at one time", async () => {
  const house = open();
  const vip = (discount: number) => ({
    kind: "Coupon",
    name: "vip",
    args: { code: "VIP", discount, typeId: 1 },
  });
  await house.up([...coupon(10), vip(5)]);
  byStaff(house, { discount: "12.0" });
  const planned = await house.preview([...coupon(12), vip(6)]);
  expect(meaning(planned)).toContain("Overlap: 2 active at the same time: VIP 6 %, SALE 12 %");
});

test("a text that staff changed and that is to be deleted or replaced is shown in the preview", async () => {
  const house = open();
  const themeId = Number(house.rows("theme")[0]?.id);
  const args = { themeId, type: "Asset::Snippet", name: "note.liquid", content: "one\ntwo\n" };
  const asset = (more: object = {}): readonly Resource[] => [
    { kind: "Asset", name: "note", args: { ...args, ...more } },
  ];
  await house.up(asset());
  const id = Number(house.rows("asset").find(({ name }) => name === "note.liquid")?.id);
  house.shop.edit({ kind: "asset", id, set: { content: "one\nstaff's\n" } });
  const told = async (program: readonly Resource[]) =>
    (await house.preview(program)).result?.failures.map(({ message }) => message).join("\n") ?? "";
  expect(await told([])).toContain("+staff's");
  expect(await told(asset({ type: "Asset::Media" }))).toContain("-two\n    +staff's");
});

describe("an update that was interrupted when the shop had taken it is our own", () => {
  const kind = (title: string): readonly Resource[] => [{ kind: "PriceKind", name: "k", args: { title } }];
  const cutOff = async () => {
    const house = open();
    await house.up(kind("Crash 1"));
    await house.go(kind("Crash 2"), {
      crash: {
        plan: ({ path }) => (path.startsWith("answer PUT ") ? { crash: "before" } : undefined),
        left: "all",
      },
    });
    expect(house.rows("price_kind")).toMatchObject([{ title: "Crash 2" }]);
    return house;
  };

  test("so that it is deleted, as the preview says", async () => {
    const house = await cutOff();
    expect((await house.preview([])).steps).toEqual(["delete k"]);
    expect((await house.destroy()).result?.failures).toEqual([]);
    expect(house.rows("price_kind")).toEqual([]);
  });

  test("so that another change of it is sent", async () => {
    const house = await cutOff();
    expect((await house.up(kind("Crash 3"))).steps).toEqual(["update k"]);
    expect(house.rows("price_kind")).toMatchObject([{ title: "Crash 3" }]);
    expect(JSON.stringify(house.state())).not.toContain("__underWay");
  });

  test("but not where staff have changed it since", async () => {
    const house = await cutOff();
    house.shop.edit({
      kind: "price_kind",
      id: Number(house.rows("price_kind")[0]?.id),
      set: { title: "Theirs" },
    });
    expect((await house.preview([])).steps).toEqual(["delete k refused"]);
    expect((await house.up(kind("Crash 3"))).steps).toEqual(["update k refused"]);
  });
});

test("a create names the product that has its article already, also beside one that the program has", async () => {
  const house = open();
  const product = (name: string, more: object = {}) => ({
    kind: "Product",
    name,
    args: { title: name, variants: [{ sku: "M", price: 1 }], ...more },
  });
  await house.up([product("mug")]);
  await house.up([product("mug"), product("cup")]);
  const [mug, cup] = house.rows("product");
  for (const [kept, other] of [
    [mug, cup],
    [cup, mug],
  ]) {
    house.loseState();
    house.loseNotes();
    const own = product(String(kept?.title), { adopt: String(kept?.id) });
    await house.up([own]);
    const { said } = await house.preview([own, product("jug")]);
    expect(said.join("\n")).toContain(
      `jug: the shop has a Product with variants.sku M already (${other?.id}): adopt: "${other?.id}" adopts it`,
    );
  }
});

describe("variants that no run has set are as the preview of the run showed them", () => {
  const forms = ["dynamic", "plugin"] as const;
  const theirs = (house: House, set: Variant = {}) => {
    const [product] = house.rows("product");
    const others = variantsOf(house).filter(({ sku }) => sku !== "THEIRS");
    const added = { id: 5_000_000, sku: "THEIRS", price: "7.0", option_values: [], ...set };
    house.shop.edit({ kind: "product", id: Number(product?.id), set: { variants: [...others, added] } });
  };
  const listed = (skus: readonly string[], more: object = {}) =>
    mug(
      skus.map((sku) => ({ sku, price: 9 })),
      more,
    );
  const failures = ({ result }: Ran) => result?.failures.map(({ message }) => message);

  test.each(forms)(
    "one that staff add while up waits isn't removed by a program that lists all variants from now on (%s)",
    async (form) => {
      const house = open();
      await house.up(listed(["M"], { otherVariants: "keep" }), { form });
      const ran = await house.up(listed(["M"]), { form }, () => theirs(house));
      expect(failures(ran)).toEqual([
        expect.stringMatching(/differs from the preview: the plan doesn't change variants\[THEIRS\]/),
      ]);
      expect(variantsOf(house).map(({ sku }) => sku)).toEqual(["M", "THEIRS"]);
      const next = await house.up(listed(["M"]), { form });
      expect([meaning(next.planned).join(), next.result?.outcome]).toEqual([
        expect.stringContaining("THEIRS"),
        "succeeded",
      ]);
      expect(variantsOf(house).map(({ sku }) => sku)).toEqual(["M"]);
    },
  );

  test.each(forms)(
    "one of staff that a program lists from now on isn't written if staff change it while up waits (%s)",
    async (form) => {
      const house = open();
      await house.up(listed(["M"], { otherVariants: "keep" }), { form });
      theirs(house);
      const both = listed(["M", "THEIRS"], { otherVariants: "keep" });
      const ran = await house.up(both, { form }, () => theirs(house, { price: "77.0" }));
      expect(failures(ran)).toEqual([
        expect.stringMatching(/differs from the preview: variants\[THEIRS\]\.price was 7.*, is 77/),
      ]);
      expect(variantsOf(house)).toMatchObject([{ sku: "M" }, { sku: "THEIRS", price: "77.0" }]);
      expect(failures(await house.up(both, { form }))).toEqual([]);
      expect(variantsOf(house)).toMatchObject([{ sku: "M" }, { sku: "THEIRS", price: "9.0" }]);
    },
  );
});
