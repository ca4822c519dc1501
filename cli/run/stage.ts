/** One run of a command: opened, and each stage of it shown, with the exit code that it calls for. */
import { relative, resolve, sep } from "node:path";
import * as engine from "../../engine/index.ts";
import { type Finding, printable } from "../../provider/inventory/index.ts";
import {
  carryOut,
  isFailed,
  isPlan,
  openRequestCounter,
  openRun,
  type PassResult,
  type Pictures,
  type Preview,
  previewRun,
  previousRuns,
  type Refusal,
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
import { CommandError, codes } from "../exit.ts";
import { parallelOf, type RunValues, timeoutOf } from "../options.ts";
import { type Display, openDisplay } from "../report/display.ts";
import { annotation } from "../report/findings.ts";
import { jsonDisplay } from "../report/json-display.ts";
import { openReport } from "../report/markdown-file.ts";
import { openTerminal } from "../report/terminal.ts";
import { originOf } from "../stack/origin.ts";
import { withPages } from "./broken-pages.ts";
import { choicesOf } from "./choices.ts";
import { planText } from "./saved.ts";
import { withShopIncludes } from "./shop-includes.ts";
import { openStop, type Stop } from "./stop.ts";

/** What a command's runs share. */
export interface Tools {
  readonly counter: RequestCounter;
  readonly stop: Stop;
  readonly parallel?: number | undefined;
}

/** One run of the command. */
export interface Session extends Run {
  readonly report: ReturnType<typeof openReport> | undefined;
  readonly values: RunValues;
  readonly stop: Stop;
  /** Says what else there is to say at the end: of what was done, or of a plan that changes nothing. */
  readonly end?: (staged: PassResult) => Promise<void>;
  /** Requests since it was opened: with those of a plan that nobody saw. */
  readonly usage: () => RequestUsage;
}

/** Does a command's work, which ends where a person or its time says so. @param work answers an exit code */
export async function withTools(
  { timeout, parallel }: Pick<RunValues, "timeout" | "parallel">,
  work: (tools: Tools) => Promise<number>,
): Promise<number> {
  const [most, timeoutMs] = [parallelOf(parallel), timeoutOf(timeout)];
  const counter = openRequestCounter(process.env, tellPerson);
  // A second Ctrl-C waits for nothing below.
  process.once("exit", counter.close);
  const stop = openStop(timeoutMs, tellPerson);
  try {
    return await work({ counter, stop, parallel: most });
  } finally {
    stop.close();
    process.off("exit", counter.close);
    counter.close();
  }
}

/**
 * Opens a run: with the plan that it saves or carries out, and what was decided for that one.
 * @throws Error as `openRun` does
 */
export function openSession(
  verb: Verb,
  values: RunValues,
  { counter, stop, parallel }: Tools,
  more: Partial<RunRequest> = {},
): Session {
  const { plan, "save-plan": target, markdown, cwd = process.cwd() } = values;
  const asked = {
    verb,
    stack: engine.openStack({
      folder: cwd,
      stack: values.stack,
      ...((verb === "up" || verb === "preview") && { create: values.create === true }),
      env: { ...process.env, ...counter.env },
    }),
    options: choicesOf(values),
    counter,
    signal: stop.signal,
    partial: values.partial === true,
    // A saved plan was looked at by who approved it.
    isUnattended:
      verb === "up" &&
      plan === undefined &&
      (values["skip-preview"] === true || (values.yes === true && !process.stdin.isTTY)),
    showsTexts: values.diff === true,
    origin: originOf(cwd, process.env),
    say: tellPerson,
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

/** A line for the person, beside what is printed for a reader. */
export const tellPerson = (line: string): void => void process.stderr.write(`${line}\n`);

/** Where standard output is the report's. */
const noDisplay: Display = { watch() {}, summary() {} };

/** Where a run is shown: its title is printed, the rest follows. */
function displayOf(
  { verb, values, stack, counter, last, usage }: Session,
  isPreview: boolean,
  preview: PassResult | undefined,
): Display {
  if (values.json)
    return jsonDisplay((line) => process.stdout.write(`${line}\n`), isPreview ? "preview" : verb);
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

/** What the preview has shown of notices, line by line, is not shown again. */
const withoutBodies = (notices: StepNotices): StepNotices => ({
  ...notices,
  of: () => undefined,
  settings: () => undefined,
});

/** Shows a stage: each event as it comes, and its end. @param preview the preview that is preview out */
function openShown(session: Session, isPreview: boolean, preview?: PassResult) {
  const { verb, values, stack, report, usage } = session;
  const display = displayOf(session, isPreview, preview);
  return {
    watch: display.watch,
    end(staged: PassResult, pictures?: Pictures): void {
      display.summary(staged.result, values["skip-preview"] ? usage() : staged.usage, staged);
      report?.({ ...reportInput(verb, stack, staged), pictures });
      if (staged.refused.length > 0) refuse(stack.name, staged.refused, values);
    },
  };
}

/** A plan, with what its pages and the rest of its themes say of it. */
async function looked(session: Session, watch: engine.Watch): Promise<Preview> {
  const found = await withPages(session, await previewRun(session, watch), watch);
  return withShopIncludes(session, found, watch);
}

/** Plans, and shows the plan. */
export async function showPlan(session: Session): Promise<Preview> {
  const { values } = session;
  const { watch, end } = openShown(session, true);
  const found = await looked(session, watch);
  const pictures = await picturesOf(session, found);
  // Before the end, which a refusal is.
  if (values.github) for (const finding of found.findings) tellPerson(annotation(seenFrom(session, finding)));
  end(found, pictures);
  if (pictures !== undefined && pictures.broken.length > 0)
    throw new CommandError(
      `pages that shoppers see would fail after this plan: ${pictures.broken.join(", ")}; ${values.pictures}/index.html shows why`,
      codes.failure,
    );
  return found;
}

/** A mistake with its path from where the command was started. */
function seenFrom({ stack }: Session, { path, ...finding }: Finding): Finding {
  const place = resolve(stack.project.programFolder, path);
  return { ...finding, path: relative(process.cwd(), place).split(sep).join("/") };
}

/** Does what was isPreview, and shows it. */
export async function showRun(session: Session, found?: Preview): Promise<PassResult> {
  const { watch, end } = openShown(session, false, isPlan(session.verb) ? found : undefined);
  const ran = await carryOut(session, watch, found);
  end(ran);
  return ran;
}

async function picturesOf({ values, stack }: Session, staged: PassResult): Promise<Pictures | undefined> {
  if (values.pictures === undefined) return undefined;
  if (isFailed(staged)) {
    tellPerson("no pictures were made, because the preview failed");
    return undefined;
  }
  const { takePictures } = await import("../pictures/pictures.ts");
  return takePictures(staged, { stack, folder: values.pictures, say: tellPerson });
}

/** Plans, and shows the plan only where nothing is preview out of it. */
export async function planUnseen(session: Session): Promise<Preview> {
  const found = await looked(session, () => {});
  const goesOn = found.result.changed && found.refused.length === 0 && !isFailed(found);
  if (goesOn && !session.values["expect-no-changes"])
    return { ...found, isUnseen: session.planFile?.plan === undefined };
  const { watch, end } = openShown(session, true);
  for (const event of found.events) watch(event);
  end(found);
  return found;
}

/** The exit code of what was not done whole; undefined of what was. */
function outcomeCode({ outcome }: Pick<engine.Result, "outcome">, stop: Stop): number | undefined {
  if (outcome === "cancelled") return stop.timedOut() ? codes.timeout : codes.cancelled;
  return outcome === "failed" ? codes.failure : undefined;
}

/** The exit code that a stage calls for; undefined where the command may go on. */
export function codeOf({ result, refused }: PassResult, { values, stop }: Session): number | undefined {
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
