// A sheet that comes late in a run, after another one has read the list of products.
import { expect, test } from "vitest";
import { newMemory } from "../../provider/context/context.ts";
import { openNotes } from "../../provider/context/create-notes.ts";
import { diskNoteFile } from "../../provider/context/note-file.ts";
import type { Plan } from "../../provider/context/plan.ts";
import { pricesVerbs } from "../../provider/prices/verbs.ts";
import { product } from "../../provider/resources/product.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { unknownValue } from "../../provider/wire/text.ts";
import { quietShop } from "../support/quiet-shop.ts";
import { openWorld } from "../support/world.ts";

/** A shop with the products C-1 and J-1, and a function that applies a sheet with one row. */
async function open(clock = { ms: 1_000_000 }, plan: Partial<Plan> = {}) {
  const world = await openWorld();
  for (const sku of ["C-1", "J-1"])
    await world.client.products.create({ title: sku, variants: [{ sku, price: 10 }] });
  const shop = quietShop({
    plan,
    transport: world.client.transport,
    url: world.url,
    folder: world.folder,
    now: () => clock.ms,
    wait: async () => {},
    say: (line) => world.said.push(line),
    notes: openNotes(
      () => diskNoteFile(`${world.folder}/notes`),
      "run",
      () => {},
    ),
  });
  const verbs = pricesVerbs(shop);
  const bring = async (name: string, sku: string, price: number) => {
    const of = `urn:pulumi:dev::p::shop:index:Prices::${name}`;
    const { inputs, failures } = await verbs.check(
      {},
      { __of: of, onRemove: "restore", rows: [{ sku, price }] },
    );
    expect(failures).toEqual([]);
    const { id, outs } = await verbs.create(inputs);
    // The program of a later run has it no more.
    const later = pricesVerbs({ ...shop, memory: newMemory() });
    return { rows: String(outs.__rows), end: () => later.delete(id, outs) };
  };
  return { world, shop, bring };
}

test("a late sheet puts back what staff have set since the list was read", async () => {
  const clock = { ms: 1_000_000 };
  const { world, bring } = await open(clock);
  await bring("spring", "C-1", 9);
  const { id, variants } = world.rows("product")[1] as { id: number; variants: readonly { id: number }[] };
  await world.edit({ kind: "product", id, set: { variants: variants.map((one) => ({ ...one, price: 8 })) } });
  clock.ms += 61_000;
  expect((await bring("autumn", "J-1", 7)).rows).toContain("|7<8");
});

test("the end of a sheet names the prices of staff that stay, where no preview could", async () => {
  const clock = { ms: 1_000_000 };
  const { world, bring } = await open(clock);
  const sheet = await bring("spring", "C-1", 9);
  const { id, variants } = world.rows("product")[0] as { id: number; variants: readonly { id: number }[] };
  await world.edit({ kind: "product", id, set: { variants: variants.map((one) => ({ ...one, price: 8 })) } });
  clock.ms += 61_000;
  await sheet.end();
  expect(world.said).toContain("spring: C-1 (C-1) price was changed in the shop and stays 8");
  expect(world.rows("product")[0]).toMatchObject({ variants: [{ price: 8 }] });
});

test.each([
  ["its variants", ({ variants: _left, ...others }: Values) => others],
  ["the ids of its variants", (made: Values) => ({ ...made, variants: [{ sku: "P-1", price: 5 }] })],
])("a late sheet finds the product of a run whose create was answered without %s", async (_what, answer) => {
  const { world, shop, bring } = await open();
  await bring("spring", "C-1", 9);
  const made = await world.client.products.create({ title: "P-1", variants: [{ sku: "P-1", price: 5 }] });
  shop.reads.answered(product, String(made.id), answer({ ...made }));
  await bring("autumn", "P-1", 7);
  expect(world.rows("product")[2]).toMatchObject({ variants: [{ price: "7.0" }] });
});

test("a row whose variant the program makes is sought once, also where its resource comes later than the sheet", async () => {
  const fields = [{ path: "rows[P-1].price", is: unknownValue, asked: 5 }];
  const approved = { objects: { "Prices:spring": [{ ends: false, fields }] }, creates: [] };
  const { world, bring } = await open({ ms: 1_000_000 }, { approved, isOwnPlan: true });
  world.requests();
  const failed = bring("spring", "P-1", 5);
  await expect(failed).rejects.toMatchObject({
    reasons: ["P-1: another resource makes it in this run; give the sheet dependsOn, or run up again"],
  });
  expect(world.requests()).toEqual([
    "GET /admin/products.xml?page=1&per_page=100",
    "GET /admin/products.xml?page=2&per_page=100",
  ]);
});
