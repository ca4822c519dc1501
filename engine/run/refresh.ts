/** What is really there, resource by resource, taken into the state; or deleted. */

import { RefusedError } from "../processes/provider.ts";
import { isProviderType } from "../pulumi/urn.ts";
import type { State } from "../state/snapshot.ts";
import { drift, visibleOlds } from "../state/visible.ts";
import { type Run, step } from "../steps/executor.ts";
import { type Found, readState, refreshed } from "../steps/reading.ts";
import { bareProperties, equal } from "../values/values.ts";
import type { Deployment } from "./deployment.ts";

/** Why a state isn't emptied of so many resources of which nothing was found; undefined where it is. */
type RefusesEmpty = (count: number) => string | undefined;

/**
 * Reads every resource that a provider manages; one that fails doesn't keep the others.
 * @returns why the state stays as it is, where nothing was found of any resource and that is refused
 */
export async function refreshAll(
  run: Run,
  deployment: Deployment,
  refusesEmpty: RefusesEmpty = () => undefined,
): Promise<string | undefined> {
  const states = run.ledger
    .states()
    .filter((state) => !isProviderType(state.type) && run.targets.includes(state));
  const census = openCensus(states.filter(isRead).length, refusesEmpty);
  await Promise.allSettled(states.map((state) => refreshOne(run, deployment, state, census)));
  return census.refused;
}

/**
 * Deletes all that the state has, or shows it.
 * @returns why a plan is none, where it found nothing of any resource and that is refused
 */
export async function removeAll(
  run: Run,
  deployment: Deployment,
  refusesEmpty: RefusesEmpty = () => undefined,
): Promise<string | undefined> {
  const all = run.ledger.states();
  await deployment.removeAll(run.targets.deletable(all, all));
  const { count, gone } = run.looked;
  return gone >= fewest && gone === count ? refusesEmpty(count) : undefined;
}

// Of a component there is nothing to read, nor of what was deleted to be made again.
const isRead = ({ custom, pendingReplacement }: State) => custom && pendingReplacement !== true;

/** Fewer than this that are all gone are nothing strange. */
const fewest = 2;

/** What has gone is dropped when one is there, or may be by what nobody could read. */
function openCensus(count: number, refusesEmpty: RefusesEmpty) {
  const { promise: refused, resolve } = Promise.withResolvers<string | undefined>();
  let gone = 0;
  if (count < fewest) resolve(undefined);
  return {
    /** Why nothing is dropped; undefined where it is. */
    refused,
    there: () => resolve(undefined),
    gone() {
      gone += 1;
      if (gone === count) resolve(refusesEmpty(count));
    },
  };
}

async function refreshOne(
  run: Run,
  deployment: Deployment,
  state: State,
  census: ReturnType<typeof openCensus>,
): Promise<void> {
  const inputs = bareProperties(state.inputs ?? {});
  const before = bareProperties(state.outputs ?? {});
  const stepOf = (op: "same" | "update" | "delete" | "refresh", resource: State) =>
    step(op, resource, {
      old: state,
      found: true,
      ...(op === "delete" && state.delete && { replaced: true as const }),
      ...(op === "update" && { changes: drift(state, resource), seen: seenOf(state, resource) }),
    });
  const tell = (op: Parameters<typeof stepOf>[0], resource: State, work: () => Promise<void>) =>
    deployment.perform(stepOf(op, resource), resource, undefined, work);
  // It is told to be as it was, as by Pulumi.
  if (!isRead(state)) return tell("same", state, () => Promise.resolve());
  let found: Found;
  try {
    found = await readState(run, state);
  } catch (error) {
    census.there();
    await tell("refresh", state, () => Promise.reject(error)).catch(() => undefined);
    return;
  }
  if (found.id === "") {
    census.gone();
    if ((await census.refused) !== undefined) return;
    return tell("delete", state, () => run.ledger.drop(state));
  }
  census.there();
  const isSame = isAsBefore(state, found, before, inputs);
  if (isSame && state.initErrors === undefined) return tell("same", state, () => Promise.resolve());
  // That it is whole now is no change of it: it has the time that it had.
  const modified = isSame ? {} : { modified: run.now().toISOString() };
  const after = { ...refreshed(state, found), ...modified };
  if (isSame) return tell("same", after, () => run.ledger.put(after));
  // What a refresh calls a change is what the provider calls one (pkg/resource/deploy/step.go, RefreshStep.ResultOp). What
  // is only read has no arguments that it could differ from.
  const verdict = state.external
    ? { changes: equal(bareProperties(found.outputs), before) ? "none" : "some" }
    : await (await run.providers.of(state)).diff(state.urn, state.id ?? "", found.outputs, {
        news: state.inputs ?? {},
        oldInputs: found.inputs ?? state.inputs,
      });
  // What was changed after the plan was shown stays a change that whoever writes must look at.
  const why = verdict.changes === "none" ? undefined : run.refuses(stepOf("update", after));
  if (why !== undefined)
    return tell("update", after, () => Promise.reject(new RefusedError(why))).catch(() => undefined);
  return tell(verdict.changes === "none" ? "same" : "update", after, () => run.ledger.put(after));
}

const seenOf = (state: State, { outputs = {}, inputs = {} }: State) =>
  visibleOlds(outputs, inputs, state.inputs ?? {});

// Most of a refresh finds everything as it was: then nobody need be asked, and nothing is written.
function isAsBefore(
  state: State,
  found: Found,
  outputs: Found["outputs"],
  inputs: Found["outputs"],
): boolean {
  return (
    found.id === state.id &&
    equal(bareProperties(found.outputs), outputs) &&
    equal(bareProperties(found.inputs ?? inputs), inputs)
  );
}
