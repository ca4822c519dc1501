/**
 * What the real engine did, remembered: a file of test/fixtures/engine for each file of scenarios, a run after the other.
 * `npm run record` writes them where pulumi is on PATH; without it the scenarios are compared with them.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { Properties } from "../../engine/values/values.ts";
import type { NormalState } from "./normal.ts";
import { runInOrder } from "./order.ts";
import { nameOf, type Options, type Verb } from "./scene.ts";

/** One run: what was asked, what it did, the state it left. */
export interface RecordedRun {
  readonly verb: Verb;
  readonly options: Options;
  /** The exit code of the command; what has none in a run of ours is compared by whether it is 0. */
  readonly exit: number;
  readonly steps: readonly string[];
  /** Every call of the provider, those that only ask too. */
  readonly calls: readonly string[];
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly before: NormalState;
  readonly after: NormalState;
}

interface RecordFile {
  /** The version of the engine that was recorded. */
  readonly engine: string;
  readonly scenarios: Readonly<Record<string, readonly RecordedRun[]>>;
}

// A resource that is as it was after the run before stands there by its place in it.
type Written = Omit<RecordedRun, "before" | "after"> & {
  readonly before?: WrittenState;
  readonly after: WrittenState | "as before";
};
interface WrittenState {
  readonly resources: readonly (Properties | number)[];
  readonly pending?: readonly Properties[];
}

const folder = fileURLToPath(new URL("../fixtures/engine", import.meta.url));
const nothing: NormalState = { resources: [], pending: [] };
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

function written(state: NormalState, last: NormalState): WrittenState {
  const place = (one: Properties) => last.resources.findIndex((other) => same(one, other));
  return {
    resources: state.resources.map((one) => (place(one) < 0 ? one : place(one))),
    ...(state.pending.length > 0 && { pending: state.pending }),
  };
}

const read = ({ resources, pending = [] }: WrittenState, last: NormalState): NormalState => ({
  resources: resources.map((one) => (typeof one === "number" ? (last.resources[one] ?? {}) : one)),
  pending,
});

/** A value on lines of at most a hundred characters or so: what fits on one stands on one. */
function lines(value: unknown, indent = ""): string {
  const flat = JSON.stringify(value);
  if (flat.length + indent.length <= 110 || typeof value !== "object" || value === null) return flat;
  const inner = `${indent} `;
  const parts = Array.isArray(value)
    ? value.map((one) => inner + lines(one, inner))
    : Object.entries(value)
        .filter(([, one]) => one !== undefined)
        .map(([key, one]) => `${inner}${JSON.stringify(key)}: ${lines(one, inner)}`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  return `${open}\n${parts.join(",\n")}\n${indent}${close}`;
}

/** Writes the records of a file of scenarios. */
export function writeRecords(name: string, { engine, scenarios }: RecordFile): void {
  const entries = Object.entries(scenarios).map(([sentence, runs]) => {
    let last = nothing;
    const all = runs.map(runInOrder).map(({ before, after, ...run }): Written => {
      const own = same(before, last) ? {} : { before: written(before, last) };
      const left = same(after, before) ? ("as before" as const) : written(after, before);
      last = after;
      return { ...run, ...own, after: left };
    });
    return [sentence, all] as const;
  });
  mkdirSync(folder, { recursive: true });
  const text = lines({ engine, scenarios: Object.fromEntries(entries) });
  writeFileSync(join(folder, `${name}.json`), `${text}\n`);
}

/** The records of a file of scenarios; none where it has never been recorded. */
export function readRecords(name: string): RecordFile {
  const path = join(folder, `${name}.json`);
  if (!existsSync(path)) return { engine: "", scenarios: {} };
  const { engine, scenarios } = JSON.parse(readFileSync(path, "utf8")) as {
    engine: string;
    scenarios: Record<string, readonly Written[]>;
  };
  const entries = Object.entries(scenarios).map(([sentence, runs]) => {
    let last = nothing;
    const all = runs.map(({ before, after, ...run }): RecordedRun => {
      const start = before === undefined ? last : read(before, last);
      last = after === "as before" ? start : read(after, start);
      return { ...run, before: start, after: last };
    });
    return [sentence, all] as const;
  });
  return { engine, scenarios: Object.fromEntries(entries) };
}

export const onlyAsks = (call: string) => /^(check|diff) /.test(call);

/** What of a list isn't in another, each as often as it stands there. */
function beyond(some: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return some.filter((one) => {
    const index = left.indexOf(one);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}

/** Steps that pulumi tells of a refresh that reads nothing: of a component, and of what an earlier run deleted first. */
const notRead = ({ resources }: NormalState): ReadonlySet<string> =>
  new Set(
    resources
      .filter(({ custom, pendingReplacement }) => custom !== true || pendingReplacement === true)
      .map(({ urn }) => `refresh ${nameOf(String(urn))}`),
  );

const isForgotten = (state: Properties) => state.external === true && state.delete === true;

/** Where our engine does something else than pulumi, and why that is right. */
export interface Difference {
  /** The run's number, from 1. */
  readonly run: number;
  /** "asks" are calls that only ask. */
  readonly part: "steps" | "calls" | "asks" | "outputs" | "after" | "succeeded";
  readonly reason: string;
  /** Whether there is none after a state that pulumi left. */
  readonly ownStates?: true;
}

/**
 * Compares a run with what the real engine did in its place. Of the calls those that only ask may be fewer
 * (docs/decisions/0013-what-isn-t-asked-twice.md).
 * @throws Error of vitest's that shows what differs
 */
export function compareRun(
  number: number,
  run: RecordedRun,
  recorded: RecordedRun | undefined,
  differences: readonly Difference[] = [],
): void {
  const asks = (one: RecordedRun | undefined) => one?.calls.filter(onlyAsks) ?? [];
  const part = (one: RecordedRun) => {
    // Of what was only read and is replaced, and of what an earlier run deleted first, our engine makes no step; what is only
    // forgotten it deletes from the state, and at once. An import is told as one, whatever was there before. What only one of
    // the two tells, and what only asks, must not put what is done in another order.
    const untold = notRead(one.before);
    const { verb, options, exit, steps, calls, outputs, after } = runInOrder({
      ...one,
      calls: one.calls.filter((call) => !onlyAsks(call)),
      steps: one.steps
        .filter((step) => !untold.has(step))
        .filter((step) => !/^(discard-replaced|remove-pending-replace) /.test(step)),
      after: { ...one.after, resources: one.after.resources.filter((state) => !isForgotten(state)) },
    });
    const told = steps
      .map((step) => step.replace(/^read-replacement /, "read ").replace(/^discard /, "delete "))
      .map((step) => step.replace(/^import-replacement /, "import "));
    return { verb, options, succeeded: exit === 0, steps: told, calls, outputs, after };
  };
  const name = `run ${number + 1}`;
  const [ours, theirs] = [part(run), recorded && part(recorded)];
  const asked = beyond(asks(run), asks(recorded));
  const known = new Set(differences.filter((one) => one.run === number + 1).map((one) => one.part));
  const [own, others] = [
    { ...ours, asks: asked },
    { ...theirs, asks: [] },
  ];
  for (const each of known)
    expect(own[each], `${name}: ${each} are the same by now`).not.toEqual(others[each]);
  const rest = (all: object) =>
    Object.fromEntries(Object.entries(all).filter(([each]) => !known.has(each as never)));
  expect(rest(ours), `${name} is what pulumi did`).toEqual(theirs && rest(theirs));
  if (!known.has("asks")) expect(asked, `${name} asks what pulumi asked`).toEqual([]);
}
