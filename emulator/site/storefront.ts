/**
 * What shoppers see: the theme's templates through Liquid, with the shop's own objects. As much of the platform's
 * storefront as a template's author needs to see the page before it goes live; not the platform's whole dialect.
 */
import { Context, type FS, Liquid, LiquidError } from "liquidjs";
import type { Store, Stored } from "../store.ts";
import type { ThemeFiles } from "./theme-files.ts";

/** What is asked for: a page of the shop in a theme. */
export interface Visit {
  readonly path: string;
  /** What follows the path's question mark. */
  readonly query: URLSearchParams;
  readonly theme: Stored;
  readonly files: ThemeFiles;
  readonly host: string;
}

export interface Rendered {
  readonly status: number;
  readonly html: string;
}

// Enough for any page, far too little for a loop without an end. Steps are counted, not timed: while a page is
// rendered nobody else is answered, and a slow machine must not fail a good page.
const mostSteps = 30_000;
const limits = { memoryLimit: 5_000_000, parseLimit: 1_000_000 };

const tooLarge = "This page is too large for the embedded shop";

/** Products on a page of a list. */
const perPage = 50;

/** Counts what a page's templates do: Liquid asks before every piece and every turn of a loop. */
function stepLimit(): Context["renderLimit"] {
  let steps = 0;
  const check = () => {
    steps += 1;
    if (steps > mostSteps) throw new Error(`${tooLarge}: it takes more than ${mostSteps} steps to render`);
  };
  return { check, use: () => undefined } as unknown as Context["renderLimit"];
}

/** Renders a page; a template's mistake is shown with its file and line, as its author needs it. */
export async function renderPage(store: Store, visit: Visit): Promise<Rendered> {
  const { files } = visit;
  const engine = openEngine(visit);
  const products = productsOf(store);
  const shown: Catalogue = { products, collections: collectionsOf(store, products) };
  const { template, status, values } = route(shown, visit);
  const shared = { ...commonValues(store, shown, visit), template, ...values };
  const limit = stepLimit();
  try {
    const render = async (name: string, values: Readonly<Record<string, unknown>>) => {
      const parsed = engine.parse((await files.text("Asset::Template", name)) ?? "", name);
      const context = new Context(values, engine.options, {}, { renderLimit: limit, liquid: engine });
      return String(await engine.render(parsed, context));
    };
    const content = await render(template, shared);
    const whole = files.has("Asset::Template", "layout.liquid")
      ? await render("layout.liquid", { ...shared, content_for_layout: content })
      : content;
    return { status, html: withTags(store, whole) };
  } catch (error) {
    if (!(error instanceof LiquidError)) throw error;
    return { status: 500, html: mistake(error) };
  }
}

function openEngine({ theme, files }: Visit): Liquid {
  const engine = new Liquid({ ...limits, fs: snippetsOf(files), relativeReference: false });
  const address = (name: unknown) => `/theme/${theme.id}/${encodeURIComponent(String(name))}`;
  engine.registerFilter("money", money);
  engine.registerFilter("asset_url", address);
  engine.registerFilter(
    "stylesheet_tag",
    (name: unknown) => `<link rel="stylesheet" href="${address(name)}">`,
  );
  engine.registerFilter("script_tag", (name: unknown) => `<script src="${address(name)}"></script>`);
  return engine;
}

/** Where Liquid finds what is included: a snippet, with and without its extension (platform-facts.md, section 8). */
function snippetsOf(files: ThemeFiles): FS {
  const named = (name: string) =>
    [name, `${name}.liquid`].find((one) => files.has("Asset::Snippet", one)) ?? name;
  const never = () => {
    throw new Error("pages are rendered asynchronously");
  };
  return {
    resolve: (_folder, name) => named(name),
    exists: async (name) => files.has("Asset::Snippet", name),
    readFile: async (name) => (await files.text("Asset::Snippet", name)) ?? "",
    existsSync: never,
    readFileSync: never,
    dirname: () => "",
  };
}

