/** The page at /: what the shop has, what changed last, what of its window is used. For people who watch a program converge. */
import type { Store, Stored } from "../store.ts";
import { productsOf } from "./catalogue.ts";
import { money } from "./filters.ts";
import { valuesMoved } from "./moves.ts";
import { overviewStyle } from "./overview-style.ts";
import { publishedTheme } from "./storefront.ts";

export interface Watched {
  readonly store: Store;
  readonly now: number;
  /** Requests of the interface, in order. */
  readonly log: readonly { readonly method: string; readonly path: string; readonly status: number | null }[];
  readonly window: { readonly used: number; readonly max: number | undefined };
  readonly rejected: number;
}

const safe = (value: unknown) =>
  String(value ?? "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

/**
 * The whole page.
 * @param host where it was asked for, without a scheme
 */
export function overviewPage(watched: Watched, host: string): string {
  const [account] = watched.store.list("account");
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${safe(account?.title)}</title>
<style>${overviewStyle}</style>
</head>
<body>
<header><h1>${safe(account?.title)}</h1><p>embedded shop at ${safe(host)}</p></header>
<main>${parts(watched, host)}</main>
<section class="theme" aria-labelledby="shoppers">
<h2 id="shoppers">What shoppers see</h2>
<nav>${pages(watched.store)}</nav>
<iframe name="storefront" title="storefront" src="/storefront/" sandbox="allow-scripts allow-forms"></iframe>
</section>
<script>${script}</script>
</body>
</html>
`;
}

function parts(watched: Watched, host: string): string {
  const { store } = watched;
  const isEmpty = productsOf(store).length === 0 && store.list("discount_code").length === 0;
  return [
    ...(isEmpty ? [welcome(host)] : []),
    meter(watched),
    moved(watched),
    catalogue(store),
    coupons(store),
    rest(store),
    changes(watched),
  ].join("\n");
}

/** How a program comes to an empty shop. Its access token is printed by who started it, and stands on no page. */
const welcome = (host: string) => `<section id="connect"><h2>This shop is empty</h2>
<p>Connect a program: start the shop for one of its stacks, then converge it.</p>
<pre tabindex="0">npx pulumi-shop serve --stack dev
npx pulumi-shop up --stack dev</pre>
<p>Or keep this one, with the credentials that it printed when it started:</p>
<pre tabindex="0">export SHOP_URL=http://${safe(host)}
export SHOP_APPLICATION_ID=... SHOP_PASSWORD=...
npx pulumi-shop up --stack dev</pre></section>`;

function meter({ log, window, rejected }: Watched): string {
  const writes = log.filter(({ method }) => method !== "GET").length;
  const share = window.max === undefined ? 0 : Math.round((100 * window.used) / window.max);
  const bar =
    window.max === undefined
      ? "<p>No request limit.</p>"
      : `<p>Window: ${window.used} of ${window.max} requests used</p><div class="bar"><i style="width:${share}%"></i></div>`;
  return `<section class="meter"><h2>Requests</h2><p><b id="requests">${log.length}</b> in all, <span id="writes">${writes}</span> of them writes, ${rejected} rejected</p>${bar}</section>`;
}

const most = 200;

/** A value, or one that leads to where shoppers see it. */
type Cell = string | number | { readonly text: unknown; readonly href: string | undefined };

const cellHtml = (cell: Cell) =>
  `<td>${typeof cell === "object" ? link(cell.text, cell.href) : safe(cell)}</td>`;

const link = (text: unknown, href: string | undefined) =>
  href === undefined ? safe(text) : `<a target="storefront" href="${safe(href)}">${safe(text)}</a>`;

/** Where shoppers see an object; undefined of what no page shows. */
function shownAt(kind: string, { permalink, type, name, theme_id }: Stored): string | undefined {
  const part = (text: unknown) => encodeURIComponent(String(text));
  if (kind === "product" || kind === "collection") return `/storefront/${kind}/${part(permalink)}`;
  if (kind !== "asset") return undefined;
  if (type === "Asset::Media") return `/theme/${theme_id}/${part(name)}`;
  const page = type === "Asset::Template" ? /^page\.(.+)\.liquid$/.exec(String(name))?.[1] : undefined;
  return page === undefined ? undefined : `/storefront/page/${part(page)}`;
}

function table(
  id: string,
  title: string,
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
): string {
  const shown = rows.slice(0, most).map((row) => `<tr>${row.map(cellHtml).join("")}</tr>`);
  const more = rows.length > most ? `<p>and ${rows.length - most} more</p>` : "";
  const body =
    rows.length === 0
      ? "<p>none yet</p>"
      : `<div class="rows" role="region" aria-label="${title}" tabindex="0"><table><tr>${head.map((name) => `<th>${name}</th>`).join("")}</tr>${shown.join("")}</table></div>${more}`;
  return `<section id="${id}"><h2>${title} <small>${rows.length}</small></h2>${body}</section>`;
}

function catalogue(store: Store): string {
  const rows = productsOf(store).map((product) => {
    const variants = product.variants as readonly { readonly price?: number; readonly sku?: unknown }[];
    const prices = variants.flatMap(({ price }) => price ?? []);
    const [low, high] = [Math.min(...prices), Math.max(...prices)];
    const price = low === high ? money(low) : `${money(low)} – ${money(high)}`;
    return [
      { text: product.title, href: shownAt("product", product as unknown as Stored) },
      variants
        .map(({ sku }) => sku ?? "")
        .filter(Boolean)
        .join(", "),
      prices.length === 0 ? "" : `${price} ${String(product.currency_code ?? "")}`,
    ];
  });
  return table("catalogue", "Catalogue", ["Product", "SKU", "Price"], rows);
}

function coupons(store: Store): string {
  // The interface shows no currency of the shop: its products have one.
  const currency = productsOf(store)[0]?.currency_code;
  const rows = store
    .list("discount_code")
    .map(({ code, discount, type_id, disabled, expired_at, description }) => [
      String(code ?? ""),
      type_id === 1 ? `${Number(discount)} %` : `${money(Number(discount))} ${String(currency ?? "")}`,
      disabled ? "off" : "on",
      String(expired_at ?? ""),
      String(description ?? ""),
    ]);
  return table("coupons", "Coupons", ["Code", "Discount", "Status", "Expires", "Note"], rows);
}

function rest(store: Store): string {
  const counts = [
    ["price_kind", "price kinds"],
    ["asset", "assets"],
    ["file", "files"],
    ["js_tag", "JS tags"],
    ["application_charge", "charges"],
  ] as const;
  const cells = counts.map(([kind, name]) => `<li><b>${store.list(kind).length}</b> ${name}</li>`);
  return `<section id="rest"><h2>Other</h2><ul>${cells.join("")}</ul></section>`;
}

const titleOf = (row: Stored) => row.title ?? row.code ?? row.name ?? row.absolute_url ?? row.id;

function agoText(now: number, at: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1000));
  if (seconds < 120) return `${seconds} s ago`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min ago` : `${Math.round(seconds / 3600)} h ago`;
}

/** What a person came to see: each value that was another one before. */
function moved({ store, now }: Watched): string {
  const rows = store.moves().flatMap((move) =>
    valuesMoved(move).map(({ name, before, after }): readonly Cell[] => {
      const object = { ...move.after, id: move.id } as unknown as Stored;
      const shown = { text: titleOf(object), href: shownAt(move.kind, object) };
      return [shown, name, before, after, agoText(now, move.at)];
    }),
  );
  return rows.length === 0
    ? ""
    : table("moves", "Before and after", ["Object", "Value", "Before", "After", "When"], rows);
}

function changes({ store, log, now }: Watched): string {
  const writes = log
    .filter(({ method }) => method !== "GET")
    .slice(-8)
    .toReversed()
    .map(
      ({ method, path, status }) =>
        `<li><code>${safe(method)} ${safe(path)}</code> ${status ?? "no answer"}</li>`,
    );
  const changed = store.recent(8).map(({ kind, object }) => {
    return `<li>${safe(kind.replaceAll("_", " "))} <b>${link(titleOf(object), shownAt(kind, object))}</b> <small>${agoText(now, object.updated_at)}</small></li>`;
  });
  return `<section id="changes"><h2>Recent changes</h2><ol>${changed.join("")}</ol><h3>Recent writes</h3><ol>${writes.join("") || "<li>none yet</li>"}</ol></section>`;
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

// The page is asked for again; what shoppers see is loaded again when something was written.
const script = `
// What a client wrote, and what staff changed; not how long ago that was.
const written = () => [...document.querySelectorAll("#writes, #moves td:not(:last-child)")].map((one) => one.textContent).join();
let before = written();
setInterval(async () => {
  const answer = await fetch("/").catch(() => undefined);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of ["main", "nav"]) {
    const shown = document.querySelector(part);
    const next = fresh.querySelector(part);
    if (shown.innerHTML !== next.innerHTML) shown.replaceChildren(...next.childNodes);
  }
  const now = written();
  if (now === before) return;
  before = now;
  const frame = document.querySelector("iframe");
  frame.src = frame.src;
}, 1000);
// On a narrow screen the storefront is below the lists.
document.addEventListener("click", ({ target }) => {
  if (target.closest("a[target=storefront]")) document.querySelector(".theme").scrollIntoView({ block: "nearest" });
});
`;
