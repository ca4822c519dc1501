/** One stage of a run, its preview or the run itself: done, counted, held against the limits. Nothing is printed. */
import type { Counts, Event, Result, RunOptions, Step, Unfinished, Watch } from "../engine/index.ts";
import * as engine from "../engine/index.ts";
import { isPulumisOwn } from "../engine/pulumi/urn.ts";
import {
  type Env,
  type Message,
  messageEnv,
  messageIn,
  type Notice,
  type PlannedReads,
  sealOf,
} from "../provider/inventory/index.ts";
import type { Run } from "./open.ts";
import { countPendingCreates } from "./plans/interrupted-creates.ts";
import { keepsDeleted, limitRefusals, recreateRefusals, unattendedRefusals } from "./plans/limits.ts";
import { checkNames, selectionOf } from "./plans/options.ts";
import { type CurrentPlan, currentPlan } from "./plans/plan-differences.ts";
import { approvedChanges, approvedRows, withoutDigests } from "./plans/saved-plan.ts";
import { stepGuard } from "./plans/step-comparison.ts";
import { type ThemeFindings, themeFindings } from "./plans/theme-check.ts";
import { type Conflict, conflictsIn, withRefusedRest } from "./report/conflicts.ts";
import { withMissingObject } from "./report/failures.ts";
import { type Impact, impactOf } from "./report/impact.ts";
import type { Refusal } from "./report/outcome-texts.ts";
import type { RequestCost } from "./report/request-cost.ts";
import { otherUrn, type PreviousRuns, previousRuns } from "./report/run-history.ts";
import { type StepNotices, sendsNothing, stepNotices } from "./report/step-notices.ts";
import { isPlan } from "./report/step-words.ts";
import { RunError } from "./stack/errors.ts";
import { providerTimeout } from "./stack/provider-timeout.ts";
import type { RequestCounter, RequestUsage } from "./stack/request-counter.ts";
import { forgottenObjects } from "./stack/shop-check.ts";

/** What a stage came to. */
export interface PassResult {
  /** Whether nothing was done: it was the preview. */
  readonly isPreview: boolean;
  readonly result: Result;
  /** As who watches was told them. */
  readonly events: readonly Event[];
  /** What changes something, or was read. */
  readonly steps: readonly Step[];
  /** What the provider declined to do, for whatever reason: it stays as it is. */
  readonly declined: readonly Unfinished[];
  /** What of it somebody changed in the shop, with the values. */
  readonly conflicts: readonly Conflict[];
  /** What the limits of the stack refuse of a plan. */
  readonly refused: readonly Refusal[];
  /** What is wrong with the sources of themes after a plan. */
  readonly findings: ThemeFindings["findings"];
  readonly impact: Impact;
  /** Hunks of notices, and what is taken over. */
  readonly notices: StepNotices;
  /** Of a plan: the requests that carrying it out takes; undefined where it takes none. */
  readonly cost: RequestCost | undefined;
  /** Requests of this stage. */
  readonly usage: RequestUsage;
  /** Of a plan: what was run before it. */
  readonly previous: PreviousRuns | undefined;
  /** Whether a plan was made for the limits alone, because nobody wanted to see it. */
  readonly isUnseen?: boolean;
  /** What a saved plan is compared with. */
  readonly current: CurrentPlan;
}

/**
 * Does a stage.
 * @param watch takes each event as it comes
 * @param preview the preview that a run carries out; undefined for the preview itself, or where there was none
 */
