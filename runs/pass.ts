/** One pass of a run: its preview, or the run itself. Counts requests and checks limits; prints nothing. */
import type { Event, Result, RunOptions, Step, Unfinished, Watch } from "../engine/index.ts";
import * as engine from "../engine/index.ts";
import {
  digestUnder,
  type Env,
  type Message,
  messageEnv,
  messageIn,
  type Notice,
  type PlannedReads,
} from "../provider/inventory/index.ts";
import type { Run } from "./open.ts";
import { countPendingCreates, recoveredSheets, saidByProvider } from "./plans/interrupted-creates.ts";
import { keepsDeleted, limitRefusals, recreateRefusals, unattendedRefusals } from "./plans/limits.ts";
import { checkNames, selectionOf } from "./plans/options.ts";
import { type CurrentPlan, currentPlan } from "./plans/plan-differences.ts";
import { approvedChanges, approvedRows, withoutDigests } from "./plans/saved-plan.ts";
import { stepGuard } from "./plans/step-comparison.ts";
import { type ThemeFindings, themeFindings } from "./plans/theme-check.ts";
import { withCellChanges } from "./report/cell-changes.ts";
import { madeChanges, sentChanges } from "./report/changes.ts";
import { conflictsIn, withRefusedRest } from "./report/conflicts.ts";
import { withMissingObject } from "./report/failures.ts";
import { impactOf } from "./report/impact.ts";
import type { Reported } from "./report/markdown.ts";
import type { RequestCost } from "./report/request-cost.ts";
import { otherUrn, type PreviousRuns, previousRuns, revertedAccepts } from "./report/run-history.ts";
import { type StepNotices, sendsNothing, stepNotices } from "./report/step-notices.ts";
import { isPlan } from "./report/step-words.ts";
import { forgottenObjects } from "./stack/connection.ts";
import { RunError } from "./stack/errors.ts";
import { providerTimeout } from "./stack/provider-timeout.ts";
import type { RequestCounter, RequestUsage } from "./stack/request-counter.ts";

type ReportedPart = "isPreview" | "result" | "events" | "conflicts" | "refused" | "impact" | "notices";

export interface PassResult extends Pick<Reported, ReportedPart> {
  /** The steps that change or read a resource. */
  readonly steps: readonly Step[];
  /** The steps that the provider refused. Their objects stay as they are. */
  readonly declined: readonly Unfinished[];
  /** Mistakes in theme files after the plan. */
  readonly findings: ThemeFindings["findings"];
  /** The requests that applying the plan needs; undefined if it needs none. */
  readonly cost: RequestCost | undefined;
  readonly usage: RequestUsage;
  /** For a preview: the runs before this one. */
  readonly previous: PreviousRuns | undefined;
  /** Whether the plan was made only to check limits, and nobody saw it. */
  readonly isUnseen?: boolean;
  /** The plan in the form that is compared with a saved plan. */
  readonly current: CurrentPlan;
}

/**
 * Runs one pass.
 * @param watch receives each event
 * @param preview the preview that this pass applies; undefined for the preview itself, or if there was none
 */
