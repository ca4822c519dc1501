/** A verb by the real engine. Ours plans it first, where that is needed: for limits, which count, and for saved plans, which bind. */
import {
  endedIn,
  NoStackError,
  type RunOptions,
  recorder,
  SecretsProviderError,
  type Stack,
} from "../../engine/index.ts";
import { tell, toldIn } from "../../provider/inventory/index.ts";
import { CommandError, codes } from "../exit.ts";
import type { RunValues, Verb } from "../options.ts";
import type { Refusal } from "../../runs/report/refusals.ts";
import type { Meter } from "../../runs/stack/meter.ts";
import { refuseUnknownNames } from "../../runs/plans/allowed.ts";
import { chosenOf } from "../../runs/plans/chosen.ts";
import { planned as guardedPlan, isLimited, refusedSteps } from "../../runs/plans/guard.ts";
import { endPlan } from "./plan-end.ts";
import { runPulumi } from "./pulumi.ts";
import { approvedOf, openApproved } from "../../runs/plans/saved.ts";
import {
  codeOf,
  isRefusedInPart,
  openSession,
  openStack,
  perform,
  refuse,
  stage,
  textLines,
} from "./stage.ts";
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
  const copy = verb === "refresh" ? undefined : await openStateCopy(values, meter.env);
  const ours: Ours = {
    values: { ...values, ...(copy !== undefined && { stack: copy.stack }) },
    meter: { ...meter, env: { ...meter.env, ...copy?.env } },
  };
  try {
    if (isPlan) return await planForPulumi(verb, values, meter, ours);
    const isNamed = [values.allow, values.overwrite, values.resend].some((names) => names !== undefined);
    const allowed = isNamed ? openStack(ours.values, ours.meter).env : {};
    const refused = await refusedBefore(verb, ours);
    if (refused.length > 0) return refuse(values.stack ?? "", refused, values);
    const env = { ...meter.env, ...textLines(values), ...decidedEnv(allowed) };
    return await runPulumi(verb, values, { ...meter, env });
  } finally {
    copy?.close();
  }
}

/** The real engine's own plans don't bind what they started from: ours is made, or compared, before it begins. */
async function planForPulumi(verb: Verb, given: RunValues, meter: Meter, ours: Ours): Promise<number> {
  const stop = openStop(undefined, (line) => process.stderr.write(`${line}\n`));
  try {
    const session = openSession(verb, ours.values, ours.meter, stop);
    const { bound, stack, values } = session;
    const planned = await stage(session, true);
    const code = codeOf(planned, session);
    const isOver = code !== undefined && !isRefusedInPart(planned);
    const ended = endPlan(session, planned.fresh, isOver);
    if (ended !== undefined || isOver) return ended ?? code ?? codes.failure;
    const approved =
      bound?.plan === undefined ? undefined : openApproved(approvedOf(bound.plan, planned.fresh));
    const env = { ...meter.env, ...textLines(values), ...decidedEnv(stack.env), ...approved?.env };
    try {
      const key = tell({ planKey: bound?.key });
      // The comment is of our preview, which is the one that is saved.
      const { markdown: _ours, stack: _copied, ...rest } = values;
      const its = { ...rest, ...(given.stack !== undefined && { stack: given.stack }) };
      return await runPulumi(verb, its, { ...meter, env: { ...env, ...(approved && key) } });
    } finally {
      approved?.close();
    }
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
 * What a protected stack refuses of a plan of the real engine's, which asks no provider about deletes before it does them,
 * and stops at the first change that is refused: our own engine plans the same first.
 */
async function refusedBefore(verb: Verb, { values, meter }: Ours): Promise<readonly Refusal[]> {
  if (verb === "refresh") return [];
  try {
    const stack = openStack(values, meter);
    return isLimited(stack) ? await refusedIn(verb, stack, values) : [];
  } catch (error) {
    // A new one is the real engine's to make, or to refuse.
    if (error instanceof NoStackError) return [];
    if (!(error instanceof SecretsProviderError)) throw error;
    process.stderr.write(
      `warning: limits are held one resource at a time, deletes and totals (shop:maxDeletes, shop:maxReplacements) not at all: the stack's secrets are kept with ${error.provider}, which only pulumi opens\n`,
    );
    return [];
  }
}

async function refusedIn(verb: Verb, stack: Stack, values: RunValues): Promise<readonly Refusal[]> {
  const { events, watch } = recorder();
  const options: RunOptions = {
    watch,
    refresh: values.refresh === true,
    ...chosenOf(stack, values),
  };
  const watched = { ...stack, env: { ...stack.env, ...guardedPlan } };
  const { outcome } = await perform(verb, watched, options, true);
  const steps = endedIn(events).done.filter(({ op }) => op !== "same");
  if (outcome === "succeeded") refuseUnknownNames(stack, values.allow, steps);
  return refusedSteps(stack, steps);
}

/** What was decided by name, for a process that isn't given the stack's whole environment. */
const decidedEnv = (env: Stack["env"]) =>
  tell({
    allow: toldIn(env, "allow"),
    overwrite: toldIn(env, "overwrite"),
    resend: toldIn(env, "resend"),
  });
