/** Pieces of the page at /: quoted texts, links to what shoppers see, tables. */
import type { Stored } from "../store.ts";

/** A text that becomes no part of the page around it. */
export const safe = (value: unknown) =>
  String(value ?? "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

const titleOf = (row: Stored) => row.title ?? row.code ?? row.name ?? row.absolute_url ?? row.id;

/** Where shoppers see an object; undefined of what no page shows. */
function shownAt(kind: string, { permalink, type, name, theme_id }: Stored): string | undefined {
  const part = (text: unknown) => encodeURIComponent(String(text));
  if (kind === "product" || kind === "collection") return `/storefront/${kind}/${part(permalink)}`;
  if (kind !== "asset") return undefined;
  if (type === "Asset::Media") return `/theme/${theme_id}/${part(name)}`;
  const page = type === "Asset::Template" ? /^page\.(.+)\.liquid$/.exec(String(name))?.[1] : undefined;
  return page === undefined ? undefined : `/storefront/page/${part(page)}`;
}

/** An object by its title, which leads to where shoppers see it. */
export function objectLink(kind: string, object: Stored): string {
  const href = object.archived ? undefined : shownAt(kind, object);
  const title = safe(titleOf(object));
  return href === undefined ? title : `<a target="storefront" href="${safe(href)}">${title}</a>`;
}

/** What people call objects of a kind, for their number. */
export function nounOf(kind: string, n: number): string {
  const named: Readonly<Record<string, string>> = { discount_code: "coupon", js_tag: "JS tag" };
  const noun = named[kind] ?? kind.replaceAll("_", " ");
  return n === 1 ? noun : noun.replace(/y$/, "ie").concat("s");
}

/** A time, as it was so long ago. */
export function agoHtml(now: number, at: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1000));
  const text =
    seconds < 120
      ? `${seconds} s`
      : seconds < 7200
        ? `${Math.round(seconds / 60)} min`
        : `${Math.round(seconds / 3600)} h`;
  return `<time datetime="${new Date(at).toISOString()}">${text} ago</time>`;
}

/** A table that scrolls by itself, and takes the keyboard for it. @param rows cells in HTML */
export function table(
  name: string,
  head: readonly string[],
  rows: readonly { readonly id: string; readonly cells: readonly string[] }[],
): string {
  const shown = rows.map(
    ({ id, cells }) =>
      `<tr id="${safe(id)}">${cells.map((cell, at) => `<td class="${classOf(head[at])}">${cell}</td>`).join("")}</tr>`,
  );
  const heads = head.map((one) => `<th scope="col" class="${classOf(one)}">${one}</th>`);
  return `<div class="rows" role="region" aria-label="${safe(name)}" tabindex="0"><table><thead><tr>${heads.join("")}</tr></thead><tbody>${shown.join("")}</tbody></table></div>`;
}

const classOf = (head = "") => head.toLowerCase().replaceAll(" ", "-");
