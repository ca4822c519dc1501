/** A run in the terminal: one line per changed resource, running operations, a summary. */

import {
  type Event,
  ends,
  kindOf,
  makes,
  nameOf,
  type Op,
  type Result,
  type Step,
  typeOf,
  type Unfinished,
} from "../../engine/index.ts";
import { isPulumisOwn } from "../../engine/pulumi/urn.ts";
import { CancelledError, isBodyPath, partlyDoneText, printable } from "../../provider/inventory/index.ts";
import {
  type Colour,
  type Conflict,
  countWord,
  deletesText,
  failureTexts,
  opOrder,
  opWords,
  otherFailures,
  type PassResult,
  plural,
  type RequestUsage,
  type StepNotices,
  sendsNothing,
  usageText,
  valueText,
} from "../../runs/command.ts";
import { conflictLines, impactSection, noticeLines, planLines } from "./plan-lines.ts";
import { type Line, labelOf, stepLines } from "./step-lines.ts";
import type { Terminal } from "./terminal.ts";

export interface Display {
  watch(event: Event): void;
  summary(result: Result, usage: RequestUsage, told: Summary): void;
}

/** The part of a summary beside the steps. */
export type Summary = Pick<
  PassResult,
  "steps" | "impact" | "refused" | "conflicts" | "findings" | "notices"
> &
  Partial<Pick<PassResult, "cost" | "previous">>;

export interface DisplayOptions {
  readonly isPreview: boolean;
  readonly diff: boolean;
  /** Whether to show every line of a large plan. */
  readonly verbose: boolean;
  readonly showOutputs: boolean;
  /** The requests so far, for the live line. */
  readonly usage: () => RequestUsage;
  readonly planNotices?: StepNotices | undefined;
  /** Whether the run is a refresh, which counts changes that it found. */
  readonly finding: boolean;
}

