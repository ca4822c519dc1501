/** Runs an operation with pulumi. Our engine makes a plan first where limits or a saved plan need one. */

import { NoStackError, nameOf, SecretsProviderError, type Stack } from "../../engine/index.ts";
import { chosenEnv, chosenIn, type Env, type Message, messageEnv } from "../../provider/inventory/index.ts";
import {
  canBeRefused,
  checkOptions,
  checkTarget,
  isFailed,
  isPlan,
  type Preview,
  previewRun,
  selectionOf,
  type UpdateOptions,
  withProviderMessage,
} from "../../runs/command.ts";
import { CommandError, codes, usageError } from "../exit.ts";
import type { RunValues, RunVerb } from "../run-options.ts";
import { printNote } from "../terminal/terminal.ts";
import { orchestrate, type RunEngine } from "./orchestrate.ts";
import { choicesOf } from "./plan-options.ts";
import { checkPulumi, runPulumi } from "./pulumi-process.ts";
import { openSession, printRefusals, type RunTools, type Session } from "./session.ts";
import { openStateCopy } from "./state-copy.ts";

/** @returns the exit code */
export async function runWithPulumi(verb: RunVerb, given: RunValues, tools: RunTools): Promise<number> {
  const isKept = (given.plan ?? given["save-plan"]) !== undefined;
  const { markdown, github, ...rest } = given;
  // The comment and the annotations show our preview, which is the one that is saved.
  const its = isKept ? rest : given;
  checkOptions(choicesOf(given));
  checkPulumi(its);
  const { counter } = tools;
  const copy = verb === "refresh" ? undefined : await openStateCopy(given, counter.env);
  const values = copy === undefined ? given : { ...given, stack: copy.stack };
  const ours = { ...tools, counter: { ...counter, env: { ...counter.env, ...copy?.env } } };
  const run: Pulumi = (options, env) =>
    runPulumi(verb, its, options, { ...counter, env: { ...counter.env, ...env, ...replacedEnv(options) } });
  try {
    const session = await openPlanningSession(verb, values, ours);
    if (session !== undefined) return await orchestrate(session, pulumiEngine(run));
    return await run(choicesOf(its), messageEnv({}, { diff: textsOf(its) }));
  } catch (error) {
    if (!isKept || !(error instanceof SecretsProviderError)) throw error;
    throw usageError(
      `saved plans need secrets under a passphrase, but this stack keeps them with ${error.provider}; pulumi stack change-secrets-provider passphrase changes that`,
    );
  } finally {
    copy?.close();
  }
}

/** Runs an operation with pulumi. @param env additional variables for the provider */
type Pulumi = (options: UpdateOptions, env: Env) => Promise<number>;

/**
 * Opens a run on a state that our engine can read. If it can't, undefined is returned, and the provider checks
 * limits object by object.
 */
async function openPlanningSession(
  verb: RunVerb,
  values: RunValues,
  tools: RunTools,
): Promise<Session | undefined> {
  const isKept = (values.plan ?? values["save-plan"]) !== undefined;
  const isNamed = (["allow", "overwrite", "keep", "resend"] as const).some(
    (name) => values[name] !== undefined,
  );
  try {
    const session = await checkTarget(
      openSession(verb, values, tools, { mayBeElsewhere: !isKept, passesHooks: true }),
    );
    const { name } = session.stack.project.runtime;
    if (isKept && isPlan(verb) && name !== "nodejs")
      throw usageError(`saved plans need a program in Node.js; this one is in ${name}`);
    return session;
  } catch (error) {
    // Only pulumi creates a new stack, or refuses to.
    const isItsOwn = error instanceof NoStackError || error instanceof SecretsProviderError;
    if (isKept || isNamed || !isItsOwn) throw error;
    if (isPlan(verb)) warnOfSecrets(error);
    return undefined;
  }
}

function warnOfSecrets(error: Error): void {
  if (error instanceof SecretsProviderError)
    warnOfLimits(`the stack's secrets are kept with ${error.provider}, which only pulumi opens`);
}

const warnOfLimits = (why: string) =>
  printNote(
    `warning: limits are checked one resource at a time; deletes, renames and totals (shop:maxDeletes, shop:maxReplacements) are not checked: ${why}`,
  );

/**
 * pulumi shows its plan and asks by itself. Its plans don't hold the values that they were made from, it doesn't
 * ask providers before deletes, and it stops at the first refused change. So our engine makes the same plan
 * first.
 */
const pulumiEngine = (run: Pulumi): RunEngine => ({
  previewMode: ({ planFile, verb }) => (planFile !== undefined ? "shown" : isPlan(verb) ? "unseen" : "none"),
  planUnseen: refusedPlan,
  endsWithPlan: false,
  async carryOut(session, plan) {
    const { stack, options, values, planFile } = session;
    const message: Message = {
      diff: textsOf(values),
      notices: undefined,
      ...(planFile?.plan === undefined && { planKey: undefined }),
    };
    const [code] = await withProviderMessage(session, message, plan, (env) =>
      run(chosenByUrn(stack, options), { ...decidedEnv(stack.env), ...env }),
    );
    return code;
  },
});

/** A plan that the stack's limits refuse; undefined for any other plan. */
async function refusedPlan(session: Session): Promise<Preview | undefined> {
  const { stack, options, values } = session;
  try {
    if (!canBeRefused(stack, options)) return undefined;
    const { name } = stack.project.runtime;
    if (name !== "nodejs") {
      warnOfLimits(`only pulumi runs a program in ${name}`);
      return undefined;
    }
    const plan = await previewRun(session, () => {});
    if (plan.result.outcome === "cancelled")
      throw new CommandError("stopped before pulumi began; nothing was changed", codes.cancelled);
    if (isFailed(plan))
      printNote(
        `warning: limits are checked one resource at a time; deletes, renames and totals are not checked, because the plan for them failed: ${plan.result.failures[0]?.message}`,
      );
    if (plan.refused.length === 0) return undefined;
    printRefusals(stack.name, plan.refused, values);
    return plan;
  } catch (error) {
    if (!(error instanceof SecretsProviderError)) throw error;
    warnOfSecrets(error);
    return undefined;
  }
}

/**
 * Replaces names by URNs: pulumi ignores a pattern that matches nothing.
 * @throws RunError for an unknown name
 */
function chosenByUrn(stack: Stack, options: UpdateOptions): UpdateOptions {
  try {
    return { ...options, ...selectionOf(stack, options) };
  } catch (error) {
    // If our engine can't open the state, pulumi looks the names up.
    if (error instanceof SecretsProviderError) return options;
    throw error;
  }
}

/**
 * pulumi asks the provider to create a replacement like a new object. Without these names, the provider would
 * find the old object's key taken.
 */
const replacedEnv = ({ replace }: UpdateOptions) =>
  chosenEnv({
    replace: replace?.map((name) => (name.startsWith("urn:") ? nameOf(name) : name)),
  });

/** The options for the provider, which doesn't inherit the stack's whole environment. */
const decidedEnv = (env: Stack["env"]) =>
  chosenEnv(Object.fromEntries(decided.map((choice) => [choice, chosenIn(env, choice)])));
const decided = ["allow", "overwrite", "keep", "resend", "forget"] as const;

const textsOf = ({ diff }: RunValues) => (diff === true ? ("texts" as const) : undefined);
