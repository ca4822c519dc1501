/** A run as lines of JSON: each event, and at the end what came of it. */

import type { Event, Result, Step } from "../../engine/index.ts";
import { type Finding, printableJson } from "../../provider/inventory/index.ts";
import { type Conflict, type Impact, type RequestUsage, refusalText } from "../../runs/command.ts";
import type { Display, Summary } from "./display.ts";

/** What came of a run. */
interface SummaryLine
  extends RequestUsage,
    Pick<Result, "outcome" | "counts" | "failures" | "outputs" | "changed" | "deletesUnknown"> {
  readonly type: "summary";
  readonly durationMs: number;
  /** Of a plan: the requests that carrying it out takes. */
  readonly cost?: number;
  /** What the plan means to the shop. */
  readonly impact: Impact;
  /** What the stack's limits refuse, a sentence each. */
  readonly refused: readonly string[];
  /** What somebody changed in the shop and the program means to change too: nothing was sent for it. */
  readonly conflicts: readonly Conflict[];
  /** What is wrong with sources of themes after a plan. */
  readonly findings: readonly Finding[];
  /** What the shop keeps of arguments that the program states no longer, a sentence each. */
  readonly unstated: readonly string[];
  /** Who ran last, from which commit. */
  readonly last?: string;
  /** URNs of the steps that take back what runs changed whose commits this checkout doesn't contain. */
  readonly reverts?: readonly string[];
}

/** What a step does to a text, before the summary. */
type TextLine = { readonly type: "text" } & Pick<Summary["notices"]["all"][number], "kind" | "id" | "lines">;

/** What there was is in the state: a line says only what is done. */
interface LineStep extends Omit<Step, "olds" | "seen"> {}
type Lean<E> = E extends { readonly step: Step } ? Omit<E, "step"> & { readonly step: LineStep } : E;

/** A line. The plan's lines have the run `preview`, what is done the command's name. */
export type JsonLine = { readonly run: string } & (Lean<Event> | TextLine | SummaryLine);

/** @param run which of a command's runs it is, `preview` or `up` */
export function jsonDisplay(print: (line: string) => void, run: string): Display {
  const write = (line: JsonLine) => print(printableJson(JSON.stringify(line)));
  return {
    watch: (event) => write({ run, ...lean(event) }),
    summary({ outcome, counts, failures, outputs, changed, durationMs, deletesUnknown }, usage, told) {
      for (const { kind, id, lines } of told.notices.all) write({ run, type: "text", kind, id, lines });
      write({
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
        ...(told.cost !== undefined && { cost: told.cost.requests }),
        impact: told.impact,
        refused: told.refused.map(refusalText),
        conflicts: told.conflicts,
        findings: told.findings,
        unstated: told.notices.unstated,
        ...(told.previous !== undefined && {
          last: told.previous.last,
          reverts: told.previous.isReverted?.steps.map(({ urn }) => urn) ?? [],
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
