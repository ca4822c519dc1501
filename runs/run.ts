/**
 * Runs of a program, for programs: plan, look at it, carry it out. Nothing is printed, nobody is asked, no process is
 * ended; what keeps a run from beginning is a RunError.
 */
import type { Result, Stack, Step, Watch } from "../engine/index.ts";
import type { Choices } from "./plans/choices.ts";
import { leftBehind } from "./plans/cut-off.ts";
import { savedPlan } from "./plans/saved.ts";
import { type Difference, differences, differenceText } from "./plans/stale.ts";
import type { Conflict } from "./report/conflicts.ts";
import type { Impact } from "./report/impact.ts";
import { markdownOf, type Reported } from "./report/markdown.ts";
import { titles } from "./report/op-words.ts";
import { type Refusal, refusalText } from "./report/refusals.ts";
import type { RequestCost } from "./report/request-cost.ts";
import { isUnchanged } from "./report/unchanged.ts";
import { RunError } from "./stack/errors.ts";
import { openMeter, type Spent } from "./stack/meter.ts";
import { atShop, isFailed, openRun, type Run, type Staged, stage } from "./stage.ts";

/** How a run is done. */
export interface Doing {
  /** Takes each event as it comes: a step that starts, and what came of it. */
  readonly watch?: Watch | undefined;
  /** Takes lines beside the events: what is said while requests wait. */
  readonly say?: ((line: string) => void) | undefined;
  /** Ends the run cleanly: what has begun is finished. */
  readonly signal?: AbortSignal | undefined;
  /** Operations of the provider at once; 16 when left out. */
  readonly parallel?: number | undefined;
}

export interface PlanOptions extends Choices, Doing {
  /** What is planned: that the shop becomes as the program says, or that all it made is deleted. `up` when left out. */
  readonly verb?: "up" | "destroy";
  /** Whether the report shows the lines of texts that change, which cost a read each. */
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
  readonly spent: Spent;
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
  carryOut(doing?: Doing): Promise<Done>;
}

export interface Done extends RunOutcome {
  /** Creates of earlier runs that were cut off, whose objects no state has: a sentence each. */
  readonly leftBehind: readonly string[];
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
  const { watch, say, signal, parallel, ...choices } = rest;
  const given = { watch, say, signal, parallel };
  return metered(stack, given, async (asked) => {
    const kept = saves
      ? { saves }
      : saved === undefined
        ? undefined
        : { saved: { text: saved, name: "saved" } };
    const run = await atShop(openRun({ ...asked, verb, choices, showsTexts }, kept));
    const staged = await stage(run, true, watch ?? nobody);
    return planOf(stack, run, staged, given);
  });
}

function planOf(stack: Stack, run: Run, staged: Staged, given: Doing): Plan {
  const { verb, bound } = run;
  const failed = isFailed(staged);
  const stale = bound?.plan === undefined || failed ? [] : differences(bound.plan, staged.fresh);
  return {
    ...outcomeOf(run, staged),
    refused: staged.refused,
    stale,
    requests: staged.cost,
    text() {
      if (bound?.saves === undefined)
        throw new RunError("plan", "the plan was not made to be saved: plan(stack, { saves: true })");
      if (failed) throw new RunError("failed", failureText(staged));
      return savedPlan(verb, run, staged.fresh, bound.saves);
    },
    async carryOut(doing = {}) {
      if (failed) throw new RunError("failed", failureText(staged));
      if (stale.length > 0)
        throw new RunError(
          "stale",
          `the plan is not what would be done now:\n  ${stale.map(differenceText).join("\n  ")}`,
        );
      if (staged.refused.length > 0)
        throw new RunError(
          "refused",
          `refused by the limits of the stack ${stack.name}:\n  ${staged.refused.map(refusalText).join("\n  ")}`,
        );
      const how = { ...given, ...doing };
      return metered(stack, how, async ({ meter, ...asked }) => {
        const own = {
          ...run,
          ...asked,
          stack: { ...run.stack, env: { ...run.stack.env, ...meter.env } },
          meter,
        };
        const ran = await stage(own, false, how.watch ?? nobody, staged);
        return {
          ...outcomeOf(own, ran),
          leftBehind: isWhole(own, ran) ? await leftBehind(own.stack, ran.result, own.say) : [],
        };
      });
    },
  };
}

const failureText = ({ result: { outcome, failures } }: Staged) =>
  outcome === "cancelled"
    ? "the plan was stopped before it was whole"
    : `there is no plan, because the preview failed:\n  ${failures.map(({ message }) => message).join("\n  ")}`;

/** Whether a run asked for all that the program has: only then is what nobody asked for left behind. */
export const isWhole = (
  { choices, signal }: Pick<Run, "choices" | "signal">,
  { result }: Pick<Staged, "result">,
): boolean =>
  choices.target === undefined &&
  choices.exclude === undefined &&
  result.outcome !== "cancelled" &&
  signal?.aborted !== true;

function outcomeOf({ verb, stack }: Run, staged: Staged): RunOutcome {
  const { result, steps, conflicts, impact, spent } = staged;
  return { result, steps, conflicts, impact, spent, reported: reportedOf(verb, stack, staged) };
}

/** A stage as a report takes it. */
export const reportedOf = (verb: Run["verb"], stack: Stack, staged: Staged): Reported => ({
  title: `${titles(verb, staged.planned)} \`${stack.project.name}/${stack.name}\``,
  result: staged.result,
  refused: staged.refused,
  conflicts: staged.conflicts,
  planned: staged.planned,
  unchanged: isUnchanged(staged.spent),
  impact: staged.impact,
  texts: staged.texts,
  cost: staged.cost?.text,
  past: staged.past,
  finding: verb === "refresh",
  events: staged.events,
});

/** Plans and what came of them as Markdown, for the comment of a pull request: one comment, whatever they hold. */
export const report = (...outcomes: readonly Pick<RunOutcome, "reported">[]): string =>
  markdownOf(outcomes.map(({ reported }) => reported));

const nobody: Watch = () => {};

/** With a meter of its own for what its children send. */
async function metered<T>(
  stack: Stack,
  { say = () => {}, signal, parallel }: Doing,
  work: (asked: Pick<Run, "stack" | "meter" | "say" | "signal" | "parallel">) => Promise<T>,
): Promise<T> {
  const meter = openMeter(stack.env, say);
  try {
    return await work({
      stack,
      meter,
      say,
      ...(signal !== undefined && { signal }),
      ...(parallel !== undefined && { parallel }),
    });
  } finally {
    meter.close();
  }
}
