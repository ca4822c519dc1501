/** HTML parts for the overview page: escaped texts, links to the storefront, tables. */
import type { Stored } from "../store.ts";

/** Escapes a text for HTML. */
export const safe = (value: unknown) =>
  String(value ?? "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

const titleOf = (row: Stored) => row.title ?? row.code ?? row.name ?? row.absolute_url ?? row.id;

/** The storefront address of an object; undefined if no page shows it. */
function shownAt(kind: string, { permalink, type, name, theme_id }: Stored): string | undefined {
  const part = (text: unknown) => encodeURIComponent(String(text));
  if (kind === "product" || kind === "collection") return `/storefront/${kind}/${part(permalink)}`;
  if (kind !== "asset") return undefined;
  if (type === "Asset::Media") return `/theme/${theme_id}/${part(name)}`;
  const page = type === "Asset::Template" ? /^page\.(.+)\.liquid$/.exec(String(name))?.[1] : undefined;
  return page === undefined ? undefined : `/storefront/page/${part(page)}`;
}

export function objectLink(kind: string, object: Stored): string {
  const href = object.archived ? undefined : shownAt(kind, object);
  const title = safe(titleOf(object));
  return href === undefined ? title : `<a target="storefront" href="${safe(href)}">${title}</a>`;
}

/** The noun for objects of a kind, singular or plural. */
export function nounOf(kind: string, n: number): string {
  const named: Readonly<Record<string, string>> = { discount_code: "coupon", js_tag: "JS tag" };
  const noun = named[kind] ?? kind.replaceAll("_", " ");
  return n === 1 ? noun : noun.replace(/y$/, "ie").concat("s");
}

/** The time that has passed. */
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

/** A table that scrolls and can be focused by keyboard. @param rows cells in HTML */
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
