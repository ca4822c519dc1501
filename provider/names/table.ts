/** Parses a CSV file. Each cell has its position, so that a single cell can be rewritten. */

/** A cell's text, and its position in the file, including quotes. */
export interface Cell {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

export interface Sheet {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly separator: string;
}

/** Parses a CSV text; the first line has the column names. */
export function sheetOf(text: string): Sheet {
  const head = /^[^\r\n]*/.exec(text)?.[0] ?? "";
  const separator = [";", "\t"].find((one) => head.includes(one) && !head.includes(",")) ?? ",";
  const [columns = [], ...rows] = linesOf(text, separator);
  return { columns: columns.map((cell) => cell.text.trim()), rows, separator };
}

/** The cells of each line that isn't empty. @throws Error as `recordsOf` */
export function* linesOf(text: string, separator: string): Generator<readonly Cell[], undefined> {
  for (const cells of recordsOf(text, separator)) if (cells.length > 1 || cells[0]?.text !== "") yield cells;
}

/**
 * The cells of each line. A quoted cell may contain separators, quotes and line ends.
 * @throws Error for a quotation mark that isn't closed, or that text follows
 */
export function* recordsOf(text: string, separator: string, from = 0): Generator<readonly Cell[], undefined> {
  const mark = / *"/y;
  let cells: Cell[] = [];
  let at = from === 0 && text.startsWith("\uFEFF") ? 1 : from;
  for (;;) {
    mark.lastIndex = at;
    const cell = mark.test(text) ? quotedCell(text, mark.lastIndex - 1) : plainCell(text, at, separator);
    cells.push(cell);
    at = cell.to;
    if (text[at] === separator) at += 1;
    else {
      if (at < text.length && !/[\r\n]/.test(text[at] ?? ""))
        throw new Error(
          `the cell ${text.slice(cell.from, at).trim()} continues after its closing quotation mark`,
        );
      yield cells;
      cells = [];
      at += text.startsWith("\r\n", at) ? 2 : 1;
      if (at >= text.length) return undefined;
    }
  }
}

function plainCell(text: string, from: number, separator: string): Cell {
  let to = from;
  while (to < text.length && text[to] !== separator && text[to] !== "\n" && text[to] !== "\r") to += 1;
  return { text: text.slice(from, to), from, to };
}

function quotedCell(text: string, from: number): Cell {
  let to = from + 1;
  while (to < text.length && (text[to] !== '"' || text[to + 1] === '"')) to += text[to] === '"' ? 2 : 1;
  if (to >= text.length)
    throw new Error(`the quotation mark before ${/^.{0,20}/.exec(text.slice(from + 1))} has no end`);
  const inner = text.slice(from + 1, to).replaceAll('""', '"');
  do to += 1;
  while (text[to] === " ");
  return { text: inner, from, to };
}

/** Quotes a cell if necessary, or as the one before it. @param before the cell that it replaces, as the file has it */
export const cellText = (value: string, separator: string, before = ""): string =>
  before.startsWith('"') || value.includes(separator) || /["\r\n]|^\s|\s$/.test(value)
    ? `"${value.replaceAll('"', '""')}"`
    : value;
