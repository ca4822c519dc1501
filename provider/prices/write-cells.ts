/** Single cells of a sheet in a file, written in the form that the sheet has: nothing else of its bytes changes. */
import { type Path, pathIn, pathText } from "../../engine/pulumi/path.ts";
import { filePath } from "../body/arguments.ts";
import type { StaffChange } from "../change/base.ts";
import {
  type CellState,
  parseSheetState,
  printSheetState,
  type SheetState,
  sheetStateKey,
  type Value,
} from "../names/rows.ts";
import { cellText } from "../names/table.ts";
import type { Values } from "../wire/codec.ts";
import { amountLike, type Point } from "./amount.ts";
import { prices } from "./definition.ts";
import { cellPath, columnOf, columnsIn, fieldOf, sheetArgs, sheetIn } from "./rows.ts";
import { isWorkbook, placedRows, readSheet, separatorOf, sheetNames, textIn, wideIn } from "./sheet.ts";
import { letters } from "./workbook.ts";

/** Whether a kind's arguments are a sheet. */
export const isSheet = (kind: string): boolean => kind === prices.kind;

/** What a sheet is called. */
export const sheetCalled = "price sheet";

/** The file of a sheet's rows; undefined of rows that the program has itself. */
export const sheetFile = (kind: string, args: Values): string | undefined =>
  isSheet(kind) ? filePath(args) : undefined;

const known = new WeakMap<Values, ReadonlyMap<string, Value>>();

/** What a sheet asks, by paths such as `rows[A-1].price`. @param args as a step has them */
export function cellsIn(args: Values): ReadonlyMap<string, Value> {
  const found =
    known.get(args) ??
    new Map(
      [...sheetIn(String(args.rows ?? ""), sheetArgs(args).none).rows].flatMap(([key, values]) =>
        [...values].map(([column, value]) => [pathText(cellPath(key, column)), value] as const),
      ),
    );
  known.set(args, found);
  return found;
}

/** A cell that one sheet asks otherwise than another, by the steps of its path; a whole row whose variant a refresh found gone. */
export interface CellDifference {
  readonly path: Path;
  readonly old: Value | Cells | undefined;
  readonly new: Value | Cells | undefined;
}

type Cells = Readonly<Record<string, Value>>;

/** How the rows of two sheets differ, cell by cell. @param olds arguments, of which the rows and the word that takes away count */
export function cellDifferences(olds: Values, news: Values): readonly CellDifference[] {
  const args = [olds, news].map((one) => ({ text: String(one.rows), none: sheetArgs(one).none }));
  const [were, are] = withoutShared(args).map(({ text, none }) => sheetIn(text, none).rows);
  const keys = new Set([...(were?.keys() ?? []), ...(are?.keys() ?? [])]);
  return [...keys].flatMap((key): readonly CellDifference[] => {
    const [before, after] = [were?.get(key), are?.get(key)];
    if (before?.size === 0 || after?.size === 0)
      return [{ path: ["rows", key], old: wholeOf(before), new: wholeOf(after) }];
    const columns = new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])]);
    return [...columns]
      .map((column) => ({ path: cellPath(key, column), old: before?.get(column), new: after?.get(column) }))
      .filter((cell) => cell.old !== cell.new);
  });
}

const wholeOf = (cells: ReadonlyMap<string, Value> | undefined): Cells | undefined =>
  cells === undefined || cells.size === 0 ? undefined : Object.fromEntries(cells);

/** Both texts without the lines that they share: a sheet may have a hundred thousand. */
function withoutShared<Text extends { readonly text: string; readonly none: string }>(
  args: readonly Text[],
): readonly Text[] {
  const lines = args.map(({ text }) => text.split("\n"));
  const isOne = (of: readonly (string | undefined)[]) => new Set(of).size === 1;
  const isAlike = isOne(lines.map(([head]) => head)) && isOne(args.map(({ none }) => none));
  // A key in quotes may stand in two lines.
  if (!isAlike || args.some(({ text }) => text.includes('"'))) return args;
  const seen = lines.map((own) => new Set(own));
  return args.map((one, at) => ({
    ...one,
    text: (lines[at] ?? []).filter((line, row) => row === 0 || !seen[1 - at]?.has(line)).join("\n"),
  }));
}

