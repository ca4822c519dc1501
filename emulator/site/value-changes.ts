/** The values that a change affected, before and after, and by how much a price has changed. */
import type { ObjectChange } from "../change-log.ts";
import { money } from "./filters.ts";

type Row = Readonly<Record<string, unknown>>;

export interface MovedValue {
  /** `price`, `MUG-R price`. */
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** A changed value with the change that it belongs to. */
export interface Moved extends MovedValue {
  readonly move: ObjectChange;
}

const mostLetters = 60;

/** The values of a change; a create or delete has a single entry. */
export function valuesMoved({ verb, before, after }: ObjectChange): readonly MovedValue[] {
  if (verb === "changed") return rowMoved(before, after, "");
  return [{ name: "", before: verb === "created" ? "" : "there", after: verb }];
}

/**
 * The first and last value of each field that changed, newest first.
 * @param ends whether a change ends the series: earlier ones are ignored
 */
export function movedInAll(
  moves: readonly ObjectChange[],
  ends: (move: ObjectChange) => boolean,
): readonly Moved[] {
  const rows = new Map<string, Moved>();
  const ended = new Set<string>();
  for (const move of moves)
    for (const value of valuesMoved(move)) {
      const key = `${move.kind}/${move.id}/${value.name}`;
      if (ends(move)) ended.add(key);
      else if (!ended.has(key))
        rows.set(key, { ...(rows.get(key) ?? { ...value, move }), before: value.before });
    }
  return [...rows.values()].filter(({ before, after }) => before !== after);
}

/** A price change in percent; undefined for other values. */
export function percentMoved({ name, before, after }: MovedValue): number | undefined {
  const [old, next] = [Number(before), Number(after)];
  return /price/.test(name) && old > 0 && Number.isFinite(next)
    ? Math.round(1000 * (next / old - 1)) / 10
    : undefined;
}

function rowMoved(before: Row, after: Row, above: string): readonly MovedValue[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const [old, next] = [before[name], after[name]];
    if (JSON.stringify(old) === JSON.stringify(next) || isShops(name)) return [];
    if (isRows(old) && isRows(next)) return listMoved(old, next, name);
    const label = `${above}${name.replaceAll("_", " ")}`;
    const [earlier, later] = [textOf(name, old), textOf(name, next)];
    const from = earlier.length + later.length < mostLetters * 2 ? 0 : firstOther(earlier, later);
    return [{ name: label, before: cut(earlier, from), after: cut(later, from) }];
  });
}

/** Whether the shop sets the field itself: times, and a variant's second price. */
const isShops = (name: string) => name.endsWith("_at") || name === "base_price";

/** Changed list items, matched by id; new and removed ones have a single entry. */
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

function textOf(name: string, value: unknown): string {
  if (value === null || value === undefined || value === "") return "nothing";
  if (/price|^discount$|monthly/.test(name) && typeof value !== "object") return money(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** The position where two texts begin to differ, minus some context. */
function firstOther(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return Math.max(0, at - mostLetters / 3);
}

const cut = (text: string, from: number) =>
  `${from > 0 ? "…" : ""}${text.slice(from, from + mostLetters)}${text.length > from + mostLetters ? "…" : ""}`;
