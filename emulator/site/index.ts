/** Pages for browsers, without credentials; they are neither counted nor logged. */

import { mediaType } from "../media-types.ts";
import type { ShopOptions } from "../shop-state.ts";
import type { Say } from "./globals.ts";
import { overviewPage, type Watched } from "./overview.ts";
import { safeDecode } from "./pages.ts";
import {
  publishedTheme,
  type Rendered,
  renderMedia,
  renderPage,
  type TemplateMistake,
} from "./storefront.ts";
import { openFiles } from "./theme-files.ts";

export interface SiteAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string | Uint8Array;
  /** For a page whose templates fail: the error and its position. */
  readonly mistake?: TemplateMistake | undefined;
}

/** The shop, as pages need it. */
export interface SiteInput extends Watched {
  readonly readAsset: ShopOptions["readAsset"];
  readonly say: Say;
}

/**
 * Answers a browser; undefined if there is no such page.
 * @param host the host that the browser asked for, without scheme
 * @param overview whether / is the overview of the shop, which only this machine may see
 */
export async function visit(
  watched: SiteInput,
  url: URL,
  host: string,
  overview: boolean,
): Promise<SiteAnswer | undefined> {
  if (url.pathname === "/" && !url.searchParams.has("theme_preview"))
    return overview
      ? shown({ status: 200, text: overviewPage(watched, url.searchParams, host) })
      : storefront(watched, url, host, "/");
  const media = /^\/theme\/(\d+)\/([^/]+)$/.exec(url.pathname);
  if (media !== null) return themeFile(watched, url, Number(media[1]), safeDecode(media[2] ?? ""));
  if (url.pathname === "/storefront" || url.pathname.startsWith("/storefront/"))
    return storefront(watched, url, host, url.pathname.slice("/storefront".length) || "/");
  // Templates write the shop's own addresses (product.url).
  if (
    url.pathname === "/" ||
    /^\/(product|collection|page|blogs|cart|search|compare|favorites)(\/|$)/.test(url.pathname)
  )
    return storefront(watched, url, host, url.pathname);
  return undefined;
}

const html = "text/html; charset=utf-8";

const shown = ({ status, text, mistake }: Rendered, contentType = html): SiteAnswer => ({
  status,
  contentType: mistake === undefined ? contentType : html,
  body: text,
  mistake,
});

/** A page in the published theme, or in the one that `theme_preview` names (platform-facts.md, section 8). */
async function storefront(
  { store, readAsset, say }: SiteInput,
  url: URL,
  host: string,
  path: string,
): Promise<SiteAnswer | undefined> {
  const themes = store.list("theme");
  const asked = url.searchParams.get("theme_preview");
  const theme = asked === null ? publishedTheme(themes) : themes.find(({ id }) => String(id) === asked);
  if (theme === undefined) return undefined;
  const files = openFiles(store, theme.id, readAsset);
  const visited = { path, query: url.searchParams, theme, files, host, say };
  return shown(await renderPage(store, visited));
}

/** A style sheet, script or picture of a theme. */
async function themeFile(
  { store, readAsset, say }: SiteInput,
  url: URL,
  number: number,
  name: string,
): Promise<SiteAnswer | undefined> {
  const files = openFiles(store, number, readAsset);
  const theme = store.get("theme", number);
  const file = files.media(name);
  if (file === undefined || theme === undefined) return undefined;
  const own = String(file.name);
  const body = await files.body("Asset::Media", own);
  if (body === undefined) return undefined;
  if (/\.(scss|less)(\.liquid)?$/.test(own))
    say(`${own} is not compiled: it is shown as a plain style sheet`);
  const contentType = mediaType(name);
  if (!own.endsWith(".liquid")) return { status: 200, contentType, body };
  const visit = { path: url.pathname, query: url.searchParams, theme, files, host: url.host, say };
  const rendered = await renderMedia(store, visit, own, String(body));
  const { mistake } = rendered;
  // A browser shows nothing of it.
  if (mistake !== undefined) say(`${mistake.source}:${mistake.line}:${mistake.column} ${mistake.message}`);
  return shown(rendered, contentType);
}