export async function runPass(
  run: Run,
  isPreview: boolean,
  watch: Watch,
  preview?: PassResult,
): Promise<PassResult> {
  const { verb, options, stack, counter } = run;
  const usage = usageSince(counter);
  const events: Event[] = [];
  // The run refreshes again.
  let readByRefresh = 0;
  const passOptions = {
    ...engineOptionsOf(run, isPreview),
    ...(preview !== undefined && {
      refuses: stepGuard(preview),
      made: (step: Step) => madeChanges(step, preview),
      isUnsent: isUnsent(preview.notices),
    }),
    watch(event: Event) {
      events.push(event);
      if (isPreview && event.type === "done" && event.step.found) readByRefresh = usage().requests;
      watch(withoutDigests(event));
    },
  };
  if (!isPreview && options.newShop === true) keepOldState(run);
  const message: Message = isPreview
    ? // The command checks limits for the whole plan, so the provider doesn't check them step by step.
      { guard: "plan", diff: run.showsTexts ? "texts" : undefined }
    : { reads: readsOf(preview) };
  const [ran, read] = await withProviderMessage(run, message, preview, (env) =>
    callEngine({ ...run, stack: { ...stack, env: { ...stack.env, ...env } } }, passOptions).catch(
      (error: Error) => {
        throw error.name === "UnknownNameError" ? new RunError("option", error.message) : error;
      },
    ),
  );
  const inOrder = (some: readonly Event[]) => engine.inProgramOrder(some, ran.places.keys());
  const all = inOrder(events);
  const ended = engine.endedIn(all);
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
  const notices = stepNotices(read, ran.places);
  const theme = isPlanned ? themeFindings(stack, done, read) : undefined;
  for (const warning of theme?.warnings ?? []) passOptions.watch(warning);
  return {
    isPreview,
    result: { ...result, counts: engine.countsWithout(result.counts, own.filter(isUnsent(notices)).length) },
    events: inOrder(events).map(withoutDigests),
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
    cost: isPlanned
      ? await costIn(run, steps, read, { ...result, usage: usage(), readByRefresh })
      : undefined,
    usage: usage(),
    previous: isPreview ? previousRunsOf(run, own, { notices, conflicts, result }) : undefined,
    current: currentPlan(all, read, result),
  };
}

function keepOldState({ stack, say }: Run): void {
  const time = stack.now().toISOString().replaceAll(/[:.]/g, "-");
  say(`a copy of the old state is kept in ${engine.keepState(stack, `before-${time}`)}`);
}

function engineOptionsOf(
  run: Run,
  isPreview: boolean,
): Omit<RunOptions, "watch"> & { readonly previewOnly: boolean } {
  const { verb, options, stack, counter, signal, parallel, key } = run;
  return {
    ...deletedObjectOptions(run),
    refresh: options.refresh === true || options.newShop === true,
    // Pulumi's engine has its own state.
    ...(run.passesHooks !== true && { recovers: recoveredSheets(run) }),
    // Otherwise nobody asks the provider for the resource.
    ...((verb === "up" || verb === "preview") && { isSaid: saidByProvider(run) }),
    ...selectionOf(stack, options),
    parts: run.ports.parts,
    looksBeforeDelete: true,
    comparesInputs: run.comparesInputs,
    hangLimits: providerTimeout(stack, counter),
    ...(options.allGone !== true && options.newShop !== true && { refusesEmpty: emptyShopText }),
    secretDigest: digestUnder(key),
    ...(isPreview ? { passesHooks: run.passesHooks } : historyNote(run)),
    previewOnly: isPreview,
    ...(signal !== undefined && { signal }),
    ...(parallel !== undefined && { parallel }),
  };
}

/**
 * Calls the provider with the plan that it must follow, and returns its notices.
 * @param preview the preview that is applied
 * @param work receives the environment variables for the provider
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

/** The history entry: who runs it, from which commit, and which saved plan it applies. */
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

/** The runs before this one. For a destroy, nothing is said about reverted changes: it deletes everything anyway. */
function previousRunsOf(
  { last, verb, stack }: Run,
  all: readonly Step[],
  { notices, conflicts, result }: Pick<PassResult, "notices" | "conflicts" | "result">,
): PreviousRuns | undefined {
  if (last === undefined) return undefined;
  const named = all.map((step) => ({ ...step, formerly: result.formerly.get(step.urn) ?? [] }));
  const steps = verb === "destroy" ? undefined : named.filter(({ op }) => op !== "same");
  const sent = steps?.map((step) => {
    const made = { ...step, changes: madeChanges(step, { notices, conflicts }) };
    return { ...made, changes: sentChanges(made, notices) };
  });
  const isAccepted = (step: Step) => notices.putBack(step).some(({ accepted }) => accepted !== undefined);
  const lacking = steps?.filter((step) => step.again === true || isAccepted(step));
  return previousRuns(last, stack.now(), sent, revertedAccepts(stack, lacking ?? []));
}

/**
 * Marks steps for objects that are no longer in the shop. Objects of another shop are only removed from the
 * state. Objects that staff deleted are created again if the program still has them.
 */
