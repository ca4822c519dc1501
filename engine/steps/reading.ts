/** One resource as its provider finds it now, and the state that says so. */

import type { Provider } from "../processes/provider.ts";
import type { State } from "../state/snapshot.ts";
import { annotateSecrets, bareProperties, type Properties } from "../values/values.ts";
import type { Run } from "./executor.ts";

export type Found = Awaited<ReturnType<Provider["read"]>>;

/**
 * The outputs of a resource, as its provider is asked about it: where an update was interrupted, a provider that keeps what a
 * program stated (`__stated`) learns what that asked for. What is there of it is nobody else's edit.
 */
export function outputsOf(run: Pick<Run, "ledger">, state: State): Properties {
  const { outputs = {} } = state;
  const asked = outputs.__stated === undefined ? undefined : run.ledger.underWay(state);
  return asked === undefined ? outputs : { ...outputs, __underWay: bareProperties(asked) };
}

/** Reads a resource when its turn has come; its id is empty where there is none. */
export const readState = (run: Run, state: State): Promise<Found> => run.limit(() => readAtOnce(run, state));

/** The same inside a step: it has its turn already, and steps that each wait for another one wait for ever. */
export async function readAtOnce(run: Run, state: State): Promise<Found> {
  const host = await run.providers.of(state);
  const inputs = state.inputs ?? {};
  return host.read(state.urn, state.id ?? "", inputs, outputsOf(run, state));
}

/** A state with what was read of its resource. */
export function refreshed(state: State, found: Found): State {
  const { initErrors: _gone, ...rest } = state;
  const inputs =
    found.inputs === undefined ? state.inputs : annotateSecrets(found.inputs, state.inputs ?? {});
  // The provider answers without secrets: what was secret before stays one.
  return {
    ...rest,
    id: found.id,
    outputs: annotateSecrets(found.outputs, state.outputs ?? {}),
    ...(inputs !== undefined && { inputs }),
  };
}
