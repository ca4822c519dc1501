/** Names of resources, variables and files out of what people called things. */

/** Lower case, words joined by hyphens; letters of any script. `Gzhel tea pair` is `gzhel-tea-pair`. */
export function slug(text: string): string {
  const words = text
    .normalize("NFC")
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  const whole = [...(words ?? []).join("-")].slice(0, 60).join("").replace(/-+$/, "");
  return whole === "" ? "unnamed" : whole;
}

/** A name for a variable: `gzhel-tea-pair` is `gzhelTeaPair`. */
export function variable(text: string): string {
  const name = slug(text).replace(/-(.)/gu, (_all, letter: string) => letter.toUpperCase());
  const legal = /^[\p{ID_Start}][\p{ID_Continue}]*$/u.test(name) && !reserved.has(name);
  return legal ? name : `_${name.replace(/[^\p{ID_Continue}]/gu, "")}`;
}

const reserved = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends " +
    "false finally for function if implements import in instanceof interface let new null package private protected " +
    "public return static super switch this throw true try typeof var void while with yield"
  ).split(" "),
);

/** A file's name that every system takes, and that stays in its folder. */
export function fileName(text: string): string {
  const safe = text
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}._ -]/gu, "-")
    .replace(/^[. ]+|[. ]+$/g, "")
    .slice(0, 120);
  return safe === "" || /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(safe) ? `_${safe}` : safe;
}

/** Gives each wish a name that nobody has yet: the wish, the wish with what tells it apart, a number at its end. */
export function openNames(
  taken: Iterable<string> = [],
  isSame = (name: string) => name,
  isFree: (name: string) => boolean = () => true,
) {
  const used = new Set([...taken].map(isSame));
  return (wish: string, apart?: string, numbered = (name: string, number: number) => `${name}-${number}`) => {
    const free = (name: string) => !used.has(isSame(name)) && isFree(name);
    let name = wish;
    if (!free(name) && apart !== undefined) name = apart;
    for (let number = 2, from = name; !free(name); number += 1) name = numbered(from, number);
    used.add(isSame(name));
    return name;
  };
}
