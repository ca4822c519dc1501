/** What a sheet asks: its columns, its rows by their key, and all that is wrong with it. */
import type { Path } from "../../engine/pulumi/path.ts";
import type { Field } from "../definition/define.ts";
import { between, cellsIn, clearWord, kindColumn, kindOfColumn, lineText, memoized } from "../names/rows.ts";
import type { Values } from "../wire/codec.ts";
import { valuesOf } from "../wire/values.ts";
import { amountOf, type Point, pointOf } from "./amount.ts";
import { product } from "./definition.ts";
import type { Cell, SheetRow } from "./sheet.ts";

/** By what a row is found. */
export const keys = ["sku", "barcode"] as const;
export type Key = (typeof keys)[number];

const variantFields = product.fields.variants.items?.fields ?? {};
/** What a sheet may set, by its columns' names; stock only where it is asked for by its heading. */
export const named = ["price", "oldPrice", "costPrice"] as const;
const stock = "quantity";

/** The field of a variant that a column sets, `price` or `prices[Wholesale]`. */
export function fieldOf(column: string): Field {
  const field = variantFields[kindOfColumn(column) === undefined ? column : "prices"] as Field;
  return field.each ?? field;
}

/** `rows[A-1].price`, `rows[A-1].prices[Wholesale]`. */
export function cellPath(key: string, column: string): Path {
  const title = kindOfColumn(column);
  return ["rows", key, ...(title === undefined ? [column] : ["prices", title])];
}

/** The column of such a path. */
export const columnOf = ([, , column = "", title]: Path): string =>
  title === undefined ? column : kindColumn(title);

/** What a column of a variant holds. */
export function valueIn(variant: Readonly<Record<string, unknown>>, column: string): unknown {
  const title = kindOfColumn(column);
  if (title === undefined) return variant[column];
  return valuesOf(variant.prices)[title];
}

/** Values as a request has them. */
export function variantOf(values: ReadonlyMap<string, unknown>): Readonly<Record<string, unknown>> {
  const entries = [...values];
  const prices = entries.flatMap(([column, value]) => {
    const title = kindOfColumn(column);
    return title === undefined ? [] : [[title, value]];
  });
  const plain = entries.filter(([column]) => kindOfColumn(column) === undefined);
  return { ...Object.fromEntries(plain), ...(prices.length > 0 && { prices: Object.fromEntries(prices) }) };
}

/** Headings by what they are of, where they aren't called so. */
export interface Columns {
  readonly [column: string]: unknown;
  readonly prices?: Readonly<Record<string, unknown>>;
}

export interface SheetArgs {
  readonly key: Key;
  readonly columns: Columns | undefined;
  /** What stands before decimals, where the sheet itself doesn't tell. */
  readonly decimal: Point | undefined;
  /** The word that takes a value away. */
  readonly none: string;
}

/** How a sheet is read, by the arguments of its resource. */
export const sheetArgs = (args: Values): SheetArgs => ({
  key: (args.key ?? "sku") as Key,
  columns: args.columns as Columns | undefined,
  decimal: args.decimal as Point | undefined,
  none: String(args.none ?? clearWord),
});

/** Whether the shop gets back what it had before a sheet, at its end. */
export const isRestored = ({ onRemove }: Values): boolean => onRemove === "restore";

/** What a sheet asks of variants: by key, then by column. An empty text takes a value away; what is left alone isn't there. */
export interface Sheet {
  readonly columns: readonly string[];
  /** The heading of the column with the key. */
  readonly keyHeading: string;
  readonly rows: ReadonlyMap<string, ReadonlyMap<string, number | "">>;
  /** Where each row stands. */
  readonly places: ReadonlyMap<string, number>;
  readonly mistakes: readonly Mistake[];
  /** What to say beside mistakes where its encoding is a guess. */
  readonly guess?: string | undefined;
}

/** What is wrong with a cell, in a row of the sheet; with the sheet itself in none. */
export interface Mistake {
  readonly row: number;
  readonly text: string;
}

/** A column that is read: what it sets, how it is called, and where it stands. */
export interface Column {
  readonly column: string;
  readonly heading: string;
  readonly at: number;
}

/** A heading without what nobody sees of it: its line ends, signs without width, and how its letters are put together. */
const tidy = (heading: unknown) =>
  String(heading)
    .normalize()
    .replaceAll(/\p{Cf}/gu, "")
    .replaceAll(/\s+/gu, " ")
    .trim();

const plain = (heading: Cell | undefined) =>
  tidy(heading ?? "")
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, "");

