/** The parts of the overview page about changes: the timeline of runs, edits by staff since, and price changes. */

import type { ChangeCount, ObjectChange } from "../change-log.ts";
import type { Run } from "../runs.ts";
import type { Store, Stored } from "../store.ts";
import { agoHtml, nounOf, objectLink, safe, table } from "./html.ts";
import { type Moved, movedInAll, percentMoved, valuesMoved } from "./value-changes.ts";

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
