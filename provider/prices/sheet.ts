/** A sheet as a table of cells: xlsx, or text with commas, semicolons or tabs in the encodings that spreadsheets write. */

import { meantNumber } from "../../pulumi/number.ts";
import { type Merged, nameOfCell, readable } from "./workbook.ts";

/** A row with its number in the sheet, from 1. */
export interface SheetRow {
  readonly number: number;
  readonly cells: readonly Cell[];
}
/** What a cell holds; a spreadsheet's number is one already. */
export type Cell = string | number;

export interface SheetOptions {
  /** Which sheet of a workbook; the first when left out. */
  readonly sheet?: string | undefined;
  /** Of a text that isn't Unicode; windows-1251 when left out. */
  readonly encoding?: string | undefined;
}

/** Whether a file is a workbook of Excel's. */
export const isWorkbook = (bytes: Buffer): boolean => bytes.subarray(0, 4).equals(Buffer.from("PK\x03\x04"));

/** @throws Error that says what is wrong with the file and what to do */
export async function readSheet(bytes: Buffer, options: SheetOptions = {}): Promise<readonly SheetRow[]> {
  if (isWorkbook(bytes)) return readWorkbook(bytes, options);
  if (bytes.subarray(0, 4).equals(Buffer.from([0xd0, 0xcf, 0x11, 0xe0])))
    throw new Error("it is a workbook of an Excel before 2007: save it as .xlsx or as CSV");
  const text = textIn(bytes, options.encoding);
  if (/^\uFEFF?\s*<(?:!doctype|\?xml|html|table)\b/i.test(text))
    throw new Error(
      "it is a web page or XML that a spreadsheet shows as a table: save it as .xlsx or as CSV",
    );
  return readText(text);
}

/** The names of a workbook's sheets, the first of which is read unless another is said. */
export async function sheetNames(bytes: Buffer): Promise<readonly string[]> {
  const { default: read } = await import("read-excel-file/node");
  return (await read(bytes)).map(({ sheet }) => sheet);
}

async function readWorkbook(bytes: Buffer, { sheet }: SheetOptions): Promise<readonly SheetRow[]> {
  const { default: read } = await import("read-excel-file/node");
  const { bytes: whole, merged } = readable(bytes);
  const sheets = await read(whole).catch((cause: Error) => {
    throw new Error(`it can't be read as a workbook: ${cause.message}`, { cause });
  });
  const at = sheet === undefined ? 0 : sheets.findIndex((one) => one.sheet === sheet);
  const found = sheets[at];
  if (found === undefined)
    throw new Error(
      `it has no sheet ${JSON.stringify(sheet)}, only ${sheets.map((one) => one.sheet).join(", ")}`,
    );
  const rows = found.data.map((row) => row.map(cellOf));
  for (const range of merged(at)) spread(rows, range);
  return rows.map((cells, index) => ({ number: index + 1, cells }));
}

/** An amount that stands in several cells at once is one that a person sees in each of them: none of them may be left out. */
function spread(rows: readonly Cell[][], { top, left, bottom, right }: Merged): void {
  const own = String(rows[top]?.[left] ?? "");
  if (!/\d/.test(own)) return;
  for (const [at, cells] of rows.slice(top, bottom + 1).entries())
    for (let column = left; column <= right; column += 1)
      if (at > 0 || column > left) cells[column] = `${own} (merged with ${nameOfCell(top, left)})`;
}

function cellOf(cell: unknown): Cell {
  if (typeof cell === "number") return meantNumber(cell);
  if (cell instanceof Date) return cell.toISOString().replace(/T00:00:00.*/, "");
  return cell === null ? "" : String(cell).trim();
}

/** Which UTF-16 a file is in: it says so, or begins with a sign of ASCII, as a table does, which UTF-16 writes with a zero. */
export function wideIn([one, other]: Buffer): "utf-16le" | "utf-16be" | undefined {
  if (other === undefined) return undefined;
  if ((one === 0xff && other === 0xfe) || other === 0) return "utf-16le";
  return (one === 0xfe && other === 0xff) || one === 0 ? "utf-16be" : undefined;
}

/** What a file says, whatever spreadsheet wrote it. @throws Error for an encoding that isn't known */
export function textIn(bytes: Buffer, encoding: string | undefined): string {
  const decode = (label: string, fatal = false) => new TextDecoder(label, { fatal }).decode(bytes);
  const wide = wideIn(bytes);
  if (wide !== undefined) return decode(wide);
  if (encoding !== undefined) {
    try {
      return decode(encoding);
    } catch (cause) {
      throw new Error(`${encoding} is no encoding: write utf-8, utf-16le or windows-1251, for instance`, {
        cause,
      });
    }
  }
  try {
    return decode("utf-8", true);
  } catch {
    return decode("windows-1251");
  }
}

/** What stands between the cells of a text, by its first line or Excel's word to itself; and where its rows begin. */
export function separatorOf(text: string): { readonly separator: string; readonly from: number } {
  const [line = "", said] = /^\uFEFF?sep=(.)\r?\n/.exec(text) ?? [];
  if (said !== undefined) return { separator: said, from: line.length };
  const head = text.slice(0, Math.max(0, text.search(/\r|\n|$/))).replaceAll(/"[^"]*"/g, "");
  const count = (sign: string) => head.split(sign).length;
  const separator = ["\t", ";", "|", ","].reduce((best, one) => (count(one) > count(best) ? one : best));
  return { separator, from: 0 };
}

export async function readText(text: string): Promise<readonly SheetRow[]> {
  const { parse } = await import("csv-parse/sync");
  const { separator, from } = separatorOf(text);
  const lines = parse(text.slice(from), {
    delimiter: separator,
    // A file that two programs have written has both.
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    relax_quotes: true,
    trim: true,
    info: true,
  });
  const shift = from > 0 ? 1 : 0;
  return (
    lines as unknown as { readonly record: readonly string[]; readonly info: { readonly lines: number } }[]
  ).map(({ record, info }) => ({ number: info.lines + shift, cells: record }));
}
