/** A verb by the real engine. Ours plans it first, where that is needed: for limits, which count, and for saved plans, which bind. */
import { NoStackError, nameOf, SecretsProviderError, type Stack } from "../../engine/index.ts";
import { chosenEnv, chosenIn, messageEnv } from "../../provider/inventory/index.ts";
import {
  approvedOf,
  atShop,
  type Choices,
  checkChosen,
  checkLatest,
  chosenOf,
  compareShop,
  isFailed,
  isRefusedInPart,
  type Meter,
  mayBeRefused,
  type Refusal,
  type Verb,
  withChannel,
} from "../../runs/command.ts";
import { CommandError, codes } from "../exit.ts";
import type { RunValues } from "../options.ts";
import { choicesOf } from "./choices.ts";
import { endPlan } from "./plan-end.ts";
import { runPulumi } from "./pulumi.ts";
import { codeOf, openSession, openStack, quietly, refuse, stage, tellPerson } from "./stage.ts";
import { openStateCopy } from "./state-copy.ts";
import { openStop } from "./stop.ts";

/** What of a run is ours: the same options, on a state that our engine can read. */
interface Ours {
  readonly values: RunValues;
  readonly meter: Meter;
}

/** Runs a verb with pulumi. @returns the exit code */
export async function runWithPulumi(verb: Verb, values: RunValues, meter: Meter): Promise<number> {
  const isPlan = (values.plan ?? values["save-plan"]) !== undefined;
  checkChosen(choicesOf(values));
  const copy = verb === "refresh" ? undefined : await openStateCopy(values, meter.env);
  const ours: Ours = {
    values: { ...values, ...(copy !== undefined && { stack: copy.stack }) },
    meter: { ...meter, env: { ...meter.env, ...copy?.env } },
  };
  try {
    if (isPlan) return await planForPulumi(verb, values, meter, ours);
    const shop = await comparedEnv(verb, ours);
    const told = { ...ours, meter: { ...ours.meter, env: { ...ours.meter.env, ...shop } } };
    const isNamed = [values.allow, values.overwrite, values.keep, values.resend].some(
      (names) => names !== undefined,
    );
    const allowed = isNamed ? openStack(ours.values, ours.meter).env : {};
    const refused = await refusedBefore(verb, told);
    if (refused.length > 0) return refuse(values.stack ?? "", refused, values);
    const choices = chosenByUrn(ours);
    const env = {
      ...meter.env,
      ...decidedEnv(allowed),
      ...shop,
      ...messageEnv(shop, { diff: textsOf(values) }),
      ...replacedEnv(choices),
    };
    return await runPulumi(verb, values, choices, { ...meter, env });
  } finally {
    copy?.close();
  }
}

/**
 * What the provider is told of its shop, when it was held against the state's.
 * @throws RunError where it is another one, or the state an older one
 */
async function comparedEnv(verb: Verb, { values, meter }: Ours): Promise<Readonly<Record<string, string>>> {
  try {
    const { newShop } = choicesOf(values);
    const stack = openStack(values, meter);
    checkLatest({ verb, stack, say: tellPerson });
    return (await compareShop(stack, { newShop, say: tellPerson })).env;
  } catch (error) {
    // A state that our engine can't open, or that isn't there yet, is compared by the provider, object by object.
    if (error instanceof NoStackError || error instanceof SecretsProviderError) return {};
    throw error;
  }
}

/**
 * The choice with what is replaced by its URN: a pattern of a name that the state doesn't have replaces nothing, without a word.
 * @throws RunError for such a name
 */
function chosenByUrn({ values, meter }: Ours): Choices {
  const choices = choicesOf(values);
  if (choices.replace === undefined) return choices;
  try {
    return { ...choices, ...chosenOf(openStack(values, meter), choices) };
  } catch (error) {
    // A state that our engine can't open, or that isn't there yet, has its names looked up by the real one.
    if (error instanceof NoStackError || error instanceof SecretsProviderError) return choices;
    throw error;
  }
}

/** To the provider pulumi makes what it replaces new: without a word the key of the old one would be somebody else's. */
const replacedEnv = ({ replace }: Choices) =>
  chosenEnv({
    replace: replace?.map((name) => (name.startsWith("urn:") ? nameOf(name) : name)),
  });

/** The real engine's own plans don't bind what they started from: ours is made, or compared, before it begins. */
async function planForPulumi(verb: Verb, given: RunValues, meter: Meter, ours: Ours): Promise<number> {
  const stop = openStop(undefined, tellPerson);
  try {
    const session = await atShop(openSession(verb, ours.values, ours.meter, { stop }));
    const { bound, stack, values, choices } = session;
    const planned = await stage(session, true);
    const code = codeOf(planned, session);
    const isOver = code !== undefined && !(planned.refused.length === 0 && isRefusedInPart(planned.result));
    const ended = endPlan(session, planned, isOver);
    if (ended !== undefined && "code" in ended) return ended.code;
    if (isOver) return code ?? codes.failure;
    const isCarriedOut = bound?.plan !== undefined;
    // The comment is of our preview, which is the one that is saved.
    const { markdown: _ours, stack: _copied, ...rest } = values;
    const its = { ...rest, ...(given.stack !== undefined && { stack: given.stack }) };
    const approved = isCarriedOut ? approvedOf(bound.plan, planned.fresh) : undefined;
    const [done] = await withChannel(approved, ({ approved: file }) => {
      const message = {
        diff: textsOf(values),
        approved: file,
        planKey: isCarriedOut ? bound.key : undefined,
      };
      const env = { ...meter.env, ...decidedEnv(stack.env), ...messageEnv(stack.env, message) };
      return runPulumi(verb, its, choices, { ...meter, env });
    });
    return done;
  } catch (error) {
    if (!(error instanceof SecretsProviderError)) throw error;
    throw new CommandError(
      `a plan is saved and carried out only where the stack's secrets are under a passphrase, these are kept with ${error.provider}; pulumi stack change-secrets-provider passphrase changes that`,
      codes.configuration,
    );
  } finally {
    stop.close();
  }
}

/**
 * What is refused of a plan of the real engine's, which asks no provider about deletes before it does them, and stops at
 * the first change that is refused: our own engine plans the same first.
 */
async function refusedBefore(verb: Verb, { values, meter }: Ours): Promise<readonly Refusal[]> {
  if (verb === "refresh") return [];
  const stop = openStop(undefined, tellPerson);
  try {
    const session = openSession(verb, values, meter, { stop });
    if (!mayBeRefused(session.stack, session.choices)) return [];
    const { result, refused } = await quietly(session);
    if (result.outcome === "cancelled")
      throw new CommandError("stopped before pulumi began; nothing was changed", codes.cancelled);
    if (isFailed({ result }))
      tellPerson(
        `warning: limits are held one resource at a time, deletes, renames and totals not at all, because the plan for them failed: ${result.failures[0]?.message}`,
      );
    return refused;
  } catch (error) {
    // A new one is the real engine's to make, or to refuse.
    if (error instanceof NoStackError) return [];
    if (!(error instanceof SecretsProviderError)) throw error;
    tellPerson(
      `warning: limits are held one resource at a time, deletes, renames and totals (shop:maxDeletes, shop:maxReplacements) not at all: the stack's secrets are kept with ${error.provider}, which only pulumi opens`,
    );
    return [];
  } finally {
    stop.close();
  }
}

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
