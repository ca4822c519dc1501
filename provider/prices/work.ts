/** What a sheet means to the products of its rows as the shop has them: compared row by row, and sent a product at a time. */

import { type Path, pathText } from "../../engine/pulumi/path.ts";
import { mergeField } from "../change/change.ts";
import type { FieldChange, Verdict } from "../change/field-change.ts";
import { isSecretPath } from "../change/secrets.ts";
import { call } from "../client/call.ts";
import { LostAnswerError } from "../client/errors.ts";
import type { Shop } from "../context/context.ts";
import { type Effect, effectsOf } from "../context/effects.ts";
import { percentOf } from "../context/limits.ts";
import { operationOf } from "../definition/define.ts";
import { underPlannedKeys } from "../lifecycle/object-change.ts";
import { readForWrite, readObject, reuseMs } from "../lifecycle/observe.ts";
import { objectKey } from "../names/owner.ts";
import { type CellState, isDeletedRow, type RowState, type SheetState, type Value } from "../names/rows.ts";
import type { Values } from "../wire/codec.ts";
import { hidden } from "../wire/text.ts";
import { listOf, valuesOf } from "../wire/values.ts";
import { product } from "./definition.ts";
import { cellPath, fieldOf, type Key, type Sheet, valueIn, variantOf } from "./rows.ts";

/** A row, with the variant that it means. */
export interface Task extends Omit<RowState, "cells"> {
  readonly key: string;
  readonly asked: ReadonlyMap<string, Value>;
  readonly known: ReadonlyMap<string, CellState>;
  /** What the stack's sheets have set last, also in an interrupted run. @param is the shop's value */
  readonly cellOf: (
    task: Pick<Task, "key" | "variant" | "known">,
    column: string,
    is: unknown,
  ) => CellState | undefined;
  /** Whether the sheet states it no more: what was there before comes back, unless somebody changed it since. */
  readonly isLeaving?: true;
}

/** How the shop's values and the sheet's are merged. */
export interface Terms {
  /** By what a row is found. */
  readonly by: Key;
  readonly keeps: boolean;
  readonly overwrites: boolean;
  /** Whether what staff changed, and a refresh has read, is a conflict too (`shop:drift: stop`). */
  readonly stops: boolean;
  /** Whether what was there before is remembered. */
  readonly remembers: boolean;
  /** Shows a value in messages. */
  readonly shown: Shown;
  /** Why a value isn't sent; undefined where it is as the plan showed it. */
  readonly moved: (field: FieldChange, cell: CellState | undefined) => string | undefined;
}

/** What becomes of the rows of one product. */
export interface Outcome {
  readonly id: string;
  readonly title: string;
  /** The rows, each with the variant that it means now. */
  readonly tasks: readonly Task[];
  /** All rows that were compared. */
  readonly rows: readonly Task[];
  /** What is sent of each variant, by its number. */
  readonly sends: ReadonlyMap<string, ReadonlyMap<string, unknown>>;
  /** What differs, by key and column; a conflict that may be overwritten is sent. */
  readonly fields: readonly FieldChange[];
  /** The conflicts that are. */
  readonly overwritten: readonly FieldChange[];
  /** What isn't as the plan showed it: a sentence each. */
  readonly moved: readonly string[];
  /** Keys of rows whose variant is gone. */
  readonly gone: readonly string[];
  readonly effects: readonly Effect[];
  readonly shown: Shown;
  /** What the state says of the rows, once what is sent was answered with this product. */
  known(after: Values): ReadonlyMap<string, RowState>;
}

export const variantsIn = (seen: Values) => listOf(seen.variants);
export const variantIn = (seen: Values, id: string) => variantsIn(seen).find((one) => String(one.id) === id);
/**
 * The variant of a row: the one with its key, since staff may have given the keys to other variants or made it again; without
 * one, or with several, the one with its number.
 */
export function meantVariant(seen: Values, { key, variant }: Pick<Task, "key" | "variant">, by: Key) {
  const [one, ...others] = variantsIn(seen).filter((each) => each[by] === key);
  return (others.length === 0 ? one : undefined) ?? variantIn(seen, variant);
}
/** The variant that a row has set: the one with its number, whatever key it has by now; else one that staff have made again. */
export const writtenVariant = (seen: Values, row: Pick<Task, "key" | "variant">, by: Key) =>
  variantIn(seen, row.variant) ?? meantVariant(seen, row, by);
/** What a variant holds, of which an answer leaves out what is empty. */
export const held = (value: unknown): Value =>
  value === undefined || value === null ? "" : (value as Value);

/**
 * Rows that ask for something else than the shop had when it was looked at last; one whose variant went is as a new one.
 * @param interrupted variants whose prices an interrupted run may have written
 */
