/** The shop before and after a plan, as two embedded shops. */
import { createShop, type Shop } from "../../emulator/index.ts";
import type { Definition } from "../../provider/definition/define.ts";
import { ownId, type Values } from "../../provider/inventory/index.ts";
import { definitions } from "../../provider/resources/index.ts";
import type { PlannedObject, SheetPrice } from "./objects.ts";
import { productRow, type Row, rowOf } from "./rows.ts";
import { type BodySources, bodiesOf, type ReadBody, type ShopContent, shopBody } from "./shop-content.ts";

const sides = ["before", "after"] as const;
export type Side = (typeof sides)[number];

export interface Shown {
  readonly shop: Shop;
  readonly products: readonly Row[];
  readonly files: readonly Row[];
}

/** Receives what the pages have to do without. */
type Say = (what: string) => void;

export type Shops = Readonly<Record<Side, Shown>>;

/** Changed objects, by the embedded shops' ids. */
export interface Touched {
  readonly products: ReadonlySet<unknown>;
  readonly files: ReadonlySet<unknown>;
}

interface Numbered extends PlannedObject {
  readonly number: number;
}

// Larger than any id of a real shop.
const firstNew = 9_000_000_000;

const numberOf = (id: string | undefined, at: number) =>
  id === undefined ? firstNew + at : Number(ownId(id));

const isOf = (definition: Definition) => (one: PlannedObject) => one.definition === definition;

/** Opens both shops. @param prices from sheets */
export function openShops(
  objects: readonly PlannedObject[],
  prices: readonly SheetPrice[],
  beside: ShopContent,
  sources: BodySources & { readonly onMissing: Say },
): { readonly shops: Shops; readonly touched: Touched } {
  const numbered = objects.map((one, at) => ({ ...one, number: numberOf(one.id, at) }));
  const priceNames = new Map(
    objects
      .filter(isOf(definitions.priceKinds))
      .flatMap(({ before, after }) => [before ?? {}, after ?? {}])
      .map(({ title, variantPriceMethodName: name }) => [title, String(name)] as const),
  );
  const assets = numbered.filter(isOf(definitions.assets));
  const owned = new Set(assets.map(({ number }) => number));
  const foreign = beside.files.filter(({ id }) => !owned.has(Number(id)));
  const bodies = new Map<number, Readonly<Record<Side, ReadBody>>>([
    ...assets.map((one) => [one.number, bodiesOf(one, one.number, sources)] as const),
    ...foreign.map((one) => {
      const read = shopBody(definitions.assets, one, sources);
      return [Number(one.id), { before: read, after: read }] as const;
    }),
  ]);
  const open = (side: Side): Shown => {
    const products = productRows(numbered, beside, side, priceNames).map((row) =>
      side === "after" ? withSheet(row, prices) : row,
    );
    const files = [...assets.flatMap((one) => rowsOn(one, side)), ...foreign.map(rowOf)].map(fileRow);
    const fixture = {
      account: [rowOf(beside.account)],
      collection: beside.collections.map(rowOf),
      theme: beside.themes.map(rowOf),
      product: products,
      asset: files,
    };
    return {
      shop: bareShop(sources, fixture, async ({ id }) => bodies.get(id)?.[side]()),
      products,
      files,
    };
  };
  const shops = { before: open("before"), after: open("after") };
  const skus = new Set(prices.map(({ sku }) => sku));
  const priced = shops.after.products.filter(({ variants }) =>
    (variants as readonly Row[]).some(({ sku }) => skus.has(String(sku))),
  );
  const numbersOf = (definition: Definition) =>
    numbered.filter((one) => one.isTouched && isOf(definition)(one)).map(({ number }) => number);
  const touched = {
    products: new Set([...numbersOf(definitions.products), ...priced.map(({ id }) => id)]),
    files: new Set(numbersOf(definitions.assets)),
  };
  return { shops, touched };
}

const bareShop = (
  { url: origin, onMissing }: Pick<BodySources, "url"> & { readonly onMissing: Say },
  fixture: Readonly<Record<string, readonly Row[]>>,
  readAsset: (asset: { readonly id: number }) => ReturnType<ReadBody>,
): Shop =>
  createShop({
    isBare: true,
    fixture,
    readAsset,
    onMissing,
    origin,
    // Time and random numbers are fixed, so that only the plan makes a difference.
    now: () => 0,
    random: () => 0,
    download: async () => undefined,
    limit: "off",
  });

const rowsOn = (one: Numbered, side: Side): readonly Row[] => {
  const values = one[side];
  return values === undefined ? [] : [{ ...rowOf(values), id: one.number }];
};

/**
 * A file whose body is read when a page needs it. A list may have the label instead of the name
 * (platform-facts.md, section 8).
 */
export const fileRow = ({ id, theme_id, type, name, human_readable_name: label }: Row): Row => ({
  id,
  theme_id,
  type,
  name: name ?? label,
  content: null,
});

function productRows(
  numbered: readonly Numbered[],
  { products }: ShopContent,
  side: Side,
  priceNames: ReadonlyMap<unknown, string>,
): readonly Row[] {
  const own = numbered.filter(isOf(definitions.products));
  const owned = new Set(own.map(({ number }) => number));
  const rows = (values: Values | undefined, number: number) =>
    values === undefined ? [] : [productRow(values, number, priceNames)];
  return [
    ...own.flatMap((one) => rows(one[side], one.number)),
    ...products.filter(({ id }) => !owned.has(Number(id))).flatMap((one) => rows(one, Number(one.id))),
  ];
}

const named = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function withSheet(product: Row, prices: readonly SheetPrice[]): Row {
  const bySku = Map.groupBy(prices, ({ sku }) => sku);
  if (bySku.size === 0) return product;
  const variants = product.variants as readonly Row[];
  return {
    ...product,
    variants: variants.map((variant) => ({
      ...variant,
      ...Object.fromEntries(
        (bySku.get(String(variant.sku)) ?? []).map(({ field, to }) => [named(field), to ?? null]),
      ),
    })),
  };
}
