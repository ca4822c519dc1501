/** Text that others wrote, as Markdown that says just that: nothing of it is markup, a mention, a link or a reference. */

/** A space of no width: GitHub looks for mentions, references and addresses in the finished text. */
const gap = "&#8203;";

/** A text inside a line. */
export function escaped(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[&<>`*_~|[\]\\$]/g, (sign) => `&#${sign.codePointAt(0)};`)
    .replace(/@(?=\w)/g, `@${gap}`)
    .replace(/(?<!&)#(?=\d)/g, `#${gap}`)
    .replace(/:(?=\/\/|\w+:)/g, `:${gap}`)
    .replace(/\bwww\./gi, (www) => `${www.slice(0, -1)}${gap}.`);
}

/** A text in a code span that its own backticks don't end. */
export function code(text: string): string {
  const fence = "`".repeat(longestRun([text], 0) + 1);
  const pad = fence.length > 1 ? " " : "";
  return `${fence}${pad}${text.replaceAll("\n", " ")}${pad}${fence}`;
}

/** Lines in a block that they don't end; of a difference where nothing else is said, which GitHub colours. */
export function fenced(lines: readonly string[], language: "diff" | "text" = "diff"): string {
  const fence = "`".repeat(longestRun(lines, 2) + 1);
  return `${fence}${language}\n${lines.join("\n")}\n${fence}\n`;
}

const longestRun = (lines: readonly string[], least: number) =>
  lines.reduce(
    (most, line) => [...line.matchAll(/`+/g)].reduce((longest, [run]) => Math.max(longest, run.length), most),
    least,
  );

/** A block inside an item of a list. */
export const indented = (block: string, by: string): string =>
  block
    .split("\n")
    .map((line) => (line === "" ? line : by + line))
    .join("\n");
