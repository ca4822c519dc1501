/** Finds the template and values for a path. */
import type { Store } from "../store.ts";
import { type Catalogue, type Shown, withCollections } from "./catalogue.ts";
import { type Asked, pagedOf, pageOf, wholeOf } from "./paging.ts";
import type { ThemeFiles } from "./theme-files.ts";

type Values = Readonly<Record<string, unknown>>;

export interface Found {
  readonly template: string;
  readonly status: number;
  readonly values: Values;
}

interface Where extends Asked {
  readonly files: ThemeFiles;
}

const found = (template: string, values: Values): Found => ({ template, status: 200, values });

/** The page for a missing object: its template has two names on the platform. */
const notFound = ({ files }: Where): Found => ({
  template: files.has("Asset::Template", "page_404.liquid") ? "page_404" : "404",
  status: 404,
  values: { page_title: "Not found" },
});

export function route(store: Store, catalogue: Catalogue, where: Where): Found {
  const { products } = catalogue;
  const { path, query } = where;
  const [, section = "", name = "", inner = ""] = path.split("/").map((part) => safeDecode(part));
  switch (section) {
    case "":
      return found("index", {});
    case "product":
      return productPage(catalogue, where, name);
    case "collection":
      return collectionPage(catalogue, where, name);
    case "page":
      return ownPage(store, where, name);
    case "blogs":
      return inner === "" ? blogPage(where, name) : articlePage(where, name, inner);
    case "cart":
      return found("cart", { cart: cartOf(products, query.get("items") ?? "") });
    case "compare":
    case "favorites":
      return found(section === "compare" ? "compare" : "favorite", { products: [] });
    case "search":
      return searchPage(products, where);
    default:
      return notFound(where);
  }
}

function productPage({ products, collections }: Catalogue, where: Where, name: string): Found {
  const product = products.find(({ permalink }) => permalink === name);
  if (product === undefined) return notFound(where);
  const values = { product: withCollections(product, collections), page_title: product.title };
  return found("product", { ...values, review: { errors: [] }, canonical_url: product.url });
}

const orders: Readonly<Record<string, (product: Shown) => number | string>> = {
  price: ({ price }) => Number(price ?? 0),
  title: ({ title }) => String(title),
  age: ({ id }) => Number(id),
};

/** Sorts by the visitor's choice, for example `descending_price`; other values keep the order. */
function ordered(products: readonly Shown[], asked: string): readonly Shown[] {
  const key = orders[asked.replace(/^descending_/, "")];
  if (key === undefined) return products;
  const sign = asked.startsWith("descending_") ? -1 : 1;
  return products.toSorted((one, other) => {
    const [a, b] = [key(one), key(other)];
    return sign * (a < b ? -1 : a > b ? 1 : 0);
  });
}

function collectionPage({ collections }: Catalogue, where: Where, name: string): Found {
  const one = collections.find(({ permalink }) => permalink === name);
  if (one === undefined) return notFound(where);
  const order = where.query.get("order") ?? "";
  const all = ordered(wholeOf(one.products as readonly Shown[]), order);
  const { shown, paginate } = pageOf(all, where);
  const collection = { ...one, products: shown, "current?": true, current: true };
  const current = { current_collections: one.current_collections, order };
  return found("collection", { collection, products: shown, paginate, ...current, page_title: one.title });
}

function searchPage(products: readonly Shown[], where: Where): Found {
  const asked = (where.query.get("q") ?? "").trim();
  const results = products.filter(({ title }) => String(title).toLowerCase().includes(asked.toLowerCase()));
  const { shown, paginate } = pageOf(results, where);
  const isDone = where.query.has("q");
  const search = {
    query: asked,
    results: shown,
    results_count: results.length,
    performed: isDone,
    "performed?": isDone,
  };
  return found("search", { search, results: shown, paginate });
}

/** Placeholder content: pages can be edited only in the back office, and articles aren't part of the interface. */
const sample = {
  title: "Sample",
  permalink: "sample",
  handle: "sample",
  content: "<p>The embedded shop shows this text where the shop has its own.</p>",
};

function ownPage(store: Store, where: Where, name: string): Found {
  const { files } = where;
  const row = store.byKey("page", name) ?? (name === "sample" ? sample : undefined);
  const own = files.has("Asset::Template", `page.${name}.liquid`);
  if (!own && row === undefined) return notFound(where);
  const title = row?.title ?? name.replaceAll("-", " ").replace(/^./, (letter) => letter.toUpperCase());
  const page = { content: "", ...row, title, permalink: name, handle: name, url: `/page/${name}` };
  return found(own ? `page.${name}` : "page", { page, page_title: title });
}

const sampleArticle = {
  ...sample,
  url: "/blogs/sample/sample",
  preview: sample.content,
  author: "",
  tags: [],
  comments: [],
  comments_count: 0,
  related_products: [],
};
const sampleBlog = { ...sample, url: "/blogs/sample", tags: [], "comments_enabled?": false };

function blogPage(where: Where, name: string): Found {
  if (name !== sample.permalink) return notFound(where);
  const articles = pagedOf([sampleArticle]);
  const { paginate } = pageOf([sampleArticle], where);
  return found("blog", {
    blog: { ...sampleBlog, articles },
    articles,
    paginate,
    page_title: sample.title,
  });
}

function articlePage(where: Where, blog: string, name: string): Found {
  if (blog !== sample.permalink || name !== sample.permalink) return notFound(where);
  const article = { ...sampleArticle, blog: sampleBlog };
  return found("article", { article, blog: sampleBlog, comment: { errors: [] }, page_title: sample.title });
}

/** The cart in the address, `?items=12,15:2`: variants with quantities. Nothing about visitors is stored. */
function cartOf(products: readonly Shown[], asked: string) {
  const items = asked.split(",").flatMap((entry) => {
    const [id, count = "1"] = entry.split(":");
    const quantity = Math.min(Math.max(Math.trunc(Number(count)) || 1, 1), 999);
    for (const product of products)
      for (const variant of product.variants as readonly Values[])
        if (String(variant.id) === id) return [itemOf(product, variant, quantity)];
    return [];
  });
  const total = items.reduce((sum, { total_price }) => sum + total_price, 0);
  return { items, items_count: items.length, total_price: total, items_price: total, discounts: [] };
}

const itemOf = (product: Shown, variant: Values, quantity: number) => ({
  id: variant.id,
  product,
  variant,
  quantity,
  title: product.title,
  url: product.url,
  sku: variant.sku,
  first_image: variant.first_image,
  price: variant.price,
  sale_price: variant.price,
  total_price: Number(variant.price ?? 0) * quantity,
});

export function safeDecode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // Not percent-encoded.
    return part;
  }
}
