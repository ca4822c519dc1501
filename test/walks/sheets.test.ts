// Walks with price sheets: rows come and go, staff edit, refreshes read, a sale begins and ends, processes end
// between any two requests. Expected prices are computed from the rules in docs/rules.md, without the provider.
import fc from "fast-check";
import { expect, test } from "vitest";
import { unlock } from "../../engine/index.ts";
import { textOfRows } from "../../provider/names/rows.ts";
import { sendsNothing, stepNotices } from "../../runs/report/step-notices.ts";
import { full } from "../support/campaign.ts";
import type { Resource } from "./house/types.ts";
import { type House, openHouse } from "./house.ts";

const walks = Number(process.env.PULUMI_SHOP_WALKS ?? (full ? 500 : 15));
const seed = Number(process.env.PULUMI_SHOP_WALKS_FROM ?? 31);

const skus = { list: ["L-1", "L-2", "L-3"], sale: ["S-1", "S-2", "S-3"] } as const;
type Name = keyof typeof skus;
const products = [
  ["L-1", "L-2", "S-1"],
  ["L-3", "S-2", "O-1"],
  ["S-3", "O-2"],
];

/** The state of a price: last set, last read, and before the sheet. */
interface Known {
  readonly asked: number;
  readonly read: number;
  readonly before: number;
}

/** The expected result for a price with the shop's value `is`: its value, its state, and whether it is a conflict. */
function after(
  known: Known | undefined,
  asked: number | undefined,
  is: number,
  restores: boolean,
): { readonly is: readonly number[]; readonly known: Known | undefined; readonly isConflict?: true } {
  if (known === undefined)
    return asked === undefined
      ? { is: [is], known: undefined }
      : { is: [asked], known: { asked, read: asked, before: is } };
  if (asked === undefined) {
    if (!restores || is !== known.asked) return { is: [is], known: undefined };
    // An edit between two reads: either value is right.
    return { is: known.read === known.asked ? [known.before] : [known.before, is], known: undefined };
  }
  const taken = { is: [asked], known: { ...known, asked, read: asked } };
  if (is === asked) return asked === known.asked && known.read === asked ? { is: [is], known } : taken;
  if (asked === known.asked) return known.read === is ? taken : { is: [is], known };
  if (asked === known.read) return { is: [is], known: { ...known, asked } };
  return is === known.asked ? taken : { is: [is], known, isConflict: true };
}

type Move =
  | { readonly do: "row"; readonly of: Name; readonly at: number; readonly price: number | undefined }
  | { readonly do: "staff"; readonly at: number; readonly price: number }
  | { readonly do: "refresh" }
  | { readonly do: "time" }
  | { readonly do: "up"; readonly crash: number | undefined };

// Few prices, so that both sides often choose the same one.
const price = fc.integer({ min: 1, max: 4 }).map((n) => n * 10);
const moves = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant("row" as const),
        of: fc.constantFrom<Name>("list", "sale"),
        at: fc.nat(2),
        price: fc.option(price, { nil: undefined }),
      }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant("staff" as const), at: fc.nat(7), price }) },
    { weight: 1, arbitrary: fc.constant({ do: "refresh" } as const) },
    { weight: 1, arbitrary: fc.constant({ do: "time" } as const) },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant("up" as const),
        crash: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined, freq: 3 }),
      }),
    },
  ),
  { minLength: 4, maxLength: 24 },
);

const variantsIn = (house: House) =>
  house
    .rows("product")
    .flatMap(({ id, variants }) =>
      (variants as readonly Readonly<Record<string, unknown>>[]).map(
        (one) => ({ ...one, product: Number(id) }) as Readonly<Record<string, unknown>>,
      ),
    );
const pricesIn = (house: House): ReadonlyMap<string, number> =>
  new Map(variantsIn(house).map(({ sku, price: one }) => [String(sku), Number(one)]));

function staffEdits(house: House, sku: string, amount: number): void {
  const variants = variantsIn(house);
  const id = variants.find((one) => one.sku === sku)?.product;
  const own = variants
    .filter(({ product }) => product === id)
    .map(({ product: _of, ...one }) => (one.sku === sku ? { ...one, price: `${amount}.0` } : one));
  house.shop.edit({ kind: "product", id: Number(id), set: { variants: own } });
}

