/** preview, up, refresh, destroy. */
import type { Event, Result, RunOptions, Seal, Stack, Step } from "../../engine/index.ts";
import * as engine from "../../engine/index.ts";
import { type PlannedReads, printable } from "../../provider/inventory/index.ts";
import { type Command, defineCommand } from "../command.ts";
import { CommandError, codes } from "../exit.ts";
import { parallelOf, type RunValues, runOptionsOf, timeoutOf, type Verb } from "../options.ts";
import { type Display, openDisplay } from "../report/display.ts";
import { impactOf } from "../report/impact.ts";
import { jsonDisplay } from "../report/json-display.ts";
import { openReport, type Report } from "../report/markdown.ts";
import { titles } from "../report/op-words.ts";
import { type Refusal, refusalLines } from "../report/refusals.ts";
import { type Meter, openMeter } from "../report/requests.ts";
import { openTerminal, saysYes } from "../report/terminal.ts";
import { textsIn } from "../report/texts.ts";
import { checkConnection } from "../stack/shop.ts";
import { allowEnv, overwriteEnv, refuseUnknownNames } from "./allowed.ts";
import { type RefusedStep, refusalOf, refusedIn } from "./approved.ts";
import { soughtBy, tellCutOff } from "./cut-off.ts";
import { checkSettings, planned as guardedPlan, hasTotals, isLimited, refusedSteps } from "./guard.ts";
import { openNoticeFile } from "./notices.ts";
import { endPlan } from "./plan-end.ts";
import { isInstalled, runPulumi } from "./pulumi.ts";
import {
  approvedOf,
  type Binding,
  bindingOf,
  checkPlanOptions,
  newSeal,
  openApproved,
  withDecisions,
  withoutDigests,
} from "./saved.ts";
import { type Fresh, freshOf } from "./stale.ts";
import { openStop, type Stop } from "./stop.ts";
import { exitCodes, texts } from "./texts.ts";

/** The command of a verb. */
export const runCommand = (verb: Verb): Command =>
  defineCommand({
    usage: `${verb} [options]`,
    what: texts[verb].what,
    example: texts[verb].example,
    notes: exitCodes,
    options: runOptionsOf(verb),
    run: (values) => run(verb, values),
  });

async function run(verb: Verb, values: RunValues): Promise<number> {
  if (values.engine !== undefined && values.engine !== "embedded" && values.engine !== "pulumi")
    throw new CommandError(`--engine must be embedded or pulumi, got ${values.engine}`, codes.configuration);
  if (values.json && values.markdown === "-")
    throw new CommandError("use either --json or --markdown -", codes.configuration);
  checkPlanOptions(verb, values);
  const meter = openMeter(process.env);
  try {
    if (values.engine === "pulumi" && (values.plan ?? values["save-plan"]) !== undefined)
      return await planForPulumi(verb, values, meter);
    if (values.engine === "pulumi") {
      const isNamed = [values.allow, values.overwrite, values.resend].some((names) => names !== undefined);
      const allowed = isNamed ? openStack(values, meter).env : {};
      const refused = await refusedBefore(verb, values, meter);
      if (refused.length > 0) return refuse(values.stack ?? "", refused, values);
      return await runPulumi(verb, values, {
        ...meter,
        env: {
          ...meter.env,
          ...textLines(values),
          ...decidedEnv(allowed),
        },
      });
    }
    return await runEmbedded(verb, values, meter);
  } finally {
    meter.close();
  }
}

/** The real engine's own plans don't bind what they started from: ours is made, or compared, before it begins. */
async function planForPulumi(verb: Verb, given: RunValues, meter: Meter): Promise<number> {
  const unbound = openStack(given, meter);
  const bound = bindingOf(verb, given, unbound);
  const values = bound?.plan === undefined ? given : withDecisions(given, bound.plan);
  const stop = openStop(undefined, (line) => process.stderr.write(`${line}\n`));
  try {
    const stack = openStack(values, meter);
    const seal = bound?.seal ?? newSeal();
    const session: Session = { verb, values, report: undefined, stack, meter, stop, bound, seal };
    const planned = await stage(session, true);
    const code = codeOf(planned, session);
    const isOver = code !== undefined && !(isOnlyRefused(planned) && !planned.isGuarded);
    const ended = endPlan(session, planned.fresh, isOver);
    if (ended !== undefined || isOver) return ended ?? code ?? codes.failure;
    const approved =
      bound?.plan === undefined ? undefined : openApproved(approvedOf(bound.plan, planned.fresh));
    const env = { ...meter.env, ...textLines(values), ...decidedEnv(stack.env), ...approved?.env };
    try {
      const key = bound === undefined ? {} : { SHOP_PLAN_KEY: bound.key };
      return await runPulumi(verb, values, { ...meter, env: { ...env, ...(approved && key) } });
    } finally {
      approved?.close();
    }
  } finally {
    stop.close();
  }
}

