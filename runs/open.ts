/** A run, opened: its stack with what its children are told, the plan that it saves or carries out, the shop that it is of. */
import { randomBytes } from "node:crypto";
import type { Import, Stack } from "../engine/index.ts";
import * as engine from "../engine/index.ts";
import { chosenEnv, isMoment, messageEnv, messageIn, momentShape } from "../provider/inventory/index.ts";
import { checkSettings } from "./plans/limits.ts";
import { allowEnv, namedObjectsEnv, type UpdateOptions } from "./plans/options.ts";
import { newRunKey, type PlanInUse, planToApply, planToSave, withPlanOptions } from "./plans/saved-plan.ts";
import { type LastRun, lastRunOf, type Origin } from "./report/run-history.ts";
import { isPlan, type Verb } from "./report/step-words.ts";
import { checkConnection } from "./stack/connection.ts";
import { RunError } from "./stack/errors.ts";
import { type Ports, realPorts } from "./stack/ports.ts";
import type { RequestCounter } from "./stack/request-counter.ts";
import { checkShop } from "./stack/shop-check.ts";

export interface RunRequest {
  readonly verb: Verb;
  readonly stack: Stack;
  readonly options: UpdateOptions;
  /** Objects to bring under the stack, of an import. */
  readonly imports?: readonly Import[];
  /** Whether all that it is about may have providers of its own, which know their shops: it needs no connection then. */
  readonly mayBeElsewhere?: boolean;
  /** Whether pulumi does what is planned, which runs hooks. */
  readonly passesHooks?: boolean;
  readonly counter: RequestCounter;
  /** Operations of the provider at once. */
  readonly parallel?: number;
  readonly signal?: AbortSignal;
  /** Whether all of a saved plan is done but what has moved since. */
  readonly partial?: boolean;
  /** Whether nobody looks at the plan before it is carried out. */
  readonly isUnattended?: boolean;
  /** Whether a plan tells the lines of texts, which cost a read each. */
  readonly showsTexts: boolean;
  /** Where it comes from; its history and what a preview tells of it know only the machine when left out. */
  readonly origin?: Origin;
  /** Takes what there is to say beside the events: while requests wait, for instance. */
  readonly say: (line: string) => void;
  /** This machine's when left out. */
  readonly ports?: Ports;
}

export interface Run extends RunRequest {
  /** The plan that is saved, or carried out. */
  readonly planFile: PlanInUse | undefined;
  /** The run before it, for a preview that tells of it. */
  readonly last: LastRun | undefined;
  /** In hex: what makes secrets of a preview comparable with those of the run. */
  readonly key: string;
  readonly ports: Ports;
}

/** What binds a run to a plan that is kept: the plan is saved, or one that was saved is carried out. */
export type PlanFile =
  | { readonly saves: true }
  | {
      readonly saved: {
        readonly text: string;
        /** What the file is called in messages. */
        readonly name: string;
      };
    };

/**
 * The stack with what its children are told: where to note requests, what is permitted.
 * @throws RunError for a setting that can't be read, and for a name that no resource has
 */
function stackForRun(stack: Stack, options: UpdateOptions, { env }: RequestCounter): Stack {
  const metered = { ...stack, env: { ...stack.env, ...env } };
  checkSettings(metered);
  const chosen = {
    ...allowEnv(metered, options.allow),
    ...namedObjectsEnv(metered, "overwrite", options.overwrite),
    ...namedObjectsEnv(metered, "keep", options.keep),
    ...chosenEnv({ resend: options.resend }),
  };
  return { ...metered, env: { ...metered.env, ...chosen } };
}

/**
 * Opens a run: with the plan that it saves or carries out, and what was decided for that one.
 * @throws RunError as `stackForRun` and `readPlan` do
 */
export function openRun(asked: RunRequest, kept?: PlanFile): Run {
  const { verb, stack, options, counter, origin, ports = realPorts } = asked;
  const first = withRunName(verb, stackForRun(stack, options, counter), options);
  const planFile =
    kept === undefined
      ? undefined
      : "saves" in kept
        ? planToSave(first)
        : planToApply(verb, first, kept.saved);
  const key = planFile?.key ?? newRunKey();
  const last = origin === undefined || !isPlan(verb) ? undefined : lastRunOf(stack, origin.contains);
  if (planFile?.plan === undefined) return { ...asked, stack: first, planFile, key, last, ports };
  const decided = withPlanOptions(options, planFile.plan);
  const decidedFor = withRunName(verb, stackForRun(stack, decided, counter), decided);
  return { ...asked, stack: decidedFor, options: decided, planFile, key, last, ports };
}

/** One name and one moment for all of a run, its preview included: what is asked for a time is asked by that. */
function withRunName(verb: RunRequest["verb"], stack: Stack, { at }: UpdateOptions): Stack {
  if (at !== undefined && !isMoment(at))
    throw new RunError("option", `--at must be ${momentShape}, got ${JSON.stringify(at)}`);
  const moment =
    at ??
    messageIn(stack.env).at ??
    stack
      .now()
      .toISOString()
      .replace(/\.\d+Z$/, "Z");
  const run = `${verb}; ${randomBytes(4).toString("hex")}`;
  return { ...stack, env: { ...stack.env, ...messageEnv(stack.env, { at: moment, run }) } };
}

/**
 * Holds a run against its shop before anything is read or written: the stack says which one it is, and what the state
 * has is of that one.
 * @throws RunError `connection`, or `shop` as `compareShop`
 */
export async function checkTarget<R extends Run>(run: R): Promise<R> {
  const { verb, stack, options, say } = run;
  // Nothing to read and nothing to delete needs no shop.
  if ((verb === "refresh" || verb === "destroy") && engine.load(stack).resources.length === 0) return run;
  if (run.mayBeElsewhere !== true) checkConnection(stack);
  checkStateAge(run);
  const other = engine.otherFolder(stack);
  if (other !== undefined)
    say(
      `warning: the project in ${other} has the name ${stack.project.name} too, and the same state of ${stack.name}: whoever runs up deletes what only the other one's ` +
        "program has. If they are two projects, give one another name in its Pulumi.yaml",
    );
  const { env, forgotten } = await checkShop(stack, {
    newShop: options.newShop,
    say,
    provider: run.ports.provider,
  });
  if (forgotten > 0)
    say(
      `${forgotten === 1 ? "1 object" : `${forgotten} objects`} of the old shop ${forgotten === 1 ? "is" : "are"} forgotten by the state, and ${forgotten === 1 ? "stays" : "stay"} there as ${forgotten === 1 ? "it is" : "they are"}`,
    );
  return { ...run, stack: { ...stack, env: { ...stack.env, ...env } } };
}

/**
 * Says that an older state was put back: what was made since is in none, and would be made again.
 * @throws RunError where more than a look is asked for
 */
function checkStateAge({ verb, stack, say }: Pick<Run, "verb" | "stack" | "say">): void {
  const older = engine.restoredState(stack);
  if (older === undefined) return;
  const { written, before, backup } = older;
  const what = `an older state of ${stack.name} was put back: it is of ${written}, and the state before the last one (${backup}) is of ${before}`;
  if (verb === "preview" || !isPlan(verb)) {
    say(`warning: ${what}`);
    return;
  }
  throw new RunError(
    "shop",
    `${what}. What was made since is in no state, and would be made a second time. Nothing was changed. Run refresh, which takes in ` +
      "what the shop has now; the next preview refuses new objects that the shop has already",
  );
}
