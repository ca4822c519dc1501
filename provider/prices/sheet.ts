/** A sheet as a table of cells: xlsx, or text with commas, semicolons or tabs in the encodings that spreadsheets write. */

import { isUtf8 } from "node:buffer";
import { gitConflictText } from "../../engine/common/git-conflict.ts";
import { meantNumber } from "../names/number.ts";
import { type Cell as PlacedCell, recordsOf } from "../names/table.ts";
import { messageOf } from "../wire/text.ts";
import { type Merged, nameOfCell, readable } from "./workbook.ts";

/** A row with its number in the sheet, from 1. */
export interface SheetRow {
  readonly number: number;
  readonly cells: readonly Cell[];
}
/** What a cell holds; a spreadsheet's number is one already. */
export type Cell = string | number;

export interface SheetOptions {
  /** Which sheet of a workbook; the first that isn't hidden when left out. */
  readonly sheet?: string | undefined;
  /** Of a text that isn't Unicode; windows-1251 when left out. */
  readonly encoding?: string | undefined;
}

/** Whether a file is a workbook of Excel's. */
export const isWorkbook = (bytes: Buffer): boolean => bytes.subarray(0, 4).equals(Buffer.from("PK\x03\x04"));

/** What a file is that isn't read, by its first bytes. */
function otherFormat(bytes: Buffer): string | undefined {
  const has = (name: string) => isWorkbook(bytes) && bytes.includes(name);
  if (has("application/vnd.oasis.opendocument")) return "a workbook of LibreOffice (.ods)";
  if (has("Index/Document.iwa")) return "a workbook of Numbers";
  if (has("xl/workbook.bin")) return "a workbook in Excel's binary form (.xlsb)";
  const [one, two, three, four] = bytes;
  if (one === 9 && [0, 2, 4, 8].includes(two ?? -1) && four === 0)
    return "a worksheet of an Excel before 97 (BIFF)";
  // In UTF-16 two zeros would be a sign of their own.
  const isWider = (one === 0 && two === 0) || (three === 0 && four === 0);
  return isWider ? "a text in UTF-32" : undefined;
}

/** @throws Error that says what is wrong with the file and what to do */
export async function readSheet(bytes: Buffer, options: SheetOptions = {}): Promise<readonly SheetRow[]> {
  const other = otherFormat(bytes);
  if (other !== undefined) throw new Error(`it is ${other}: save it as .xlsx or as CSV`);
  if (isWorkbook(bytes)) return readWorkbook(bytes, options);
  if (bytes.subarray(0, 4).equals(Buffer.from([0xd0, 0xcf, 0x11, 0xe0])))
    throw new Error(
      "it is a workbook of an Excel before 2007, or has a password: save it as .xlsx without one, or as CSV",
    );
  const text = textIn(bytes, options.encoding);
  if (/^\uFEFF?\s*<(?:!doctype|\?xml|html|table)\b/i.test(text))
    throw new Error(
      "it is a web page or XML that a spreadsheet shows as a table: save it as .xlsx or as CSV",
    );
  if (text.includes("\0")) throw new Error("it is neither a text nor a workbook: save it as .xlsx or as CSV");
  return readText(text);
}

/** The names of a workbook's sheets, the first of which is read unless another is said. */
export const sheetNames = async (bytes: Buffer): Promise<readonly string[]> =>
  (await sheetsIn(bytes)).sheets.map(({ name }) => name);

/** A workbook's sheets that have cells: those that a person sees, then the hidden ones. */
async function sheetsIn(bytes: Buffer) {
  const { default: read } = await import("read-excel-file/node");
  const { bytes: whole, merged, isHidden } = readable(bytes);
  const all = await read(whole).catch((cause: Error) => {
    throw new Error(
      `it can't be read as a workbook: ${cause.message}; open it in a spreadsheet program and save it again`,
      { cause },
    );
  });
  // A chart on a sheet of its own has no cells.
  const sheets = all.flatMap(({ sheet: name, data }, at) =>
    (data as typeof data | undefined) === undefined ? [] : [{ name, data, at }],
  );
  const { true: hidden = [], false: seen = [] } = Object.groupBy(sheets, ({ at }) => `${isHidden(at)}`);
  return { sheets: [...seen, ...hidden], merged };
}

