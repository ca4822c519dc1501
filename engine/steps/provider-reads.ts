/** Reads one resource from its provider. */

import type { Provider } from "../processes/provider.ts";
import type { State } from "../state/snapshot.ts";
import { annotateSecrets, bareProperties, type Properties } from "../values/values.ts";
import type { Run } from "./executor.ts";

export type Found = Awaited<ReturnType<Provider["read"]>>;

/**
 * The outputs that the provider receives. If an update was interrupted, a provider that stores the program's arguments
 * (`__stated`) also receives that update's inputs (`__underWay`), so that it doesn't mistake them for somebody else's
 * edit.
 */
export function outputsOf(run: Pick<Run, "snapshots">, state: State): Properties {
  const { outputs = {} } = state;
  const asked = outputs.__stated === undefined ? undefined : run.snapshots.underWay(state);
  return asked === undefined ? outputs : { ...outputs, __underWay: bareProperties(asked) };
}

/** Reads a resource after waiting for a free slot; the id is empty if it doesn't exist. */
export const readState = (run: Run, state: State): Promise<Found> => run.limit(() => readAtOnce(run, state));

/** Reads a resource inside a step, which already has a slot: waiting for another one could deadlock. */
export async function readAtOnce(run: Run, state: State): Promise<Found> {
  const host = await run.providers.of(state);
  const inputs = state.inputs ?? {};
  return host.read(state.urn, state.id ?? "", inputs, outputsOf(run, state));
}

/** Updates a state with the values that were read. */
export function refreshed(state: State, found: Found): State {
  const { initErrors: _gone, ...rest } = state;
  const inputs =
    found.inputs === undefined ? state.inputs : annotateSecrets(found.inputs, state.inputs ?? {});
  // The provider returns plain values: properties that were secret stay secret.
  return {
    ...rest,
    id: found.id,
    outputs: annotateSecrets(found.outputs, state.outputs ?? {}),
    ...(inputs !== undefined && { inputs }),
  };
}