function deletedObjectOptions({ stack, options }: Run): Pick<RunOptions, "marked" | "ifGone"> {
  const forgotten = forgottenObjects(stack);
  const found = new Set<string>();
  // Loaded only if a step creates something; most runs create nothing.
  let before: ReturnType<typeof engine.foundGone> | undefined;
  const isGone = (urn: string) => {
    before ??= engine.foundGone(stack);
    return found.has(urn) || before.has(urn) || before.has(otherUrn(urn));
  };
  const stays = keepsDeleted(stack, options);
  const marked = (raw: Step): Step => {
    const step = { ...raw, changes: withCellChanges(raw, raw.changes) };
    const { urn, id, op } = step;
    if (!step.found || op !== "delete") return step;
    if (forgotten.has(`${urn} ${id}`)) return { ...step, stays: true };
    if (engine.isGone(step)) found.add(urn);
    return step;
  };
  const ifGone = (urn: string, formerly: readonly string[]) => {
    if (![urn, ...formerly].some(isGone)) return undefined;
    return stays(urn) ? "left" : "again";
  };
  return { marked, ifGone };
}

const isUnsent = (notices: StepNotices) => (step: Step) => sendsNothing(step, notices);

async function costIn(
  { stack, say, verb }: Run,
  steps: readonly Step[],
  read: Parameters<typeof currentPlan>[1],
  {
    usage,
    readByRefresh,
    ...result
  }: Result & { readonly usage: RequestUsage; readonly readByRefresh: number },
): Promise<RequestCost | undefined> {
  // A preview that failed is no plan: up sends nothing then.
  if (isFailed({ result })) return undefined;
  const again = verb === "up" || steps.length > 0 ? readByRefresh : 0;
  const sought = countPendingCreates(stack, steps, read, say) + again + (result.interruptedReads ?? 0);
  if (steps.length === 0 && sought === 0 && read.length === 0) return undefined;
  // Loaded only if there is something to count, so that a run without changes starts quickly.
  const { requestCostOf } = await import("./report/request-cost.ts");
  return requestCostOf(steps, read, usage, sought);
}

const emptyShopText = (count: number) =>
  `the shop has none of the ${count} objects in the state, so it may be another shop; the state was not changed. ` +
  `Check shop:url and the credentials. If all of them were deleted, run refresh --all-gone`;

const readsOf = (preview: PassResult | undefined): Readonly<Record<string, PlannedReads>> =>
  preview?.cost?.reads ?? {};

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

async function callEngine(
  run: Run,
  engineOptions: RunOptions & { readonly previewOnly: boolean },
): Promise<Result> {
  const ran = await ranByEngine(run, engineOptions);
  if (!engineOptions.previewOnly && ran.failures.some(({ unanswered }) => unanswered)) run.counter.miss();
  return ran;
}

function ranByEngine(
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

/** Whether a preview failed and produced no plan that can be applied. Refused steps alone are no failure. */
export const isFailed = ({ result: { outcome, failures } }: Pick<PassResult, "result">): boolean =>
  outcome !== "succeeded" && !isRefusedInPart({ outcome, failures });

/** Whether the failures are those of single resources: what the program asks for besides is known. */
const isFailedInPart = ({ outcome, failures }: Pick<Result, "outcome" | "failures">): boolean =>
  outcome === "failed" && failures.length > 0 && failures.every(({ urn }) => urn !== undefined);

/** Whether a preview without all of its steps can be applied: refused steps are skipped, with --partial failed ones, too. */
export const isPartlyApplied = (
  { planFile, partial = false }: Pick<Run, "planFile" | "partial">,
  { result }: Pick<PassResult, "result">,
) => isRefusedInPart(result) || (partial && planFile?.plan !== undefined && isFailedInPart(result));

/** Whether the only failures are refused steps: they are skipped, and the rest is applied. */
export const isRefusedInPart = ({ outcome, failures }: Pick<Result, "outcome" | "failures">): boolean =>
  outcome === "failed" && failures.length > 0 && failures.every(({ refused }) => refused === true);
