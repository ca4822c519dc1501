/** A run as a person sees it: a line for each resource that changes, what runs now, a summary. */
import { type Event, kindOf, nameOf, type Op, type Result, type Step, typeOf } from "../../engine/index.ts";
import { printable, printableJson } from "../../provider/inventory/index.ts";
import { changeLines, valueText } from "./difference.ts";
import { failureTexts } from "./failures.ts";
import { pathText } from "./paths.ts";
import type { RequestCost } from "./request-cost.ts";
import { type Spent, spentText } from "./requests.ts";
import type { Colour, Terminal } from "./terminal.ts";

export interface Display {
  watch(event: Event): void;
  /** @param cost of a plan: the requests that carrying it out takes */
  summary(result: Result, spent: Spent, cost?: RequestCost): void;
}

interface Words {
  readonly sign: string;
  readonly colour: Colour;
  readonly planned: string;
  readonly done: string;
}

const words: Readonly<Record<Op, Words>> = {
  same: { sign: " ", colour: "dim", planned: "unchanged", done: "unchanged" },
  create: { sign: "+", colour: "green", planned: "to create", done: "created" },
  update: { sign: "~", colour: "yellow", planned: "to update", done: "updated" },
  delete: { sign: "-", colour: "red", planned: "to delete", done: "deleted" },
  replace: { sign: "+-", colour: "magenta", planned: "to replace", done: "replaced" },
  "create-replacement": {
    sign: "++",
    colour: "green",
    planned: "create replacement",
    done: "created replacement",
  },
  "delete-replaced": { sign: "--", colour: "red", planned: "delete replaced", done: "deleted replaced" },
  read: { sign: ">", colour: "cyan", planned: "to read", done: "read" },
  refresh: { sign: "~", colour: "yellow", planned: "to refresh", done: "refreshed" },
  adopt: { sign: "=", colour: "green", planned: "to adopt", done: "adopted" },
  rename: { sign: "»", colour: "cyan", planned: "to rename", done: "renamed" },
};

// What a refresh found: somebody else did it.
const foundWords: Readonly<Partial<Record<Op, string>>> = {
  update: "changed in the shop",
  delete: "deleted in the shop",
  refresh: "could not be read",
};

/** What is planned for a resource, or was found of it, in words. */
export const wordOf = ({ op, found }: Step, planned = true): string => countWord(op, found, planned);

/** The same of a count: what is planned or done, or what a refresh found. */
export const countWord = (op: Op, finding: boolean, planned = true): string =>
  (finding ? foundWords[op] : undefined) ?? (planned ? words[op].planned : words[op].done);

export interface DisplayOptions {
  readonly planned: boolean;
  /** Every value, not only those that change. */
  readonly diff: boolean;
  readonly showOutputs: boolean;
  /** Requests so far, for the live line. */
  readonly spent: () => Spent;
  /** Whether the run is a refresh: its counts are of what was found. */
  readonly finding: boolean;
}