export async function runPass(
  run: Run,
  isPreview: boolean,
  watch: Watch,
  preview?: PassResult,
): Promise<PassResult> {
  const { verb, options, stack, counter, say } = run;
  const usage = usageSince(counter);
  const events: Event[] = [];
  const shown: Event[] = [];
  const passOptions = {
    ...engineOptionsOf(run, isPreview),
    ...(preview !== undefined && { refuses: stepGuard(preview) }),
    watch(event: Event) {
      events.push(event);
      const own = withoutDigests(event);
      shown.push(own);
      watch(own);
    },
  };
  if (!isPreview && options.newShop === true) {
    const time = stack.now().toISOString().replaceAll(/[:.]/g, "-");
    say(`the state as it was is kept in ${engine.keepState(stack, `before-${time}`)}`);
  }
  const message: Message = isPreview
    ? // This command looks at the whole plan: the diffs of a preview pass.
      { guard: "plan", diff: run.showsTexts ? "texts" : undefined }
    : { reads: readsOf(preview) };
  const [ran, read] = await withProviderMessage(run, message, preview, (env) =>
    callEngine({ ...run, stack: { ...stack, env: { ...stack.env, ...env } } }, passOptions).catch(
      (error: Error) => {
        throw error.name === "UnknownNameError" ? new RunError("option", error.message) : error;
      },
    ),
  );
  const ended = engine.endedIn(events);
  const { done, refused: declined } = ended;
  const conflicts = conflictsIn(ended, read, preview?.conflicts);
  const failures = ran.failures.map((one) => withMissingObject(stack, run.imports ?? [], one));
  const result = withRefusedRest({ ...ran, failures }, conflicts);
  const steps = done.filter(({ op }) => op !== "same");
  if (isPreview && ran.outcome !== "cancelled" && ran.deletesUnknown !== true)
    checkNames(stack, options, [...done, ...declined.map(({ step }) => step), ...failures]);
  const isPlanned = isPreview && isPlan(verb);
  const own = done
    .toSorted((one, other) => Number(one.op === "same") - Number(other.op === "same"))
    .filter(({ found }) => found === (verb === "refresh"));
  const notices = stepNotices(read);
  const theme = isPlanned ? themeFindings(stack, done, read) : undefined;
  for (const warning of theme?.warnings ?? []) passOptions.watch(warning);
  return {
    isPreview,
    result: { ...result, counts: withoutAppliedSteps(result.counts, own, notices) },
    events: shown,
    steps,
    declined,
    conflicts,
    refused: isPlanned
      ? [
          ...limitRefusals(stack, steps, notices),
          ...recreateRefusals(stack, options, steps),
          ...(theme?.refused ?? []),
          ...(run.isUnattended ? unattendedRefusals(stack, steps) : []),
        ]
      : [],
    findings: theme?.findings ?? [],
    impact: impactOf(own, stack.now().toISOString().slice(0, 10), notices, conflicts),
    notices,
    cost: isPlanned ? await costIn(run, steps, read, { usage: usage(), ...ran }) : undefined,
    usage: usage(),
    previous: isPreview ? previousRunsOf(run, own) : undefined,
    current: currentPlan(events, read),
  };
}

/** The options of a run as the engine takes them. */
function engineOptionsOf(
  run: Run,
  isPreview: boolean,
): Omit<RunOptions, "watch"> & { readonly previewOnly: boolean } {
  const { options, stack, counter, signal, parallel, key } = run;
  return {
    ...deletedObjectOptions(run),
    refresh: options.refresh === true || options.newShop === true,
    ...selectionOf(stack, options),
    parts: run.ports.parts,
    looksBeforeDelete: true,
    hangLimits: providerTimeout(stack, counter),
    ...(options.allGone !== true && options.newShop !== true && { refusesEmpty: emptyShopText }),
    secretDigest: sealOf(key),
    ...(isPreview ? { passesHooks: run.passesHooks } : historyNote(run)),
    previewOnly: isPreview,
    ...(signal !== undefined && { signal }),
    ...(parallel !== undefined && { parallel }),
  };
}

/**
 * Does what a run asks of the provider, which is told what binds it: the plan.
 * @param preview the preview that is carried out
 * @param work is given what the environment of the provider has of it
 */
export function withProviderMessage<T>(
  { stack, planFile, key, ports }: Run,
  message: Message,
  preview: PassResult | undefined,
  work: (env: Env) => Promise<T>,
): Promise<readonly [T, readonly Notice[]]> {
  const approved =
    preview &&
    (planFile?.plan === undefined
      ? approvedRows(preview.current)
      : approvedChanges(planFile.plan, preview.current));
  const isOwn = (preview === undefined ? planFile : planFile?.plan) === undefined;
  return ports.channel(approved, (files) =>
    work(messageEnv(stack.env, { ...files, planKey: key, ...(isOwn && { isOwnPlan: true }), ...message })),
  );
}

/** What the history notes: where the run comes from, and which saved plan it carries out. */
function historyNote({ origin, planFile, stack }: Run): Pick<RunOptions, "about"> {
  const about = origin?.about();
  const { at } = messageIn(stack.env);
  if (planFile?.digest === undefined && about === undefined) return {};
  const { message = "", environment } = about ?? {};
  const plan = planFile?.digest === undefined ? {} : { updatePlan: "true", "plan.digest": planFile.digest };
  return {
    about: { message, environment: { ...environment, ...(at !== undefined && { "run.at": at }), ...plan } },
  };
}

/** What a preview tells of the runs before it; what a destroy takes back is all there is. */
const previousRunsOf = ({ last, verb, stack }: Run, steps: readonly Step[]) =>
  last &&
  previousRuns(last, stack.now(), verb === "destroy" ? undefined : steps.filter(({ op }) => op !== "same"));

