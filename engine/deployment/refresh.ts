/** Reads every resource from its provider into the state (refresh), and deletes every resource (destroy). */

import { RefusedError } from "../processes/provider.ts";
import { isProviderType } from "../pulumi/urn.ts";
import { drift, masked, maskedOutputs } from "../state/masking.ts";
import type { State } from "../state/snapshot.ts";
import { type Run, step } from "../steps/executor.ts";
import { isGoing } from "../steps/pending-operations.ts";
import { type Found, readState, refreshed } from "../steps/provider-reads.ts";
import { bareProperties, equal } from "../values/values.ts";
import type { Deployment } from "./deployment.ts";

/** Returns why a state may not lose all of its `count` resources; undefined if it may. */
type RefusesEmpty = (count: number) => string | undefined;

/**
 * Refreshes every resource that a provider manages. A resource that fails doesn't stop the others.
 * @returns why the state was left unchanged: none of its resources exists any more, and `refusesEmpty`
 * refused that
 */
export async function refreshAll(
  run: Run,
  deployment: Deployment,
  refusesEmpty: RefusesEmpty = () => undefined,
): Promise<string | undefined> {
  const states = run.snapshots
    .states()
    .filter((state) => !isProviderType(state.type) && run.targets.includes(state));
  const isExpected = (state: State) => isRead(state) && !isGoing(run, state);
  const existence = openExistenceCheck(states.filter(isExpected).length, refusesEmpty);
  await Promise.allSettled(states.map((state) => refreshOne(run, deployment, state, existence)));
  return existence.refused;
}

/**
 * Deletes every resource, or previews that.
 * @returns why the destroy is refused: none of the resources exists any more, and `refusesEmpty` refused that
 */
export async function removeAll(
  run: Run,
  deployment: Deployment,
  refusesEmpty: RefusesEmpty = () => undefined,
): Promise<string | undefined> {
  const all = run.snapshots.states();
  await deployment.removeAll(run.targets.deletable(all, all));
  const { count, gone } = run.looked;
  return gone >= fewest && gone === count ? refusesEmpty(count) : undefined;
}

// Components have nothing to read, nor has a resource that was deleted to be replaced.
const isRead = ({ custom, pendingReplacement }: State) => custom && pendingReplacement !== true;

/** A single missing object is no reason for suspicion. */
const fewest = 2;

/**
 * Waits with dropping missing resources until one resource exists or can't be read, or all of them are
 * missing.
 */
function openExistenceCheck(count: number, refusesEmpty: RefusesEmpty) {
  const { promise: refused, resolve } = Promise.withResolvers<string | undefined>();
  let gone = 0;
  if (count < fewest) resolve(undefined);
  return {
    /** Resolves to the reason why missing resources stay in the state; undefined if they may be dropped. */
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
  existence: ReturnType<typeof openExistenceCheck>,
): Promise<void> {
  const inputs = bareProperties(state.inputs ?? {});
  const before = bareProperties(state.outputs ?? {});
  const stepOf = (op: "same" | "update" | "delete" | "refresh", resource: State) =>
    step(op, resource, {
      old: state,
      found: true,
      ...(op === "delete" && { inputs: masked(inputs), ...(state.delete && { replaced: true as const }) }),
      ...(op === "update" && { changes: drift(state, resource), seen: seenOf(state, resource) }),
    });
  const report = (op: Parameters<typeof stepOf>[0], resource: State, work: () => Promise<void>) =>
    deployment.perform(stepOf(op, resource), resource, undefined, work);
  // Pulumi reports such resources as unchanged, too.
  if (!isRead(state)) return report("same", state, () => Promise.resolve());
  let found: Found;
  try {
    found = await readState(run, state);
  } catch (error) {
    existence.there();
    await report("refresh", state, () => Promise.reject(error)).catch(() => undefined);
    return;
  }
  if (found.id === "") {
    if (!isGoing(run, state)) existence.gone();
    if ((await existence.refused) !== undefined) return;
    return report("delete", state, () => run.snapshots.drop(state));
  }
  existence.there();
  const isSame = isAsBefore(state, found, before, inputs);
  if (isSame && state.initErrors === undefined) return report("same", state, () => Promise.resolve());
  // The resource is complete now, without a change: its modification time stays.
  const modified = isSame ? {} : { modified: run.now().toISOString() };
  const after = { ...refreshed(state, found), ...modified };
  // An update that failed has left its arguments in the state: without them it is as before, and nobody has changed it.
  const isUntouched = state.initErrors !== undefined && equal(bareProperties(found.outputs), before);
  if (isSame || isUntouched) return report("same", after, () => run.snapshots.put(after));
  // Pulumi reports an update only if the provider's diff does (pkg/resource/deploy/step.go,
  // RefreshStep.ResultOp). External resources have no goal to diff against.
  const verdict = state.external
    ? { changes: equal(bareProperties(found.outputs), before) ? "none" : "some" }
    : await (await run.providers.of(state)).diff(state.urn, state.id ?? "", found.outputs, {
        news: state.inputs ?? {},
        oldInputs: found.inputs ?? state.inputs,
      });
  // If the change isn't part of the approved preview, the next writer must check it.
  const why = verdict.changes === "none" ? undefined : run.refuses(stepOf("update", after));
  if (why !== undefined)
    return report("update", after, () => Promise.reject(new RefusedError(why))).catch(() => undefined);
  return report(verdict.changes === "none" ? "same" : "update", after, () => run.snapshots.put(after));
}

const seenOf = (state: State, { outputs = {}, inputs = {} }: State) =>
  maskedOutputs(outputs, inputs, state.inputs ?? {});

// Most resources are unchanged: then neither a diff nor a write is needed.
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
