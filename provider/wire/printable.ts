/**
 * Text of a shop that a terminal or a CI log is shown. What would act there - move the cursor, write the clipboard,
 * reverse the direction, command a runner - is made visible instead.
 */

// C0 but tab and line feed, DEL and C1, line and paragraph separators, marks and overrides of direction, halves of
// surrogate pairs.
const acting = new RegExp(
  "[\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F\\u061C\\u200B\\u200E\\u200F\\u2028-\\u202E\\u2060-\\u2069\\uFEFF]" +
    "|[\\uD800-\\uDBFF](?![\\uDC00-\\uDFFF])|(?<![\\uD800-\\uDBFF])[\\uDC00-\\uDFFF]",
  "g",
);
// GitHub takes a line that begins with `::`, also after blanks, for a command of the workflow, and `##[` anywhere in a
// line, which Azure has as `##vso[`.
const lineCommand = /^([^\S\n]*):(?=:)/gm;
const command = /##(?=(?:vso)?\[)/gi;

/**
 * The text with everything visible that acts on a terminal or on the log of a CI run; line feeds and tabs stay. What
 * is printable already comes back as it is, and the result of one call isn't changed by another.
 */
export function printable(text: string): string {
  return text.replace(acting, visible).replace(lineCommand, "$1\\:").replace(command, "#\\#");
}

/** As `printable`, in one line and no longer than so many characters. */
export function printableLine(text: string, most = 500): string {
  const cut = text.length > most ? `${text.slice(0, most)}...` : text;
  return printable(cut.replaceAll("\n", "\\n").replaceAll("\t", " "));
}

/** A line of JSON that means the same and has nothing that acts: as escapes of the texts in it. */
export function printableJson(line: string): string {
  return line.replace(acting, codeOf).replace(command, "\\u0023#");
}

const codeOf = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

function visible(character: string): string {
  if (character === "\r") return "\\r";
  return codeOf(character);
}
