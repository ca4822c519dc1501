/** Opens a run: prepares its stack, its plan file and its connection. */
import { randomBytes } from "node:crypto";
import type { Import, Stack } from "../engine/index.ts";
import * as engine from "../engine/index.ts";
import { chosenEnv, isTimestamp, messageEnv, messageIn, timestampForm } from "../provider/inventory/index.ts";
import { checkSettings } from "./plans/limits.ts";
import { allowEnv, namedObjectsEnv, type UpdateOptions } from "./plans/options.ts";
import { newRunKey, type PlanInUse, planToApply, planToSave, withPlanOptions } from "./plans/saved-plan.ts";
import { type LastRun, lastRunOf, type Origin } from "./report/run-history.ts";
import { isPlan, type Verb } from "./report/step-words.ts";
import { checkConnection, checkShop } from "./stack/connection.ts";
import { RunError } from "./stack/errors.ts";
import { type Ports, realPorts } from "./stack/ports.ts";
import type { RequestCounter } from "./stack/request-counter.ts";

export interface RunRequest {
  readonly verb: Verb;
  readonly stack: Stack;
  readonly options: UpdateOptions;
  readonly imports?: readonly Import[];
  /** Whether every resource may use a provider of its own. The stack then needs no connection. */
  readonly mayBeElsewhere?: boolean;
  /** Whether pulumi applies the plan; it runs the hooks. */
  readonly passesHooks?: boolean;
  /** Whether a preview only compares the program's inputs with those of the state, which was just refreshed. */
  readonly comparesInputs?: boolean;
  readonly counter: RequestCounter;
  /** The maximum number of concurrent provider operations. */
  readonly parallel?: number;
  readonly signal?: AbortSignal;
  /** Whether to apply a saved plan except for the resources that changed since. */
  readonly partial?: boolean;
  /** Whether the plan is applied without anybody reading it. */
  readonly isUnattended?: boolean;
  /** Whether a preview shows the changed lines of texts. This costs one read per text. */
  readonly showsTexts: boolean;
  /** User, commit and CI job of the run. Without it, the history notes only the machine. */
  readonly origin?: Origin;
  /** Prints a line for the user, for example while requests wait for the rate limit. */
  readonly say: (line: string) => void;
  /** Defaults to this machine's processes and files. */
  readonly ports?: Ports;
}

export interface Run extends RunRequest {
  readonly planFile: PlanInUse | undefined;
  readonly last: LastRun | undefined;
  /** A key in hex. Secrets of the preview and of the run are compared by digests under it. */
  readonly key: string;
  readonly ports: Ports;
}

/** Whether the run saves its plan, or applies a saved one. */
export type PlanFile =
  | { readonly saves: true }
  | {
      readonly saved: {
        readonly text: string;
        /** The file's name for messages. */
        readonly name: string;
      };
    };

/**
 * Adds the request journal and the permissions of this run to the stack's environment.
 * @throws RunError for an invalid setting, and for an unknown resource name
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
 * Opens a run. If it applies a saved plan, the options come from that plan.
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

/** Sets the run's name and time, which its preview and its update share. */
function withRunName(verb: RunRequest["verb"], stack: Stack, { at }: UpdateOptions): Stack {
  if (at !== undefined && !isTimestamp(at))
    throw new RunError("option", `--at must be ${timestampForm}, got ${JSON.stringify(at)}`);
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
 * Checks the stack's connection, the age of its state and the state's shop before anything is read or written.
 * @throws RunError `connection`, or `shop` as `checkShop` does
 */
export async function checkTarget<R extends Run>(run: R): Promise<R> {
  const { verb, stack, options, say } = run;
  // An empty state needs no shop.
  if ((verb === "refresh" || verb === "destroy") && engine.load(stack).resources.length === 0) return run;
  if (run.mayBeElsewhere !== true) checkConnection(stack);
  checkStateAge(run);
  const other = engine.otherFolder(stack);
  if (other !== undefined)
    say(
      `warning: the project in ${other} is also named ${stack.project.name}, so both share the state of ${stack.name}: up in one of them deletes the objects that only the other's ` +
        "program has. If they are different projects, rename one of them in its Pulumi.yaml",
    );
  const { env, forgotten } = await checkShop(stack, {
    newShop: options.newShop,
    say,
    provider: run.ports.provider,
  });
  if (forgotten > 0)
    say(
      `the state forgets ${forgotten === 1 ? "1 object" : `${forgotten} objects`} of the old shop, which ${forgotten === 1 ? "stays" : "stay"} there as ${forgotten === 1 ? "it is" : "they are"}`,
    );
  return { ...run, stack: { ...stack, env: { ...stack.env, ...env } } };
}

/**
 * Checks that the state is the newest one. An older state, restored from a backup, doesn't have the newest
 * objects; a run would create them again.
 * @throws RunError if the run would write
 */
function checkStateAge({ verb, stack, say }: Pick<Run, "verb" | "stack" | "say">): void {
  const older = engine.restoredState(stack);
  if (older === undefined) return;
  const { written, before, backup } = older;
  // A backup that was copied back is as old as itself.
  const proof =
    written === before
      ? `it is that of its backup (${backup}), from ${written}`
      : `it is from ${written}, but the previous state (${backup}) is from ${before}`;
  const what = `an older state of ${stack.name} was restored: ${proof}`;
  if (verb === "preview" || !isPlan(verb)) {
    say(`warning: ${what}`);
    return;
  }
  throw new RunError(
    "shop",
    `${what}. Objects created since are in no state, and would be created a second time. Nothing was changed. Run refresh to read ` +
      "the shop into the state; the next preview then refuses to create objects that the shop has already",
  );
}
