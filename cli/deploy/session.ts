/** A run of a command: opens it, shows its preview and its result, and knows its exit code. */

import { accessSync, constants, statSync, writeFileSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { writeFault } from "../../engine/common/disk.ts";
import * as engine from "../../engine/index.ts";
import { type Finding, printable } from "../../provider/inventory/index.ts";
import {
  carryOut,
  isFailed,
  isPlan,
  markdownOf,
  openRequestCounter,
  openRun,
  type PassResult,
  type Pictures,
  type Preview,
  previewRun,
  previousRuns,
  type Refusal,
  type Reported,
  type RequestCounter,
  type RequestUsage,
  type Run,
  type RunRequest,
  refusalLines,
  reportInput,
  runTitle,
  type StepNotices,
  usageSince,
  type Verb,
} from "../../runs/command.ts";
import { CommandError, codes, usageError } from "../exit.ts";
import { parallelOf, type RunValues, timeoutOf } from "../run-options.ts";
import { originOf } from "../stack/origin.ts";
import { type Display, openDisplay } from "../terminal/display.ts";
import { jsonDisplay, keepLast } from "../terminal/json-display.ts";
import { openTerminal, printNote } from "../terminal/terminal.ts";
import { annotation } from "../terminal/theme-findings.ts";
import { type Cancellation, openCancellation } from "./cancellation.ts";
import { choicesOf, planText } from "./plan-options.ts";
import { withPages, withShopIncludes } from "./shop-theme-checks.ts";

export interface RunTools {
  readonly counter: RequestCounter;
  readonly stop: Cancellation;
  readonly parallel?: number | undefined;
}

export interface Session extends Run {
  readonly report: ReturnType<typeof openReport> | undefined;
  readonly values: RunValues;
  readonly stop: Cancellation;
  /** Called at the end, after a run or after a plan without changes. */
  readonly end?: (staged: PassResult) => Promise<void>;
  /** The requests since the session was opened, including those of a plan that wasn't shown. */
  readonly usage: () => RequestUsage;
}

/** Runs a command that Ctrl-C or --timeout may end. @param work returns an exit code */
export async function withRunTools(
  { timeout, parallel }: Pick<RunValues, "timeout" | "parallel">,
  work: (tools: RunTools) => Promise<number>,
): Promise<number> {
  const [most, timeoutMs] = [parallelOf(parallel), timeoutOf(timeout)];
  const counter = openRequestCounter(process.env, printNote);
  // A second Ctrl-C exits before the code below runs.
  process.once("exit", counter.close);
  const stop = openCancellation(timeoutMs, printNote);
  try {
    return await work({ counter, stop, parallel: most });
  } finally {
    stop.close();
    process.off("exit", counter.close);
    counter.close();
  }
}

/**
 * Opens a run with the plan that it saves or applies. With `mayCreate`, a stack that isn't there may be a new one.
 * @throws Error as `openRun` does
 */
export function openSession(
  verb: Verb,
  values: RunValues,
  { counter, stop, parallel }: RunTools,
  {
    mayCreate = verb === "up" || verb === "preview",
    ...more
  }: Partial<RunRequest> & { readonly mayCreate?: boolean } = {},
): Session {
  const { plan, "save-plan": target, markdown, cwd = process.cwd() } = values;
  const asked = {
    verb,
    stack: engine.openStack({
      folder: cwd,
      stack: values.stack,
      ...(mayCreate && { create: values.create === true }),
      env: { ...process.env, ...counter.env },
    }),
    options: choicesOf(values),
    counter,
    signal: stop.signal,
    partial: values.partial === true,
    // Somebody reviewed a saved plan.
    isUnattended:
      verb === "up" &&
      plan === undefined &&
      (values["skip-preview"] === true || (values.yes === true && !process.stdin.isTTY)),
    showsTexts: values.diff === true,
    origin: originOf(cwd, process.env),
    say: printNote,
    ...(parallel !== undefined && { parallel }),
    ...more,
  };
  const saved = plan === undefined ? undefined : { saved: { text: planText(plan), name: plan } };
  return {
    ...openRun(asked, target === undefined ? saved : { saves: true }),
    values,
    report: markdown === undefined ? undefined : openReport(markdown),
    stop,
    usage: usageSince(counter),
  };
}

/** For `--markdown -`, which needs standard output for itself. */
const noDisplay: Display = { watch() {}, summary() {} };

/** Prints the run's title and opens its display. */
function displayOf(
  { verb, values, stack, counter, last, usage }: Session,
  isPreview: boolean,
  preview: PassResult | undefined,
): Display {
  if (values.json) {
    const run = isPreview ? "preview" : verb;
    return jsonDisplay((line) => process.stdout.write(`${line}\n`), run, run === verb ? keepLast : undefined);
  }
  if (values.markdown === "-") return noDisplay;
  process.stdout.write(`${runTitle(verb, isPreview)} ${stack.project.name}/${stack.name}\n`);
  if (isPreview && last !== undefined)
    process.stdout.write(`${printable(previousRuns(last, stack.now(), undefined).last)}\n`);
  return openDisplay(openTerminal(process.stdout, process.env, process.stderr), {
    isPreview,
    planNotices: values["skip-preview"] ? preview?.notices : preview && withoutBodies(preview.notices),
    finding: verb === "refresh",
    diff: values.diff === true,
    verbose: values.verbose === true,
    showOutputs: verb === "preview" || verb === "up",
    usage: values["skip-preview"] ? usage : usageSince(counter),
  });
}

/** The preview has shown the changed lines already. */
const withoutBodies = (notices: StepNotices): StepNotices => ({
  ...notices,
  of: () => undefined,
  settings: () => undefined,
});

/** Opens the output of a pass. @param preview the preview that is applied */
function openOutput(session: Session, isPreview: boolean, preview?: PassResult) {
  const { verb, values, stack, report, usage } = session;
  const display = displayOf(session, isPreview, preview);
  return {
    watch: display.watch,
    end(staged: PassResult, pictures?: Pictures): void {
      display.summary(staged.result, values["skip-preview"] ? usage() : staged.usage, staged);
      report?.({ ...reportInput(verb, stack, staged), pictures });
      if (staged.refused.length > 0) printRefusals(stack.name, staged.refused, values);
    },
  };
}

async function previewWithChecks(session: Session, watch: engine.Watch): Promise<Preview> {
  const found = await withPages(session, await previewRun(session, watch), watch);
  return withShopIncludes(session, found, watch);
}

export async function showPlan(session: Session): Promise<Preview> {
  const { values } = session;
  const { watch, end } = openOutput(session, true);
  const found = await previewWithChecks(session, watch);
  const pictures = await picturesOf(session, found);
  // Printed before the end, which may throw.
  if (values.github)
    for (const finding of found.findings) printNote(annotation(fromWorkingFolder(session, finding)));
  end(found, pictures);
  if (pictures !== undefined && pictures.broken.length > 0)
    throw new CommandError(
      `pages that shoppers see would fail after this plan: ${pictures.broken.join(", ")}; ${values.pictures}/index.html shows why`,
      codes.failure,
    );
  return found;
}

function fromWorkingFolder({ stack }: Session, { path, ...finding }: Finding): Finding {
  const place = resolve(stack.project.programFolder, path);
  return { ...finding, path: relative(process.cwd(), place).split(sep).join("/") };
}

export async function showRun(session: Session, found?: Preview): Promise<PassResult> {
  const { watch, end } = openOutput(session, false, isPlan(session.verb) ? found : undefined);
  const ran = await carryOut(session, watch, found);
  end(ran);
  return ran;
}

async function picturesOf({ values, stack }: Session, staged: PassResult): Promise<Pictures | undefined> {
  if (values.pictures === undefined) return undefined;
  if (isFailed(staged)) {
    printNote("no pictures were made, because the preview failed");
    return undefined;
  }
  const { takePictures } = await import("../pictures/pictures.ts");
  return takePictures(staged, { stack, folder: values.pictures, say: printNote });
}

/** Makes a plan, and shows it only if it can't be applied. */
export async function planQuietly(session: Session): Promise<Preview> {
  const found = await previewWithChecks(session, () => {});
  const goesOn = found.result.changed && found.refused.length === 0 && !isFailed(found);
  if (goesOn && !session.values["expect-no-changes"])
    return { ...found, isUnseen: session.planFile?.plan === undefined };
  const { watch, end } = openOutput(session, true);
  for (const event of found.events) watch(event);
  end(found);
  return found;
}

/** The exit code of an incomplete pass; undefined for a complete one. */
function outcomeCode({ outcome }: Pick<engine.Result, "outcome">, stop: Cancellation): number | undefined {
  if (outcome === "cancelled") return stop.timedOut() ? codes.timeout : codes.cancelled;
  return outcome === "failed" ? codes.failure : undefined;
}

/** The exit code after a pass; undefined if the command may continue. */
export function codeOf({ result, refused }: PassResult, { values, stop }: Session): number | undefined {
  if (refused.length > 0) return codes.failure;
  const code = outcomeCode(result, stop);
  if (code !== undefined) return code;
  const { same: _same, read: _read, ...changing } = result.counts;
  if (!values["expect-no-changes"] || Object.keys(changing).length === 0) return undefined;
  printNote("error: no changes were expected, but there are some");
  return codes.changes;
}

/** Prints the steps that the stack's limits refuse. @returns the exit code */
export function printRefusals(stack: string, refused: readonly Refusal[], { verbose }: RunValues): number {
  printNote(printable(refusalLines(stack, refused, verbose === true).join("\n  ")));
  return codes.failure;
}

/**
 * Opens the report of a command.
 * @param path a file, or "-" for standard output
 * @throws CommandError if the file can't be written, before a run starts
 * @returns a function that adds a run: the preview and the result share one report
 */
export function openReport(path: string): (run: Reported) => void {
  if (path !== "-") checkWritable(path);
  const runs: Reported[] = [];
  return (run) => {
    runs.push(run);
    if (path === "-") process.stdout.write(markdownOf([run]));
    else writeReport(path, markdownOf(runs));
  };
}

export function writeReport(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (cause) {
    throw new Error(`--markdown: ${path} can't be written: ${writeFault(cause)}`, { cause });
  }
}

/** @throws CommandError if the report's file can't be written */
export function checkWritable(path: string): void {
  const folder = dirname(resolve(path));
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const why =
      (error as NodeJS.ErrnoException).code === "ENOENT" ? "does not exist" : "may not be written to";
    throw usageError(`--markdown: the folder ${folder} ${why}`);
  }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw usageError(`--markdown: ${path} is a folder; name a file`);
}
