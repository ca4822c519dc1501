/** What a browser sees of the shop, beside the interface: not counted, not logged, without credentials. */
import { blobPath } from "../routes/assets.ts";
import type { Store } from "../store.ts";
import { overviewPage, type Watched } from "./overview.ts";
import { publishedTheme, renderPage, safeDecode } from "./storefront.ts";

export interface SiteAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string | Uint8Array;
}

/**
 * Answers a browser; undefined where there is no such page.
 * @param host the address that the browser asked, without its scheme
 * @param overview whether / is the page of what the shop has, which a back office shows: for this machine only
 */
export async function visit(
  watched: Watched,
  url: URL,
  host: string,
  overview: boolean,
): Promise<SiteAnswer | undefined> {
  const { store } = watched;
  if (url.pathname === "/" && !url.searchParams.has("theme_preview"))
    return overview ? html(overviewPage(watched, host)) : storefront(store, url, host, "/");
  const media = /^\/theme\/(\d+)\/([^/]+)$/.exec(url.pathname);
  if (media !== null) return themeFile(store, Number(media[1]), safeDecode(media[2] ?? ""));
  if (url.pathname === "/storefront" || url.pathname.startsWith("/storefront/"))
    return storefront(store, url, host, url.pathname.slice("/storefront".length) || "/");
  // Addresses that templates write (product.url) are those of the shop itself.
  if (url.pathname === "/" || /^\/(product|collection|page|cart|search)(\/|$)/.test(url.pathname))
    return storefront(store, url, host, url.pathname);
  return undefined;
}

const html = (body: string, status = 200): SiteAnswer => ({
  status,
  contentType: "text/html; charset=utf-8",
  body,
});

/** A page in the published theme, or in the one that `theme_preview` names (platform-facts.md, section 8). */
async function storefront(
  store: Store,
  url: URL,
  host: string,
  path: string,
): Promise<SiteAnswer | undefined> {
  const themes = store.list("theme");
  const asked = url.searchParams.get("theme_preview");
  const theme = asked === null ? publishedTheme(themes) : themes.find(({ id }) => String(id) === asked);
  if (theme === undefined) return undefined;
  const { status, html: body } = await renderPage(store, { path, query: url.searchParams, theme, host });
  return html(body, status);
}

/** A style sheet, a script or a picture of a theme. */
function themeFile(store: Store, theme: number, name: string): SiteAnswer | undefined {
  const found = store
    .list("asset", { owner: theme })
    .find((asset) => asset.type === "Asset::Media" && asset.name === name);
  if (found === undefined) return undefined;
  const body = found.content === null ? store.blob(blobPath(found))?.bytes : String(found.content);
  return body === undefined ? undefined : { status: 200, contentType: String(found.content_type), body };
}
