/** What the state keeps of a sheet's rows: which variant each is, what was asked of it, and what the shop had where that was something else. */
import { between, cellsIn, lineText, madeOnce } from "../names/rows.ts";

/** A value of a variant: an empty text where it has none. */
export type Value = number | "";

export interface KnownCell {
  /** What the sheet asked last. */
  readonly asked: Value;
  /** What the shop had when it was looked at last, where that is something else. */
  readonly read?: Value | undefined;
  /** What it was before the sheet set it, where that is to be put back. */
  readonly before?: Value | undefined;
}

/** What a sheet asks of a value, by its place. @param of a resource: its own cells aren't meant */
export type SheetCell = (of: string, place: string) => KnownCell | undefined;

export interface KnownRow {
  readonly product: string;
  readonly variant: string;
  readonly cells: ReadonlyMap<string, KnownCell>;
}

/** Whether a refresh found the variant of a row gone: the row states nothing of the shop any more. */
export const isGone = ({ cells }: KnownRow): boolean => cells.size === 0;

/** Among the outputs of a sheet: its rows as the shop has them. */
export const knownKey = "__rows";

export interface Known {
  readonly columns: readonly string[];
  readonly rows: ReadonlyMap<string, KnownRow>;
}

export const nothingKnown: Known = { columns: [], rows: new Map() };

const valueText = (value: Value) => (value === "" ? "-" : String(value));
const valueIn = (text: string): Value => (text === "-" ? "" : Number(text));

function cellText(cell: KnownCell | undefined): string {
  if (cell === undefined) return "";
  const { asked, read, before } = cell;
  return `${valueText(asked)}${read === undefined ? "" : `>${valueText(read)}`}${before === undefined ? "" : `<${valueText(before)}`}`;
}

function cellIn(text: string): KnownCell {
  const [, asked = "", read, before] = /^([^<>]*)(?:>([^<]*))?(?:<(.*))?$/.exec(text) ?? [];
  return {
    asked: valueIn(asked),
    ...(read !== undefined && { read: valueIn(read) }),
    ...(before !== undefined && { before: valueIn(before) }),
  };
}

/** `A-1|532216/684079|10.99>9.5`, a line a row in the order of the keys. */
export function knownText({ columns: asked, rows }: Known): string {
  // What the sheet has no column of any more may still be to be put back.
  const columns = [...new Set([...asked, ...[...rows.values()].flatMap(({ cells }) => [...cells.keys()])])];
  const lines = [...rows]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, { product, variant, cells }]) => [
      key,
      `${product}/${variant}`,
      ...columns.map((column) => cellText(cells.get(column))),
    ]);
  return [["", "", ...columns], ...lines].map((cells) => `${lineText(cells)}\n`).join("");
}

export function knownIn(text: unknown): Known {
  if (typeof text !== "string" || text === "") return nothingKnown;
  const lines = cellsIn(text);
  const [, , ...columns] = lines.next().value ?? [];
  const cellsOf = madeOnce((line: string) => {
    const cells = line.split(between);
    const own = columns.flatMap((column, at) => (cells[at] ? [[column, cellIn(cells[at])] as const] : []));
    return new Map(own);
  });
  const rows = new Map<string, KnownRow>();
  for (const [key = "", ids = "", ...cells] of lines) {
    const [product = "", variant = ""] = ids.split("/");
    rows.set(key, { product, variant, cells: cellsOf(cells.join(between)) });
  }
  return { columns, rows };
}
