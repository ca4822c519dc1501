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

/** The cells of each line that isn't empty. A quoted cell may contain separators, quotes and line ends. */
export function* linesOf(text: string, separator: string): Generator<readonly Cell[], undefined> {
  let cells: Cell[] = [];
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  for (;;) {
    const cell = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at, separator);
    cells.push(cell);
    at = cell.to;
    if (text[at] === separator) at += 1;
    else {
      if (cells.length > 1 || cell.text !== "") yield cells;
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
