// Walks in which staff give SKUs to other variants: a row sets the variant that has its SKU, and every other one gets back what
// it had before the sheet.
import fc from "fast-check";
import { expect, test } from "vitest";
import { unlock } from "../../engine/index.ts";
import { textOfRows } from "../../provider/names/rows.ts";
import { full } from "../support/campaign.ts";
import type { Resource } from "./house/types.ts";
import { type House, openHouse } from "./house.ts";

const walks = Number(process.env.PULUMI_SHOP_WALKS ?? (full ? 300 : 10));
const seed = Number(process.env.PULUMI_SHOP_WALKS_FROM ?? 7);

const skus = ["A", "B", "C", "D", "E", "F"] as const;
type Variant = Readonly<Record<string, unknown>>;

type Move =
  | { readonly do: "row"; readonly sku: string; readonly price: number | undefined }
  | { readonly do: "swap"; readonly one: number; readonly other: number }
  | { readonly do: "refresh" }
  | { readonly do: "up"; readonly crash: number | undefined };

const moves = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant("row" as const),
        sku: fc.constantFrom(...skus),
        price: fc.option(fc.constantFrom(1, 2, 3), { nil: undefined }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant("swap" as const), one: fc.nat(5), other: fc.nat(5) }),
    },
    { weight: 1, arbitrary: fc.constant({ do: "refresh" } as const) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant("up" as const),
        crash: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined, freq: 3 }),
      }),
    },
  ),
  { minLength: 4, maxLength: 20 },
);

const productsIn = (house: House) =>
  house
    .rows("product")
    .map(({ id, variants }) => ({ id: Number(id), variants: variants as readonly Variant[] }));
const variantsIn = (house: House) => productsIn(house).flatMap(({ variants }) => variants);

/** Staff give two variants each other's SKU. */
function swap(house: House, one: number, other: number): void {
  const all = variantsIn(house);
  const [first, second] = [all[one], all[other]];
  const skuOf = new Map([
    [first?.id, second?.sku],
    [second?.id, first?.sku],
  ]);
  for (const { id, variants } of productsIn(house))
    house.shop.edit({
      kind: "product",
      id,
      set: { variants: variants.map((each) => ({ ...each, sku: skuOf.get(each.id) ?? each.sku })) },
    });
}

async function walk(all: readonly Move[]): Promise<void> {
  const house = openHouse();
  try {
    await house.go(
      [skus.slice(0, 3), skus.slice(3)].map((own, at) => ({
        kind: "Product",
        name: `p${at}`,
        args: { title: `p${at}`, variants: own.map((sku) => ({ sku, price: 10 + skus.indexOf(sku) })) },
      })),
    );
    house.loseState();
    house.loseNotes();
    const before = new Map(variantsIn(house).map(({ id, price }) => [id, Number(price)]));
    const rows = new Map<string, number>();
    const program = (): readonly Resource[] => [
      {
        kind: "Prices",
        name: "list",
        args: {
          onRemove: "restore",
          rows: `sku|price\n${textOfRows([...rows].map(([sku, price]) => ({ sku, price })))
            .split("\n")
            .slice(1)
            .join("\n")}`,
        },
      },
    ];
    const run = async (resources = program()) => {
      const ran = await house.up(resources);
      return [
        ...(ran.error === undefined ? [] : [ran.error.message]),
        ...(ran.result?.failures ?? []).map(({ message }) => message),
      ];
    };
    /** A refresh sees all that staff did. */
    const settle = async (resources = program()) => {
      await house.refresh();
      expect(await run(resources)).toEqual([]);
      const asked = resources.length === 0 ? new Map<string, number>() : rows;
      const wanted = variantsIn(house).map(({ id, sku }) => [sku, asked.get(String(sku)) ?? before.get(id)]);
      expect(variantsIn(house).map(({ sku, price }) => [sku, Number(price)])).toEqual(wanted);
    };
    for (const move of all) {
      house.clock.offsetMs += 1_000;
      if (move.do === "row") {
        if (move.price === undefined) rows.delete(move.sku);
        else rows.set(move.sku, move.price);
      } else if (move.do === "swap") swap(house, move.one, move.other);
      else if (move.do === "refresh") await settle();
      else {
        if (move.crash !== undefined) {
          const plan = ({ number }: { readonly number: number }) =>
            number === move.crash ? { crash: "after" as const } : undefined;
          await house.up(program(), { crash: { plan } });
          house.goTo(house.moment());
          await house.reads(async (_shop, stack) => unlock(stack));
        }
        const failures = await run();
        expect(failures.filter((one) => !one.includes("run refresh, then up again"))).toEqual([]);
      }
    }
    await settle();
    await settle([]);
  } finally {
    await house.close();
  }
}

const up: Move = { do: "up", crash: undefined };
/** A new row means the variant that another row has set, in the product and across two of them. */
const examples = [1, 4].map((at): [Move[]] => [
  [
    { do: "row", sku: skus[at] ?? "", price: 1 },
    up,
    { do: "swap", one: at, other: 0 },
    { do: "row", sku: "A", price: 1 },
    up,
  ],
]);

test(`no walk of ${walks} sets a variant that no row means, or loses what it had before`, async () => {
  await fc.assert(fc.asyncProperty(moves, walk), { numRuns: walks, seed, examples });
});
