/** A verb by the real engine. Ours plans it first, where that is needed: for limits, which count, and for saved plans, which bind. */
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
import { CommandError, codes } from "../exit.ts";
import type { RunValues, RunVerb } from "../options.ts";
import { choicesOf } from "./choices.ts";
import { type Conductor, conduct } from "./conduct.ts";
import { checkPulumi, runPulumi } from "./pulumi.ts";
import { openSession, refuse, type Session, type Tools, tellPerson } from "./stage.ts";
import { openStateCopy } from "./state-copy.ts";

/** Runs a verb with pulumi. @returns the exit code */
export async function runWithPulumi(verb: RunVerb, given: RunValues, tools: Tools): Promise<number> {
  const isKept = (given.plan ?? given["save-plan"]) !== undefined;
  const { markdown, github, ...rest } = given;
  // The comment and the annotations are of our preview, which is the one that is saved.
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
    const session = await opened(verb, values, ours);
    if (session !== undefined) return await conduct(session, byPulumi(run));
    return await run(choicesOf(its), messageEnv({}, { diff: textsOf(its) }));
  } catch (error) {
    if (!isKept || !(error instanceof SecretsProviderError)) throw error;
    throw new CommandError(
      `a plan is saved and carried out only where the stack's secrets are under a passphrase, these are kept with ${error.provider}; pulumi stack change-secrets-provider passphrase changes that`,
      codes.configuration,
    );
  } finally {
    copy?.close();
  }
}

/** Has pulumi do a verb. @param env what the provider is told beside the requests that it counts */
type Pulumi = (options: UpdateOptions, env: Env) => Promise<number>;

/** The run on a state that our engine can read; undefined where it can't, and the real one compares and decides object by object. */
async function opened(verb: RunVerb, values: RunValues, tools: Tools): Promise<Session | undefined> {
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
      throw new CommandError(
        `a plan is saved and carried out only for a program in Node.js; this one is in ${name}`,
        codes.configuration,
      );
    return session;
  } catch (error) {
    // A new stack is the real engine's to make, or to refuse.
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
  tellPerson(
    `warning: limits are held one resource at a time, deletes, renames and totals (shop:maxDeletes, shop:maxReplacements) not at all: ${why}`,
  );

/**
 * The real engine shows its plan and asks by itself; its own plans don't bind what they started from, it asks no provider
 * about deletes before it does them, and it stops at the first change that is refused: ours plans the same first.
 */
const byPulumi = (run: Pulumi): Conductor => ({
  looks: ({ planFile, verb }) => (planFile !== undefined ? "shown" : isPlan(verb) ? "unseen" : "none"),
  planUnseen: refusedBefore,
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

/** A plan that the limits of the stack refuse; undefined of any other. */
async function refusedBefore(session: Session): Promise<Preview | undefined> {
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
      tellPerson(
        `warning: limits are held one resource at a time, deletes, renames and totals not at all, because the plan for them failed: ${plan.result.failures[0]?.message}`,
      );
    if (plan.refused.length === 0) return undefined;
    refuse(stack.name, plan.refused, values);
    return plan;
  } catch (error) {
    if (!(error instanceof SecretsProviderError)) throw error;
    warnOfSecrets(error);
    return undefined;
  }
}

/**
 * The choice with what is replaced by its URN: a pattern of a name that the state doesn't have replaces nothing, without a word.
 * @throws RunError for such a name
 */
function chosenByUrn(stack: Stack, options: UpdateOptions): UpdateOptions {
  try {
    return { ...options, ...selectionOf(stack, options) };
  } catch (error) {
    // A state that our engine can't open has its names looked up by the real one.
    if (error instanceof SecretsProviderError) return options;
    throw error;
  }
}

/** To the provider pulumi makes what it replaces new: without a word the key of the old one would be somebody else's. */
const replacedEnv = ({ replace }: UpdateOptions) =>
  chosenEnv({
    replace: replace?.map((name) => (name.startsWith("urn:") ? nameOf(name) : name)),
  });

/** What was decided by name, for a process that isn't given the stack's whole environment. */
const decidedEnv = (env: Stack["env"]) =>
  chosenEnv({
    allow: chosenIn(env, "allow"),
    overwrite: chosenIn(env, "overwrite"),
    keep: chosenIn(env, "keep"),
    resend: chosenIn(env, "resend"),
    forget: chosenIn(env, "forget"),
  });

const textsOf = ({ diff }: RunValues) => (diff === true ? ("texts" as const) : undefined);