/** An amount as shoppers read it: no decimals where there are none. */
export function money(value: unknown): string {
  const number = Number(value);
  return value === null || value === undefined || Number.isNaN(number)
    ? ""
    : number.toFixed(2).replace(/\.00$/, "");
}

interface Found {
  readonly template: string;
  readonly status: number;
  readonly values: Readonly<Record<string, unknown>>;
}

/** What a shop shows, made once a page. */
interface Catalogue {
  readonly products: readonly Shown[];
  readonly collections: readonly Shown[];
}

/** Which template answers a path, and with what. */
function route({ products, collections }: Catalogue, { path, query, files }: Visit): Found {
  const [, section = "", name = ""] = path.split("/").map((part) => safeDecode(part));
  const lost: Found = { template: "404.liquid", status: 404, values: { page_title: "Not found" } };
  if (section === "") return { template: "index.liquid", status: 200, values: {} };
  if (section === "product") {
    const found = products.find(({ permalink }) => permalink === name);
    return found === undefined
      ? lost
      : { template: "product.liquid", status: 200, values: { product: found, page_title: found.title } };
  }
  if (section === "collection") {
    const found = collections.find(({ permalink }) => permalink === name);
    if (found === undefined) return lost;
    const all = found.products as readonly Shown[];
    const { shown, paginate } = pageOf(all, path, query);
    const collection = { ...found, products: shown, products_count: all.length };
    const values = { collection, paginate, page_title: found.title };
    return { template: "collection.liquid", status: 200, values };
  }
  if (section === "page") {
    const own = `page.${name}.liquid`;
    const title = name.replaceAll("-", " ").replace(/^./, (letter) => letter.toUpperCase());
    const values = { page: { title, permalink: name, content: "" }, page_title: title };
    return files.has("Asset::Template", own) ? { template: own, status: 200, values } : lost;
  }
  if (section === "cart")
    return {
      template: "cart.liquid",
      status: 200,
      values: { cart: cartOf(products, query.get("items") ?? "") },
    };
  if (section === "search") {
    const asked = (query.get("q") ?? "").trim();
    const results = products.filter(({ title }) => String(title).toLowerCase().includes(asked.toLowerCase()));
    const { shown, paginate } = pageOf(results, path, query);
    const search = { query: asked, results: shown, results_count: results.length };
    return { template: "search.liquid", status: 200, values: { search, paginate } };
  }
  return lost;
}

/** A part of a list, and what a template needs to link the others. */
function pageOf(all: readonly Shown[], path: string, query: URLSearchParams) {
  const pages = Math.max(1, Math.ceil(all.length / perPage));
  const asked = Math.trunc(Number(query.get("page") ?? 1));
  const page = asked >= 1 && asked <= pages ? asked : 1;
  const link = (number: number) => {
    if (number < 1 || number > pages) return undefined;
    const own = new URLSearchParams(query);
    own.set("page", String(number));
    return { title: String(number), url: `${path}?${own}` };
  };
  return {
    shown: all.slice((page - 1) * perPage, page * perPage),
    paginate: {
      current_page: page,
      pages,
      items: all.length,
      previous: link(page - 1),
      next: link(page + 1),
    },
  };
}

/**
 * A cart as its address has it, `?items=12,15:2`: variants with their quantities. Nothing is kept of who looks: a shop
 * for tests has no visitors of its own.
 */
function cartOf(products: readonly Shown[], asked: string) {
  const items = asked.split(",").flatMap((entry) => {
    const [id, count = "1"] = entry.split(":");
    const quantity = Math.min(Math.max(Math.trunc(Number(count)) || 1, 1), 999);
    for (const product of products)
      for (const variant of product.variants as readonly Readonly<Record<string, unknown>>[])
        if (String(variant.id) === id)
          return [
            {
              product,
              variant,
              quantity,
              title: product.title,
              price: variant.price,
              total_price: Number(variant.price ?? 0) * quantity,
            },
          ];
    return [];
  });
  return {
    items,
    items_count: items.length,
    total_price: items.reduce((sum, { total_price }) => sum + total_price, 0),
  };
}

