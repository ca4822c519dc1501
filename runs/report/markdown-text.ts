/** Markdown texts: escaping, code, and sections within a number of characters. */

/** A space of no width, which keeps GitHub from finding mentions, references and addresses. */
const gap = "&#8203;";

/** Words of a script that runs from right to left. Around a number or an arrow they would turn its direction, too. */
const leftward = String.raw`\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}`;
const turning = new RegExp(`[${leftward}][${leftward}\\p{M}\\s]*(?<!\\s)`, "gu");

/**
 * Escapes a text inside a line: no markup, mention, link or reference remains, and what is around it keeps its
 * direction.
 */
export function escaped(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[&<>`*_~|[\]\\$]/g, (sign) => `&#${sign.codePointAt(0)};`)
    .replace(/@(?=\w)/g, `@${gap}`)
    .replace(/(?<!&)#(?=\d)/g, `#${gap}`)
    .replace(/\bGH-(?=\d)/gi, `$&${gap}`)
    .replace(turning, "&#8296;$&&#8297;")
    .replace(/:(?=\/\/|\w+:)/g, `:${gap}`)
    .replace(/\bwww\./gi, (www) => `${www.slice(0, -1)}${gap}.`);
}

/** A code span, with a fence longer than the backticks in the text. */
export function code(text: string): string {
  const fence = "`".repeat(longestRun([text], 0) + 1);
  const pad = fence.length > 1 ? " " : "";
  return `${fence}${pad}${text.replaceAll("\n", " ")}${pad}${fence}`;
}

/** A code block, with a fence longer than the backticks in its lines. */
export function fenced(lines: readonly string[], language: "diff" | "text" = "diff"): string {
  const fence = "`".repeat(longestRun(lines, 2) + 1);
  return `${fence}${language}\n${lines.join("\n")}\n${fence}\n`;
}

const longestRun = (lines: readonly string[], least: number) =>
  lines.reduce(
    (most, line) => [...line.matchAll(/`+/g)].reduce((longest, [run]) => Math.max(longest, run.length), most),
    least,
  );

/** Indents a block inside a list item. */
export const indented = (block: string, by: string): string =>
  block
    .split("\n")
    .map((line) => (line === "" ? line : by + line))
    .join("\n");

/** One entry in full, and a short form for entries that don't fit. */
export interface Entry {
  readonly whole: string;
  readonly short: string;
}

export interface Section {
  readonly heading: string;
  /** Text above the entries, such as the head of a table. */
  readonly lead?: string;
  readonly entries: readonly Entry[];
  /** The number of entries, if some were left out already. */
  readonly total?: number;
  readonly isFolded: boolean;
}

/** The maximum number of entries. */
export const mostEntries = 200;

/** All sections, within a number of characters. Entries that don't fit are counted. */
export function sectionsText(sections: readonly Section[], most: number): string {
  const needs = sections.map((section) => sectionText(section, Number.POSITIVE_INFINITY).length);
  const shares = shared(needs, most);
  return sections.map((section, index) => sectionText(section, shares[index] ?? 0)).join("");
}

/** Distributes an amount: small needs in full, the rest in equal parts. */
function shared(needs: readonly number[], amount: number): readonly number[] {
  const shares = needs.map(() => 0);
  let left = amount;
  const bySize = needs
    .map((need, index) => ({ need, index }))
    .toSorted((one, other) => one.need - other.need);
  for (const [done, { need, index }] of bySize.entries()) {
    const share = Math.min(need, Math.floor(left / (bySize.length - done)));
    shares[index] = share;
    left -= share;
  }
  return shares;
}

function sectionText(
  { heading, lead = "", entries, isFolded, total = entries.length }: Section,
  most: number,
): string {
  const [open, close] = isFolded
    ? [`<details><summary>${heading}</summary>\n\n${lead}`, "\n</details>\n\n"]
    : [`#### ${heading}\n\n${lead}`, "\n"];
  const frame = open.length + close.length;
  const whole = entries.slice(0, mostEntries).map((entry) => entry.whole);
  const cut = total > whole.length ? moreText(total - whole.length) : "";
  const all = whole.join("") + cut;
  if (frame + all.length <= most) return open + all + close;
  let text = "";
  let shown = 0;
  for (const entry of entries.slice(0, mostEntries)) {
    const left = most - frame - text.length - moreText(total).length;
    const next = [entry.whole, entry.short].find(({ length }) => length <= left);
    if (next === undefined) break;
    text += next;
    shown += 1;
  }
  const rest = total - shown;
  return open + text + (rest > 0 ? moreText(rest) : "") + close;
}

const moreText = (count: number) =>
  `- … and ${count.toLocaleString("en-US")} more, which don't fit here: \`pulumi-shop preview --diff\` shows them\n`;