/**
 * What a refresh finds gone because it is of another shop is forgotten by the state, and stays there. What it finds gone of
 * this one, or one before it found, is made again where the program still asks for it.
 */
function deletedObjectOptions({ stack, options }: Run): Pick<RunOptions, "marked" | "staysGone"> {
  const forgotten = forgottenObjects(stack);
  const found = new Set<string>();
  // Read where something is made: most runs make nothing.
  let before: ReadonlySet<string> | undefined;
  const isGone = (urn: string) => {
    before ??= engine.foundGone(stack);
    return found.has(urn) || before.has(urn) || before.has(otherUrn(urn));
  };
  const stays = keepsDeleted(stack, options);
  const marked = (step: Step): Step => {
    const { urn, id, op } = step;
    if (op === "create" && isGone(urn)) return { ...step, again: true };
    if (!step.found || op !== "delete") return step;
    if (forgotten.has(`${urn} ${id}`)) return { ...step, stays: true };
    if (engine.isGone(step)) found.add(urn);
    return step;
  };
  return { marked, staysGone: (urn) => stays(urn) && isGone(urn) };
}

const writesMark = ({ op, custom, type }: Step) =>
  custom && !isPulumisOwn(type) && (engine.makes(op) || op === "update");

/** The counts of a stage: what the shop has already is unchanged, although the state is told of it. */
function withoutAppliedSteps(counts: Counts, steps: readonly Step[], notices: StepNotices): Counts {
  const done = steps.filter((step) => sendsNothing(step, notices)).length;
  if (done === 0) return counts;
  const { update = 0, same = 0, ...rest } = counts;
  return { ...rest, ...(update > done && { update: update - done }), same: same + done };
}

async function costIn(
  { stack, say }: Run,
  steps: readonly Step[],
  read: Parameters<typeof currentPlan>[1],
  { usage, interruptedReads = 0 }: Pick<Result, "interruptedReads"> & { readonly usage: RequestUsage },
): Promise<RequestCost | undefined> {
  // Which account it is is asked for once, before the first object is written (provider/run/identity.ts).
  const asks = messageIn(stack.env).identity === undefined && steps.some(writesMark) ? 1 : 0;
  const sought = countPendingCreates(stack, read, say) + asks + interruptedReads;
  if (steps.length === 0 && sought === 0 && read.length === 0) return undefined;
  // The definitions are loaded where there is something to count: a run without changes is there to be quick.
  const { requestCostOf } = await import("./report/request-cost.ts");
  return requestCostOf(steps, read, usage, sought);
}

const emptyShopText = (count: number) =>
  `the shop has nothing of all ${count} objects that the state has, so that it may be another shop than theirs: the state is left as ` +
  `it is. Check shop:url and the credentials. If all of them were deleted there, run again with --all-gone`;

const readsOf = (preview: PassResult | undefined): Readonly<Record<string, PlannedReads>> =>
  preview?.cost?.reads ?? {};

/** Requests from now on; the window as the shop last told it. */
export function usageSince(counter: RequestCounter): () => RequestUsage {
  const before = counter.usage();
  return () => {
    const now = counter.usage();
    return {
      ...now,
      requests: now.requests - before.requests,
      writes: now.writes === null ? null : now.writes - (before.writes ?? 0),
      rejected: now.rejected - before.rejected,
    };
  };
}

/** Does a verb, or shows what it would do. */
function callEngine(
  { verb, stack, imports = [] }: Run,
  engineOptions: RunOptions & { readonly previewOnly: boolean },
): Promise<Result> {
  switch (verb) {
    case "refresh":
      return engine.refresh(stack, engineOptions);
    case "destroy":
      return engine.destroy(stack, engineOptions);
    case "import":
      return engine.importAll(stack, imports, engineOptions);
    case "preview":
    case "up":
      return engineOptions.previewOnly
        ? engine.preview(stack, engineOptions)
        : engine.up(stack, engineOptions);
  }
}

/** Whether a preview shows no plan that may be preview out: it failed, and not only because something was refused. */
export const isFailed = ({ result: { outcome, failures } }: Pick<PassResult, "result">): boolean =>
  outcome !== "succeeded" && !isRefusedInPart({ outcome, failures });

/** Whether all that failed in a preview was refused: that stays as it is, and the rest may be done. */
export const isRefusedInPart = ({ outcome, failures }: Pick<Result, "outcome" | "failures">): boolean =>
  outcome === "failed" && failures.length > 0 && failures.every(({ refused }) => refused === true);
