/** A sheet as a table of cells: xlsx, or text with commas, semicolons or tabs in the encodings that spreadsheets write. */

import { createRequire } from "node:module";
import { meantNumber } from "../../pulumi/number.ts";

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
  const sheets = await read(withFormulas(bytes)).catch((cause: Error) => {
    throw new Error(`it can't be read as a workbook: ${cause.message}`, { cause });
  });
  const found = sheet === undefined ? sheets[0] : sheets.find((one) => one.sheet === sheet);
  if (found === undefined)
    throw new Error(
      `it has no sheet ${JSON.stringify(sheet)}, only ${sheets.map((one) => one.sheet).join(", ")}`,
    );
  return found.data.map((row, index) => ({ number: index + 1, cells: row.map(cellOf) }));
}

interface Zip {
  readonly unzipSync: (bytes: Uint8Array) => Record<string, Uint8Array>;
  readonly zipSync: (files: Record<string, Uint8Array>, options: { readonly level: 0 }) => Uint8Array;
}

/** A workbook whose errors, and formulas that nobody has calculated, are texts: the reader takes them for empty cells. */
function withFormulas(bytes: Buffer): Buffer {
  const reader = createRequire(import.meta.url).resolve("read-excel-file/node");
  const { unzipSync, zipSync }: Zip = createRequire(reader)("fflate");
  let files: Record<string, Uint8Array>;
  try {
    files = unzipSync(bytes);
  } catch {
    // The reader says what is wrong with it.
    return bytes;
  }
  const changed = Object.entries(files).flatMap(([name, file]) => {
    const text = name.startsWith("xl/worksheets/") ? Buffer.from(file).toString() : "";
    const next = text.replaceAll(/<c\b([^>]*[^/>])>(.*?)<\/c>/gs, textCell);
    return next === text ? [] : [[name, Buffer.from(next)] as const];
  });
  if (changed.length === 0) return bytes;
  return Buffer.from(zipSync({ ...files, ...Object.fromEntries(changed) }, { level: 0 }));
}

function textCell(cell: string, attributes: string, inner: string): string {
  const type = /\bt="(\w+)"/.exec(attributes)?.[1];
  const own = `<c${attributes.replace(/\bt="\w+"/, "")} t="str">`;
  if (type === "e") return `${own}${inner}</c>`;
  const formula = /<f\b[^>]*?(?:\/>|>(.*?)<\/f>)/s.exec(inner);
  const isCalculated = /<v>[^<]/.test(inner) || (type === "str" && /<v\b/.test(inner));
  return formula === null || isCalculated ? cell : `${own}<v>=${formula[1] ?? ""}</v></c>`;
}

function cellOf(cell: unknown): Cell {
  if (typeof cell === "number") return meantNumber(cell);
  if (cell instanceof Date) return cell.toISOString().replace(/T00:00:00.*/, "");
  return cell === null ? "" : String(cell).trim();
}

/** What a file says, whatever spreadsheet wrote it. @throws Error for an encoding that isn't known */
export function textIn(bytes: Buffer, encoding: string | undefined): string {
  const decode = (label: string, fatal = false) => new TextDecoder(label, { fatal }).decode(bytes);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decode("utf-16le");
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decode("utf-16be");
  // A table begins with a sign of ASCII, which UTF-16 writes with a zero.
  if (bytes.length > 1 && bytes[1] === 0) return decode("utf-16le");
  if (bytes.length > 1 && bytes[0] === 0) return decode("utf-16be");
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
