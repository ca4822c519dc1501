/** Generates readable TypeScript values and names. */

/** An expression, such as a variable or a call. */
export class Code {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const width = 100;
/** Longer texts get lines of their own, so that an edit changes few lines of a diff. */
const longText = 200;

/** A literal: on one line if it fits, or else one line per part. */
export function print(value: unknown, indent = 0): string {
  if (typeof value === "string" && hasLines(value)) return template(value);
  const line = printLine(value);
  const isPlain = typeof value !== "object" || value === null || value instanceof Code;
  if (isPlain || (line.length + indent <= width && !hasLines(value))) return line;
  const pad = " ".repeat(indent + 2);
  const parts = Array.isArray(value)
    ? value.map((part) => print(part, indent + 2))
    : Object.entries(value).map(([key, part]) => `${keyText(key)}: ${print(part, indent + 2)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${parts.map((part) => `${pad}${part},\n`).join("")}${" ".repeat(indent)}${close}`;
}

export function printLine(value: unknown): string {
  if (value instanceof Code) return value.text;
  if (Array.isArray(value)) return `[${value.map(printLine).join(", ")}]`;
  if (typeof value === "string") return quote(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const parts = Object.entries(value).map(([key, part]) => `${keyText(key)}: ${printLine(part)}`);
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}

/** A string literal with invisible characters escaped. */
export const quote = (text: string): string => shown(JSON.stringify(text));

// Controls, formats, separators, and spaces except the plain one.
const invisible = /(?![ \n])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu;

function shown(code: string): string {
  return code.replace(invisible, (letter) => {
    const number = letter.codePointAt(0) ?? 0;
    const digits = number.toString(16).toUpperCase();
    return number > 0xffff ? `\\u{${digits}}` : `\\u${digits.padStart(4, "0")}`;
  });
}

const keyText = (key: string) => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : quote(key));

function hasLines(value: unknown): boolean {
  if (value instanceof Code) return false;
  if (typeof value === "string") return value.includes("\n") || value.length > longText;
  return typeof value === "object" && value !== null && Object.values(value).some(hasLines);
}

/** A template literal with real line ends. Long lines are folded with a backslash at the line end. */
function template(text: string): string {
  const lines = text.split("\n").map((line) => folded(line).map(escaped).join("\\\n"));
  const first = (lines[0]?.length ?? 0) > 0 && lines.join("").length > width ? "\\\n" : "";
  return `\`${first}${lines.join("\n")}\``;
}

/**
 * A template literal in place of another one: the lines that stay are written as before.
 * @param raw the other one, as written between its marks
 * @param before its text
 */
export function templateLike(raw: string, before: string, text: string): string {
  const [written, lines] = [raw.split(/(?<!(?<!\\)(?:\\\\)*\\)\r?\n/), before.split("\n")];
  if (written.length !== lines.length) return template(text);
  const known = new Map(lines.map((line, at) => [line, written[at] as string]));
  const isFolded = /\\\r?\n/.test(raw);
  const next = text
    .split("\n")
    .map((line) => known.get(line) ?? (isFolded ? folded(line) : [line]).map(escaped).join("\\\n"));
  return `\`${next.join("\n")}\``;
}

// In a template literal, a carriage return would become a line feed.
const escaped = (text: string) =>
  shown(
    text.replaceAll("\\", "\\\\").replaceAll("`", "\\`").replaceAll("${", "\\${").replaceAll("\r", "\\r"),
  );

/** Folds a line before HTML blocks and at spaces, so that an edit of one block changes only its own lines. */
function folded(line: string): readonly string[] {
  if (line.length <= longText) return [line];
  return line
    .split(/(?<=.)(?=<(?:p|div|ul|ol|li|h[1-6]|table|tr|td|br|hr|section|article|blockquote)\b)/i)
    .flatMap((block) => {
      const parts: string[] = [];
      let part = "";
      for (const word of block.split(/(?<= )(?=[^ ])/)) {
        if (part !== "" && part.length + word.length > width) {
          parts.push(part);
          part = "";
        }
        part += word;
      }
      return [...parts, part];
    });
}

/** Lower case, words joined by hyphens, in any script: `Gzhel tea pair` is `gzhel-tea-pair`. */
export function slug(text: string): string {
  const words = visible(text)
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  const whole = [...(words ?? []).join("-")].slice(0, 60).join("").replace(/-+$/, "");
  return whole === "" ? "unnamed" : whole;
}

// Invisible letters would make two names look the same.
const visible = (text: string) => text.normalize("NFC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");

/** `gzhel-tea-pair` as `gzhelTeaPair`. */
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

/** Some file systems allow 255 bytes; a number is added later. */
const mostBytes = 200;
const reservedFile = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** A file name that is valid on every system and stays in its folder. */
export function fileName(text: string): string {
  const safe = visible(text).replace(/[^\p{L}\p{M}\p{N}._ -]/gu, "-");
  const [, stem = safe, extension = ""] = /^(.*?)((?:\.[\p{L}\p{N}_-]{1,12}){0,2})$/su.exec(safe) ?? [];
  let letters = [...stem];
  while (letters.length > 120 || Buffer.byteLength(letters.join("") + extension) > mostBytes)
    letters = letters.slice(0, -1);
  const whole = `${letters.join("")}${extension}`.replace(/^[. ]+|[. ]+$/g, "");
  return whole === "" || reservedFile.test(whole) ? `_${whole}` : whole;
}

/** Words joined by hyphens. */
export const folderName = (text: string): string => fileName(slug(text));

/** `a.txt` as `a-2.txt`. */
export const numberedFile = (path: string, number: number): string =>
  path.replace(/([^./]*)([^/]*)$/, `$1-${number}$2`);

/** The path, or the first numbered one, that is free. */
export function freePath(wish: string, isFree: (path: string) => boolean): string {
  for (let number = 1; ; number += 1) {
    const path = number === 1 ? wish : numberedFile(wish, number);
    if (isFree(path)) return path;
  }
}

/** Makes names unique: the wish, or the wish with a qualifier, or with a number. */
export function openNames(taken: Iterable<string> = []) {
  const used = new Set(taken);
  return (wish: string, apart?: string, numbered = (name: string, number: number) => `${name}-${number}`) => {
    let name = used.has(wish) && apart !== undefined ? apart : wish;
    for (let number = 2, from = name; used.has(name); number += 1) name = numbered(from, number);
    used.add(name);
    return name;
  };
}
