/** Values as TypeScript that a person would have written. */

/** Code that stands for itself: a variable, a call. */
export class Code {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const width = 100;

/** A value as a literal: in one line where it fits, else a line for each part; a text of several lines as it reads. */
export function print(value: unknown, indent = 0): string {
  const line = printLine(value);
  const isPlain = typeof value !== "object" || value === null || value instanceof Code;
  if (typeof value === "string" && value.includes("\n")) return template(value);
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
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const parts = Object.entries(value).map(([key, part]) => `${keyText(key)}: ${printLine(part)}`);
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}

const keyText = (key: string) => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key));

function hasLines(value: unknown): boolean {
  if (typeof value === "string") return value.includes("\n");
  return typeof value === "object" && value !== null && Object.values(value).some(hasLines);
}

// A carriage return in a template would be read as a line feed.
const template = (text: string) =>
  `\`${text.replaceAll("\\", "\\\\").replaceAll("`", "\\`").replaceAll("${", "\\${").replaceAll("\r", "\\r")}\``;
