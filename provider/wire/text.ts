/** Texts that several rooms share. */

/** The placeholder for a value that a preview doesn't know yet. */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
export const isUnknownValue = (value: unknown): boolean => value === unknownValue;

/** The replacement for a secret. */
export const hidden = "[secret]";

/** Browsers send CR LF; that isn't a change. */
export function withLineFeeds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** The last part of an address, decoded: the same name may have a query, percent-encoding or Cyrillic letters. */
export function lastPart(address: string): string {
  const name = URL.parse(address, "https://shop.invalid")?.pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(name);
  } catch {
    // It isn't percent-encoded: take it as it is.
    return name;
  }
}

/** The first three names, and how many more there are. */
export const firstNames = (names: readonly string[]): readonly string[] =>
  names.length > 3 ? [...names.slice(0, 3), `${(names.length - 3).toLocaleString("en-US")} more`] : names;

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The error code of a system call or a library (`ENOENT`). */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;

// Characters that move the cursor or reverse the text in a terminal or a CI log: control characters except tab and line
// feed, separators, direction marks, and halves of surrogate pairs.
const acting = new RegExp(
  "[\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F\\u061C\\u200B\\u200E\\u200F\\u2028-\\u202E\\u2060-\\u2069\\uFEFF]" +
    "|[\\uD800-\\uDBFF](?![\\uDC00-\\uDFFF])|(?<![\\uD800-\\uDBFF])[\\uDC00-\\uDFFF]",
  "g",
);
// GitHub runs a workflow command in a line that starts with `::`; GitHub and Azure also in `##[` and `##vso[`.
const lineCommand = /^([^\S\n]*):(?=:)/gm;
const command = /##(?=(?:vso)?\[)/gi;

/** Makes control characters and commands visible; line feeds and tabs stay. Printable text is returned unchanged. */
export function printable(text: string): string {
  return text.replace(acting, visible).replace(lineCommand, "$1\\:").replace(command, "#\\#");
}

/** As `printable`, in one line and shortened. */
export function printableLine(text: string, most = 500): string {
  const cut = text.length > most ? `${text.slice(0, most)}...` : text;
  return printable(cut.replaceAll("\n", "\\n").replaceAll("\t", " "));
}

/** A text up to this length, and how much more there is. */
export const cutAfter = (text: string, most: number): string =>
  text.length <= most
    ? text
    : `${text.slice(0, most).toWellFormed()}... and ${text.length - most} characters more`;

/** A JSON line with the same meaning: control characters become escapes. */
export function printableJson(line: string): string {
  return line.replace(acting, escapeOf).replace(command, "\\u0023#");
}

const escapeOf = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

function visible(character: string): string {
  if (character === "\r") return "\\r";
  return escapeOf(character);
}