export function openTasks(
  sheet: Pick<Sheet, "rows">,
  known: SheetState,
  keeps: boolean,
  interrupted: ReadonlySet<string>,
): readonly (readonly [string, RowState | undefined])[] {
  return [...sheet.rows].flatMap(([key, asked]) => {
    const before = known.rows.get(key);
    const row = before === undefined || isDeletedRow(before) ? undefined : before;
    const isOpen = (column: string, value: Value) => {
      const cell = row?.cells.get(column);
      return isStaffs(column, cell, value) ? !keeps : cell?.asked !== value;
    };
    return row !== undefined &&
      !interrupted.has(row.variant) &&
      [...asked].every(([column, value]) => !isOpen(column, value))
      ? []
      : [[key, row] as const];
  });
}

/** Whether a cell asks what it did before an edit of staff, which a refresh has read or another checkout accepted. */
const isStaffs = (column: string, cell: CellState | undefined, value: Value): boolean =>
  lacksAccepted(cell, value) ||
  (cell?.read !== undefined && cell.asked === value && !fieldOf(column).serverManaged);

/** The cells that stay as staff made them if their edits are kept. */
export const keptCells = (sheet: Pick<Sheet, "rows">, known: SheetState): readonly Path[] =>
  [...known.rows].flatMap(([key, { cells }]) =>
    [...(sheet.rows.get(key) ?? [])].flatMap(([column, value]) =>
      isStaffs(column, cells.get(column), value) ? [cellPath(key, column)] : [],
    ),
  );

/** Whether a cell has a note of an accepted edit that the sheet has: a run ends it. */
export const endsNote = ({ accepted, asked }: CellState, value: Value | undefined): boolean =>
  accepted !== undefined && asked === value;

/** Compares the rows of a product with what the shop has. */
export function compare(id: string, seen: Values, rows: readonly Task[], terms: Terms): Outcome {
  const fields: FieldChange[] = [];
  const overwritten: FieldChange[] = [];
  const sends = new Map<string, Map<string, unknown>>();
  const gone: string[] = [];
  const moved: string[] = [];
  const states: [Task, ReadonlyMap<string, (after: unknown) => CellState | undefined>][] = [];
  const tasks: Task[] = [];
  for (const row of rows) {
    // What was there before comes back to the variant that had it.
    const there = (row.isLeaving === true ? writtenVariant : meantVariant)(seen, row, terms.by);
    if (there === undefined) {
      gone.push(row.key);
      continue;
    }
    const task = { ...row, variant: String(there.id) };
    tasks.push(task);
    const cells = new Map<string, (after: unknown) => CellState | undefined>();
    for (const [column, asked] of task.asked) {
      const is = valueIn(there, column);
      const cell = task.cellOf(task, column, is);
      const isLacking = lacksAccepted(cell, asked) && task.isLeaving !== true;
      const base = cell === undefined ? is : isLacking ? asked : cell.asked;
      const inState = cell === undefined ? is : (cell.read ?? cell.asked);
      const changes: FieldChange[] = [];
      const sides = { path: cellPath(task.key, column), asked, is, base, inState };
      const merged = mergeField(fieldOf(column), sides, { keeps: terms.keeps, changes });
      if (changes[0] !== undefined) changes[0] = withAccepted(changes[0], cell, isLacking);
      const reason = changes[0] && task.isLeaving !== true ? terms.moved(changes[0], cell) : undefined;
      if (reason !== undefined) {
        moved.push(reason);
        if (cell !== undefined) cells.set(column, () => cell);
        continue;
      }
      // What the sheet asks as a refresh has read it is for the state alone.
      if (changes.length === 0 && cell !== undefined && cell.asked !== asked && held(is) === asked)
        changes.push({ ...sides, was: cell.asked, verdict: "done" });
      const clash = changes.filter(
        ({ verdict }) =>
          verdict === "conflict" || (verdict === "put back" && (terms.stops || task.isLeaving === true)),
      );
      const isStopped = clash.length > 0 && (task.isLeaving === true || !terms.overwrites);
      const verdict: Verdict = task.isLeaving ? "kept" : terms.overwrites ? "send" : "conflict";
      fields.push(...changes.map((one) => (clash.includes(one) ? { ...one, verdict } : one)));
      if (!isStopped) overwritten.push(...clash);
      const isSent = !isStopped && merged.sent !== undefined;
      if (isSent) sends.set(task.variant, (sends.get(task.variant) ?? new Map()).set(column, asked));
      const first = terms.remembers ? { before: cell?.before ?? held(is) } : {};
      cells.set(column, (after) => {
        if (isStopped || (isLacking && !isSent)) return cell;
        const now = held(merged.known(after));
        return { asked, ...(now !== asked && { read: now }), ...first };
      });
    }
    if (!task.isLeaving) states.push([task, cells]);
  }
  return {
    id,
    title: String(seen.title ?? ""),
    shown: terms.shown,
    tasks,
    rows,
    sends,
    fields,
    overwritten,
    moved,
    gone,
    effects: effectsOf(product, seen, { variants: withSends(seen, sends) }),
    known: (after) =>
      new Map(
        states.flatMap(([task, cells]) => {
          if (cells.size === 0 && task.asked.size > 0) return [];
          const variant = variantIn(after, task.variant) ?? {};
          const entries = [...cells].flatMap(([column, state]) => {
            const cell = state(valueIn(variant, column));
            return cell === undefined ? [] : [[column, cell] as const];
          });
          return [[task.key, { product: task.product, variant: task.variant, cells: new Map(entries) }]];
        }),
      ),
  };
}

