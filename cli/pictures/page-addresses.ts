/** The pages that a plan may change: of its products, and of its templates. */
import { withoutLiquid } from "../../provider/names/theme-folder.ts";
import type { Shops, Touched } from "./before-after-shops.ts";
import type { Row } from "./rows.ts";

export interface Address {
  readonly title: string;
  readonly path: string;
}

/** Objects that are the same before and after the plan. */
export interface ShopContext {
  readonly collections: readonly Row[];
  readonly themes: readonly Row[];
}

export interface Addresses {
  readonly pages: readonly Address[];
  /** The number of changed products without a page here. */
  readonly productsLeft: number;
}

/** The maximum number of pages of each type. */
const most = { products: 8, collections: 4, ownPages: 12 };

export function addressesOf(shops: Shops, { collections, themes }: ShopContext, touched: Touched): Addresses {
  const both = <T>(of: (one: Shops["before"]) => readonly T[]) => [...of(shops.after), ...of(shops.before)];
  const products = distinct(both((one) => one.products).filter((one) => !one.is_hidden && !one.archived));
  const own = products.filter(({ id }) => touched.products.has(id));
  const lists = collectionsOf(own, collections);
  // After a change to the theme, one page of each type is enough, preferably of a changed product.
  const samples = {
    product: own[0] ?? products[0],
    collection: lists[0] ?? collectionsOf(products, collections)[0],
  };
  const pages =
    own.length === 0
      ? []
      : [front, ...lists.map(collectionPage), ...own.slice(0, most.products).map(productPage)];
  const files = both((one) => one.files);
  const changed = files.filter(({ id }) => touched.files.has(id));
  for (const [theme, ofTheme] of Map.groupBy(changed, ({ theme_id }) => theme_id)) {
    const names = files.filter(({ theme_id }) => theme_id === theme).filter(isTemplate);
    const found = templatePages(ofTheme.every(isTemplate) ? ofTheme.filter(isTemplate) : names, samples);
    const { is_published, is_mobile, title } = themes.find(({ id }) => id === theme) ?? {};
    pages.push(...(is_published && !is_mobile ? found : found.map((one) => inTheme(one, theme, title))));
  }
  return {
    pages: [...new Map(pages.map((page) => [page.path, page] as const)).values()],
    productsLeft: Math.max(0, own.length - most.products),
  };
}

const distinct = (rows: readonly Row[]) => [...new Map(rows.map((row) => [row.id, row] as const)).values()];

/** Whether a file is the template of one type of page. */
const isTemplate = ({ type, name }: Row) =>
  type === "Asset::Template" && !/^(layouts\.)?layout\.liquid$/.test(String(name));

/** The collections of these products, or else the collection of all products. */
function collectionsOf(products: readonly Row[], collections: readonly Row[]): readonly Row[] {
  const ids = new Set(
    products.flatMap((one) => [one.canonical_url_collection_id, ...(one.collections_ids as unknown[])]),
  );
  const found = collections.filter(({ id }) => ids.has(id)).slice(0, most.collections);
  return found.length > 0 ? found : collections.filter(({ permalink }) => permalink === "all");
}

const last = ({ permalink }: Row) => encodeURIComponent(String(permalink));
const front: Address = { title: "Front page", path: "/" };
const productPage = (row: Row): Address => ({ title: `Product ${row.title}`, path: `/product/${last(row)}` });
const collectionPage = (row: Row): Address => ({
  title: `Collection ${row.title}`,
  path: `/collection/${last(row)}`,
});

interface Samples {
  readonly product: Row | undefined;
  readonly collection: Row | undefined;
}

/** One page per template. */
function templatePages(templates: readonly Row[], { product, collection }: Samples): readonly Address[] {
  const names = new Set(templates.map(({ name }) => withoutLiquid(name)));
  const [variant] = (product?.variants ?? []) as readonly Row[];
  const usual: readonly (readonly [string, Address | undefined])[] = [
    ["index", front],
    ["collection", collection && collectionPage(collection)],
    ["product", product && productPage(product)],
    ["cart", { title: "Cart", path: variant === undefined ? "/cart" : `/cart?items=${variant.id}` }],
    ["search", { title: "Search", path: "/search" }],
    // Pages and blogs aren't managed, so the embedded shop shows sample texts.
    ["page", { title: "Page", path: "/page/sample" }],
    ["blog", { title: "Blog", path: "/blogs/sample" }],
    ["article", { title: "Article", path: "/blogs/sample/sample" }],
  ];
  const own = [...names].flatMap((name) => /^page\.(.+)$/.exec(name)?.[1] ?? []).slice(0, most.ownPages);
  return [
    ...usual.flatMap(([name, address]) => (names.has(name) && address !== undefined ? [address] : [])),
    ...own.map((name) => ({ title: `Page ${name}`, path: `/page/${encodeURIComponent(name)}` })),
  ];
}

const inTheme = ({ title, path }: Address, theme: unknown, name: unknown): Address => ({
  title: `${title}, in the theme ${name}`,
  path: `${path}${path.includes("?") ? "&" : "?"}theme_preview=${theme}`,
});
