/**
 * Rows of a sheet as text, a line each: what programs, engines and states hand on. As lists of objects they would take an
 * engine several times as long (docs/decisions/0026-a-sheet-of-prices.md).
 */
import { meantNumber } from "./number.ts";
import { cellText, linesOf } from "./table.ts";

/** A word that takes a value away, where nobody says another; an empty cell leaves it alone. */
export const usualNone = "-";

const separator = "|";

/** `A-1|10.99|12.5`. */
export const lineText = (cells: readonly string[]): string =>
  cells.map((cell) => cellText(cell, separator)).join(separator);

/** The cells of each line, line by line: all of a large sheet's at once would take several times the memory of its text. */
export function* cellsIn(text: string): Generator<readonly string[], undefined> {
  for (const cells of linesOf(text, separator)) yield cells.map((cell) => cell.text);
}

/** What stands between the cells of a row where nothing is written of them: no cell has it. */
export const between = "\0";

/** What is made of a cell or of a row's cells, once for all that are the same: a large sheet has few prices. */
export function madeOnce<From, To>(make: (from: From) => To): (from: From) => To {
  const made = new Map<From, To>();
  return (from) => {
    const own = made.get(from) ?? make(from);
    made.set(from, own);
    return own;
  };
}

/** What a program writes of one row. */
export interface Row {
  readonly [column: string]: unknown;
  readonly prices?: Readonly<Record<string, unknown>> | undefined;
}

/** The heading of a price of another kind. */
export const kindColumn = (title: string): string => `prices[${title}]`;

/** The title of the kind that a heading is of; undefined of any other. */
export const kindOfColumn = (column: string): string | undefined => /^prices\[(.+)\]$/s.exec(column)?.[1];

/** A number as text that no sheet takes for another: three decimals might be thousands. */
const numberText = (value: number): string => String(meantNumber(value)).replace(/(?<=\.\d{3})$/, "0");

/** Rows of a program as text. @param none the word that takes a value away */
export function textOfRows(rows: readonly Row[], none: string = usualNone): string {
  const flat = rows.map(({ prices = {}, ...row }) => ({
    ...row,
    ...Object.fromEntries(Object.entries(prices).map(([title, amount]) => [kindColumn(title), amount])),
  }));
  const columns = [...new Set(flat.flatMap((row) => Object.keys(row)))];
  const cell = (value: unknown) => {
    if (value === undefined || value === null) return "";
    if (value === "") return none;
    return typeof value === "number" ? numberText(value) : String(value);
  };
  const lines = flat.map((row: Row) => columns.map((column) => cell(row[column])));
  return [columns, ...lines].map((cells) => `${lineText(cells)}\n`).join("");
}
