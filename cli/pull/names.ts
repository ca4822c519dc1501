/** Names of resources, variables and files out of what people called things. */

/** Lower case, words joined by hyphens; letters of any script. `Gzhel tea pair` is `gzhel-tea-pair`. */
export function slug(text: string): string {
  const words = seen(text)
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  const whole = [...(words ?? []).join("-")].slice(0, 60).join("").replace(/-+$/, "");
  return whole === "" ? "unnamed" : whole;
}

// Letters that nobody sees make two names look like one.
const seen = (text: string) => text.normalize("NFC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");

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

/** A name takes 255 bytes at most, on the systems that count them; a number must fit beside it. */
const mostBytes = 200;
const reservedFile = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** A file's name that every system takes, and that stays in its folder. */
export function fileName(text: string): string {
  const safe = seen(text).replace(/[^\p{L}\p{M}\p{N}._ -]/gu, "-");
  const [, stem = safe, extension = ""] = /^(.*?)((?:\.[\p{L}\p{N}_-]{1,12}){0,2})$/su.exec(safe) ?? [];
  let letters = [...stem];
  while (letters.length > 120 || Buffer.byteLength(letters.join("") + extension) > mostBytes)
    letters = letters.slice(0, -1);
  const whole = `${letters.join("")}${extension}`.replace(/^[. ]+|[. ]+$/g, "");
  return whole === "" || reservedFile.test(whole) ? `_${whole}` : whole;
}

/** A folder's name: words joined by hyphens. */
export const folderName = (text: string): string => fileName(slug(text));

/** A file's name with a number that tells it from another: `a.txt` is `a-2.txt`. */
export const numberedFile = (path: string, number: number): string =>
  path.replace(/([^./]*)([^/]*)$/, `$1-${number}$2`);

/** Gives each wish a name that nobody has yet: the wish, the wish with what tells it apart, a number at its end. */
export function openNames(taken: Iterable<string> = []) {
  const used = new Set(taken);
  return (wish: string, apart?: string, numbered = (name: string, number: number) => `${name}-${number}`) => {
    let name = used.has(wish) && apart !== undefined ? apart : wish;
    for (let number = 2, from = name; used.has(name); number += 1) name = numbered(from, number);
    used.add(name);
    return name;
  };
}
