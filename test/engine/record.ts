/**
 * Records of Pulumi's engine: a file in test/fixtures/engine for each file of scenarios, run by run. `npm run record`
 * writes them if pulumi is on PATH; without it, the scenarios are compared with them.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { Properties } from "../../engine/values/values.ts";
import type { NormalState } from "./normal.ts";
import { runInOrder } from "./order.ts";
import { nameOf, type Options, type Verb } from "./scene.ts";

/** One run: its command, steps and calls, and the state after it. */
export interface RecordedRun {
  readonly verb: Verb;
  readonly options: Options;
  /** The exit code of the command; our runs without one are compared by whether it is 0. */
  readonly exit: number;
  readonly steps: readonly string[];
  /** All calls of the provider, including reads and diffs. */
  readonly calls: readonly string[];
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly before: NormalState;
  readonly after: NormalState;
}

interface RecordFile {
  /** The version of the recorded engine. */
  readonly engine: string;
  readonly scenarios: Readonly<Record<string, readonly RecordedRun[]>>;
}

// A resource that is unchanged since the run before is written as its position there.
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

/** Formats a value with lines of about a hundred characters. */
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

/** The records of a file of scenarios; empty if never recorded. */
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

/** The items of a list that another lacks, counting duplicates. */
function beyond(some: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return some.filter((one) => {
    const index = left.indexOf(one);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}

/** Steps of pulumi's refresh that read nothing: components, and resources pending replacement. */
const notRead = ({ resources }: NormalState): ReadonlySet<string> =>
  new Set(
    resources
      .filter(({ custom, pendingReplacement }) => custom !== true || pendingReplacement === true)
      .map(({ urn }) => `refresh ${nameOf(String(urn))}`),
  );

const isForgotten = (state: Properties) => state.external === true && state.delete === true;

/** An intended difference from pulumi, with its reason. */
export interface Difference {
  /** The run's number, from 1. */
  readonly run: number;
  /** "asks" are calls that change nothing. */
  readonly part: "steps" | "calls" | "asks" | "outputs" | "after" | "succeeded";
  readonly reason: string;
  /** Whether the difference doesn't exist after a state of pulumi. */
  readonly ownStates?: true;
}

/**
 * Compares a run with its record. Calls that change nothing may be fewer
 * (docs/decisions/0013-what-isn-t-asked-twice.md).
 * @throws vitest's Error with the differences
 */
export function compareRun(
  number: number,
  run: RecordedRun,
  recorded: RecordedRun | undefined,
  differences: readonly Difference[] = [],
): void {
  const asks = (one: RecordedRun | undefined) => one?.calls.filter(onlyAsks) ?? [];
  const part = (one: RecordedRun) => {
    // For a replaced get and for a resource pending replacement, our engine makes no step; removals from the state are
    // deletes. An import is always reported as one. Steps of only one engine must not change the order of others.
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
