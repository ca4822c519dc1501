/**
 * Runs of a program, for programs: plan, look at it, carry it out. Nothing is printed, nobody is asked, no process is
 * ended; what keeps a run from beginning is a RunError.
 */
import type { Result, Stack, Step, Watch } from "../engine/index.ts";
import { type Asked, atShop, type Kept, openRun, type Run } from "./open.ts";
import type { Choices } from "./plans/choices.ts";
import { leftBehind } from "./plans/cut-off.ts";
import { savedPlan } from "./plans/saved.ts";
import { type Difference, differences, differenceText, withoutMoved } from "./plans/stale.ts";
import type { Conflict } from "./report/conflicts.ts";
import type { Impact } from "./report/impact.ts";
import { markdownOf, type Reported } from "./report/markdown.ts";
import { isPlan, titles } from "./report/op-words.ts";
import { type Refusal, refusalText } from "./report/refusals.ts";
import type { RequestCost } from "./report/request-cost.ts";
import { isUnchanged } from "./report/unchanged.ts";
import { RunError } from "./stack/errors.ts";
import { openMeter, type Spent } from "./stack/meter.ts";
import { isFailed, type Staged, stage } from "./stage.ts";

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
    const kept: Kept | undefined = saves
      ? { saves }
      : saved === undefined
        ? undefined
        : { saved: { text: saved, name: "saved" } };
    const run = await atShop(openRun({ ...asked, verb, choices, showsTexts }, kept));
    return planOf(run, await planned(run, watch ?? nobody), given);
  });
}

/** A preview, held against the saved plan that is carried out. */
export interface Planned extends Staged {
  readonly stale: readonly Difference[];
}

/** Shows what a run would do. */
export async function planned(run: Run, watch: Watch): Promise<Planned> {
  const staged = await stage(run, true, watch);
  const saved = run.bound?.plan;
  return {
    ...staged,
    stale: saved === undefined || isFailed(staged) ? [] : differences(saved, staged.fresh),
  };
}

/**
 * Does a run: what was planned, and nothing beyond it; what can't be done as it was planned is left as it is.
 * @param plan what was planned, where it was
 * @throws RunError for a plan that must not be carried out
 */
export async function carryOut(run: Run, watch: Watch, plan?: Planned): Promise<Staged> {
  if (plan === undefined) return stage(run, false, watch);
  const why = refusalOf(run, plan);
  if (why !== undefined) throw why;
  // What a run only reads is as it finds it.
  if (!isPlan(run.verb)) return stage(run, false, watch);
  const declined = [...plan.declined, ...withoutMoved(plan.fresh, plan.stale)];
  return stage(run, false, watch, { ...plan, declined });
}

/** Why a plan must not be carried out: as whoever asks for it all the same is told. */
function refusalOf({ stack, partial = false }: Run, plan: Planned): RunError | undefined {
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
export const leftAfter = async (run: Run, ran: Staged): Promise<readonly string[]> =>
  isWhole(run, ran) ? leftBehind(run, ran.result) : [];

function planOf(run: Run, plan: Planned, given: Doing): Plan {
  const { verb, bound, stack } = run;
  return {
    ...outcomeOf(run, plan),
    refused: plan.refused,
    stale: plan.stale,
    requests: plan.cost,
    text() {
      if (bound?.saves === undefined)
        throw new RunError("plan", "the plan was not made to be saved: plan(stack, { saves: true })");
      if (isFailed(plan)) throw new RunError("failed", failureText(plan));
      return savedPlan(verb, run, plan.fresh, bound.saves);
    },
    carryOut: async (doing = {}) => {
      const how = { ...given, ...doing };
      return metered(stack, how, async ({ meter, ...asked }) => {
        const metered = { ...stack, env: { ...stack.env, ...meter.env } };
        const own = { ...run, ...asked, stack: metered, meter };
        const ran = await carryOut(own, how.watch ?? nobody, plan);
        return { ...outcomeOf(own, ran), leftBehind: await leftAfter(own, ran) };
      });
    },
  };
}

const failureText = ({ result: { outcome, failures } }: Staged) =>
  outcome === "cancelled"
    ? "the plan was stopped before it was whole"
    : `there is no plan, because the preview failed:\n  ${failures.map(({ message }) => message).join("\n  ")}`;

/** Whether a run asked for all that the program has: only then is what nobody asked for left behind. */
const isWhole = ({ verb, choices, signal }: Run, { result }: Staged): boolean =>
  verb !== "import" &&
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

/** Does a verb as it is: no plan is made before it, and nothing is asked. */
export const play = (stack: Stack, verb: Run["verb"]): Promise<Staged> =>
  metered(stack, {}, async (asked) => {
    const run = await atShop(openRun({ ...asked, verb, choices: {}, showsTexts: false }));
    return verb === "preview" ? planned(run, nobody) : carryOut(run, nobody);
  });

/** With a meter of its own for what its children send. */
async function metered<T>(
  stack: Stack,
  { say = () => {}, signal, parallel }: Doing,
  work: (asked: Pick<Asked, "stack" | "meter" | "say" | "signal" | "parallel">) => Promise<T>,
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