export function sheetOf(table: readonly SheetRow[], args: SheetArgs): Sheet {
  const mistakes: Mistake[] = [];
  const { headings, body, keyAt, columns, points } = columnsIn(table, args, mistakes);
  const read = columns.map((own) => ({
    ...own,
    amount: memoized((cell: Cell) => cellValue(cell, own.column, points.get(own.column))),
  }));
  const rows = new Map<string, ReadonlyMap<string, number | "">>();
  const places = new Map<string, number>();
  const keyHeading = headings[keyAt] ?? args.key;
  if (mistakes.length > 0) return { columns: [], keyHeading, rows, places, mistakes };
  for (const { number, cells } of body) {
    const key = String(cells[keyAt] ?? "");
    const wrong = (heading: string | undefined, text: string) =>
      void mistakes.push({ row: number, text: `column ${heading}: ${text}` });
    const values = new Map<string, number | "">();
    const over = cells.slice(headings.length).filter((cell) => cell !== "");
    // A decimal comma that separates cells is one: 12,50 would be 12.
    if (over.length > 0)
      mistakes.push({
        row: number,
        text: `${JSON.stringify(over.join(" "))} is beyond the last column, ${headings.findLast((one) => one !== "")}; put quotes around a cell that contains the separator`,
      });
    for (const { column, heading, at, amount } of read) {
      const cell = cells[at] ?? "";
      if (cell === "") continue;
      const value = cell === args.none ? cleared(column) : amount(cell);
      if (typeof value === "object")
        wrong(
          heading,
          `${JSON.stringify(cell)} ${value.wrong}; write a number such as ${sampleOf(column, points.get(column))}, ${isNeeded(column) ? "or leave it empty to change nothing" : `leave it empty to change nothing, or write ${JSON.stringify(args.none)} to remove the value`}`,
        );
      else values.set(column, value);
    }
    if (read.every(({ at }) => (cells[at] ?? "") === "")) continue;
    const other = places.get(key);
    if (key === "") wrong(keyHeading, `it is empty; write the ${args.key} of a variant, or remove the row`);
    else if (other !== undefined)
      wrong(keyHeading, `${JSON.stringify(key)} is already in row ${other}; write each ${args.key} once`);
    else {
      places.set(key, number);
      rows.set(key, values);
    }
  }
  return { columns: columns.map(({ column }) => column), keyHeading, rows, places, mistakes };
}

/** Headings are looked for in so many rows. */
const mostAbove = 20;

/** Which columns are read, and what stands before the decimals of each. */
export function columnsIn(table: readonly SheetRow[], args: SheetArgs, mistakes: Mistake[] = []) {
  const filled = table.filter(({ cells }) => cells.some((cell) => cell !== ""));
  // What stands above the headings, a title or a date, is for people.
  const key = args.columns?.[args.key];
  const isHead = (cell: Cell) =>
    key === undefined ? plain(cell) === plain(args.key) : tidy(cell) === tidy(key);
  const at = filled.slice(0, mostAbove).findIndex(({ cells }) => cells.some(isHead));
  const [head, ...body] = filled.slice(Math.max(0, at));
  if (head === undefined)
    mistakes.push({ row: 0, text: "it is empty; write a row of headings, and a row for each variant" });
  // `Prices [Opt]` is as good as `Old Price`.
  const headings = (head?.cells ?? []).map((cell) =>
    args.columns === undefined
      ? String(cell).replace(/^prices\s*\[\s*(.+?)\s*\]$/is, (_all, title: string) => kindColumn(title))
      : String(cell),
  );
  const { keyAt, columns } = columnsOf(headings, args, mistakes);
  const textsIn = (at: number) =>
    body.flatMap(({ cells }) => (typeof cells[at] === "string" ? [cells[at]] : []));
  const points = new Map(columns.map(({ column, at }) => [column, args.decimal ?? pointOf(textsIn(at))]));
  return { headings, body, keyAt, columns, points };
}