/** Opens the display of one run. */
export function openDisplay(terminal: Terminal, options: DisplayOptions): Display {
  const began = performance.now();
  const running = new Map<string, Step>();
  let done = 0;
  const { paint } = terminal;
  // What a shop wrote may be in any line (provider/wire/printable.ts); a colour of ours comes after.
  const show = (text: string, colour?: Colour) => {
    const shown = printable(text);
    terminal.print(colour === undefined ? shown : paint(colour, shown));
  };
  const refreshMs = 100;
  const timer = terminal.isLive ? setInterval(draw, refreshMs) : undefined;
  timer?.unref();

  function draw(): void {
    const seconds = Math.round((performance.now() - began) / 1000);
    const { requests } = options.spent();
    const most = 6;
    const now = [...running.values()].slice(0, most).map((step) => `   … ${label(step)}`);
    const more = running.size > most ? [`   … and ${running.size - most} more`] : [];
    terminal.live([
      ...now,
      ...more,
      `   ${done} done, ${running.size} running, ${requests} requests, ${seconds} s`,
    ]);
  }

  const label = (step: Step) => printable(`${kindOf(step.type).padEnd(18)} ${step.name.padEnd(34)}`);

  function line(step: Step): void {
    const { sign, colour } = words[step.op];
    const paths = [...new Set(step.changes.map(({ path }) => pathText(step.type, path)))];
    const about =
      showsChanges.has(step.op) && step.op !== "adopt" && paths.length > 0 ? ` [${paths.join(", ")}]` : "";
    const because = step.replaces.length > 0 ? `, because of ${step.replaces.join(", ")}` : "";
    const from = step.from === undefined ? "" : `, takes over from ${step.from}`;
    const text = `${sign.padStart(2)} ${label(step)} ${wordOf(step, options.planned)}${options.diff ? "" : about}${because}${from}`;
    show(text.trimEnd(), colour);
    const isNew = step.op === "create" || step.op === "create-replacement";
    if (options.diff && isNew) for (const [key, value] of Object.entries(step.inputs)) input(key, value);
    for (const change of step.changes) {
      if (!showsChanges.has(step.op)) continue;
      if (step.op === "adopt") {
        show(`       ~ ${change.path}`, "yellow");
        continue;
      }
      const shown = { ...change, path: pathText(step.type, change.path) };
      for (const { sign: mark, text: changed } of changeLines(shown, options.diff)) {
        const tint = mark === "+" ? "green" : mark === "-" ? "red" : mark === "~" ? "yellow" : "dim";
        show(`       ${mark} ${changed}`, tint);
      }
    }
  }

  function input(key: string, value: Step["inputs"][string]): void {
    if (value !== null) show(`       + ${key}: ${valueText(value, 400)}`, "green");
  }

  function watch(event: Event): void {
    switch (event.type) {
      case "started":
        running.set(event.step.urn, event.step);
        return;
      case "done":
        running.delete(event.step.urn);
        done += 1;
        if (event.step.op !== "same" && shows(event.step)) line(event.step);
        return;
      case "refused":
        running.delete(event.step.urn);
        show(` ! ${label(event.step)} refused`, "red");
        return;
      case "failed":
        running.delete(event.step.urn);
        show(` x ${label(event.step)} failed`, "red");
        return;
      case "message":
        message(event.severity, event.text, event.urn);
        return;
      case "printed":
        terminal.print(paint("dim", `     ${event.text}`));
        return;
    }
  }

  function message(severity: "info" | "warning" | "error", text: string, urn: string | undefined): void {
    const where = urn === undefined ? "" : `${kindOf(typeOf(urn))} ${nameOf(urn)}: `;
    const colour: Colour = severity === "error" ? "red" : severity === "warning" ? "yellow" : "dim";
    show(`     ${severity}: ${where}${text}`, colour);
  }

  function summary(result: Result, spent: Spent, cost?: RequestCost): void {
    if (timer !== undefined) clearInterval(timer);
    terminal.live([]);
    const outputs = options.showOutputs && result.changed ? Object.entries(result.outputs) : [];
    if (outputs.length > 0) terminal.print("Outputs:");
    for (const [key, value] of outputs) {
      show(`     ${key}: ${valueText(value, 200)}`);
    }
    if (result.failures.length > 0) terminal.print(paint("red", "Failed:"));
    for (const text of failureTexts(result.failures))
      show(`     ${text.replaceAll("\n", "\n       ")}`, "red");
    for (const text of summaryLines(result, spent, options)) terminal.print(text);
    if (cost !== undefined) terminal.print(`API requests needed: ${cost.text}`);
    terminal.flush();
  }

  return { watch, summary };
}

// The stack and the provider are not what a shop is made of; a component is shown where it changes something. What only
// carries out a replacement is told by the replacement.
const shows = (step: Step) => !step.type.startsWith("pulumi:") && step.partOf === undefined;

/** Steps that change an object that is there: what changes is shown. */
export const showsChanges: ReadonlySet<Op> = new Set(["update", "replace", "adopt", "rename"]);

/** The counts of a run, in the order in which a person asks for them. */
function summaryLines(
  { counts, durationMs, outcome }: Result,
  spent: Spent,
  options: DisplayOptions,
): readonly string[] {
  const order: readonly Op[] = [
    "create",
    "update",
    "replace",
    "create-replacement",
    "delete",
    "read",
    "adopt",
    "rename",
  ];
  const shown = order.filter((op) => (counts[op] ?? 0) > 0);
  const word = (op: Op) => countWord(op, options.finding, options.planned);
  const lines = shown.map((op) => `  ${words[op].sign.padStart(2)} ${counts[op]} ${word(op)}`);
  const head = {
    succeeded: "Resources:",
    failed: "Resources (the run failed):",
    cancelled: "Resources (the run was stopped):",
  };
  return [
    head[outcome],
    ...lines,
    `     ${counts.same ?? 0} unchanged`,
    spentText(spent),
    `Duration: ${duration(durationMs)}`,
  ];
}

function duration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** A run as lines of JSON: each event, and at the end what came of it. */
export function jsonDisplay(print: (line: string) => void, run: string): Display {
  const write = (line: string) => print(printableJson(line));
  return {
    watch: (event) => write(JSON.stringify({ run, ...event })),
    summary: ({ outcome, counts, failures, outputs, changed, durationMs }, spent, cost) =>
      write(
        JSON.stringify({
          run,
          type: "summary",
          outcome,
          counts,
          failures,
          outputs,
          changed,
          durationMs: Math.round(durationMs),
          ...spent,
          ...(cost !== undefined && { requestsNeeded: cost.requests }),
        }),
      ),
  };
}