/** What staff changed of a sheet, as a refresh has noted it beside what was asked. @param state its outputs */
export const sheetChanges = (state: Values): readonly StaffChange[] =>
  [...parseSheetState(state[sheetStateKey]).rows].flatMap(([key, { cells }]): readonly StaffChange[] =>
    cells.size === 0
      ? [{ path: pathText(["rows", key]), asked: undefined, is: null }]
      : [...cells].flatMap(([column, { asked, read }]) =>
          read === undefined || fieldOf(column).serverManaged
            ? []
            : [{ path: pathText(cellPath(key, column)), asked, is: read }],
        ),
  );

/** The edits that `accept` wrote into a sheet, each with the value of a sheet that lacks it. @param state its outputs */
export const acceptedSheetChanges = (state: Values): readonly StaffChange[] =>
  [...parseSheetState(state[sheetStateKey]).rows].flatMap(([key, { cells }]) =>
    [...cells].flatMap(([column, { asked, accepted }]) =>
      accepted === undefined
        ? []
        : [{ path: pathText(cellPath(key, column)), asked: accepted.at(-1), is: asked }],
    ),
  );

/** Notes that a sheet now has values that staff set. @param state its outputs @param paths `rows[A-1].price` */
export function acceptCells(state: Values, paths: ReadonlySet<string>): Values {
  const text = state[sheetStateKey];
  if (typeof text !== "string") return state;
  const known = parseSheetState(text);
  const rows: SheetState["rows"] = new Map(
    [...known.rows].map(([key, row]) => {
      const cells = [...row.cells].map(([column, cell]): [string, CellState] => {
        const { asked, read, accepted = [], ...rest } = cell;
        const isMeant = read !== undefined && paths.has(pathText(cellPath(key, column)));
        return [column, isMeant ? { ...rest, asked: read, accepted: [asked, ...accepted] } : cell];
      });
      return [key, { ...row, cells: new Map(cells) }];
    }),
  );
  return { ...state, [sheetStateKey]: printSheetState({ columns: known.columns, rows }) };
}

/** The row of a cell's path; a row's own path as it is. */
export const rowPath = (path: string): string => pathText(pathIn(path).slice(0, 2));
const isRow = (path: string) => rowPath(path) === path;

/** A cell that is to have another value, nothing takes the value away; or a row that is to go. */
export interface CellChange {
  /** `rows[A-1].price`, `rows[A-1]`. */
  readonly path: string;
  readonly is: unknown;
}

/** What became of a change: the line that has it now, or why none does. */
export type CellDone = { readonly line: number } & ({ readonly isWritten: true } | { readonly why: string });

/** The file with its cells changed. @param args of the sheet's resource @throws Error where the file can't be read */
export async function withCells<Change extends CellChange>(
  bytes: Buffer,
  args: Values,
  changes: readonly Change[],
): Promise<{ readonly bytes: Buffer; readonly done: ReadonlyMap<Change, CellDone> }> {
  const own = sheetArgs(args);
  const word = (value: unknown) => (typeof value === "string" ? value : undefined);
  const [sheet, encoding] = [word(args.sheet), word(args.encoding)];
  const table = await readSheet(bytes, { sheet, encoding });
  const { body, keyAt, columns, points } = columnsIn(table, own);
  const inWorkbook = isWorkbook(bytes) ? (sheet ?? (await sheetNames(bytes))[0]) : undefined;
  const text = isWorkbook(bytes) ? undefined : openText(bytes, encoding);
  const cells = text && filledRows(text).slice(-1 - body.length);
  const lines = lineNumbers(text?.text ?? "", cells ?? []);
  const edits: (Stretch & { readonly text: string })[] = [];
  const done = new Map<Change, CellDone>();
  const rowOf = new Map(body.map(({ cells: all }, index) => [String(all[keyAt] ?? ""), index]));
  for (const change of changes) {
    const row = rowOf.get(pathIn(change.path)[1] ?? "") ?? -1;
    const column = columns.find((one) => one.column === columnOf(pathIn(change.path)));
    const line = lines[row + 1] ?? body[row]?.number ?? 1;
    const fail = (why: string) => done.set(change, { line, why });
    const isLeaving = isRow(change.path);
    if (row < 0 || (column === undefined && !isLeaving)) fail("the sheet has no such cell");
    else if (text === undefined || cells === undefined)
      fail(
        inWorkbook === undefined
          ? "its cells can't be found in its text"
          : `change the workbook by hand: sheet ${inWorkbook}, ${column === undefined ? "row " : `cell ${letters(column.at)}`}${line}`,
      );
    else if (column === undefined) {
      edits.push({ ...lineOf(text.text, cells[row + 1] ?? []), text: "" });
      done.set(change, { line, isWritten: true });
    } else {
      const [, ...rows] = cells;
      const cell = rows[row]?.[column.at];
      const usual = points.get(column.column) ?? [...points.values()].find((one) => one !== undefined);
      const texts = [row, ...body.keys()].map((one) => String(body[one]?.cells[column.at] ?? ""));
      const next = valueText(column.column, change.is, { texts, usual, none: own.none });
      const raw = text.raw(next);
      if (cell === undefined || raw === undefined) fail("the sheet has no such cell");
      else {
        const before = text.text.slice(cell.from, cell.to);
        edits.push({ ...cell, text: cellText(raw, separatorOf(text.text).separator, before) });
        done.set(change, { line, isWritten: true });
      }
    }
  }
  if (text === undefined || edits.length === 0) return { bytes, done };
  const edited = edits
    .toSorted((one, other) => other.from - one.from)
    .reduce((all, { from, to, text: next }) => all.slice(0, from) + next + all.slice(to), text.text);
  return { bytes: text.bytes(edited), done };
}

