/**
 * Runs of a program, for programs: plan, look at it, carry it out. Nothing is printed, nobody is asked, no process is
 * ended; what keeps a run from beginning is a RunError.
 */
import type { Result, Stack, Step, Watch } from "../engine/index.ts";
import { checkTarget, openRun, type PlanFile, type Run, type RunRequest } from "./open.ts";
import { isFailed, type PassResult, runPass } from "./pass.ts";
import { orphanedObjects } from "./plans/interrupted-creates.ts";
import type { UpdateOptions } from "./plans/options.ts";
import { type Difference, declinedSteps, differenceText, planDifferences } from "./plans/plan-differences.ts";
import { savedPlanText } from "./plans/saved-plan.ts";
import type { Conflict } from "./report/conflicts.ts";
import type { Impact } from "./report/impact.ts";
import { markdownOf, type Reported } from "./report/markdown.ts";
import { type Refusal, refusalText, sentNoWrites } from "./report/outcome-texts.ts";
import type { RequestCost } from "./report/request-cost.ts";
import { isPlan, runTitle } from "./report/step-words.ts";
import { RunError } from "./stack/errors.ts";
import { openRequestCounter, type RequestUsage } from "./stack/request-counter.ts";

/** How a run is done. */
export interface RunControls {
  /** Takes each event as it comes: a step that starts, and what came of it. */
  readonly watch?: Watch | undefined;
  /** Takes lines beside the events: what is said while requests wait. */
  readonly say?: ((line: string) => void) | undefined;
  /** Ends the run cleanly: what has begun is finished. */
  readonly signal?: AbortSignal | undefined;
  /** Operations of the provider at once; 16 when left out. */
  readonly parallel?: number | undefined;
}

export interface PlanOptions extends UpdateOptions, RunControls {
  /** What is planned: that the shop becomes as the program says, or that all it made is deleted. `up` when left out. */
  readonly verb?: "up" | "destroy";
  /** Whether the report shows the lines of notices that change, which cost a read each. */
  readonly showsTexts?: boolean;
  /** Whether `text()` is asked for: what the plan binds is then sealed by the stack's passphrase. */
  readonly saves?: boolean;
  /** The text of a saved plan that this one must agree with: `stale` says what differs. */
  readonly saved?: string;
}

/** What came of a run, or of the preview of one. */
export interface RunOutcome {
  readonly result: Result;
  /** What changes something, in order. */
  readonly steps: readonly Step[];
  /** What somebody changed in the shop and the program means to change too: nothing of it was sent. */
  readonly conflicts: readonly Conflict[];
  /** What it means to the shop, in the shop's terms. */
  readonly impact: Impact;
  /** Requests that it took. */
  readonly usage: RequestUsage;
  /** What `report` is given. */
  readonly reported: Reported;
}

export interface Plan extends RunOutcome {
  /** What the limits of the stack refuse (`shop:protected` and the others); nothing of the plan is carried out then. */
  readonly refused: readonly Refusal[];
  /** How the plan differs from the saved one that it was compared with; nothing of it is carried out then. */
  readonly stale: readonly Difference[];
  /** The API requests that carrying it out takes at most; undefined where it takes none. */
  readonly requests: RequestCost | undefined;
  /** The text of the plan's file. @throws RunError where the plan was made without `saves`, or has failed */
  text(): string;
  /**
   * Does what the plan shows, and nothing that it doesn't.
   * @throws RunError `refused` by the limits, `stale` against the saved plan, `failed` where there is no whole plan
   * @throws NotSavedError where what was done could not be written into the state
   */
  carryOut(doing?: RunControls): Promise<UpResult>;
}

export interface UpResult extends RunOutcome {
  /** Creates of earlier runs that were cut off, whose objects no state has: a sentence each. */
  readonly orphans: readonly string[];
}

/**
 * Plans a run of the stack's program; changes nothing.
 * @throws RunError for a setting or a choice that means nothing, an incomplete connection, a saved plan that can't be read
 * @throws SecretsProviderError where the stack's secrets are kept where only pulumi opens them
 */
export async function plan(stack: Stack, options: PlanOptions = {}): Promise<Plan> {
  const { verb = "up", saved, saves = false, showsTexts = false, ...rest } = options;
  if (saves && saved !== undefined)
    throw new RunError("option", "a plan is saved, or compared with a saved one: not both");
  const { watch, say, signal, parallel, ...update } = rest;
  const given = { watch, say, signal, parallel };
  return metered(stack, given, async (asked) => {
    const kept: PlanFile | undefined = saves
      ? { saves }
      : saved === undefined
        ? undefined
        : { saved: { text: saved, name: "saved" } };
    const run = await checkTarget(openRun({ ...asked, verb, options: update, showsTexts }, kept));
    return planOf(run, await previewRun(run, watch ?? ignoreEvents), given);
  });
}

/** A preview, held against the saved plan that is carried out. */
export interface Preview extends PassResult {
  readonly stale: readonly Difference[];
}

/** Shows what a run would do. */
export async function previewRun(run: Run, watch: Watch): Promise<Preview> {
  const staged = await runPass(run, true, watch);
  const saved = run.planFile?.plan;
  return {
    ...staged,
    stale: saved === undefined || isFailed(staged) ? [] : planDifferences(saved, staged.current),
  };
}

