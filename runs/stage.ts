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
import { refuseUnknownNames } from "./plans/allowed.ts";
import { refusalOf } from "./plans/approved.ts";
import { chosenOf } from "./plans/chosen.ts";
import { pendingCreatesOf } from "./plans/cut-off.ts";
import { goneRefusals, staysGone } from "./plans/gone.ts";
import { refusedSteps, unattendedRefusals } from "./plans/guard.ts";
import { type ThemeFindings, themeFindings } from "./plans/missing.ts";
import { approvedOf, shownOf, withoutDigests } from "./plans/saved.ts";
import { type Fresh, freshOf } from "./plans/stale.ts";
import { type Conflict, conflictsIn, withRest } from "./report/conflicts.ts";
import { absentIn } from "./report/failures.ts";
import { type Impact, impactOf } from "./report/impact.ts";
import { isPlan as plans } from "./report/op-words.ts";
import { otherUrn, type Past, pastOf } from "./report/past.ts";
import type { Refusal } from "./report/refusals.ts";
import type { RequestCost } from "./report/request-cost.ts";
import { sendsNothing, type Texts, textsIn } from "./report/texts.ts";
import { RunError } from "./stack/errors.ts";
import type { Meter, Spent } from "./stack/meter.ts";
import { forgottenBy } from "./stack/shop.ts";
import { silenceOf } from "./stack/silence.ts";

/** What a stage came to. */
export interface Staged {
  /** Whether nothing was done: it was the preview. */
  readonly planned: boolean;
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
  /** Hunks of texts, and what is taken over. */
  readonly texts: Texts;
  /** Of a plan: the requests that carrying it out takes; undefined where it takes none. */
  readonly cost: RequestCost | undefined;
  /** Requests of this stage. */
  readonly spent: Spent;
  /** Of a plan: what was run before it. */
  readonly past: Past | undefined;
  /** Whether a plan was made for the limits alone, because nobody wanted to see it. */
  readonly isUnseen?: boolean;
  /** What a saved plan is compared with. */
  readonly fresh: Fresh;
}

/**
 * Does a stage.
 * @param watch takes each event as it comes
 * @param carried the preview that a run carries out; undefined for the preview itself, or where there was none
 */
export async function stage(run: Run, planned: boolean, watch: Watch, carried?: Staged): Promise<Staged> {
  const { verb, choices, stack, meter, signal, parallel, key, say } = run;
  const spent = spentSince(meter);
  const events: Event[] = [];
  const shown: Event[] = [];
  const options: RunOptions & { readonly previewOnly: boolean } = {
    ...aboutGone(run),
    watch(event) {
      events.push(event);
      const own = withoutDigests(event);
      shown.push(own);
      watch(own);
    },
    refresh: choices.refresh === true || choices.newShop === true,
    ...chosenOf(stack, choices),
    parts: run.ports.parts,
    looksBeforeDelete: true,
    hangLimits: silenceOf(stack, meter),
    ...(choices.allGone !== true && choices.newShop !== true && { refusesEmpty: allGoneText }),
    secretDigest: sealOf(key),
    ...(planned ? { passesHooks: run.passesHooks } : aboutOf(run)),
    previewOnly: planned,
    ...(carried !== undefined && { refuses: refusalOf(carried) }),
    ...(signal !== undefined && { signal }),
    ...(parallel !== undefined && { parallel }),
  };
  if (!planned && choices.newShop === true) {
    const time = stack.now().toISOString().replaceAll(/[:.]/g, "-");
    say(`the state as it was is kept in ${engine.keepState(stack, `before-${time}`)}`);
  }
  const message: Message = planned
    ? // This command looks at the whole plan: the diffs of a preview pass.
      { guard: "plan", diff: run.showsTexts ? "texts" : undefined }
    : { reads: readsOf(carried) };
  const [ran, read] = await withMessage(run, message, carried, (env) =>
    perform({ ...run, stack: { ...stack, env: { ...stack.env, ...env } } }, options).catch((error: Error) => {
      throw error.name === "UnknownNameError" ? new RunError("option", error.message) : error;
    }),
  );
  const ended = engine.endedIn(events);
  const { done, refused: declined } = ended;
  const conflicts = conflictsIn(ended, read, carried?.conflicts);
  const failures = ran.failures.map((one) => absentIn(stack, run.imports ?? [], one));
  const result = withRest({ ...ran, failures }, conflicts);
  const steps = done.filter(({ op }) => op !== "same");
  if (planned && ran.outcome !== "cancelled" && ran.deletesUnknown !== true)
    refuseUnknownNames(stack, choices, [...done, ...declined.map(({ step }) => step), ...failures]);
  const isPlan = planned && plans(verb);
  const own = done
    .toSorted((one, other) => Number(one.op === "same") - Number(other.op === "same"))
    .filter(({ found }) => found === (verb === "refresh"));
  const texts = textsIn(read);
  const theme = isPlan ? themeFindings(stack, done, read) : undefined;
  for (const warning of theme?.warnings ?? []) options.watch(warning);
  return {
    planned,
    result: { ...result, counts: withoutDone(result.counts, own, texts) },
    events: shown,
    steps,
    declined,
    conflicts,
    refused: isPlan
      ? [
          ...refusedSteps(stack, steps, texts),
          ...goneRefusals(stack, choices, steps),
          ...(theme?.refused ?? []),
          ...(run.isUnattended ? unattendedRefusals(stack, steps) : []),
        ]
      : [],
    findings: theme?.findings ?? [],
    impact: impactOf(own, stack.now().toISOString().slice(0, 10), texts, conflicts),
    texts,
    cost: isPlan ? await costIn(run, steps, read, { spent: spent(), ...ran }) : undefined,
    spent: spent(),
    past: planned ? tellPast(run, own) : undefined,
    fresh: freshOf(events, read),
  };
}