/** The line in which each row begins: a cell in quotes may have several. */
function lineNumbers(text: string, rows: readonly (readonly Stretch[])[]): readonly number[] {
  let [line, at] = [1, 0];
  return rows.map(([first]) => {
    const { from = at } = first ?? {};
    line += (text.slice(at, from).match(/\r\n|\r|\n/g) ?? []).length;
    at = from;
    return line;
  });
}

/** A line with its end; of a last one without an end, that of the line before it. */
function lineOf(text: string, cells: readonly Stretch[]): Stretch {
  const [from, end] = [cells[0]?.from ?? 0, cells.at(-1)?.to ?? 0];
  const to = end + (/^(\r\n|\r|\n)/.exec(text.slice(end, end + 2))?.[0].length ?? 0);
  const before =
    to > end ? 0 : (/(\r\n|\r|\n)$/.exec(text.slice(Math.max(0, from - 2), from))?.[0].length ?? 0);
  return { from: from - before, to };
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

interface Beside {
  /** The cell as it is, then those of its column. */
  readonly texts: Iterable<string>;
  readonly usual: Point | undefined;
  readonly none: string;
}

/** A value as its cell had the one before it; where that was none, as the cells of its column. */
function valueText(column: string, value: unknown, { texts, usual, none }: Beside): string {
  if (value === "" || value === null || value === undefined) return none;
  if (fieldOf(column).type === "integer") return String(value);
  for (const sample of texts) if (/\d/.test(sample)) return amountLike(sample, Number(value), usual);
  return String(value);
}

/** A file of text as it can be written again byte by byte: of an encoding of single bytes each sign is one byte. */
interface OpenText {
  readonly text: string;
  /** A text as the file has it; undefined where its encoding is read only. */
  readonly raw: (said: string) => string | undefined;
  readonly bytes: (text: string) => Buffer;
}

function openText(bytes: Buffer, encoding: string | undefined): OpenText | undefined {
  const raw = (said: string) => said;
  const wide = wideIn(bytes);
  if (wide !== undefined) {
    const swapped = (own: Buffer) => (wide === "utf-16le" ? own : Buffer.from(own).swap16());
    const text = swapped(bytes).toString("utf16le");
    return { text, raw, bytes: (next) => swapped(Buffer.from(next, "utf16le")) };
  }
  const said = textIn(bytes, encoding);
  const utf8 = bytes.toString("utf8");
  if (Buffer.from(utf8).equals(bytes) && utf8.replace(/^\uFEFF/, "") === said)
    return { text: utf8, raw, bytes: (next) => Buffer.from(next) };
  if (said.length !== bytes.length) return undefined;
  const signs = new Map([...said].map((sign, at) => [sign, String.fromCharCode(bytes[at] ?? 0)]));
  return {
    text: bytes.toString("latin1"),
    raw(next) {
      const own = [...next].map((one) => signs.get(one) ?? (one.charCodeAt(0) < 0x80 ? one : undefined));
      return own.includes(undefined) ? undefined : own.join("");
    },
    bytes: (next) => Buffer.from(next, "latin1"),
  };
}

/** The rows that aren't empty: titles above the headings, the headings, and the table. */
const filledRows = ({ text }: OpenText) =>
  [...placedRows(text)].filter((cells) => cells.some((cell) => cell.text !== ""));