export function openDisplay(terminal: Terminal, options: DisplayOptions): Display {
  const began = performance.now();
  const running = new Map<string, Step>();
  let done = 0;
  const { paint } = terminal;
  // Any line may contain text from the shop (provider/wire/printable.ts), so colours are added afterwards.
  const show = (text: string, colour?: Colour) => {
    const shown = printable(text);
    terminal.print(colour === undefined ? shown : paint(colour, shown));
  };
  const refreshMs = 100;
  const timer = terminal.isLive ? setInterval(draw, refreshMs) : undefined;
  timer?.unref();

  function draw(): void {
    const seconds = Math.round((performance.now() - began) / 1000);
    const { requests } = options.usage();
    const most = 6;
    const now = [...running.values()].slice(0, most).map((step) => `   … ${label(step)}`);
    const more = running.size > most ? [`   … and ${running.size - most} more`] : [];
    terminal.live([
      ...now,
      ...more,
      done + running.size === 0
        ? `   starting, ${seconds} s`
        : `   ${done} done, ${running.size} running, ${plural(requests, "request")}, ${seconds} s`,
    ]);
  }

  const label = (step: Step) => printable(labelOf(step));
  const lines = (all: readonly Line[]) => {
    for (const { text, colour } of all) show(text, colour);
  };

  // A plan is shown as a whole at the end: the impact first, then kind by kind.
  const isPlanned = (step: Step) => options.isPreview || (step.found && changesBody(step));

  // The step that it belongs to reports the result.
  const isPartOfRunning = ({ urn, partOf }: Step) => partOf !== undefined && running.get(urn)?.op === partOf;

  function watch(event: Event): void {
    if ("step" in event && isPartOfRunning(event.step)) return;
    switch (event.type) {
      case "started":
        running.set(event.step.urn, event.step);
        return;
      case "done":
        running.delete(event.step.urn);
        done += 1;
        if (event.step.op === "same" || !shows(event.step)) return;
        if (isPlanned(event.step)) return;
        if (options.planNotices === undefined || !sendsNothing(event.step, options.planNotices))
          lines(stepLines(event.step, options, options.planNotices));
        return;
      case "refused":
        running.delete(event.step.urn);
        show(` ! ${label(event.step)} refused`, "red");
        return;
      case "failed":
        running.delete(event.step.urn);
        if (CancelledError.says(event.message)) show(` - ${label(event.step)} ${stoppedWord(event)}`, "dim");
        else if (event.message === partlyDoneText)
          show(` ! ${label(event.step)} applied except for its conflicts`, "red");
        else show(` x ${label(event.step)} failed`, "red");
        return;
      case "message":
        message(event.severity, event.text, event.urn);
        return;
      case "printed":
        terminal.print(paint("dim", `     ${event.text}`));
        return;
      default:
        event satisfies never;
    }
  }

  function message(severity: "info" | "warning" | "error", text: string, urn: string | undefined): void {
    const of = urn === undefined ? "" : `${kindOf(typeOf(urn))} ${nameOf(urn)}: `;
    // The provider's own messages begin with the name, or with the id: that of a sheet is its name.
    const isNamed = urn === undefined || [`${nameOf(urn)}: `, of].some((name) => text.startsWith(name));
    const where = isNamed ? "" : of;
    const colour: Colour = severity === "error" ? "red" : severity === "warning" ? "yellow" : "dim";
    show(`     ${severity}: ${where}${text}`, colour);
  }

  function summary(
    result: Result,
    usage: RequestUsage,
    { steps, impact, notices, conflicts, cost, previous }: Summary,
  ): void {
    if (timer !== undefined) clearInterval(timer);
    terminal.live([]);
    if (options.isPreview) lines(impactSection(impact));
    const shown = steps.filter((step) => shows(step) && isPlanned(step) && !sendsNothing(step, notices));
    lines(planLines(shown, notices, options));
    lines(noticeLines(notices, options));
    for (const { text } of previous?.reverted ?? []) show(`warning: ${text}`, "red");
    const outputs = options.showOutputs && result.changed ? Object.entries(result.outputs) : [];
    if (outputs.length > 0) terminal.print("Outputs:");
    for (const [key, value] of outputs) {
      show(`     ${key}: ${valueText(value, 200)}`);
    }
    lines(conflictLines(conflicts));
    const failures = otherFailures(result.failures, conflicts);
    const failed = failureTexts(failures).map((text) => `  ${printable(text).replaceAll("\n", "\n  ")}`);
    if (failed.length > 0) terminal.complain(["Failed:", ...failed].map((line) => paint("red", line)));
    for (const text of summaryLines({ ...result, failures }, usage, options, conflicts)) terminal.print(text);
    // Without changes, up ends with its preview.
    if (cost !== undefined && result.changed) terminal.print(`API requests needed: ${cost.text}`);
    terminal.flush();
  }

  return { watch, summary };
}

// Hides the stack, providers and components, and steps that belong to a replacement.
const shows = ({ custom, type, partOf }: Step) => custom && !isPulumisOwn(type) && partOf === undefined;

/** Creates and deletes are one request each; an update may have sent some of its requests. */
const stoppedWord = ({ step }: Unfinished) =>
  makes(step.op) || ends(step.op) ? "not sent, stopped" : "stopped";

const changesBody = ({ changes }: Step) => changes.some(({ path }) => isBodyPath(path));

function summaryLines(
  result: Result,
  usage: RequestUsage,
  options: DisplayOptions,
  conflicts: readonly Conflict[],
): readonly string[] {
  const { counts, durationMs, outcome, failures } = result;
  const deletes = deletesText(result, options.isPreview);
  const shown = opOrder.filter((op) => (counts[op] ?? 0) > 0);
  const word = (op: Op) => countWord(op, options.finding, options.isPreview);
  const lines = shown.map((op) => `  ${opWords[op].sign.padStart(2)} ${counts[op]} ${word(op)}`);
  const head = {
    succeeded: "Resources:",
    failed:
      failures.length === 0
        ? `Resources (${plural(conflicts.length, "conflict")}):`
        : "Resources (the run failed):",
    cancelled: "Resources (the run was stopped):",
  };
  return [
    head[outcome],
    ...lines,
    ...(counts.same || lines.length === 0 ? [`     ${counts.same ?? 0} unchanged`] : []),
    ...(deletes === undefined ? [] : [deletes]),
    usageText(usage),
    `Duration: ${duration(durationMs)}`,
  ];
}

function duration(ms: number): string {
  const tenths = Math.round(ms / 100);
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
