/** Permalinks by transliteration, as the platform makes them (platform-facts.md, section 11: `простой` -> `prostoy`). */
const letters: Readonly<Record<string, string>> = {
  а: "a",
  б: "b",
  в: "v",
  г: "g",
  д: "d",
  е: "e",
  ё: "yo",
  ж: "zh",
  з: "z",
  и: "i",
  й: "y",
  к: "k",
  л: "l",
  м: "m",
  н: "n",
  о: "o",
  п: "p",
  р: "r",
  с: "s",
  т: "t",
  у: "u",
  ф: "f",
  х: "h",
  ц: "ts",
  ч: "ch",
  ш: "sh",
  щ: "sch",
  ъ: "",
  ы: "y",
  ь: "",
  э: "e",
  ю: "yu",
  я: "ya",
};

/** The last part of an address made of a title. */
export function permalinkOf(title: string): string {
  const latin = [...title.toLowerCase().normalize("NFC")].map((letter) => letters[letter] ?? letter).join("");
  const plain = latin
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9_]+/g, "-");
  return plain.replace(/^-+|-+$/g, "") || "product";
}
