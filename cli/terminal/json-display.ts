/** A run as JSON lines: each event, then a summary. */

import type { Event, Result, Step } from "../../engine/index.ts";
import { type Finding, printableJson } from "../../provider/inventory/index.ts";
import {
  type Conflict,
  type Difference,
  type Impact,
  type RequestUsage,
  refusalText,
} from "../../runs/command.ts";
import type { Display, Summary } from "./display.ts";

interface SummaryLine
  extends RequestUsage,
    Pick<Result, "outcome" | "counts" | "failures" | "outputs" | "changed" | "deletesUnknown"> {
  readonly type: "summary";
  readonly durationMs: number;
  /** For a plan: the maximum number of requests to apply it. */
  readonly cost?: number;
  /** The effect of the plan on the shop. */
  readonly impact: Impact;
  /** Steps that the stack's limits refuse, one sentence each. */
  readonly refused: readonly string[];
  /** Objects that staff and the program both changed. Nothing was sent for them. */
  readonly conflicts: readonly Conflict[];
  /** Mistakes in theme files after the plan. */
  readonly findings: readonly Finding[];
  /** Values that the shop keeps because the program no longer sets them, one sentence each. */
  readonly unstated: readonly string[];
  /** Values that a shop probably refuses, changes or shows garbled. */
  readonly doubts: Result["failures"];
  /** Who ran last, and from which commit. */
  readonly last?: string;
  /** URNs of steps that revert changes of runs whose commits this checkout doesn't contain. */
  readonly reverts?: readonly string[];
}

type TextLine = { readonly type: "text" } & Pick<Summary["notices"]["all"][number], "kind" | "id" | "lines">;

/** Without the old values, which the state has. */
interface LineStep extends Omit<Step, "olds" | "seen"> {}
type Lean<E> = E extends { readonly step: Step } ? Omit<E, "step"> & { readonly step: LineStep } : E;

/** The last line of a run that ended with an error before its result: an invalid option, or a plan that is stale. */
interface EndedLine extends Pick<Result, "outcome"> {
  readonly type: "summary";
  readonly failures: readonly Pick<Result["failures"][number], "message">[];
}

interface StaleLine {
  readonly type: "stale";
  /** The differences from the saved plan. */
  readonly differences: readonly Difference[];
}

/** One line. Lines of a plan have the run `preview`, others the command's name. */
export type JsonLine = { readonly run: string } & (
  | Lean<Event>
  | TextLine
  | SummaryLine
  | StaleLine
  | EndedLine
);

const lineOf = (line: JsonLine) => printableJson(JSON.stringify(line));

const print = (line: JsonLine) => process.stdout.write(`${lineOf(line)}\n`);

/** The summary of the command's own run. It is the last line, and an error after the run belongs in it. */
let last: RunSummary | undefined;
type RunSummary = { readonly run: string } & SummaryLine;

export const keepLast = (summary: RunSummary): void => {
  last = summary;
};

/** Ends the lines of a run. @param error what ended the command, if it didn't end by itself */
export function endLines(run: string, error?: Pick<Result, "outcome"> & { readonly message: string }): void {
  const summary = last;
  last = undefined;
  if (error === undefined) {
    if (summary !== undefined) print(summary);
    return;
  }
  const { outcome, message } = error;
  print(
    summary === undefined
      ? { run, type: "summary", outcome, failures: [{ message }] }
      : { ...summary, outcome, failures: [...summary.failures, { urn: undefined, message }] },
  );
}

/** @param ends whether nothing is applied, so that the run ends here */
export function printStale(run: string, differences: readonly Difference[], ends: boolean): void {
  print({ run, type: "stale", differences });
  if (ends) endLines(run, { outcome: "failed", message: "the saved plan is stale" });
}

/**
 * @param run `preview`, or the command's name
 * @param end takes the summary
 */
export function jsonDisplay(
  print: (line: string) => void,
  run: string,
  end: (summary: RunSummary) => void = (line) => print(lineOf(line)),
): Display {
  const write = (line: JsonLine) => print(lineOf(line));
  return {
    watch: (event) => write({ run, ...lean(event) }),
    summary({ outcome, counts, failures, outputs, changed, durationMs, deletesUnknown }, usage, told) {
      for (const { kind, id, lines } of told.notices.all) write({ run, type: "text", kind, id, lines });
      end({
        run,
        type: "summary",
        outcome,
        counts,
        failures,
        outputs,
        changed,
        durationMs: Math.round(durationMs),
        ...(deletesUnknown && { deletesUnknown }),
        ...usage,
        ...(told.cost !== undefined && changed && { cost: told.cost.requests }),
        impact: told.impact,
        refused: told.refused.map(refusalText),
        conflicts: told.conflicts,
        findings: told.findings,
        unstated: told.notices.unstated,
        doubts: told.notices.doubts,
        ...(told.previous !== undefined && {
          last: told.previous.last,
          reverts: [...new Set(told.previous.reverted.flatMap(({ steps }) => steps.map(({ urn }) => urn)))],
        }),
      });
    },
  };
}

function lean(event: Event): Lean<Event> {
  if (!("step" in event)) return event;
  const { olds: _olds, seen: _seen, ...step } = event.step;
  return { ...event, step };
}
