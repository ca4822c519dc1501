/**
 * Handles operations that an earlier run was interrupted in. It is unknown whether they happened, so the resource is
 * read before any decision about it.
 */

import { isDeepStrictEqual } from "node:util";
import type { ProviderDiff } from "../processes/provider.ts";
import { typeOf } from "../pulumi/urn.ts";
import type { State } from "../state/snapshot.ts";
import type { Run } from "./executor.ts";
import { type Found, outputsOf, readState, refreshed } from "./provider-reads.ts";

/** The old state of a resource, and the key under which the state has it. */
export interface Previous {
  readonly old: State | undefined;
  readonly key: string | undefined;
}

async function read(run: Run, state: State): Promise<Found> {
  const found = await readState(run, state);
  run.looked.interrupted += found.requests ?? 1;
  return found;
}

/** Whether an interrupted run was deleting the object: nobody wonders if it is gone. */
export const isGoing = (run: Run, { urn }: State): boolean => run.snapshots.interrupted(urn) === "deleting";

/** The old state, unless an interrupted delete has succeeded: then the resource is dropped from the state. */
export async function withoutDeleted(run: Run, found: Previous): Promise<Previous> {
  // Look it up by the key: the resource may have been renamed since.
  const state = found.key === undefined ? undefined : run.snapshots.find(found.key);
  if (state === undefined || state.pendingReplacement || !isGoing(run, state)) return found;
  if ((await read(run, state)).id !== "") return found;
  await run.snapshots.drop(state);
  return { old: undefined, key: undefined };
}

/**
 * Calls the provider's diff. If that finds no change although an update was interrupted, the resource is read and
 * compared again: the program may have returned to its earlier values.
 * @param old the old state, perhaps of another provider
 * @returns the diff, and the state that it compares with
 */
export async function compared(
  run: Run,
  { urn, inputs = {}, provider = "" }: State,
  old: State,
  ignoreChanges: readonly string[],
): Promise<{ readonly old: State; readonly answer: ProviderDiff }> {
  if (run.comparesInputs && isDeepStrictEqual(inputs, old.inputs))
    return { old, answer: { changes: "none", replaces: [], deleteBeforeReplace: false } };
  const host = await run.providers.of({ type: typeOf(urn), provider });
  const ask = (state: State) =>
    host.diff(urn, state.id ?? "", outputsOf(run, state), {
      news: inputs,
      oldInputs: state.inputs,
      ignoreChanges,
    });
  const answer = await ask(old);
  if (answer.changes !== "none" || run.snapshots.interrupted(old.urn) !== "updating") return { old, answer };
  const found = await read(run, old);
  // A refresh handles resources that no longer exist.
  if (found.id === "") return { old, answer };
  const now = refreshed(old, found);
  return { old: now, answer: await ask(now) };
}