function columnsOf(headings: readonly string[], args: SheetArgs, mistakes: Mistake[]) {
  const wrong = (text: string) => void mistakes.push({ row: 0, text });
  const at = (heading: string, isExact: boolean) =>
    headings.flatMap((one, index) =>
      (isExact ? tidy(one) === tidy(heading) : plain(one) === plain(heading)) ? [index] : [],
    );
  const filled = headings.filter((heading) => heading !== "").map((heading) => JSON.stringify(heading));
  const there = filled.length === 0 ? "" : `; the sheet has ${filled.join(", ")}`;
  const find = (column: string, heading: unknown, isExact: boolean): readonly Column[] => {
    const found = at(String(heading), isExact);
    if (found.length > 1) wrong(`there are ${found.length} columns ${heading}: keep one`);
    else if (isExact && found.length === 0) wrong(`there is no column ${JSON.stringify(heading)}${there}`);
    return found.map((index) => ({ column, heading: headings[index] ?? "", at: index }));
  };
  const { columns } = args;
  const { prices = {}, ...own } = columns ?? {};
  const allowed: readonly string[] = [args.key, ...named, stock];
  for (const name of Object.keys(own))
    if (!allowed.includes(name))
      wrong(`columns.${name} is unknown: a sheet can have ${allowed.join(", ")}, and prices of price kinds`);
  const [keyColumn] =
    own[args.key] === undefined ? find(args.key, args.key, false) : find(args.key, own[args.key], true);
  const mapped = Object.entries(own).flatMap(([name, heading]) =>
    name === args.key || !allowed.includes(name) ? [] : find(name, heading, true),
  );
  const kinds = Object.entries(prices).flatMap(([title, heading]) => find(kindColumn(title), heading, true));
  const byName =
    columns === undefined
      ? [
          ...named.flatMap((name) => find(name, name, false)),
          ...[...new Set(headings)].flatMap((heading) =>
            kindOfColumn(heading) === undefined ? [] : find(heading, heading, true),
          ),
        ]
      : [];
  const found = [...mapped, ...kinds, ...byName];
  if (keyColumn === undefined && mistakes.length === 0)
    wrong(
      `there is no column ${args.key}${there}. Say which column has it, such as columns: { ${args.key}: "Article" }, or set key to ${keys.filter((key) => key !== args.key).join(" or ")}`,
    );
  if (found.length === 0 && mistakes.length === 0)
    wrong(
      `there is no column with prices${there}. Call one price, oldPrice or costPrice, or name it in columns, such as columns: { price: "Amount" }`,
    );
  return { keyAt: keyColumn?.at ?? -1, columns: found };
}

/** Whether a variant must have the value. */
const isNeeded = (column: string) => fieldOf(column).needed === true;

const cleared = (column: string) =>
  isNeeded(column) ? { wrong: `removes the ${column}, and a variant must have one` } : ("" as const);

function cellValue(
  cell: Cell,
  column: string,
  point: Point | undefined,
): number | { readonly wrong: string } {
  const isLong = typeof cell === "number" && Math.abs(cell) >= 1e15;
  const amount = typeof cell !== "number" ? amountOf(cell, point) : isLong ? undefined : cell;
  const isWhole = isPieces(column);
  if (amount === "ambiguous") {
    const [one, other] = [String(cell).replaceAll(/[.,]/g, ""), String(cell).replace(",", ".")];
    return { wrong: `may be ${one} or ${other}: set decimal: "," or decimal: "."` };
  }
  if (amount === undefined || (isWhole && !Number.isInteger(amount)))
    return { wrong: isLong ? tooLong : whyNot(String(cell), isWhole) };
  if (amount < 0 && !isWhole) return { wrong: "is below zero" };
  return amount;
}

const isPieces = (column: string) => fieldOf(column).type === "integer";
const sampleOf = (column: string, point: Point = ".") => (isPieces(column) ? "12" : `1234${point}50`);

const tooLong = "has more than 15 digits";

function whyNot(cell: string, isWhole: boolean): string {
  if (cell.startsWith("=")) return "is a formula without a calculated value: open the workbook and save it";
  if (/^\d{4}-\d\d-\d\d(?:T|$)/.test(cell))
    return "is a date to the spreadsheet: format the column as numbers, and type it again";
  if (cell.replaceAll(/\D/g, "").length > 15 && !/[^\d\s.,]/.test(cell)) return tooLong;
  return `is not ${isWhole ? "a number of pieces" : "an amount"}`;
}

/** A sheet as its text, a line a row in the order of the keys. */
export function textOf({ columns, rows }: Pick<Sheet, "columns" | "rows">, { key, none }: SheetArgs): string {
  const cell = (value: number | "" | undefined) =>
    value === undefined ? "" : value === "" ? none : String(value);
  const lines = [...rows]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([own, values]) => [own, ...columns.map((column) => cell(values.get(column)))]);
  return [[key, ...columns], ...lines].map((cells) => `${lineText(cells)}\n`).join("");
}

let last:
  | { readonly text: string; readonly none: string; readonly sheet: Pick<Sheet, "columns" | "rows"> }
  | undefined;

/** The sheet that `textOf` wrote; the verbs of one ask for the same after each other. */
export function sheetIn(text: string, none: string = clearWord): Pick<Sheet, "columns" | "rows"> {
  if (last?.text !== text || last.none !== none) last = { text, none, sheet: sheetOfText(text, none) };
  return last.sheet;
}

function sheetOfText(text: string, none: string): Pick<Sheet, "columns" | "rows"> {
  const lines = cellsIn(text);
  const [, ...columns] = lines.next().value ?? [];
  const valuesIn = memoized((line: string) => {
    const cells = line.split(between);
    const values = columns.flatMap((column, index) => {
      const cell = cells[index] ?? "";
      return cell === "" ? [] : [[column, cell === none ? ("" as const) : Number(cell)] as const];
    });
    return new Map(values);
  });
  const rows = new Map<string, ReadonlyMap<string, number | "">>();
  for (const [own = "", ...cells] of lines) rows.set(own, valuesIn(cells.join(between)));
  return { columns, rows };
}