/**
 * Does what a run asks of the provider, which is told what binds it: the plan that is carried out.
 * @param carried the preview that is carried out
 * @param work is given what the environment of the provider has of it
 */
export function withMessage<T>(
  { stack, bound, key, ports }: Run,
  message: Message,
  carried: Staged | undefined,
  work: (env: Env) => Promise<T>,
): Promise<readonly [T, readonly Notice[]]> {
  const approved =
    carried && (bound?.plan === undefined ? shownOf(carried.fresh) : approvedOf(bound.plan, carried.fresh));
  const isOwn = (carried === undefined ? bound : bound?.plan) === undefined;
  return ports.channel(approved, (files) =>
    work(messageEnv(stack.env, { ...files, planKey: key, ...(isOwn && { isOwnPlan: true }), ...message })),
  );
}

/** What the history notes: where the run comes from, and which saved plan it carries out. */
function aboutOf({ origin, bound, stack }: Run): Pick<RunOptions, "about"> {
  const about = origin?.about();
  const { at } = messageIn(stack.env);
  if (bound?.digest === undefined && about === undefined) return {};
  const { message = "", environment } = about ?? {};
  const plan = bound?.digest === undefined ? {} : { updatePlan: "true", "plan.digest": bound.digest };
  return {
    about: { message, environment: { ...environment, ...(at !== undefined && { "run.at": at }), ...plan } },
  };
}

/** What a preview tells of the runs before it; what a destroy takes back is all there is. */
const tellPast = ({ last, verb, stack }: Run, steps: readonly Step[]) =>
  last && pastOf(last, stack.now(), verb === "destroy" ? undefined : steps.filter(({ op }) => op !== "same"));

/**
 * What a refresh finds gone because it is of another shop is forgotten by the state, and stays there. What it finds gone of
 * this one, or one before it found, is made again where the program still asks for it.
 */
function aboutGone({ stack, choices }: Run): Pick<RunOptions, "marked" | "staysGone"> {
  const forgotten = forgottenBy(stack);
  const found = new Set<string>();
  // Read where something is made: most runs make nothing.
  let before: ReadonlySet<string> | undefined;
  const isGone = (urn: string) => {
    before ??= engine.foundGone(stack);
    return found.has(urn) || before.has(urn) || before.has(otherUrn(urn));
  };
  const stays = staysGone(stack, choices);
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

const isMarked = ({ op, custom, type }: Step) =>
  custom && !isPulumisOwn(type) && (engine.makes(op) || op === "update");

/** The counts of a stage: what the shop has already is unchanged, although the state is told of it. */
function withoutDone(counts: Counts, steps: readonly Step[], texts: Texts): Counts {
  const done = steps.filter((step) => sendsNothing(step, texts)).length;
  if (done === 0) return counts;
  const { update = 0, same = 0, ...rest } = counts;
  return { ...rest, ...(update > done && { update: update - done }), same: same + done };
}

async function costIn(
  { stack, say }: Run,
  steps: readonly Step[],
  read: Parameters<typeof freshOf>[1],
  { spent, interruptedReads = 0 }: Pick<Result, "interruptedReads"> & { readonly spent: Spent },
): Promise<RequestCost | undefined> {
  // Which account it is is asked for once, before the first object is written (provider/run/identity.ts).
  const asks = messageIn(stack.env).identity === undefined && steps.some(isMarked) ? 1 : 0;
  const sought = pendingCreatesOf(stack, read, say) + asks + interruptedReads;
  if (steps.length === 0 && sought === 0 && read.length === 0) return undefined;
  // The definitions are loaded where there is something to count: a run without changes is there to be quick.
  const { requestCostOf } = await import("./report/request-cost.ts");
  return requestCostOf(steps, read, spent, sought);
}

const allGoneText = (count: number) =>
  `the shop has nothing of all ${count} objects that the state has, so that it may be another shop than theirs: the state is left as ` +
  `it is. Check shop:url and the credentials. If all of them were deleted there, run again with --all-gone`;

const readsOf = (carried: Staged | undefined): Readonly<Record<string, PlannedReads>> =>
  carried?.cost?.reads ?? {};

/** Requests from now on; the window as the shop last told it. */
export function spentSince(meter: Meter): () => Spent {
  const before = meter.spent();
  return () => {
    const now = meter.spent();
    return {
      ...now,
      requests: now.requests - before.requests,
      writes: now.writes === null ? null : now.writes - (before.writes ?? 0),
      rejected: now.rejected - before.rejected,
    };
  };
}

/** Does a verb, or shows what it would do. */
function perform(
  { verb, stack, imports = [] }: Run,
  options: RunOptions & { readonly previewOnly: boolean },
): Promise<Result> {
  switch (verb) {
    case "refresh":
      return engine.refresh(stack, options);
    case "destroy":
      return engine.destroy(stack, options);
    case "import":
      return engine.importAll(stack, imports, options);
    case "preview":
    case "up":
      return options.previewOnly ? engine.preview(stack, options) : engine.up(stack, options);
  }
}

/** Whether a preview shows no plan that may be carried out: it failed, and not only because something was refused. */
export const isFailed = ({ result: { outcome, failures } }: Pick<Staged, "result">): boolean =>
  outcome !== "succeeded" && !isRefusedInPart({ outcome, failures });

/** Whether all that failed in a preview was refused: that stays as it is, and the rest may be done. */
export const isRefusedInPart = ({ outcome, failures }: Pick<Result, "outcome" | "failures">): boolean =>
  outcome === "failed" && failures.length > 0 && failures.every(({ refused }) => refused === true);