async function readWorkbook(bytes: Buffer, { sheet }: SheetOptions): Promise<readonly SheetRow[]> {
  const { sheets, merged } = await sheetsIn(bytes);
  const found = sheet === undefined ? sheets[0] : sheets.find(({ name }) => name === sheet);
  if (found === undefined)
    throw new Error(
      `it has no sheet ${JSON.stringify(sheet)}, only ${sheets.map(({ name }) => name).join(", ")}`,
    );
  const rows = found.data.map((row) => row.map(cellOf));
  for (const range of merged(found.at)) spread(rows, range);
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

/** The mark before a text in UTF-8: such a text is in no other encoding. */
const utf8Mark = Buffer.from("\uFEFF");

/** What a file says, whatever spreadsheet wrote it. @throws Error for an encoding that isn't known */
export function textIn(bytes: Buffer, encoding: string | undefined): string {
  const decode = (label: string, fatal = false) => new TextDecoder(label, { fatal }).decode(bytes);
  const wide = wideIn(bytes);
  if (wide !== undefined) return decode(wide);
  if (encoding !== undefined && !bytes.subarray(0, 3).equals(utf8Mark)) {
    try {
      return decode(encoding);
    } catch (cause) {
      throw new Error(`${encoding} is not an encoding: write utf-8, utf-16le or windows-1251, for instance`, {
        cause,
      });
    }
  }
  try {
    return decode("utf-8", true);
  } catch {
    return decode(guessed);
  }
}

const guessed = "windows-1251";

/** What to say beside mistakes of a text that tells no encoding: it may have been read in a wrong one. */
export function guessText(bytes: Buffer, encoding: string | undefined): string | undefined {
  const isGuess =
    encoding === undefined && !isWorkbook(bytes) && wideIn(bytes) === undefined && !isUtf8(bytes);
  return isGuess
    ? `the text is not Unicode and was read as ${guessed}; the argument encoding names another, such as windows-1252 for Western Europe`
    : undefined;
}

/** What stands between the cells of a text, by its first lines or Excel's word to itself; and where its rows begin. */
export function separatorOf(text: string): { readonly separator: string; readonly from: number } {
  const [line = "", said] = /^\uFEFF?sep=(.)\r?\n/.exec(text) ?? [];
  if (said !== undefined) return { separator: said, from: line.length };
  const lines = text
    .slice(0, 20_000)
    .replaceAll(/(?<=^|[\t;|,\r\n])"(?:[^"]|"")*"/g, "")
    .split(/[\r\n]+/)
    .slice(0, 50);
  // A title above the headings may have any of them; a comma between digits may be of decimals.
  const having = (sign: string) =>
    lines.filter((one) => one.replaceAll(/\d,(?=\d)/g, "").includes(sign)).length;
  const separator = ["\t", ";", "|", ","].reduce((best, one) => (having(one) > having(best) ? one : best));
  return { separator, from: 0 };
}

/** The cells of each line of a text, with their places. Blanks around a cell count only in quotes. */
export function* placedRows(text: string): Generator<readonly PlacedCell[], undefined> {
  const { separator, from } = separatorOf(text);
  for (const cells of recordsOf(text, separator, from))
    yield cells.map((cell) =>
      text[cell.from] === '"' ? cell : { ...cell, text: cell.text.replaceAll(/^[ \t]+|[ \t]+$/g, "") },
    );
}

export function readText(text: string): readonly SheetRow[] {
  const conflict = gitConflictText(text);
  if (conflict !== undefined) throw new Error(conflict);
  const first = separatorOf(text).from > 0 ? 2 : 1;
  const rows: SheetRow[] = [];
  try {
    for (const cells of placedRows(text))
      rows.push({ number: rows.length + first, cells: cells.map((cell) => cell.text) });
  } catch (cause) {
    throw new Error(`row ${rows.length + first}: ${messageOf(cause)}`, { cause });
  }
  return rows;
}
