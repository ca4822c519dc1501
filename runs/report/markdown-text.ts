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

/** One entry, whole and in short: a huge one is named all the same. */
export interface Entry {
  readonly whole: string;
  readonly short: string;
}

export interface Section {
  readonly heading: string;
  /** What stands above the entries, the head of a table for instance. */
  readonly lead?: string;
  readonly entries: readonly Entry[];
  /** How many there are, where the last of them were left out already. */
  readonly total?: number;
  /** Whether it is folded: a reader opens what is long and says little. */
  readonly isFolded: boolean;
}

/** More entries than this nobody reads. */
export const mostEntries = 200;

/** Sections one after the other, in no more than so many characters in all. */
export function sectionsText(sections: readonly Section[], most: number): string {
  const needs = sections.map((section) => sectionText(section, Number.POSITIVE_INFINITY).length);
  const shares = shared(needs, most);
  return sections.map((section, index) => sectionText(section, shares[index] ?? 0)).join("");
}

/** What each gets of an amount: the small ones all that they need, the large ones what is left, in equal parts. */
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
