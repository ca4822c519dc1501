/**
 * Runs for programs: plan, review the plan, apply it. Nothing is printed, nobody is asked, and no process ends;
 * a run that can't start throws a RunError.
 */
import type { Stack, Watch } from "../engine/index.ts";
import { checkTarget, openRun, type PlanFile, type Run, type RunRequest } from "./open.ts";
import { isFailed, isPartlyApplied, type PassResult, runPass } from "./pass.ts";
import { orphanedObjects } from "./plans/interrupted-creates.ts";
import type { UpdateOptions } from "./plans/options.ts";
import { type Difference, declinedSteps, differenceText, planDifferences } from "./plans/plan-differences.ts";
import { savedPlanText } from "./plans/saved-plan.ts";
import { judgeFindings } from "./plans/theme-check.ts";
import { markdownOf, type Reported } from "./report/markdown.ts";
import type { RequestCost } from "./report/request-cost.ts";
import { isPlan, type Refusal, refusalText, runTitle, sentNoWrites } from "./report/step-words.ts";
import { RunError } from "./stack/errors.ts";
import { openRequestCounter } from "./stack/request-counter.ts";

export interface RunControls {
  /** Receives each event: a step that starts, and its result. */
  readonly watch?: Watch | undefined;
  /** Receives messages for the user, for example while requests wait for the rate limit. */
  readonly say?: ((line: string) => void) | undefined;
  /** Stops the run cleanly: running operations are finished. */
  readonly signal?: AbortSignal | undefined;
  /** The maximum number of concurrent provider operations, default 16. */
  readonly parallel?: number | undefined;
}

export interface PlanOptions extends UpdateOptions, RunControls {
  /** `up` (default) makes the shop match the program, `destroy` deletes all that the stack manages. */
  readonly verb?: "up" | "destroy";
  /** Whether the report shows changed lines of texts, which costs one read per text. */
  readonly showsTexts?: boolean;
  /** Whether the plan can be saved with `text()`. This needs the stack's passphrase. */
  readonly saves?: boolean;
  /** The text of a saved plan to compare with; `stale` has the differences. */
  readonly saved?: string;
}

export interface RunOutcome extends Pick<PassResult, "result" | "steps" | "conflicts" | "impact" | "usage"> {
  readonly reported: Reported;
}

export interface Plan extends RunOutcome {
  /**
   * The steps that the stack's limits refuse (`shop:protected` and others). A plan with such steps can't be
   * applied.
   */
  readonly refused: readonly Refusal[];
  /** The differences from the saved plan. A plan with differences can't be applied. */
  readonly stale: readonly Difference[];
  /** The maximum number of API requests that applying the plan needs; undefined if it needs none. */
  readonly requests: RequestCost | undefined;
  /** The text of the plan file. @throws RunError if the plan was made without `saves`, or failed */
  text(): string;
  /**
   * Applies the plan, and nothing else.
   * @throws RunError `refused` by the limits, `stale` compared with the saved plan, `failed` if the preview
   * failed
   * @throws NotSavedError if the state can't be written
   */
  carryOut(doing?: RunControls): Promise<UpResult>;
}

export interface UpResult extends RunOutcome {
  /** One sentence for each object that an interrupted run created and that no state has. */
  readonly orphans: readonly string[];
}

/**
 * Plans a run of the stack's program; changes nothing.
 * @throws RunError for an invalid setting or option, an incomplete connection, or an unreadable plan file
 * @throws SecretsProviderError if only pulumi can decrypt the stack's secrets
 */
export async function plan(stack: Stack, options: PlanOptions = {}): Promise<Plan> {
  const { verb = "up", saved, saves = false, showsTexts = false, ...rest } = options;
  if (saves && saved !== undefined) throw new RunError("option", "use either saves or saved");
  const { watch, say, signal, parallel, ...update } = rest;
  const given = { watch, say, signal, parallel };
  return metered(stack, given, async (asked) => {
    const kept: PlanFile | undefined = saves
      ? { saves }
      : saved === undefined
        ? undefined
        : { saved: { text: saved, name: "saved" } };
    const run = await checkTarget(openRun({ ...asked, verb, options: update, showsTexts }, kept));
    return planOf(run, await previewRun(run, watch ?? ignoreEvents), stack, given);
  });
}

/** A preview, compared with the saved plan that the run applies. */
export interface Preview extends PassResult {
  readonly stale: readonly Difference[];
}

export async function previewRun(run: Run, watch: Watch): Promise<Preview> {
  const staged = await runPass(run, true, watch);
  const saved = run.planFile?.plan;
  const isPlan = saved !== undefined && (!isFailed(staged) || isPartlyApplied(run, staged));
  return { ...staged, stale: isPlan ? planDifferences(saved, staged.current) : [] };
}

