/**
 * Makes a shop's text safe for a terminal or a CI log: characters that move the cursor, reverse the text or start a command
 * become visible.
 */

// Control characters except tab and line feed, separators, direction marks, and halves of surrogate pairs.
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

/** A JSON line with the same meaning: control characters become escapes. */
export function printableJson(line: string): string {
  return line.replace(acting, codeOf).replace(command, "\\u0023#");
}

const codeOf = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

function visible(character: string): string {
  if (character === "\r") return "\\r";
  return codeOf(character);
}
