/** The overview page at /: changes and their runs, the shop's objects, and the request window. */
import type { Entry } from "../request-log.ts";
import type { Store, Stored } from "../store.ts";
import { currencySigns, money } from "./filters.ts";
import { objectLink, safe, table } from "./html.ts";
import { overviewStyle } from "./overview-style.ts";
import { publishedTheme } from "./storefront.ts";
import { changesHtml, type History } from "./timeline.ts";

export interface Watched extends History {
  /** Requests of the interface, in order. */
  readonly log: readonly Entry[];
  readonly window: { readonly used: number; readonly max: number | undefined };
  readonly rejected: number;
  readonly total: number;
}

/**
 * The whole page.
 * @param query `q`, a part of a product's title or SKU, and `page` of the catalogue
 * @param host the host of the request, without scheme
 */
export function overviewPage(watched: Watched, query: URLSearchParams, host: string): string {
  const { store } = watched;
  const [account] = store.list("account");
  const isEmpty = store.count("product") === 0 && store.count("discount_code") === 0;
  const changes = store.tallies().reduce((all, { n }) => all + n, 0);
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${safe(account?.title)}</title>
<link rel="icon" href="data:,">
<style>${overviewStyle}</style>
</head>
<body>
<header><h1>${safe(account?.title)}</h1><p>embedded shop at ${safe(host)}</p></header>
<main data-changes="${changes}">${[
    ...(isEmpty ? [welcome(host)] : []),
    meter(watched),
    changesHtml(watched),
    catalogue(store, query),
    coupons(watched),
    rest(store),
  ].join("\n")}</main>
<section class="theme" aria-labelledby="shoppers">
<h2 id="shoppers">Storefront</h2>
<nav aria-label="Pages of the storefront">${pages(store)}</nav>
<iframe name="storefront" title="storefront" src="/storefront/" sandbox="allow-scripts allow-forms"></iframe>
</section>
<script>${live}</script>
</body>
</html>
`;
}

/** How to connect a program to an empty shop. The access token is only printed by `serve`, never shown on a page. */
const welcome = (host: string) => `<section id="connect"><h2>This shop is empty</h2>
<p>Connect a program: start the shop for one of its stacks, then converge it.</p>
<pre tabindex="0">npx pulumi-shop serve --stack dev
npx pulumi-shop up --stack dev</pre>
<p>Or keep this one, with the credentials that it printed when it started:</p>
<pre tabindex="0">export SHOP_URL=http://${safe(host)}
export SHOP_APPLICATION_ID=... SHOP_PASSWORD=...
npx pulumi-shop up --stack dev</pre></section>`;

const count = (n: number) => n.toLocaleString("en-US");

function meter({ log, window, rejected, total, now }: Watched): string {
  const share = window.max === undefined ? 0 : Math.round((100 * window.used) / window.max);
  const used =
    window.max === undefined
      ? '<p class="soft">No request limit.</p>'
      : `<p class="soft">Rate limit: ${window.used} of ${window.max} requests used</p><div class="bar"><i style="width:${share}%"></i></div>`;
  const writes = log
    .filter(({ method }) => method !== "GET")
    .slice(-8)
    .toReversed()
    .map(
      ({ method, path, status }) =>
        `<li><code>${safe(method)} ${safe(path)}</code> ${status ?? "no answer"}</li>`,
    );
  const last =
    writes.length === 0
      ? ""
      : `<details id="writes"><summary>Last writes</summary><ol>${writes.join("")}</ol></details>`;
  return `<section id="meter" aria-labelledby="meter-title"><h2 id="meter-title">Requests</h2>
<div class="meter"><div><p><b id="requests">${count(total)}</b> in all, ${count(rejected)} rejected</p>${used}</div>${requestChart(log, now)}</div>${last}</section>`;
}

const perPage = 50;

function catalogue(store: Store, query: URLSearchParams): string {
  const search = (query.get("q") ?? "").trim().toLowerCase();
  const where = (product: Stored) =>
    `${product.title} ${variantsOf(product).map(({ sku }) => sku)}`.toLowerCase().includes(search);
  const selection = search === "" ? {} : { where };
  const all = store.count("product", selection);
  const last = Math.max(1, Math.ceil(all / perPage));
  const page = Math.min(last, Math.max(1, Math.trunc(Number(query.get("page"))) || 1));
  const rows = store.list("product", { ...selection, perPage, page }).map((product) => ({
    id: `product-${product.id}`,
    cells: productCells(product),
  }));
  const to = (other: number, text: string) =>
    other < 1 || other > last
      ? ""
      : `<a href="/?${safe(new URLSearchParams({ ...(search !== "" && { q: search }), page: String(other) }))}#catalogue">${text}</a>`;
  const paging =
    last === 1
      ? ""
      : `<p id="pages">${to(page - 1, "Previous")} Page ${page} of ${count(last)} ${to(page + 1, "Next")}</p>`;
  const find =
    store.count("product") > perPage
      ? `<form role="search" action="/#catalogue"><label>Title or SKU <input name="q" value="${safe(query.get("q"))}"></label> <button>Find</button></form>`
      : "";
  const none = `<p class="soft">${search === "" ? "none yet" : "none found"}</p>`;
  const list = rows.length === 0 ? none : table("Catalogue", ["Product", "SKU", "Price"], rows);
  const skip = last === 1 ? "" : '<a class="skip" href="#pages">Skip the products</a>';
  return `<section id="catalogue" aria-labelledby="catalogue-title"><h2 id="catalogue-title">Catalogue <small>${count(all)}</small></h2>${find}${skip}${list}${paging}</section>`;
}

interface Variant {
  readonly price?: unknown;
  readonly sku?: unknown;
}

const variantsOf = ({ variants }: Stored) =>
  Array.isArray(variants) ? (variants as readonly Variant[]) : [];

function productCells(product: Stored): readonly string[] {
  const variants = variantsOf(product);
  const prices = variants.flatMap(({ price }) =>
    price === undefined || price === null ? [] : [Number(price)],
  );
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const price = low === high ? money(low) : `${money(low)} – ${money(high)}`;
  const hidden = product.is_hidden === true ? ' <small class="soft">hidden</small>' : "";
  return [
    `<span class="product">${thumbnail(product)}<span>${objectLink("product", product)}${hidden}</span></span>`,
    safe(
      variants
        .map(({ sku }) => sku ?? "")
        .filter(Boolean)
        .join(", "),
    ),
    prices.length === 0 ? "" : safe(`${price} ${currencyOf(product)}`),
  ];
}

function currencyOf(product: Stored | undefined): string {
  const code = String(product?.currency_code ?? "");
  return currencySigns[code] ?? code;
}

/** The first picture; without one, the title's first letter on a coloured background. */
function thumbnail({ images, title, id }: Stored): string {
  const [image] = Array.isArray(images) ? (images as readonly Readonly<Record<string, unknown>>[]) : [];
  const address = String(image?.original_url ?? image?.url ?? "");
  if (/^(https?:\/)?\//.test(address))
    return `<img class="thumb" src="${safe(address)}" alt="" loading="lazy">`;
  return `<span class="thumb" aria-hidden="true" style="--hue:${(id * 47) % 360}">${safe(
    String(title ?? "")
      .trim()
      .slice(0, 1),
  )}</span>`;
}

function coupons({ store, now }: Watched): string {
  const today = new Date(now).toISOString().slice(0, 10);
  const most = 200;
  // The interface shows no currency of the shop, but products have one.
  const currency = currencyOf(store.list("product", { perPage: 1 })[0]);
  const rows = store.list("discount_code", { perPage: most }).map((coupon) => ({
    id: `coupon-${coupon.id}`,
    cells: [
      coupon.code,
      coupon.type_id === 1 ? `${Number(coupon.discount)} %` : `${money(coupon.discount)} ${currency}`,
      coupon.disabled ? "off" : String(coupon.expired_at ?? today) < today ? "over" : "on",
      coupon.expired_at,
      coupon.description,
    ].map(safe),
  }));
  const all = store.count("discount_code");
  const more = all > most ? `<p class="soft">and ${count(all - most)} more</p>` : "";
  const list =
    all === 0
      ? '<p class="soft">none yet</p>'
      : table("Coupons", ["Code", "Discount", "Status", "Expires", "Note"], rows);
  return `<section id="coupons" aria-labelledby="coupons-title"><h2 id="coupons-title">Coupons <small>${count(all)}</small></h2>${list}${more}</section>`;
}

function rest(store: Store): string {
  const counts = [
    ["price_kind", "price kinds"],
    ["asset", "assets"],
    ["file", "files"],
    ["js_tag", "JS tags"],
    ["application_charge", "charges"],
  ] as const;
  const cells = counts.map(([kind, name]) => `<li><b>${count(store.count(kind))}</b> ${name}</li>`);
  return `<section id="rest" aria-labelledby="rest-title"><h2 id="rest-title">Other</h2><ul>${cells.join("")}</ul></section>`;
}

function pages(store: Store): string {
  const themes = store.list("theme");
  const shown = publishedTheme(themes) ?? themes[0];
  const own = store
    .list("asset", shown === undefined ? {} : { owner: shown.id })
    .flatMap(({ type, name }) =>
      type === "Asset::Template" ? (/^page\.(.+)\.liquid$/.exec(String(name))?.[1] ?? []) : [],
    );
  const links = [
    ["/storefront/", "front page"],
    ["/storefront/collection/all", "catalogue"],
    ...own.map((name) => [`/storefront/page/${encodeURIComponent(name)}`, name] as const),
    ...themes
      .filter((theme) => theme !== shown)
      .map(({ id, title }) => [`/storefront/?theme_preview=${id}`, `theme ${String(title)}`] as const),
  ];
  return links
    .map(([href, text]) => `<a target="storefront" href="${safe(href)}">${safe(text)}</a>`)
    .join(" ");
}

const seconds = 5;
const bars = 60;
const height = 48;

function requestChart(log: readonly Entry[], now: number): string {
  const last = Math.floor(now / 1000 / seconds);
  const sums = Array.from({ length: bars }, () => ({ reads: 0, writes: 0, refused: 0 }));
  let total = 0;
  for (let at = log.length - 1; at >= 0; at -= 1) {
    const { at: time, method, status } = log[at] as Entry;
    const sum = sums[bars - 1 - last + Math.floor(time / 1000 / seconds)];
    // Earlier entries are older still.
    if (sum === undefined) break;
    total += 1;
    sum[status === 429 || status === 503 ? "refused" : method === "GET" ? "reads" : "writes"] += 1;
  }
  const most = Math.max(1, ...sums.map(({ reads, writes, refused }) => reads + writes + refused));
  const rects = sums.flatMap((sum, at) => {
    let top = height;
    return (["reads", "writes", "refused"] as const).map((name) => {
      const tall = (sum[name] / most) * height;
      top -= tall;
      return tall === 0
        ? ""
        : `<rect class="${name}" x="${at * 5}" y="${top.toFixed(1)}" width="4" height="${tall.toFixed(1)}"/>`;
    });
  });
  const words = `${total} requests in the last five minutes, at most ${most} in ${seconds} seconds`;
  return `<figure><svg viewBox="0 0 ${bars * 5} ${height}" preserveAspectRatio="none" role="img" aria-label="${words}">${rects.join("")}</svg>
<figcaption><span class="reads">reads</span> <span class="writes">writes</span> <span class="refused">refused</span> · last five minutes</figcaption></figure>`;
}

/**
 * Runs in the browser: fetches the page again and replaces only parts that differ, so that focus, scrolling and open
 * parts stay.
 */
const live = `
const same = (old, next) => {
  if (old.nodeName !== next.nodeName || old.id !== next.id) return old.replaceWith(next);
  if (old.nodeType === 3) { if (old.data !== next.data) old.data = next.data; return; }
  for (const { name } of [...old.attributes]) if (name !== "open" && !next.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of next.attributes) if (name !== "open" && old.getAttribute(name) !== value) old.setAttribute(name, value);
  const known = new Map([...old.childNodes].filter((one) => one.id).map((one) => [one.id, one]));
  const wanted = new Set([...next.childNodes].map((one) => one.id).filter(Boolean));
  for (const [id, one] of known) if (!wanted.has(id)) one.remove();
  let place = old.firstChild;
  for (const child of [...next.childNodes]) {
    const own = child.id ? known.get(child.id) : place?.id ? undefined : place;
    if (own === undefined || own === null) { old.insertBefore(child, place); continue; }
    // What is in its place already isn't moved: moving takes the focus away.
    if (own === place) place = place.nextSibling;
    else old.insertBefore(own, place);
    same(own, child);
  }
  while (place !== null) { const gone = place; place = place.nextSibling; gone.remove(); }
};
const main = document.querySelector("main");
let before = main.dataset.changes;
// The next look waits for this one's answer: an older one that comes late would show what was.
const look = async () => {
  const answer = await fetch(location.href).catch(() => undefined);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of ["main", "nav"]) same(document.querySelector(part), fresh.querySelector(part));
  if (main.dataset.changes === before) return;
  before = main.dataset.changes;
  const frame = document.querySelector("iframe");
  frame.src = frame.src;
};
const follow = () => setTimeout(() => look().finally(follow), 1000);
follow();
// On a narrow screen the storefront is below the lists.
document.addEventListener("click", ({ target }) => {
  if (target.closest("a[target=storefront]")) document.querySelector(".theme").scrollIntoView({ block: "nearest" });
});
`;
