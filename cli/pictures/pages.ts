/** The pages that a plan may change, rendered before and after it as self-contained documents. */
import type { SiteAnswer } from "../../emulator/index.ts";
import { withoutLiquid } from "../../provider/names/theme-folder.ts";
import type { Shops, Side, Touched } from "./before-after-shops.ts";
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

/** The maximum number of pages of each type. */
const most = { products: 8, collections: 4, ownPages: 12 };

export function addressesOf(shops: Shops, { collections, themes }: ShopContext, touched: Touched) {
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
    /** The number of changed products without a page here. */
    productsLeft: Math.max(0, own.length - most.products),
  };
}

const distinct = (rows: readonly Row[]) => [...new Map(rows.map((row) => [row.id, row] as const)).values()];

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

/** A page that changes. A missing side is undefined. */
export interface Page extends Address, Partial<Readonly<Record<Side, string>>> {
  /** The mistake, if the page fails only after the plan. */
  readonly broken: Mistake | undefined;
}

export type Mistake = NonNullable<SiteAnswer["mistake"]>;

export async function changedPages(shops: Shops, addresses: readonly Address[]): Promise<readonly Page[]> {
  const pages = await Promise.all(
    addresses.map(async (address) => {
      const [before, after] = await Promise.all([
        renderedPage(shops.before.shop, address.path),
        renderedPage(shops.after.shop, address.path),
      ]);
      const broken = before?.mistake === undefined ? after?.mistake : undefined;
      return {
        ...address,
        broken,
        ...(before !== undefined && { before: before.document }),
        ...(after !== undefined && { after: after.document }),
      };
    }),
  );
  return pages.filter(({ before, after }) => before !== after);
}

type RenderPath = (path: string) => Promise<SiteAnswer | undefined>;

async function renderedPage({ look }: { readonly look: RenderPath }, path: string) {
  const answer = await look(path);
  if (answer === undefined || answer.status === 404) return undefined;
  return { mistake: answer.mistake, document: await selfContained(String(answer.body), look) };
}

// No scripts run. Only styles, fonts and images are loaded.
export const policy =
  "default-src 'none'; style-src 'unsafe-inline' data: https:; font-src data: https:; img-src data: https:";

/** Embeds the style sheets and images of a page. */
async function selfContained(html: string, look: RenderPath): Promise<string> {
  const [doctype = ""] = /^\s*<!doctype[^>]*>/i.exec(html) ?? [];
  const head = `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">`;
  // Messages for browsers without scripts would cover every page.
  const body = html.slice(doctype.length).replace(/<noscript\b[\s\S]*?<\/noscript>/gi, "");
  return `${doctype}${head}${await withFiles(body, look, themeAddress)}`;
}

const themeAddress = /\/theme\/\d+\/[^\s"'()<>,;&]+/g;

/** Replaces addresses of theme files by data URLs. */
async function withFiles(text: string, look: RenderPath, address: RegExp, folder = ""): Promise<string> {
  const paths = [...new Set(text.match(address))];
  const found = await Promise.all(
    paths.map(async (path) => [path, await dataAddress(folder + path, look)] as const),
  );
  const byPath = new Map(found);
  return text.replaceAll(address, (path) => byPath.get(path) ?? path);
}

/** The maximum size of an embedded file, in bytes. */
const largest = 2_000_000;

async function dataAddress(path: string, look: RenderPath): Promise<string | undefined> {
  const answer = await look(path);
  if (answer === undefined || answer.body.length > largest) return undefined;
  const { contentType, body } = answer;
  // A style sheet refers to other files of the theme by address or by name.
  const isStyle = contentType.startsWith("text/css") && typeof body === "string";
  const whole = isStyle
    ? await withFiles(
        await withFiles(body, look, themeAddress),
        look,
        /(?<=url\(\s*["']?)[^\s"'():/]+\.\w+/g,
        path.replace(/[^/]+$/, ""),
      )
    : body;
  return `data:${contentType.split(";")[0]};base64,${Buffer.from(whole).toString("base64")}`;
}
