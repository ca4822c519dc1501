/** Prices that move as one table of a comment: those that shoppers pay first, ten of the largest, the rest to be opened. */
import type { Step } from "../../engine/index.ts";
import { escaped } from "./escape.ts";
import { type Entry, mostEntries, type Section } from "./sections.ts";
import type { Row } from "./values.ts";

export interface PriceRow {
  readonly step: Step;
  /** The object as the comment calls it. */
  readonly name: string;
  readonly row: Row;
}

export const isPrice = ({ percent }: Row): boolean => percent !== undefined;

/** Fewer are read as well in a list. */
export const leastPrices = 4;
const mostShown = 10;

const headOf = (prices: readonly PriceRow[]) =>
  `| | ${prices.every(({ step }) => step.found) ? "last run | in the shop now" : "now | new"} | |\n|:--|--:|--:|--:|\n`;

/** The table of the largest, the rest in a section that is folded, then what else is to be said of a kind. */
export function priceSections(
  heading: string,
  prices: readonly PriceRow[],
  others: Section,
): readonly Section[] {
  const far = ({ row }: PriceRow) => Math.abs(row.percent ?? 0);
  const isPaid = ({ row }: PriceRow) => Number(row.isPaid ?? false);
  const sorted = prices.toSorted((one, other) => isPaid(other) - isPaid(one) || far(other) - far(one));
  const head = headOf(prices);
  const [shown, rest] = [sorted.slice(0, mostShown), sorted.slice(mostShown)];
  return [
    { heading, lead: head, entries: shown.map(entryOf), isFolded: false },
    {
      heading: `${rest.length.toLocaleString("en-US")} more prices`,
      lead: head,
      entries: rest.slice(0, mostEntries).map(entryOf),
      total: rest.length,
      isFolded: true,
    },
    others,
  ];
}

function entryOf({ name, row: { label, old, new: next, note } }: PriceRow): Entry {
  const item = label.replace(/ ?price$/, "");
  const line = `| ${name}${item === "" ? "" : ` ${escaped(item)}`} | ${escaped(old ?? "")} | **${escaped(next ?? "")}** | ${escaped(note ?? "").replaceAll(" ", "\u00a0")} |\n`;
  return { whole: line, short: line };
}
