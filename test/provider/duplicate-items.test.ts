// Two variants that nothing tells apart: a mistake in a program, and a fact where the shop has them.
import { expect, test } from "vitest";
import { product } from "../../provider/resources/product.ts";
import { openWorld } from "../support/world.ts";

test("two variants with the same SKU or options are refused, unless the shop already has such variants", async () => {
  const world = await openWorld();
  const verbs = world.verbs(product);
  const cup = (...variants: readonly object[]) => ({ title: "Cup", permalink: "cup", variants });
  const red = { options: [{ title: "Colour", value: "red" }], price: 1 };
  const wrong = async (args: object, olds: object = {}) =>
    (await verbs.check({ ...olds }, { ...args })).failures.map(
      ({ property, reason }) => `${property} ${reason}`,
    );
  const same = 'is the same "A" as variants[0].sku: nothing would tell the two apart, so write each sku once';
  expect(await wrong(cup({ sku: "A", price: 1 }, { sku: "B" }, { sku: "A", price: 2 }))).toEqual([
    `variants[2].sku ${same}`,
  ]);
  expect(await wrong(cup({ sku: "A", ...red }, { sku: "B", ...red }))).toEqual([
    "variants[1].options is the same Colour red as variants[0].options: nothing would tell the two apart, so write each options once",
  ]);
  const hidden = await wrong({ ...cup({ sku: "A" }, { sku: "A" }), __secret: "variants" });
  expect(hidden).toEqual([expect.not.stringContaining('"A"')]);
  expect(await wrong(cup({ sku: "A" }, { sku: "B" }, { price: 3 }, { price: 4 }))).toEqual([]);
  // Staff have made such a product: it is taken over and changed, and no third one comes.
  const variants = [
    { sku: "A", price: 1 },
    { sku: "A", price: 2 },
  ];
  await world.client.products.create({ title: "Cup", permalink: "cup", variants });
  const taken = { ...cup(...variants), adopt: "key" };
  const args = await verbs.checked(taken);
  const { id, outs } = await verbs.create(args);
  const dearer = await verbs.checked({ ...taken, variants: [variants[0], { sku: "A", price: 5 }] }, args);
  await verbs.update(id, outs, dearer);
  const [row] = world.rows("product") as unknown as { readonly variants: readonly { price: string }[] }[];
  expect(row?.variants.map(({ price }) => Number(price))).toEqual([1, 5]);
  const more = { ...taken, variants: [...variants, { sku: "B" }, { sku: "B" }] };
  expect(await wrong(more, args)).toEqual([
    expect.stringContaining('variants[3].sku is the same "B" as variants[2].sku'),
  ]);
});