/** Whether a sheet has the value from before an edit that another checkout accepted. */
const lacksAccepted = (cell: CellState | undefined, asked: Value): boolean =>
  cell?.accepted?.includes(asked) === true && cell.read === undefined && cell.asked !== asked;

/** Marks a change that reverts an accepted edit, or sets a third value. */
function withAccepted(change: FieldChange, cell: CellState | undefined, isLacking: boolean): FieldChange {
  if (isLacking) return change.verdict === "put back" ? { ...change, accepted: "reverted" } : change;
  const isThird = cell?.accepted !== undefined && cell.read === undefined && change.verdict === "send";
  return isThird ? { ...change, was: cell.accepted.at(-1), accepted: "changed" } : change;
}

/** Looks at a product; undefined where it is gone. */
export function lookAt(shop: Shop, id: string): Promise<Values | undefined> {
  const { readsInProgress: looking } = shop.memory;
  const now = looking.get(id) ?? lookNow(shop, id).finally(() => looking.delete(id));
  looking.set(id, now);
  return now;
}

async function lookNow(shop: Shop, id: string): Promise<Values | undefined> {
  const seen = await readForWrite({ definition: product, shop, id, olds: {} });
  if (typeof seen !== "object") return undefined;
  const now = underPlannedKeys({ definition: product, shop, id }, seen);
  const ends = [...shop.memory.putBack.values()].map((one) => one.get(id));
  return {
    ...now,
    variants: ends.reduce((all, sends) => withSends({ variants: all }, sends), variantsIn(now)),
  };
}

/** The variants of a product once these values are sent. @param sends by the variant's number, then by column */
const withSends = (seen: Values, sends: Outcome["sends"] = new Map()): readonly Values[] =>
  variantsIn(seen).map((one) => {
    const changes = sends.get(String(one.id));
    if (changes === undefined) return one;
    const { prices, ...rest } = variantOf(changes);
    return { ...one, ...rest, ...(prices !== undefined && { prices: { ...(one.prices ?? {}), ...prices } }) };
  });

/** Sends what a product's rows ask, in one request. @returns the product as it is then */
export async function send(shop: Shop, outcome: Outcome, seen: Values): Promise<Values> {
  const { id, sends } = outcome;
  if (sends.size === 0) return seen;
  const variants = [...sends].map(([variant, values]) => ({ id: variant, ...variantOf(values) }));
  const input = { id, variants };
  const edit = async () => {
    const answer = valuesOf(await call(shop.transport, product, operationOf(product, "edit"), input));
    if (isTaken(variants, answer)) return answer;
    // An answer may leave out what the shop has stored.
    const after = await readObject(product, shop, id);
    if (typeof after !== "object" || !isTaken(variants, after))
      throw new Error(notTakenText(outcome, typeof after === "object" ? after : answer));
    return after;
  };
  const { recentReads: looks } = shop.memory;
  const key = objectKey(product.kind, id);
  shop.reads.written(product, id);
  try {
    const after = await edit();
    // Another sheet that prices it too needs no look of its own.
    const now = { ...seen, variants: after.variants };
    looks.set(key, { seen: now, at: shop.now(), mostAgeMs: reuseMs });
    return after;
  } catch (error) {
    looks.delete(key);
    if (!(error instanceof LostAnswerError)) throw error;
    // Setting a price twice sets it once: what was lost is looked at, and sent again where it didn't come.
    const now = await readObject(product, shop, id);
    if (typeof now === "object" && isTaken(variants, now)) return now;
    return edit();
  }
}

