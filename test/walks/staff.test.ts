// What staff and shoppers change while a program states it: told, kept, and never put back unseen.
import { describe, expect, onTestFinished, test } from "vitest";
import type { Resource } from "./house/types.ts";
import { openHouse } from "./house.ts";

function open() {
  const house = openHouse();
  onTestFinished(() => house.close());
  return house;
}
type House = ReturnType<typeof open>;

type Variant = Readonly<Record<string, unknown>>;
const mug = (variants: readonly Variant[], more: object = {}): readonly Resource[] => [
  { kind: "Product", name: "mug", args: { title: "Mug", variants, ...more } },
];
const writes = (requests: readonly string[]) => requests.filter((line) => !line.startsWith("GET "));
const variantsOf = (house: House) => (house.rows("product")[0]?.variants ?? []) as readonly Variant[];

/** Shoppers, or staff, change a variant. */
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