/** A part of a path as it was meant. */
export function safeDecode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // Not an encoded part: there is no page of that name.
    return part;
  }
}

/** The theme that shoppers at a desk see. */
export const publishedTheme = (themes: readonly Stored[]): Stored | undefined =>
  themes.find(({ is_published, is_mobile }) => is_published && !is_mobile);

type Shown = Readonly<Record<string, unknown>> & { readonly permalink: unknown; readonly title: unknown };

/** Products as templates know them. */
export function productsOf(store: Store): readonly Shown[] {
  return store
    .list("product")
    .filter(({ is_hidden }) => is_hidden !== true)
    .map((product) => {
      const variants = (product.variants ?? []) as readonly Readonly<Record<string, unknown>>[];
      const [first] = variants;
      const priced = variants.map((one) => ({
        ...one,
        price: numberOf(one.price),
        old_price: numberOf(one.old_price),
      }));
      return {
        ...product,
        permalink: product.permalink,
        title: product.title,
        url: `/product/${encodeURIComponent(String(product.permalink))}`,
        variants: priced,
        price: numberOf(first?.price),
        old_price: numberOf(first?.old_price),
        sku: first?.sku,
        available: variants.some(
          ({ quantity }) => quantity === null || quantity === undefined || Number(quantity) > 0,
        ),
        first_image: ((product.images ?? []) as readonly unknown[])[0],
      };
    });
}

const numberOf = (value: unknown) => (value === null || value === undefined ? undefined : Number(value));

/** Collections with their products: those placed in them, and those whose address they are. */
function collectionsOf(store: Store, products: readonly Shown[]): readonly Shown[] {
  return store
    .list("collection")
    .filter(({ is_hidden }) => is_hidden !== true)
    .map((collection) => ({
      ...collection,
      permalink: collection.permalink,
      title: collection.title,
      products: products.filter(
        (product) =>
          collection.permalink === "all" ||
          product.canonical_url_collection_id === collection.id ||
          ((product.collections_ids ?? []) as readonly number[]).includes(collection.id),
      ),
    }));
}

function commonValues(
  store: Store,
  { collections }: Catalogue,
  { theme, host }: Visit,
): Readonly<Record<string, unknown>> {
  const [account] = store.list("account");
  // A template that goes through them gets a page of each: those behind it have pages of their own.
  const firsts = collections.map((one) => {
    const all = one.products as readonly Shown[];
    return { ...one, products: all.slice(0, perPage), products_count: all.length };
  });
  return {
    account,
    shop: account,
    host,
    theme,
    page_title: account?.title,
    // By name and one after the other, as templates use both.
    collections: Object.assign(
      [...firsts],
      Object.fromEntries(firsts.map((one) => [String(one.permalink), one])),
    ),
    cart: { items: [], total_price: 0, items_count: 0 },
    language: { locale: "en" },
  };
}

/** The application's scripts go into every page (interface.md, JS tags). */
function withTags(store: Store, html: string): string {
  const tags = store
    .list("js_tag")
    .map(({ type, content }) =>
      type === "JsTag::FileTag"
        ? `<script src="${String(content).replaceAll('"', "&quot;")}"></script>`
        : `<script>${String(content).replaceAll("</script", "<\\/script")}</script>`,
    )
    .join("\n");
  return html.includes("</body>")
    ? html.replace(/<\/body>(?![\s\S]*<\/body>)/, () => `${tags}</body>`)
    : `${html}${tags}`;
}

function mistake(error: LiquidError): string {
  const text = `${error.message}\n\n${error.context ?? ""}`.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const title = error.message.includes(tooLarge) ? tooLarge : "A mistake in a template";
  return `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1><pre>${text}</pre></body></html>\n`;
}
