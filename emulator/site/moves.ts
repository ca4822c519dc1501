/** What changed of objects that were there before: each value with what it was, the latest first. */
import type { Move } from "../store.ts";

type Row = Readonly<Record<string, unknown>>;

/** One value that changed. */
export interface MovedValue {
  /** `price`, `MUG-R price`. */
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

const mostLetters = 60;

/** The values that an edit changed. */
export const valuesMoved = ({ before, after }: Move): readonly MovedValue[] => rowMoved(before, after, "");

function rowMoved(before: Row, after: Row, above: string): readonly MovedValue[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const [old, next] = [before[name], after[name]];
    if (JSON.stringify(old) === JSON.stringify(next) || name.endsWith("_at")) return [];
    if (isRows(old) && isRows(next)) return listMoved(old, next, name);
    const label = `${above}${name.replaceAll("_", " ")}`;
    return [{ name: label, before: shown(old), after: shown(next) + percent(name, old, next) }];
  });
}

/** Items of a list, each by its number; what is new or gone is told as a whole. */
function listMoved(before: readonly Row[], after: readonly Row[], name: string): readonly MovedValue[] {
  const called = (row: Row) => `${String(row.sku ?? row.title ?? row.id)} `;
  const one = name.replace(/s$/, "").replaceAll("_", " ");
  const kept = after.flatMap((row) => {
    const old = before.find(({ id }) => id === row.id);
    return old === undefined
      ? [{ name: `${called(row)}${one}`, before: "", after: "new" }]
      : rowMoved(old, row, called(row));
  });
  const gone = before.filter(({ id }) => !after.some((row) => row.id === id));
  return [...kept, ...gone.map((row) => ({ name: `${called(row)}${one}`, before: "there", after: "gone" }))];
}

const isRows = (value: unknown): value is readonly Row[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "object" && one !== null);

function shown(value: unknown): string {
  if (value === null || value === undefined || value === "") return "nothing";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.length <= mostLetters ? text : `${text.length.toLocaleString("en-US")} letters`;
}

/** How far a price has moved. */
function percent(name: string, before: unknown, after: unknown): string {
  const [old, next] = [Number(before), Number(after)];
  if (!/price/.test(name) || !(old > 0) || !Number.isFinite(next)) return "";
  const tenths = Math.round(1000 * (next / old - 1)) / 10;
  return ` (${tenths > 0 ? "+" : ""}${tenths} %)`;
}