/** Adds findings in themes to a preview, judged by the stack's limits, and watches their warnings. */
export function withFindings(
  { stack }: Pick<Run, "stack">,
  preview: Preview,
  all: Parameters<typeof judgeFindings>[1],
  watch: Watch,
): Preview {
  const { refused, warnings, findings } = judgeFindings(stack, all);
  for (const warning of warnings) watch(warning);
  return {
    ...preview,
    events: [...preview.events, ...warnings],
    refused: [...preview.refused, ...refused],
    findings: [...preview.findings, ...findings],
  };
}

/**
 * Applies what the preview showed; a step that can't be applied as planned is skipped.
 * @param plan the preview, if there was one
 * @throws RunError for a plan that must not be applied
 */
export async function carryOut(run: Run, watch: Watch, plan?: Preview): Promise<PassResult> {
  if (plan === undefined) return runPass(run, false, watch);
  const why = refusalOf(run, plan);
  if (why !== undefined) throw why;
  // Refresh and import only read, so there is nothing to compare with.
  if (!isPlan(run.verb)) return runPass(run, false, watch);
  const declined = [...plan.declined, ...declinedSteps(plan.current, plan.stale)];
  return runPass(run, false, watch, { ...plan, declined });
}

function refusalOf(run: Run, plan: Preview): RunError | undefined {
  const { stack, partial = false } = run;
  const listed = (lines: readonly string[]) => lines.map((line) => `\n  ${line}`).join("");
  if (isFailed(plan) && !isPartlyApplied(run, plan)) return new RunError("failed", failureText(plan));
  if (plan.stale.length > 0 && !partial)
    return new RunError(
      "stale",
      `the saved plan is stale, because these have changed:${listed(plan.stale.map(differenceText))}`,
    );
  if (plan.refused.length > 0)
    return new RunError(
      "refused",
      `refused by the limits of the stack ${stack.name}:${listed(plan.refused.map(refusalText))}`,
    );
  return undefined;
}

/**
 * One sentence for each object that an interrupted run created and that no state has. Empty unless the whole
 * program ran.
 */
export const orphansAfter = async (run: Run, ran: PassResult): Promise<readonly string[]> =>
  isWhole(run, ran) ? orphanedObjects(run, ran.result) : [];

/** @param asked the stack without the variables of the preview, whose request counter is closed */
function planOf(run: Run, plan: Preview, asked: Stack, given: RunControls): Plan {
  const { verb, planFile, stack } = run;
  return {
    ...outcomeOf(run, plan),
    refused: plan.refused,
    stale: plan.stale,
    requests: plan.cost,
    text() {
      if (planFile?.saves === undefined)
        throw new RunError("plan", "the plan can't be saved: make it with plan(stack, { saves: true })");
      if (isFailed(plan)) throw new RunError("failed", failureText(plan));
      return savedPlanText(verb, run, plan.current, planFile.saves);
    },
    carryOut: async (doing = {}) => {
      const how = { ...given, ...doing };
      return metered(asked, how, async ({ counter, ...controls }) => {
        const withCounter = { ...stack, env: { ...stack.env, ...counter.env } };
        const own = { ...run, ...controls, stack: withCounter, counter };
        const ran = await carryOut(own, how.watch ?? ignoreEvents, plan);
        return { ...outcomeOf(own, ran), orphans: await orphansAfter(own, ran) };
      });
    },
  };
}

const failureText = ({ result: { outcome, failures } }: PassResult) =>
  outcome === "cancelled"
    ? "the preview was stopped"
    : `there is no plan, because the preview failed:\n  ${failures.map(({ message }) => message).join("\n  ")}`;

/** Whether the whole program ran: otherwise an object may still be claimed by a resource that was left out. */
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

export const reportInput = (verb: Run["verb"], stack: Stack, staged: PassResult): Reported => ({
  title: `${runTitle(verb, staged.isPreview)} \`${stack.project.name}/${stack.name}\``,
  result: staged.result,
  refused: staged.refused,
  conflicts: staged.conflicts,
  isPreview: staged.isPreview,
  unchanged: sentNoWrites(staged.usage),
  impact: staged.impact,
  notices: staged.notices,
  cost: staged.result.changed ? staged.cost?.text : undefined,
  previous: staged.previous,
  finding: verb === "refresh",
  events: staged.events,
});

/** One Markdown comment for a pull request, for any number of plans and results. */
export const report = (...outcomes: readonly Pick<RunOutcome, "reported">[]): string =>
  markdownOf(outcomes.map(({ reported }) => reported));

const ignoreEvents: Watch = () => {};

/** Runs an operation without a preview or a question. */
export const runDirectly = (stack: Stack, verb: Run["verb"]): Promise<PassResult> =>
  metered(stack, {}, async (asked) => {
    const run = await checkTarget(openRun({ ...asked, verb, options: {}, showsTexts: false }));
    return verb === "preview" ? previewRun(run, ignoreEvents) : carryOut(run, ignoreEvents);
  });

/** Counts the requests of the work. */
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
