/** Adds each run to the stack's history, whether it succeeded or failed. */
import { isPulumisOwn } from "../pulumi/urn.ts";
import { type About, addToHistory, folderKey, type HistoryEntry, type Touched } from "../stack/history.ts";
import type { Stack } from "../stack/stack.ts";
import type { TargetOptions } from "../steps/targets.ts";
import type { Counts, Step, Watch } from "../values/events.ts";
import { countsWithout, ends, isGone, makes, writes } from "../values/events.ts";
import { inputsDigest } from "../values/inputs-digest.ts";

/** The options of a run that its history entry needs. */
export interface RecordedOptions extends TargetOptions {
  readonly watch: Watch;
  /** Who runs the program and why, for the history; by default this process and its machine. */
  readonly about?: About;
  /** The changes of a step that it makes, for the history; by default all of its changes. */
  readonly made?: (step: Step) => Step["changes"];
  /** Whether a step only updates the state, which the history counts as unchanged. */
  readonly isUnsent?: (step: Step) => boolean;
}

/** The result of a run that its history entry needs. */
export interface RunSummary {
  readonly outcome: "succeeded" | "failed" | "cancelled";
  readonly counts: Counts;
}

/**
 * Performs a run under the caller's lock and adds it to the history. If the history can't be written, the run
 * only warns: its results are in the state.
 * @param work performs the run with the given `watch`
 */
export async function withHistoryEntry<R extends RunSummary>(
  stack: Stack,
  { watch, about, target, exclude, made = ({ changes }) => changes, isUnsent = () => false }: RecordedOptions,
  kind: HistoryEntry["kind"],
  work: (watch: Watch) => Promise<R>,
): Promise<R> {
  const began = stack.now();
  const touched = new Map<string, Touched>();
  const lost = new Map<string, string>();
  let unsent = 0;
  const add = (summary: RunSummary | undefined) => {
    try {
      const isPart = target !== undefined || exclude !== undefined;
      addToHistory(stack, {
        ...entryOf(stack, { about, kind, began, touched, lost, summary }),
        ...(isPart && { part: true }),
      });
    } catch (error) {
      const text = `the run could not be added to the history in ${stack.paths.history}: ${(error as Error).message}`;
      watch({ type: "message", severity: "warning", text, urn: undefined });
    }
  };
  const result = await work((event) => {
    if (event.type === "done") {
      if (isGone(event.step) && !event.step.left) lost.set(event.step.urn, inputsDigest(event.step));
      note(touched, { ...event.step, changes: made(event.step) });
      if (isUnsent(event.step)) unsent += 1;
    }
    watch(event);
  }).catch((error: unknown) => {
    add(undefined);
    throw error;
  });
  add({ ...result, counts: countsWithout(result.counts, unsent) });
  return result;
}

function note(touched: Map<string, Touched>, step: Step): void {
  const { op, urn, type, changes, found, left } = step;
  if (isGone(step)) touched.set(urn, left ? "left" : "gone");
  if (found) return;
  const comes = makes(op) || op === "import";
  if (!(comes || writes(op)) || isPulumisOwn(type)) return;
  const known = touched.get(urn);
  if (comes) touched.set(urn, "made");
  else if (ends(op)) {
    // A replacement deletes the old object after it created the new one.
    if (known !== "made") touched.set(urn, "ended");
  } else if (known === undefined || typeof known === "object")
    touched.set(urn, [...(known ?? []), ...changes.map(({ path }) => path)]);
}

interface RecordedRun {
  readonly about: About | undefined;
  readonly kind: HistoryEntry["kind"];
  readonly began: Date;
  readonly touched: ReadonlyMap<string, Touched>;
  readonly lost: ReadonlyMap<string, string>;
  /** Undefined if the run threw an error. */
  readonly summary: RunSummary | undefined;
}

function entryOf(
  { machine, now, project }: Stack,
  { about, kind, began, touched, lost, summary }: RecordedRun,
): HistoryEntry {
  return {
    kind,
    startTime: seconds(began),
    message: about?.message ?? "",
    environment: {
      "exec.kind": "auto.inline",
      "exec.user": machine.username,
      "exec.host": machine.hostname,
      [folderKey]: project.folder,
      ...about?.environment,
      ...(summary?.outcome === "cancelled" && { "exec.outcome": "cancelled" }),
    },
    result: summary?.outcome === "succeeded" ? "succeeded" : "failed",
    endTime: seconds(now()),
    ...(summary !== undefined && { resourceChanges: summary.counts }),
    ...(touched.size > 0 && { touched: Object.fromEntries(touched) }),
    ...(lost.size > 0 && { lost: Object.fromEntries(lost) }),
  };
}

const seconds = (date: Date) => Math.floor(date.getTime() / 1000);
