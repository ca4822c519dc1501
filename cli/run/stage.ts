/** One stage of a run, its preview or the run itself: shown, counted, held against the limits. */
import type { Event, Result, RunOptions, Seal, Stack, Step, Unfinished } from "../../engine/index.ts";
import * as engine from "../../engine/index.ts";
import { type PlannedReads, printable, tell } from "../../provider/inventory/index.ts";
import { codes } from "../exit.ts";
import type { RunValues, Verb } from "../options.ts";
import { type Display, openDisplay } from "../report/display.ts";
import { impactOf } from "../report/impact.ts";
import { jsonDisplay } from "../report/json-display.ts";
import { openReport, type Report } from "../report/markdown.ts";
import { titles } from "../report/op-words.ts";
import { type Refusal, refusalLines } from "../report/refusals.ts";
import type { Meter } from "../report/requests.ts";
import { openTerminal } from "../report/terminal.ts";
import { textsIn } from "../report/texts.ts";
import { allowEnv, overwriteEnv, refuseUnknownNames } from "./allowed.ts";
import { refusalOf } from "./approved.ts";
import { chosenOf, namesIn } from "./chosen.ts";
import { soughtBy } from "./cut-off.ts";
import { checkSettings, planned as guardedPlan, refusedSteps } from "./guard.ts";
import { openNoticeFile } from "./notices.ts";
import {
  approvedOf,
  type Binding,
  bindingOf,
  newSeal,
  openApproved,
  withDecisions,
  withoutDigests,
} from "./saved.ts";
import { type Fresh, freshOf } from "./stale.ts";
import type { Stop } from "./stop.ts";

/** The stack with what its children are told: where to note requests, what a protected stack permits. */
export function openStack(values: RunValues, meter: Meter): Stack {
  const stack = engine.openStack({
    folder: values.cwd ?? process.cwd(),
    stack: values.stack,
    create: values.create === true,
    env: { ...process.env, ...meter.env },
  });
  checkSettings(stack);
  const named = {
    ...allowEnv(stack, values.allow),
    ...overwriteEnv(stack, values.overwrite),
    ...tell({ resend: values.resend === undefined ? undefined : namesIn(values.resend) }),
  };
  return { ...stack, env: { ...stack.env, ...named } };
}

/** One run of the command. */
export interface Session {
  readonly report: Report | undefined;
  readonly verb: Verb;
  readonly values: RunValues;
  readonly stack: Stack;
  readonly meter: Meter;
  readonly stop: Stop;
  readonly parallel?: number;
  /** The plan that is saved, or carried out. */
  readonly bound: Binding | undefined;
  readonly seal: Seal;
}

/**
 * Opens a run: with the plan that it saves or carries out, and what was decided for that one.
 * @throws Error as `bindingOf` and `openStack` do
 */
export function openSession(verb: Verb, given: RunValues, meter: Meter, stop: Stop): Session {
  const first = openStack(given, meter);
  const bound = bindingOf(verb, given, first);
  const values = bound?.plan === undefined ? given : withDecisions(given, bound.plan);
  return {
    verb,
    values,
    report: values.markdown === undefined ? undefined : openReport(values.markdown, verb === "refresh"),
    stack: values === given ? first : openStack(values, meter),
    meter,
    stop,
    bound,
    seal: bound?.seal ?? newSeal(),
  };
}

/** What a preview came to. */
export interface Planned {
  readonly plan: Plan;
  readonly fresh: Fresh;
}

/** What a preview showed, for the run that carries it out. */
interface Plan {
  readonly steps: readonly Step[];
  readonly refused: readonly Unfinished[];
  readonly reads: Readonly<Record<string, PlannedReads>>;
}

/** Where standard output is the report's. */
const noDisplay: Display = { watch() {}, summary() {} };

/** Where a run is shown: its title is printed, the rest follows. */
function displayOf({ verb, values, stack }: Session, planned: boolean, spent: Meter["spent"]): Display {
  if (values.json)
    return jsonDisplay((line) => process.stdout.write(`${line}\n`), planned ? "preview" : verb);
  if (values.markdown === "-") return noDisplay;
  process.stdout.write(`${titles(verb, planned)} ${stack.project.name}/${stack.name}\n`);
  return openDisplay(openTerminal(process.stdout, process.env), {
    planned,
    finding: verb === "refresh",
    diff: values.diff === true,
    verbose: values.verbose === true,
    showOutputs: verb === "preview" || verb === "up",
    spent,
  });
}

