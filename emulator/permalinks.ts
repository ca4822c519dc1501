/** Permalinks by transliteration, like the platform's (platform-facts.md, section 11: `простой` -> `prostoy`). */
import type { Row } from "./documents.ts";
import type { Store } from "./store.ts";

const latin = "a b v g d e zh z i y k l m n o p r s t u f h ts ch sh sch  y  e yu ya".split(" ");
const letters: Readonly<Record<string, string>> = {
  ё: "yo",
  ...Object.fromEntries(
    [..."абвгдежзийклмнопрстуфхцчшщъыьэюя"].map((letter, at) => [letter, latin[at] ?? ""]),
  ),
};

export function permalinkOf(title: string): string {
  const written = [...title.toLowerCase().normalize("NFC")]
    .map((letter) => letters[letter] ?? letter)
    .join("");
  const plain = written
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9_]+/g, "-");
  return plain.replace(/^-+|-+$/g, "") || "product";
}

/** Adds the permalink of its title to a row that has none. */
export const withPermalink = (row: Row): Row => ({ permalink: permalinkOf(String(row.title)), ...row });

/**
 * Not attested: what a taken permalink does. Chosen: a number is added, because the storefront's addresses must differ.
 */
export function freePermalink(store: Store, kind: string, wanted: string, own?: number): string {
  for (let turn = 0; ; turn += 1) {
    const permalink = turn === 0 ? wanted : `${wanted}-${turn + 1}`;
    const holder = store.byKey(kind, permalink);
    if (holder === undefined || holder.id === own) return permalink;
  }
}
