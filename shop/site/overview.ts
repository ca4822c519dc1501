/** The page at /: what the shop has, what changed last, what of its window is used. For people who watch a program converge. */
import type { Store, Stored } from "../store.ts";
import { productsOf, publishedTheme } from "./storefront.ts";

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

/** The whole page. */
export function overviewPage(watched: Watched): string {
  const [account] = watched.store.list("account");
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${safe(account?.title)}</title>
<style>${style}</style>
</head>
<body>
<header><h1>${safe(account?.title)}</h1><p>an embedded shop</p></header>
<main>${parts(watched)}</main>
<section class="theme">
<h2>What shoppers see</h2>
<nav>${pages(watched.store)}</nav>
<iframe name="storefront" title="storefront" src="/storefront/" sandbox="allow-scripts"></iframe>
</section>
<script>${script}</script>
</body>
</html>
`;
}

function parts(watched: Watched): string {
  return [
    meter(watched),
    catalogue(watched.store),
    coupons(watched.store),
    rest(watched.store),
    changes(watched),
  ].join("\n");
}

function meter({ log, window, rejected }: Watched): string {
  const writes = log.filter(({ method }) => method !== "GET").length;
  const share = window.max === undefined ? 0 : Math.round((100 * window.used) / window.max);
  const bar =
    window.max === undefined
      ? "<p>This shop counts no requests.</p>"
      : `<p>Window: ${window.used} of ${window.max} requests used</p><div class="bar"><i style="width:${share}%"></i></div>`;
  return `<section class="meter"><h2>Requests</h2><p><b id="requests">${log.length}</b> in all, <span id="writes">${writes}</span> of them writes, ${rejected} turned away</p>${bar}</section>`;
}

const most = 200;

function table(
  id: string,
  title: string,
  head: readonly string[],
  rows: readonly (readonly unknown[])[],
): string {
  const shown = rows
    .slice(0, most)
    .map((row) => `<tr>${row.map((cell) => `<td>${safe(cell)}</td>`).join("")}</tr>`);
  const more = rows.length > most ? `<p>and ${rows.length - most} more</p>` : "";
  const body =
    rows.length === 0
      ? "<p>none yet</p>"
      : `<table><tr>${head.map((name) => `<th>${name}</th>`).join("")}</tr>${shown.join("")}</table>${more}`;
  return `<section id="${id}"><h2>${title} <small>${rows.length}</small></h2>${body}</section>`;
}

function catalogue(store: Store): string {
  const rows = productsOf(store).map((product) => {
    const variants = product.variants as readonly { readonly price?: number; readonly sku?: unknown }[];
    const prices = variants.flatMap(({ price }) => price ?? []);
    const [low, high] = [Math.min(...prices), Math.max(...prices)];
    const price = prices.length === 0 ? "" : low === high ? low : `${low} – ${high}`;
    return [
      product.title,
      variants
        .map(({ sku }) => sku ?? "")
        .filter(Boolean)
        .join(", "),
      price,
    ];
  });
  return table("catalogue", "Catalogue", ["product", "articles", "price"], rows);
}

function coupons(store: Store): string {
  const rows = store
    .list("discount_code")
    .map(({ code, discount, type_id, disabled, expired_at, description }) => [
      code,
      `${Number(discount)}${type_id === 1 ? " %" : ""}`,
      disabled ? "off" : "on",
      expired_at ?? "",
      description,
    ]);
  return table("coupons", "Coupons", ["code", "takes off", "", "until", "for the staff"], rows);
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
  return `<section id="rest"><h2>And</h2><ul>${cells.join("")}</ul></section>`;
}

const titleOf = (row: Stored) => row.title ?? row.code ?? row.name ?? row.absolute_url ?? row.id;

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
    const seconds = Math.max(0, Math.round((now - object.updated_at) / 1000));
    const ago =
      seconds < 120
        ? `${seconds} s`
        : seconds < 7200
          ? `${Math.round(seconds / 60)} min`
          : `${Math.round(seconds / 3600)} h`;
    return `<li>${safe(kind.replaceAll("_", " "))} <b>${safe(titleOf(object))}</b> <small>${ago} ago</small></li>`;
  });
  return `<section id="changes"><h2>What changed last</h2><ol>${changed.join("")}</ol><h3>Last writes</h3><ol>${writes.join("") || "<li>none yet</li>"}</ol></section>`;
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
let writes = document.querySelector("#writes").textContent;
setInterval(async () => {
  const answer = await fetch("/").catch(() => undefined);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of ["main", "nav"]) {
    const shown = document.querySelector(part);
    const next = fresh.querySelector(part);
    if (shown.innerHTML !== next.innerHTML) shown.replaceChildren(...next.childNodes);
  }
  const now = document.querySelector("#writes").textContent;
  if (now === writes) return;
  writes = now;
  const frame = document.querySelector("iframe");
  frame.src = frame.src;
}, 1000);
`;

const style = `
:root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif; }
body { margin: 0; display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 0 2rem; padding: 1.5rem 2rem; }
header { grid-column: 1 / -1; display: flex; align-items: baseline; gap: 1rem; }
h1 { margin: 0; font-size: 1.6rem; } header p, small { opacity: .6; }
h2 { font-size: 1.05rem; margin: 1.2rem 0 .4rem; } h3 { font-size: .95rem; margin: .8rem 0 .3rem; }
table { border-collapse: collapse; width: 100%; } th { text-align: left; font-weight: 600; opacity: .6; }
td, th { padding: .15rem .6rem .15rem 0; border-bottom: 1px solid #8883; vertical-align: top; }
#coupons td:not(:last-child), #coupons th { white-space: nowrap; }
#catalogue, #coupons { max-height: 22rem; overflow: auto; }
ul, ol { margin: 0; padding-left: 1.2rem; } #rest ul { display: flex; gap: 1.2rem; list-style: none; padding: 0; }
.bar { height: .5rem; background: #8883; border-radius: .25rem; } .bar i { display: block; height: 100%; background: #3a7; border-radius: .25rem; }
iframe { width: 100%; height: 70vh; border: 1px solid #8886; border-radius: .4rem; background: #fff; }
nav a { margin-right: .6rem; }
`;
