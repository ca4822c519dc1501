// A sheet that comes late in a run, after another one has read the list of products.
import { expect, test } from "vitest";
import { openNotes } from "../../provider/context/create-notes.ts";
import { diskNoteFile } from "../../provider/context/note-file.ts";
import { pricesVerbs } from "../../provider/prices/verbs.ts";
import { quietShop } from "../support/quiet-shop.ts";
import { openWorld } from "../support/world.ts";

test("a late sheet puts back what staff have set since the list was read", async () => {
  const world = await openWorld();
  for (const sku of ["C-1", "J-1"])
    await world.client.products.create({ title: sku, variants: [{ sku, price: 10 }] });
  const clock = { ms: 1_000_000 };
  const shop = quietShop({
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
    return String((await verbs.create(inputs)).outs.__rows);
  };
  await bring("spring", "C-1", 9);
  const { id, variants } = world.rows("product")[1] as { id: number; variants: readonly { id: number }[] };
  await world.edit({ kind: "product", id, set: { variants: variants.map((one) => ({ ...one, price: 8 })) } });
  clock.ms += 61_000;
  expect(await bring("autumn", "J-1", 7)).toContain("|7<8");
});
