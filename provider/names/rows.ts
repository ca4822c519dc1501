/**
 * Rows of a price sheet as text, one line each: the form in which programs, engines and states pass them on. An engine takes
 * several times as long for lists of objects (docs/decisions/0026-a-sheet-of-prices.md).
 */
import { isRecord } from "../../engine/common/record.ts";
import { meantNumber } from "./number.ts";
import { cellText, linesOf } from "./table.ts";

/** The default word that unsets a value; an empty cell leaves it alone. */
export const clearWord = "-";

const separator = "|";

/** `A-1|10.99|12.5`. */
export const lineText = (cells: readonly string[]): string =>
  cells.map((cell) => cellText(cell, separator)).join(separator);

/** Splits each line into cells, one line at a time: a large sheet would need several times its size in memory. */
export function* cellsIn(text: string): Generator<readonly string[], undefined> {
  for (const cells of linesOf(text, separator)) yield cells.map((cell) => cell.text);
}

/** A separator that no cell contains. */
export const between = "\0";

/** Caches results: a large sheet has few different prices. */
export function memoized<From, To>(make: (from: From) => To): (from: From) => To {
  const made = new Map<From, To>();
  return (from) => {
    const own = made.get(from) ?? make(from);
    made.set(from, own);
    return own;
  };
}

export interface Row {
  readonly [column: string]: unknown;
  readonly prices?: Readonly<Record<string, unknown>> | undefined;
}

export const areRows = (value: unknown): value is readonly Row[] =>
  Array.isArray(value) && value.every(isRecord);

export const kindColumn = (title: string): string => `prices[${title}]`;

/** The kind's title in a heading; undefined for other headings. */
export const kindOfColumn = (column: string): string | undefined => /^prices\[(.+)\]$/s.exec(column)?.[1];

/** A number as text. A fourth decimal prevents that spreadsheets read three decimals as thousands. */
export const numberText = (value: number): string => String(meantNumber(value)).replace(/(?<=\.\d{3})$/, "0");

/** Rows as text. @param none the word that unsets a value */
export function textOfRows(rows: readonly Row[], none: string = clearWord): string {
  const flat = rows.map(({ prices = {}, ...row }) => ({
    ...row,
    ...Object.fromEntries(Object.entries(prices).map(([title, amount]) => [kindColumn(title), amount])),
  }));
  const columns = [...new Set(flat.flatMap((row) => Object.keys(row)))];
  const cell = (value: unknown, column: string) => {
    if (value === undefined || value === null) return "";
    // A row whose key is empty is a mistake.
    if (value === "") return column === "sku" || column === "barcode" ? "" : none;
    return typeof value === "number" ? numberText(value) : String(value);
  };
  const lines = flat.map((row: Row) => columns.map((column) => cell(row[column], column)));
  return [columns, ...lines].map((cells) => `${lineText(cells)}\n`).join("");
}

/** A value of a variant; an empty text if it has none. */
export type Value = number | "";

export interface CellState {
  /** The sheet's value in the last run, or the one that `accept` wrote into it since. */
  readonly asked: Value;
  /** The values of sheets that lack edits that `accept` wrote into another checkout's, the oldest last. */
  readonly accepted?: readonly Value[] | undefined;
  /** The shop's value in the last read, if it differs. */
  readonly read?: Value | undefined;
  /** The value before the sheet set it, if it must be restored. */
  readonly before?: Value | undefined;
}

/** The values that the stack's sheets have set, for one of its resources. */
export interface SheetCells {
  /**
   * The last value set at a place: by the resource itself, by another sheet, or by an interrupted run. Undefined if nobody
   * has, or if the rows are secret.
   * @param is the shop's value @param own the resource's state of it
   */
  cell(place: string, is: unknown, own?: CellState): CellState | undefined;
  /**
   * The value that another sheet has set for a key, if the shop has it: staff deleted the variant and made it again, so
   * that it has another number.
   * @param keyed `sku MUG-R price`
   */
  remade(keyed: string, is: unknown): CellState | undefined;
  /** The name of a sheet with secret rows that has set it: the state shows no values of them. */
  secretIn(place: string): string | undefined;
}

export interface RowState {
  readonly product: string;
  readonly variant: string;
  readonly cells: ReadonlyMap<string, CellState>;
}

/** Whether a refresh found that the row's variant was deleted. */
export const isDeletedRow = ({ cells }: RowState): boolean => cells.size === 0;

/** The output with a sheet's rows. */
export const sheetStateKey = "__rows";

/** The output with the shop's names of the price kinds whose prices a sheet puts back: staff may give them other titles. */
export const sheetKindsKey = "__kinds";