const isTaken = (sent: readonly Values[], after: Values): boolean =>
  sent.every(({ id, prices, ...values }) => {
    const there = variantIn(after, String(id));
    const inKinds = Object.entries(valuesOf(prices));
    const kinds = valuesOf(there?.prices);
    return (
      there !== undefined &&
      Object.entries(values).every(([name, value]) => held(there[name]) === value) &&
      inKinds.every(([title, value]) => held(kinds[title]) === value)
    );
  });

/** @param after the product as it is then */
function notTakenText({ id, title, tasks, sends, shown }: Outcome, after: Values): string {
  const lines = tasks.flatMap(({ key, variant }) =>
    [...(sends.get(variant) ?? [])].flatMap(([column, value]) => {
      const is = held(valueIn(variantIn(after, variant) ?? {}, column));
      return is === value
        ? []
        : [`  ${label(cellPath(key, column), "")}: ${shown(value)}, the shop has ${shown(is)}`];
    }),
  );
  const head = `the shop answered the edit of Product ${id} (${title}) without taking these values; write others, or leave them out:`;
  return [head, ...folded(lines)].join("\n");
}

const mostLines = 20;

/** So many lines as a person reads, and how many more there are. */
export const folded = (lines: readonly string[]): readonly string[] =>
  lines.length <= mostLines
    ? lines
    : [...lines.slice(0, mostLines), `  … and ${(lines.length - mostLines).toLocaleString("en-US")} more`];

type Shown = (value: unknown) => string;

/** How messages show the values of a sheet. @param args the sheet's, or its outputs */
export const shownBy = (args: Values): Shown =>
  isSecretPath(args, "rows") ? () => hidden : (value) => (held(value) === "" ? "nothing" : String(value));

/** The effects that a plan may show: those of secret rows tell their prices. */
export const shownEffects = (args: Values, outcomes: readonly Outcome[]): readonly Effect[] =>
  isSecretPath(args, "rows") ? [] : outcomes.flatMap((one) => one.effects);

/** What is done to rows, a line each, the largest move first. */
export function moveLines(outcomes: readonly Outcome[]): readonly string[] {
  const lines = outcomes.flatMap(({ title, fields, shown }) =>
    fields.flatMap(({ path, is, asked, verdict }) => {
      if (verdict !== "send" && verdict !== "put back") return [];
      const percent = typeof is === "number" && typeof asked === "number" ? percentOf(is, asked) : undefined;
      const hasPercent = percent !== undefined && Number.isFinite(percent);
      const note =
        hasPercent && shown(asked) !== hidden
          ? ` (${percent > 0 ? "+" : ""}${Math.round(percent * 10) / 10} %)`
          : "";
      const marked = verdict === "put back" ? ", puts back what staff changed" : "";
      const line = `~ ${label(path, title)}: ${shown(is)} => ${shown(asked)}${note}${marked}`;
      return [{ far: hasPercent ? Math.abs(percent) : -1, line }];
    }),
  );
  return lines.toSorted((one, other) => other.far - one.far).map(({ line }) => line);
}

/** `A-1 (Mug) price`. */
export const label = ([, key, ...column]: Path, title: string): string =>
  `${key}${title === "" ? "" : ` (${title})`} ${pathText(column)}`;

/** What staff changed and the sheet leaves as it is. @param is the shop's value */
export const keptText = (
  path: Path,
  { title, shown }: Pick<Outcome, "title" | "shown">,
  is: unknown,
): string =>
  `${label(path, title)} was changed in the shop and stays ${held(is) === "" ? "without one" : shown(is)}`;

/** What staff changed and the sheet changes too, a sentence each. */
export const conflictLines = (outcomes: readonly Outcome[]): readonly string[] =>
  outcomes.flatMap(({ title, fields, shown }) =>
    fields.flatMap(({ path, was, is, asked, verdict }) =>
      verdict !== "conflict"
        ? []
        : `${label(path, title)}: last run ${shown(was)}, in the shop now ${shown(is)}, the sheet asks for ${shown(asked)}`,
    ),
  );

/** The same of a row of an outcome, with the values that would have come back. */
export function goneIn({ id, title, rows, shown }: Outcome, key: string): string {
  const back = rows.flatMap((row) =>
    row.key === key && row.isLeaving
      ? [...row.asked].flatMap(([column, value]) =>
          value === "" ? [] : `${pathText(cellPath(key, column).slice(2))} ${shown(value)}`,
        )
      : [],
  );
  const text = goneText(key, title);
  return back.length === 0
    ? text
    : `${text}; its earlier ${back.join(", ")} can't come back to Product ${id}`;
}

export const goneText = (key: string, title: string) =>
  `${key}${title === "" ? "" : ` (${title})`}: the shop no longer has this variant`;
