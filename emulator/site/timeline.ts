/** The parts of the overview page about changes: the timeline of runs, edits by staff since, and price changes. */

import type { ChangeCount, ObjectChange } from "../change-log.ts";
import type { Run } from "../runs.ts";
import type { Store, Stored } from "../store.ts";
import { money } from "./filters.ts";
import { agoHtml, nounOf, objectLink, safe, table } from "./html.ts";

export interface History {
  readonly store: Store;
  readonly runs: readonly Run[];
  readonly now: number;
}

const mostRuns = 12;
const mostRows = 50;

export function changesHtml({ store, runs, now }: History): string {
  const moves = store.moves();
  const input: TimelineInput = { store, moves, tallies: store.tallies(), now };
  const staff = new Set(runs.filter(({ isStaff }) => isStaff).map(({ id }) => id));
  const drift = movedInAll(moves, ({ run }) => !staff.has(run)).filter(
    ({ move }) => move.verb === "deleted" || store.get(move.kind, move.id)?.archived === false,
  );
  const prices = movedInAll(moves, () => false)
    .filter((moved) => percentMoved(moved) !== undefined)
    .toSorted((one, other) => Math.abs(percentMoved(other) ?? 0) - Math.abs(percentMoved(one) ?? 0));
  return [
    timeline(input, runs),
    part(input, "drift", "Changed by hand", "Edits by staff that no run has changed since.", drift),
    part(input, "prices", "Prices that moved", "From the first to the last, the largest move first.", prices),
  ].join("\n");
}

interface TimelineInput {
  readonly store: Store;
  readonly moves: readonly ObjectChange[];
  readonly tallies: readonly ChangeCount[];
  readonly now: number;
}

function timeline(input: TimelineInput, runs: readonly Run[]): string {
  const last = input.moves.find(({ verb }) => verb !== "created")?.run;
  const shown = runs.slice(0, mostRuns).map((run) => entry(input, run, run.id === last));
  const more = runs.length > mostRuns ? `<p class="soft">and ${runs.length - mostRuns} before</p>` : "";
  const list =
    shown.length === 0 ? '<p class="soft">Nothing has happened yet.</p>' : `<ol>${shown.join("")}</ol>`;
  return `<section id="timeline" aria-labelledby="timeline-title"><h2 id="timeline-title">Timeline</h2>${list}${more}</section>`;
}

function entry(input: TimelineInput, run: Run, isLast: boolean): string {
  const asked = run.isStaff ? "" : `${run.count} request${run.count === 1 ? "" : "s"}, `;
  const tallies = input.tallies.filter((one) => one.run === run.id);
  const changed = input.moves.filter((move) => move.run === run.id && move.verb !== "created");
  const rows = changed.flatMap((move) => valuesMoved(move).map((value) => ({ ...value, move })));
  return `<li id="run-${run.id}" class="${run.isStaff ? "staff" : tallies.length === 0 ? "quiet" : "run"}">
<h3>${safe(run.by)} <small>${asked}${tallies.length === 0 ? "changed nothing, " : ""}${agoHtml(input.now, run.last)}</small></h3>
${tallies.length === 0 ? "" : `<p>${summaryOf(tallies)}</p>`}
${rows.length === 0 ? "" : `<details${isLast ? " open" : ""}><summary>Before and after</summary>${values(input, `Before and after, ${run.by}`, rows, `run-${run.id}`)}</details>`}
</li>`;
}

/** `61 created: 29 products, 12 coupons`. */
function summaryOf(tallies: readonly ChangeCount[]): string {
  const verbs = ["created", "changed", "deleted", "recovered"] as const;
  const texts = verbs.flatMap((verb) => {
    const own = tallies.filter((one) => one.verb === verb).toSorted((one, other) => other.n - one.n);
    const sum = own.reduce((all, { n }) => all + n, 0);
    if (sum === 0) return [];
    const kinds = own.map(({ kind, n }) => `${n.toLocaleString("en-US")} ${nounOf(kind, n)}`).join(", ");
    return [
      `<b class="${verb}">${sum.toLocaleString("en-US")} ${verb}</b> <span class="soft">${kinds}</span>`,
    ];
  });
  return texts.join("<br>");
}

function part(
  input: TimelineInput,
  id: string,
  title: string,
  about: string,
  rows: readonly Moved[],
): string {
  if (rows.length === 0) return "";
  return `<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title} <small>${rows.length}</small></h2><p class="soft">${about}</p>${values(input, title, rows, id)}</section>`;
}

function values(input: TimelineInput, name: string, rows: readonly Moved[], id: string): string {
  const cells = rows.slice(0, mostRows).map((moved, at) => ({
    id: `${id}-${moved.move.kind}-${moved.move.id}-${moved.name}-${rows.length - at}`,
    cells: [objectOf(input.store, moved.move), safe(moved.name), safe(moved.before), after(moved)],
  }));
  const more = rows.length > mostRows ? `<p class="soft">and ${rows.length - mostRows} more</p>` : "";
  return table(name, ["Object", "Value", "Before", "After"], cells) + more;
}

/** The object as it is now, or as it was before its delete. */
function objectOf(store: Store, { kind, id, after, verb }: ObjectChange): string {
  const gone = { ...after, id, archived: verb === "deleted" } as unknown as Stored;
  return objectLink(kind, store.get(kind, id) ?? gone);
}

function after(moved: Moved): string {
  const percent = percentMoved(moved);
  if (percent === undefined) return safe(moved.after);
  return `${safe(moved.after)} <span class="${percent > 0 ? "up" : "down"}">${percent > 0 ? "▲ +" : "▼ "}${percent} %</span>`;
}

type Row = Readonly<Record<string, unknown>>;

interface MovedValue {
  /** `price`, `MUG-R price`. */
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

interface Moved extends MovedValue {
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
function movedInAll(moves: readonly ObjectChange[], ends: (move: ObjectChange) => boolean): readonly Moved[] {
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
function percentMoved({ name, before, after }: MovedValue): number | undefined {
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
    const [earlier, later] = [textOf(name, before), textOf(name, after)];
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

function textOf(name: string, row: Row): string {
  const value = row[name];
  if (value === null || value === undefined || value === "") return "nothing";
  if (name === "discount" && row.type_id === 1) return `${Number(value)} %`;
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