const decidedEnv = (env: Stack["env"]) => ({
  ...pick(env, "SHOP_ALLOW"),
  ...pick(env, "SHOP_OVERWRITE"),
  ...pick(env, "SHOP_RESEND"),
});

/**
 * What a protected stack refuses of a plan of the real engine's, which asks no provider about deletes before it does them,
 * and stops at the first change that is refused: our own engine plans the same first.
 */
async function refusedBefore(verb: Verb, values: RunValues, meter: Meter): Promise<readonly Refusal[]> {
  if (verb === "refresh") return [];
  const stack = openedHere(values, meter);
  if (stack === undefined || !isLimited(stack)) return [];
  const steps: Step[] = [];
  const options: RunOptions = {
    watch: (event) => {
      if (event.type === "done" && event.step.op !== "same") steps.push(event.step);
    },
    refresh: values.refresh === true,
  };
  const watched = { ...stack, env: { ...stack.env, ...guardedPlan } };
  const { outcome } = await perform(verb, watched, options, true);
  if (outcome === "succeeded") refuseUnknownNames(stack, values.allow, steps);
  return refusedSteps(stack, steps);
}

/** The stack, where our own engine can open it: a new one, or one in another backend, is the real engine's alone. */
function openedHere(values: RunValues, meter: Meter): Stack | undefined {
  try {
    return openStack(values, meter);
  } catch (error) {
    const { name, message } = error as Error;
    if (name === "NoStackError" || message.startsWith("the backend ")) return undefined;
    throw error;
  }
}

/** Says what the limits of a stack refuse. @returns the exit code */
function refuse(stack: string, refused: readonly Refusal[], { verbose }: RunValues): number {
  process.stderr.write(`${printable(refusalLines(stack, refused, verbose === true).join("\n  "))}\n`);
  return codes.failure;
}

/** Asks the provider for the lines of texts, which cost a read each. */
const textLines = ({ diff }: RunValues) => (diff === true ? { SHOP_DIFF: "texts" } : {});

const pick = (env: Readonly<Record<string, string | undefined>>, name: string) =>
  env[name] === undefined ? {} : { [name]: env[name] };

async function runEmbedded(verb: Verb, given: RunValues, meter: Meter): Promise<number> {
  const parallel = parallelOf(given.parallel);
  const stop = openStop(timeoutOf(given.timeout), (line) => process.stderr.write(`${line}\n`));
  try {
    const bound = bindingOf(verb, given, openStack(given, meter));
    const values = bound?.plan === undefined ? given : withDecisions(given, bound.plan);
    const stack = openStack(values, meter);
    // Nothing to read and nothing to delete needs no shop.
    if (verb === "preview" || verb === "up" || engine.load(stack).resources.length > 0)
      checkConnection(stack);
    const session: Session = {
      verb,
      values,
      report: values.markdown === undefined ? undefined : openReport(values.markdown, verb === "refresh"),
      stack,
      meter,
      stop,
      bound,
      seal: bound?.seal ?? newSeal(),
      ...(parallel !== undefined && { parallel }),
    };
    if (values.engine === undefined && !values.json && isInstalled())
      process.stderr.write(`pulumi is installed too: ${verb} --engine pulumi uses it\n`);
    return (await stages(session)) ?? codes.success;
  } finally {
    stop.close();
  }
}

/** The stack with what its children are told: where to note requests, what a protected stack permits. */
function openStack(values: RunValues, meter: Meter): Stack {
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
    ...(values.resend !== undefined && { SHOP_RESEND: values.resend }),
  };
  return { ...stack, env: { ...stack.env, ...named } };
}