const day = 86_400_000;

async function walk(all: readonly Move[]): Promise<void> {
  const house = openHouse();
  try {
    await house.go(
      products.map((own, at) => ({
        kind: "Product",
        name: `p${at}`,
        args: { title: `p${at}`, variants: own.map((sku) => ({ sku, price: 50 })) },
      })),
    );
    house.loseState();
    house.loseNotes();
    const rows: Record<Name, Map<string, number>> = { list: new Map(), sale: new Map() };
    const known: Record<Name, Map<string, Known>> = { list: new Map(), sale: new Map() };
    let isSale = true;
    const program = (): readonly Resource[] =>
      (["list", "sale"] as const).map((name) => ({
        kind: "Prices",
        name,
        args: {
          // A sheet has its columns even without rows.
          rows: `sku|price\n${textOfRows([...rows[name]].map(([sku, one]) => ({ sku, price: one })))
            .split("\n")
            .slice(1)
            .join("\n")}`,
          ...(name === "sale" && { from: "2000-01-01T00:00Z", until: untilOf(isSale) }),
        },
      }));
    const read = () => {
      const now = pricesIn(house);
      for (const of of Object.values(known))
        for (const [sku, one] of of) of.set(sku, { ...one, read: now.get(sku) as number });
    };
    const up = async (crash: number | undefined) => {
      const before = pricesIn(house);
      const wanted = new Map([...before].map(([sku, is]) => [sku, [is] as readonly number[]]));
      let conflicts = 0;
      for (const name of ["list", "sale"] as const)
        for (const sku of skus[name]) {
          const asked = name === "sale" && !isSale ? undefined : rows[name].get(sku);
          const came = after(known[name].get(sku), asked, before.get(sku) as number, name === "sale");
          wanted.set(sku, came.is);
          conflicts += came.isConflict ? 1 : 0;
          if (came.known === undefined) known[name].delete(sku);
          else known[name].set(sku, came.known);
        }
      if (crash !== undefined) {
        const plan = ({ number }: { readonly number: number }) =>
          number === crash ? { crash: "after" as const } : undefined;
        await house.up(program(), { crash: { plan } });
        // Removes a planned crash that didn't happen.
        house.goTo(house.moment());
        await house.reads(async (_shop, stack) => unlock(stack));
      }
      const ran = await house.up(program());
      const failures = (ran.result?.failures ?? []).map(({ message }) => message);
      expect([
        ran.error?.message,
        failures.length > 0,
        failures.filter((one) => !/conflict|the rest was applied/.test(one)),
      ]).toEqual([undefined, conflicts > 0, []]);
      for (const [sku, is] of pricesIn(house))
        expect([sku, wanted.get(sku)]).toEqual([sku, expect.arrayContaining([is])]);
      if (conflicts > 0) return;
      const { planned, requests } = await house.up(program());
      const texts = stepNotices(planned.notices);
      // A second edit is read again and kept.
      const shown = planned.plan.filter((step) => !sendsNothing(step, texts)).map(({ name }) => name);
      expect([shown, requests.filter((line) => !line.startsWith("GET "))]).toEqual([[], []]);
    };
    for (const move of all) {
      house.clock.offsetMs += 1_000;
      if (move.do === "row") {
        const sku = skus[move.of][move.at] as string;
        if (move.price === undefined) rows[move.of].delete(sku);
        else rows[move.of].set(sku, move.price);
      } else if (move.do === "staff") staffEdits(house, products.flat()[move.at] as string, move.price);
      else if (move.do === "time") isSale = !isSale;
      else if (move.do === "refresh") {
        await house.refresh();
        read();
      } else await up(move.crash);
    }
    await up(undefined);
  } finally {
    await house.close();
  }
}

// The clock of a house is far from both.
const untilOf = (isSale: boolean) => new Date((isSale ? 40_000 : 11_000) * day).toISOString();

test(`no walk of ${walks} sends what it may not, loses what was there before, or leaves a row undone`, async () => {
  await fc.assert(fc.asyncProperty(moves, walk), { numRuns: walks, seed });
});
