/** One stage of a command, its preview or the run itself: shown, and the exit code that it calls for. */
import * as engine from "../../engine/index.ts";
import { printable } from "../../provider/inventory/index.ts";
import {
  isFailed,
  type Meter,
  openRun,
  type Pictures,
  pastOf,
  type Refusal,
  type Run,
  refusalLines,
  reportedOf,
  type Spent,
  type Staged,
  spentSince,
  stackForRun,
  stage as stageOf,
  type Texts,
  titles,
  type Verb,
} from "../../runs/command.ts";
import { CommandError, codes } from "../exit.ts";
import type { RunValues } from "../options.ts";
import { type Display, openDisplay } from "../report/display.ts";
import { jsonDisplay } from "../report/json-display.ts";
import { openReport, type Report } from "../report/markdown-file.ts";
import { openTerminal } from "../report/terminal.ts";
import { originOf } from "../stack/origin.ts";
import { choicesOf } from "./choices.ts";
import { planText } from "./saved.ts";
import type { Stop } from "./stop.ts";

const stackOf = (values: RunValues, { env }: Meter): engine.Stack =>
  engine.openStack({
    folder: values.cwd ?? process.cwd(),
    stack: values.stack,
    create: values.create === true,
    env: { ...process.env, ...env },
  });

/** The stack with what its children are told: where to note requests, what a protected stack permits. */
export const openStack = (values: RunValues, meter: Meter): engine.Stack =>
  stackForRun(stackOf(values, meter), choicesOf(values), meter);

/** One run of the command. */
export interface Session extends Run {
  readonly report: Report | undefined;
  readonly values: RunValues;
  readonly stop: Stop;
  /** Requests since it was opened: with those of a plan that nobody saw. */
  readonly spent: () => Spent;
}

/**
 * Opens a run: with the plan that it saves or carries out, and what was decided for that one.
 * @throws Error as `openRun` does
 */
export function openSession(
  verb: Verb,
  values: RunValues,
  meter: Meter,
  { stop, parallel }: { readonly stop: Stop; readonly parallel?: number | undefined },
): Session {
  const { plan, "save-plan": target, markdown } = values;
  const asked = {
    verb,
    stack: stackOf(values, meter),
    choices: choicesOf(values),
    meter,
    signal: stop.signal,
    // A saved plan was looked at by who approved it.
    isUnattended:
      verb === "up" &&
      plan === undefined &&
      (values["skip-preview"] === true || (values.yes === true && !process.stdin.isTTY)),
    showsTexts: values.diff === true,
    origin: originOf(values.cwd ?? process.cwd(), process.env),
    say: tellPerson,
    ...(parallel !== undefined && { parallel }),
  };
  const saved = plan === undefined ? undefined : { saved: { text: planText(plan), name: plan } };
  return {
    ...openRun(asked, target === undefined ? saved : { saves: true }),
    values,
    report: markdown === undefined ? undefined : openReport(markdown, verb === "refresh"),
    stop,
    spent: spentSince(meter),
  };
}

/** A line for the person, beside what is printed for a reader. */
export const tellPerson = (line: string): void => void process.stderr.write(`${line}\n`);

/** Where standard output is the report's. */
const noDisplay: Display = { watch() {}, summary() {} };

/** Where a run is shown: its title is printed, the rest follows. */
function displayOf(
  { verb, values, stack, meter, last, spent }: Session,
  planned: boolean,
  carried: Staged | undefined,
): Display {
  if (values.json)
    return jsonDisplay((line) => process.stdout.write(`${line}\n`), planned ? "preview" : verb);
  if (values.markdown === "-") return noDisplay;
  process.stdout.write(`${titles(verb, planned)} ${stack.project.name}/${stack.name}\n`);
  if (planned && last !== undefined)
    process.stdout.write(`${printable(pastOf(last, stack.now(), undefined).last)}\n`);
  return openDisplay(openTerminal(process.stdout, process.env, process.stderr), {
    planned,
    carried: values["skip-preview"] ? carried?.texts : carried && withoutBodies(carried.texts),
    finding: verb === "refresh",
    diff: values.diff === true,
    verbose: values.verbose === true,
    showOutputs: verb === "preview" || verb === "up",
    spent: values["skip-preview"] ? spent : spentSince(meter),
  });
}

