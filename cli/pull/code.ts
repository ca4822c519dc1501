/** Values as TypeScript that a person would have written. */

/** Code that stands for itself: a variable, a call. */
export class Code {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const width = 100;
/** A text from so many letters on has lines of its own, so that an edit of it is a line of a diff. */
const longText = 200;

/** A value as a literal: in one line where it fits, else a line for each part; a text of several lines as it reads. */
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

/** A value as a literal in one line, however long. */
export function printLine(value: unknown): string {
  if (value instanceof Code) return value.text;
  if (Array.isArray(value)) return `[${value.map(printLine).join(", ")}]`;
  if (typeof value === "string") return quote(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const parts = Object.entries(value).map(([key, part]) => `${keyText(key)}: ${printLine(part)}`);
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}

/** A text as a literal in which every letter is seen: what has no shape, or turns its neighbours, is escaped. */
export const quote = (text: string): string => shown(JSON.stringify(text));

// Spaces but the plain one, controls, formats (zero width, direction), separators, marks that only choose a glyph.
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

/**
 * A text as a template of several lines. What has no line ends of its own is folded: a backslash at the end of a line
 * takes the line end back.
 */
function template(text: string): string {
  const lines = text.split("\n").map((line) => folded(line).map(escaped).join("\\\n"));
  const first = (lines[0]?.length ?? 0) > 0 && lines.join("").length > width ? "\\\n" : "";
  return `\`${first}${lines.join("\n")}\``;
}

// A carriage return in a template would be read as a line feed.
const escaped = (text: string) =>
  shown(
    text.replaceAll("\\", "\\\\").replaceAll("`", "\\`").replaceAll("${", "\\${").replaceAll("\r", "\\r"),
  );

/** A line in parts: at the beginning of a block of HTML, and at spaces; an edit in one block leaves the others' parts. */
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
