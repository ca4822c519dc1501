/** Sections of a comment within a number of characters: what doesn't fit is left out entry by entry, and counted. */

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