interface Session {
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

/** Preview, question, run: each stage may end the command. */
async function stages(session: Session): Promise<number | undefined> {
  const { verb, values, stop } = session;
  const onlyPreview = verb === "preview" || values["preview-only"] === true;
  // What a refresh finds it also shows; asking first would read the shop twice.
  const skips = values["skip-preview"] === true && !(verb !== "refresh" && hasTotals(session.stack));
  const needsPreview = onlyPreview || !(skips || (verb === "refresh" && values.yes));
  let plan: Planned | undefined;
  let refused = false;
  if (needsPreview) {
    const planned = await stage(session, true);
    const code = codeOf(planned, session);
    // What was refused stays as it is; the rest is done, and the run ends with an error all the same.
    refused = planned.outcome === "failed" && !planned.isGuarded && isOnlyRefused(planned);
    const stale = endPlan(session, planned.fresh, code !== undefined && !refused);
    if (stale !== undefined || onlyPreview || (code !== undefined && !refused)) return stale ?? code;
    if (!planned.changed) return (await endOf(session, planned)) ?? (refused ? codes.failure : codes.success);
    if (!values.yes && !values["skip-preview"]) await confirm(verb, stop);
    // A refresh reads what there is: what it finds is its own affair.
    plan = verb === "refresh" ? undefined : planned;
  }
  const result = await stage(session, false, plan);
  const left = await endOf(session, result);
  return codeOf(result, session) ?? left ?? (refused ? codes.failure : undefined);
}

/** A destroy that leaves objects of creates that were cut off has not done what it is for. */
async function endOf({ verb, stack, stop }: Session, result: Result): Promise<number | undefined> {
  // A run that was stopped has not asked for all that it would have.
  if (result.outcome === "cancelled" || stop.signal.aborted) return undefined;
  const isLeft = await tellCutOff(stack, result, verb === "destroy" ? "error" : "warning");
  return isLeft && verb === "destroy" ? codes.failure : undefined;
}

/** What a preview came to. */
interface Planned {
  readonly plan: Plan;
  readonly fresh: Fresh;
}

/** What a preview showed, for the run that carries it out. */
interface Plan {
  readonly steps: readonly Step[];
  readonly refused: readonly RefusedStep[];
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
async function stage(
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
  const steps: Step[] = [];
  const unchanged: Step[] = [];
  const events: Event[] = [];
  const options: RunOptions = {
    watch(event) {
      if (planned) events.push(event);
      if (event.type === "done") (event.step.op === "same" ? unchanged : steps).push(event.step);
      const shown = withoutDigests(event);
      display.watch(shown);
      report?.watch(shown);
    },
    refresh: values.refresh === true,
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
    : { ...approved?.env, SHOP_READS: JSON.stringify(plan?.reads ?? {}) };
  const key = bound === undefined ? {} : { SHOP_PLAN_KEY: bound.key };
  const watched = { ...stack, env: { ...stack.env, ...told, ...key } };
  const result = await perform(verb, watched, options, planned).finally(() => approved?.close());
  const read = notices?.read() ?? [];
  notices?.close();
  const sought = planned && verb !== "refresh" ? soughtBy(stack) : 0;
  const isPlan = planned && verb !== "refresh" && (steps.length > 0 || sought > 0);
  // The definitions are loaded where there is something to count: a run without changes is there to be quick.
  const cost = isPlan
    ? (await import("../report/request-cost.ts")).requestCostOf(steps, read, spent(), sought)
    : undefined;
  if (result.outcome === "succeeded" && (planned || plan === undefined))
    refuseUnknownNames(stack, values.allow, steps);
  const refused = planned && verb !== "refresh" ? refusedSteps(stack, steps) : [];
  const own = [...steps, ...unchanged].filter(({ found }) => found === (verb === "refresh"));
  const impact = impactOf(own, stack.now().toISOString().slice(0, 10));
  const texts = textsIn(read);
  display.summary(result, spent(), { impact, refused, texts, cost });
  const title = `${titles(verb, planned)} \`${stack.project.name}/${stack.name}\``;
  report?.end({ title, result, refused, impact, texts, cost: cost?.text });
  const seen = { steps, reads: cost?.reads ?? {}, refused: refusedIn(events) };
  const fresh = freshOf(events, read);
  if (refused.length === 0) return { ...result, plan: seen, fresh, isGuarded: false };
  refuse(stack.name, refused, values);
  return { ...result, outcome: "failed", plan: seen, fresh, isGuarded: true };
}

function perform(verb: Verb, stack: Stack, options: RunOptions, planned: boolean): Promise<Result> {
  if (verb === "refresh") return engine.refresh(stack, { ...options, previewOnly: planned });
  if (verb === "destroy") return engine.destroy(stack, { ...options, previewOnly: planned });
  return planned ? engine.preview(stack, options) : engine.up(stack, options);
}

/** The exit code that a result calls for; undefined where the command may go on. */
function codeOf(result: Result, { values, stop }: Session): number | undefined {
  if (result.outcome === "cancelled") return stop.timedOut() ? codes.timeout : codes.cancelled;
  if (result.outcome === "failed") return codes.failure;
  const { same: _same, read: _read, ...changing } = result.counts;
  if (!values["expect-no-changes"] || Object.keys(changing).length === 0) return undefined;
  process.stderr.write("error: no changes were expected, but there are some\n");
  return codes.changes;
}

const isOnlyRefused = ({ failures }: Result) =>
  failures.length > 0 && failures.every(({ refused }) => refused === true);

async function confirm(verb: Verb, stop: Stop): Promise<void> {
  if (!process.stdin.isTTY)
    throw new CommandError("no terminal to confirm on; pass --yes", codes.configuration);
  if (!(await saysYes(texts[verb].question, stop.signal)))
    throw new CommandError("nothing was changed", codes.cancelled);
}
