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