/** What the preview has shown of texts, line by line, is not shown again. */
const withoutBodies = (texts: Texts): Texts => ({ ...texts, of: () => undefined, settings: () => undefined });

/** Shows a stage: each event as it comes, and its end. */
function openShown(session: Session, planned: boolean, carried?: Staged) {
  const { verb, values, stack, report, spent } = session;
  const display = displayOf(session, planned, carried);
  return {
    watch(event: engine.Event): void {
      display.watch(event);
      report?.watch(event);
    },
    end(staged: Staged, pictures?: Pictures): void {
      display.summary(staged.result, values["skip-preview"] ? spent() : staged.spent, staged);
      report?.end({ ...reportedOf(verb, stack, staged), pictures });
      if (staged.refused.length > 0) refuse(stack.name, staged.refused, values);
    },
  };
}

/** Does a stage, and shows it. @param carried the preview that is to be carried out */
export async function stage(session: Session, planned: boolean, carried?: Staged): Promise<Staged> {
  const { values } = session;
  const { watch, end } = openShown(session, planned, carried);
  const staged = await stageOf(session, planned, watch, carried);
  const pictures = await picturesOf(session, staged);
  end(staged, pictures);
  if (pictures !== undefined && pictures.broken.length > 0)
    throw new CommandError(
      `pages that shoppers see would fail after this plan: ${pictures.broken.join(", ")}; ${values.pictures}/index.html shows why`,
      codes.failure,
    );
  return staged;
}

async function picturesOf({ values, stack }: Session, staged: Staged): Promise<Pictures | undefined> {
  if (values.pictures === undefined) return undefined;
  if (isFailed(staged)) {
    tellPerson("no pictures were made, because the preview failed");
    return undefined;
  }
  const { takePictures } = await import("../pictures/pictures.ts");
  return takePictures(staged, { stack, folder: values.pictures, say: tellPerson });
}

/** Plans, and shows nothing of it. */
export const quietly = (session: Session): Promise<Staged> => stageOf(session, true, () => {});

/** Plans, and shows the plan only where nothing is carried out of it. */
export async function planUnseen(session: Session): Promise<Staged> {
  const staged = await quietly(session);
  const goesOn = staged.result.changed && staged.refused.length === 0 && !isFailed(staged);
  if (goesOn && !session.values["expect-no-changes"]) return staged;
  const { watch, end } = openShown(session, true);
  for (const event of staged.events) watch(event);
  end(staged);
  return staged;
}

/** The exit code of what was not done whole; undefined of what was. */
export function outcomeCode({ outcome }: Pick<engine.Result, "outcome">, stop: Stop): number | undefined {
  if (outcome === "cancelled") return stop.timedOut() ? codes.timeout : codes.cancelled;
  return outcome === "failed" ? codes.failure : undefined;
}

/** The exit code that a stage calls for; undefined where the command may go on. */
export function codeOf({ result, refused }: Staged, { values, stop }: Session): number | undefined {
  if (refused.length > 0) return codes.failure;
  const code = outcomeCode(result, stop);
  if (code !== undefined) return code;
  const { same: _same, read: _read, ...changing } = result.counts;
  if (!values["expect-no-changes"] || Object.keys(changing).length === 0) return undefined;
  tellPerson("error: no changes were expected, but there are some");
  return codes.changes;
}

/** Says what the limits of a stack refuse. @returns the exit code */
export function refuse(stack: string, refused: readonly Refusal[], { verbose }: RunValues): number {
  tellPerson(printable(refusalLines(stack, refused, verbose === true).join("\n  ")));
  return codes.failure;
}