/**
 * Does a run: what was planned, and nothing beyond it; what can't be done as it was planned is left as it is.
 * @param plan what was planned, where it was
 * @throws RunError for a plan that must not be carried out
 */
export async function carryOut(run: Run, watch: Watch, plan?: Preview): Promise<PassResult> {
  if (plan === undefined) return runPass(run, false, watch);
  const why = refusalOf(run, plan);
  if (why !== undefined) throw why;
  // What a run only reads is as it finds it.
  if (!isPlan(run.verb)) return runPass(run, false, watch);
  const declined = [...plan.declined, ...declinedSteps(plan.current, plan.stale)];
  return runPass(run, false, watch, { ...plan, declined });
}

/** Why a plan must not be carried out: as whoever asks for it all the same is told. */
function refusalOf({ stack, partial = false }: Run, plan: Preview): RunError | undefined {
  const listed = (lines: readonly string[]) => lines.map((line) => `\n  ${line}`).join("");
  if (isFailed(plan)) return new RunError("failed", failureText(plan));
  if (plan.stale.length > 0 && !partial)
    return new RunError(
      "stale",
      `the plan is not what would be done now:${listed(plan.stale.map(differenceText))}`,
    );
  if (plan.refused.length > 0)
    return new RunError(
      "refused",
      `refused by the limits of the stack ${stack.name}:${listed(plan.refused.map(refusalText))}`,
    );
  return undefined;
}

/** Creates of earlier runs that were cut off, whose objects no state has, when a run has asked for all there is: a sentence each. */
export const orphansAfter = async (run: Run, ran: PassResult): Promise<readonly string[]> =>
  isWhole(run, ran) ? orphanedObjects(run, ran.result) : [];

function planOf(run: Run, plan: Preview, given: RunControls): Plan {
  const { verb, planFile, stack } = run;
  return {
    ...outcomeOf(run, plan),
    refused: plan.refused,
    stale: plan.stale,
    requests: plan.cost,
    text() {
      if (planFile?.saves === undefined)
        throw new RunError("plan", "the plan was not made to be saved: plan(stack, { saves: true })");
      if (isFailed(plan)) throw new RunError("failed", failureText(plan));
      return savedPlanText(verb, run, plan.current, planFile.saves);
    },
    carryOut: async (doing = {}) => {
      const how = { ...given, ...doing };
      return metered(stack, how, async ({ counter, ...asked }) => {
        const withCounter = { ...stack, env: { ...stack.env, ...counter.env } };
        const own = { ...run, ...asked, stack: withCounter, counter };
        const ran = await carryOut(own, how.watch ?? ignoreEvents, plan);
        return { ...outcomeOf(own, ran), orphans: await orphansAfter(own, ran) };
      });
    },
  };
}

const failureText = ({ result: { outcome, failures } }: PassResult) =>
  outcome === "cancelled"
    ? "the plan was stopped before it was whole"
    : `there is no plan, because the preview failed:\n  ${failures.map(({ message }) => message).join("\n  ")}`;

/** Whether a run asked for all that the program has: only then is what nobody asked for left behind. */
const isWhole = ({ verb, options, signal }: Run, { result }: PassResult): boolean =>
  verb !== "import" &&
  options.target === undefined &&
  options.exclude === undefined &&
  result.outcome !== "cancelled" &&
  signal?.aborted !== true;

function outcomeOf({ verb, stack }: Run, staged: PassResult): RunOutcome {
  const { result, steps, conflicts, impact, usage } = staged;
  return { result, steps, conflicts, impact, usage, reported: reportInput(verb, stack, staged) };
}

/** A stage as a report takes it. */
export const reportInput = (verb: Run["verb"], stack: Stack, staged: PassResult): Reported => ({
  title: `${runTitle(verb, staged.isPreview)} \`${stack.project.name}/${stack.name}\``,
  result: staged.result,
  refused: staged.refused,
  conflicts: staged.conflicts,
  isPreview: staged.isPreview,
  unchanged: sentNoWrites(staged.usage),
  impact: staged.impact,
  notices: staged.notices,
  cost: staged.cost?.text,
  previous: staged.previous,
  finding: verb === "refresh",
  events: staged.events,
});

/** Plans and what came of them as Markdown, for the comment of a pull request: one comment, whatever they hold. */
export const report = (...outcomes: readonly Pick<RunOutcome, "reported">[]): string =>
  markdownOf(outcomes.map(({ reported }) => reported));

const ignoreEvents: Watch = () => {};

/** Does a verb as it is: no plan is made before it, and nothing is asked. */
export const runDirectly = (stack: Stack, verb: Run["verb"]): Promise<PassResult> =>
  metered(stack, {}, async (asked) => {
    const run = await checkTarget(openRun({ ...asked, verb, options: {}, showsTexts: false }));
    return verb === "preview" ? previewRun(run, ignoreEvents) : carryOut(run, ignoreEvents);
  });

/** With a counter of its own for what its children send. */
async function metered<T>(
  stack: Stack,
  { say = () => {}, signal, parallel }: RunControls,
  work: (asked: Pick<RunRequest, "stack" | "counter" | "say" | "signal" | "parallel">) => Promise<T>,
): Promise<T> {
  const counter = openRequestCounter(stack.env, say);
  try {
    return await work({
      stack,
      counter,
      say,
      ...(signal !== undefined && { signal }),
      ...(parallel !== undefined && { parallel }),
    });
  } finally {
    counter.close();
  }
}