/** @param plan what the run is to carry out; undefined for the preview itself, or where there was none */
export async function stage(
  session: Session,
  planned: boolean,
  carried?: Planned,
): Promise<Result & Planned & { readonly isGuarded: boolean }> {
  const { verb, values, stack, meter, stop, parallel, report, bound, seal } = session;
  const plan = carried?.plan;
  const before = meter.spent();
  const spent = () => {
    const now = meter.spent();
    return { ...now, requests: now.requests - before.requests, rejected: now.rejected - before.rejected };
  };
  const display = displayOf(session, planned, spent);
  const events: Event[] = [];
  const options: RunOptions = {
    watch(event) {
      events.push(event);
      const shown = withoutDigests(event);
      display.watch(shown);
      report?.watch(shown);
    },
    refresh: values.refresh === true,
    ...chosenOf(stack, values),
    looksBeforeDelete: true,
    seal,
    ...(plan !== undefined && { refuses: refusalOf(plan.steps, plan.refused) }),
    signal: stop.signal,
    ...(parallel !== undefined && { parallel }),
  };
  const notices = planned ? openNoticeFile() : undefined;
  const approved =
    bound?.plan === undefined || carried === undefined
      ? undefined
      : openApproved(approvedOf(bound.plan, carried.fresh));
  const told = planned
    ? { ...guardedPlan, ...textLines(values), ...notices?.env }
    : { ...approved?.env, ...tell({ reads: plan?.reads ?? {} }) };
  const key = tell({ planKey: bound?.key });
  const watched = { ...stack, env: { ...stack.env, ...told, ...key } };
  const result = await perform(verb, watched, options, planned).finally(() => approved?.close());
  const read = notices?.read() ?? [];
  notices?.close();
  const ended = engine.endedIn(events);
  const steps = ended.done.filter(({ op }) => op !== "same");
  const sought = planned && verb !== "refresh" ? soughtBy(stack, read) : 0;
  const isPlan = planned && verb !== "refresh" && (steps.length > 0 || sought > 0 || read.length > 0);
  // The definitions are loaded where there is something to count: a run without changes is there to be quick.
  const cost = isPlan
    ? (await import("../report/request-cost.ts")).requestCostOf(steps, read, spent(), sought)
    : undefined;
  if (result.outcome === "succeeded" && (planned || plan === undefined))
    refuseUnknownNames(stack, values.allow, steps);
  const refused = planned && verb !== "refresh" ? refusedSteps(stack, steps) : [];
  const own = [...steps, ...ended.done.filter(({ op }) => op === "same")].filter(
    ({ found }) => found === (verb === "refresh"),
  );
  const impact = impactOf(own, stack.now().toISOString().slice(0, 10));
  const texts = textsIn(read);
  display.summary(result, spent(), { impact, refused, texts, cost });
  const title = `${titles(verb, planned)} \`${stack.project.name}/${stack.name}\``;
  report?.end({ title, result, refused, impact, texts, cost: cost?.text });
  const seen = { steps, reads: cost?.reads ?? {}, refused: ended.refused };
  const fresh = freshOf(events, read);
  if (refused.length === 0) return { ...result, plan: seen, fresh, isGuarded: false };
  refuse(stack.name, refused, values);
  return { ...result, outcome: "failed", plan: seen, fresh, isGuarded: true };
}

/** Does a verb, or shows what it would do. */
export function perform(verb: Verb, stack: Stack, options: RunOptions, planned: boolean): Promise<Result> {
  if (verb === "refresh") return engine.refresh(stack, { ...options, previewOnly: planned });
  if (verb === "destroy") return engine.destroy(stack, { ...options, previewOnly: planned });
  return planned ? engine.preview(stack, options) : engine.up(stack, options);
}

/** The exit code that a result calls for; undefined where the command may go on. */
export function codeOf(result: Result, { values, stop }: Session): number | undefined {
  if (result.outcome === "cancelled") return stop.timedOut() ? codes.timeout : codes.cancelled;
  if (result.outcome === "failed") return codes.failure;
  const { same: _same, read: _read, ...changing } = result.counts;
  if (!values["expect-no-changes"] || Object.keys(changing).length === 0) return undefined;
  process.stderr.write("error: no changes were expected, but there are some\n");
  return codes.changes;
}

/** Whether all that failed in a preview was refused: that stays as it is, and the rest may be done. */
export const isRefusedInPart = ({
  outcome,
  failures,
  isGuarded,
}: Result & { readonly isGuarded: boolean }): boolean =>
  outcome === "failed" &&
  !isGuarded &&
  failures.length > 0 &&
  failures.every(({ refused }) => refused === true);

/** Says what the limits of a stack refuse. @returns the exit code */
export function refuse(stack: string, refused: readonly Refusal[], { verbose }: RunValues): number {
  process.stderr.write(`${printable(refusalLines(stack, refused, verbose === true).join("\n  "))}\n`);
  return codes.failure;
}

/** Asks the provider for the lines of texts, which cost a read each. */
export const textLines = ({ diff }: RunValues) => tell({ diff: diff === true ? "texts" : undefined });