/** The output with the variants and columns of a secret sheet: the state encrypts its rows, and other processes read the state. */
export const sheetPlacesKey = "__sets";

export interface SheetState {
  readonly columns: readonly string[];
  readonly rows: ReadonlyMap<string, RowState>;
  /** The resource that has it in the state: the sheet may have another name now. */
  readonly of?: string;
  /** The shop's names of price kinds, by the titles that they had when the sheet set their prices. */
  readonly kinds?: Readonly<Record<string, string>>;
  /** Whether it is of a sheet that its replacement follows, and that has put back what was there before it. */
  readonly isEnded?: boolean;
  /** What a sheet that is replaced has set in secret rows: the state shows no values of them. */
  readonly secret?: ReadonlyMap<string, RowState>;
}

export const emptySheetState: SheetState = { columns: [], rows: new Map() };

const valueText = (value: Value) => (value === "" ? "-" : String(value));
const valueIn = (text: string): Value => (text === "-" ? "" : Number(text));

function printCell(cell: CellState | undefined): string {
  if (cell === undefined) return "";
  const { asked, accepted, read, before } = cell;
  return `${valueText(asked)}${(accepted ?? []).map((one) => `^${valueText(one)}`).join("")}${read === undefined ? "" : `>${valueText(read)}`}${before === undefined ? "" : `<${valueText(before)}`}`;
}

function parseCell(text: string): CellState {
  const [, asked = "", accepted, read, before] =
    /^([^<>^]*)(?:\^([^<>]*))?(?:>([^<]*))?(?:<(.*))?$/.exec(text) ?? [];
  return {
    asked: valueIn(asked),
    ...(accepted !== undefined && { accepted: accepted.split("^").map(valueIn) }),
    ...(read !== undefined && { read: valueIn(read) }),
    ...(before !== undefined && { before: valueIn(before) }),
  };
}

/** `A-1|532216/684079|10.99>9.5`, and `9.5^10.99` for an accepted edit: one line for each row, sorted by key. */
export function printSheetState({ columns: asked, rows }: SheetState): string {
  // Removed columns may have values that must be restored.
  const columns = [...new Set([...asked, ...[...rows.values()].flatMap(({ cells }) => [...cells.keys()])])];
  const lines = [...rows]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, { product, variant, cells }]) => [
      key,
      `${product}/${variant}`,
      ...columns.map((column) => printCell(cells.get(column))),
    ]);
  return [["", "", ...columns], ...lines].map((cells) => `${lineText(cells)}\n`).join("");
}

/** The rows without keys and values, in the form of `printSheetState`. */
export const printSheetPlaces = ({ columns, rows }: SheetState): string =>
  printSheetState({
    columns,
    rows: new Map(
      [...rows.values()].map(({ product, variant, cells }) => [
        variant,
        { product, variant, cells: new Map([...cells.keys()].map((column) => [column, { asked: "" }])) },
      ]),
    ),
  });

/**
 * Whether a state has a sheet's rows as the sheet has them, line by line: neither text is parsed then. False also where only
 * parsing tells.
 * @param rows the sheet's text, of the same order
 */
export function hasRowsOf(state: unknown, rows: unknown): boolean {
  if (typeof state !== "string" || typeof rows !== "string") return false;
  const [known, asked] = [state.split("\n"), rows.split("\n")];
  // A key in quotes may stand in two lines.
  if (known.length !== asked.length || rows.includes('"')) return false;
  return asked.every((line, at) => {
    const keyEnd = line.indexOf(separator);
    const idsFrom = at === 0 ? 0 : keyEnd;
    const own = known[at] ?? "";
    const idsEnd = own.indexOf(separator, idsFrom + 1);
    const cells = own.slice(idsEnd);
    return (
      (at === 0 || own.startsWith(line.slice(0, keyEnd + 1))) &&
      line.slice(keyEnd) === (cells.includes("<") ? cells.replaceAll(/<[^|]*/g, "") : cells)
    );
  });
}

export function parseSheetState(text: unknown): SheetState {
  if (typeof text !== "string" || text === "") return emptySheetState;
  const lines = cellsIn(text);
  const [, , ...columns] = lines.next().value ?? [];
  const cellsOf = memoized((line: string) => {
    const cells = line.split(between);
    const own = columns.flatMap((column, at) => (cells[at] ? [[column, parseCell(cells[at])] as const] : []));
    return new Map(own);
  });
  const rows = new Map<string, RowState>();
  for (const [key = "", ids = "", ...cells] of lines) {
    const [product = "", variant = ""] = ids.split("/");
    rows.set(key, { product, variant, cells: cellsOf(cells.join(between)) });
  }
  return { columns, rows };
}
