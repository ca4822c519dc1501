/**
 * What an earlier run was interrupted in: whether it happened nobody wrote down, so that the resource is read before
 * anything is decided on what the state says of it.
 */

import type { ProviderDiff } from "../processes/provider.ts";
import { typeOf } from "../pulumi/urn.ts";
import type { State } from "../state/snapshot.ts";
import type { Run } from "./executor.ts";
import { type Found, outputsOf, readState, refreshed } from "./reading.ts";

/** The state of a resource, with the key under which the ledger has it. */
export interface Previous {
  readonly old: State | undefined;
  readonly key: string | undefined;
}

function read(run: Run, state: State): Promise<Found> {
  run.looked.interrupted += 1;
  return readState(run, state);
}

/** What there was, unless a delete that was interrupted has happened: then it is dropped from the state. */
export async function withoutDeleted(run: Run, found: Previous): Promise<Previous> {
  // Under another name it was called by its own then.
  const state = found.key === undefined ? undefined : run.ledger.find(found.key);
  if (state === undefined || state.pendingReplacement || run.ledger.interrupted(state.urn) !== "deleting")
    return found;
  if ((await read(run, state)).id !== "") return found;
  await run.ledger.drop(state);
  return { old: undefined, key: undefined };
}

/**
 * Asks the provider what differs. Where nothing does and an update was interrupted, the resource is read and compared again:
 * the program may have gone back to what it said before.
 * @param old as the state has it; another provider may have made it
 * @returns the answer, and the state that it is about
 */
export async function compared(
  run: Run,
  { urn, inputs = {}, provider = "" }: State,
  old: State,
  ignoreChanges: readonly string[],
): Promise<{ readonly old: State; readonly answer: ProviderDiff }> {
  const host = await run.providers.of({ type: typeOf(urn), provider });
  const ask = (state: State) =>
    host.diff(urn, state.id ?? "", outputsOf(run, state), {
      news: inputs,
      oldInputs: state.inputs,
      ignoreChanges,
    });
  const answer = await ask(old);
  if (answer.changes !== "none" || run.ledger.interrupted(old.urn) !== "updating") return { old, answer };
  const found = await read(run, old);
  // What is gone is found by a refresh, as ever.
  if (found.id === "") return { old, answer };
  const now = refreshed(old, found);
  return { old: now, answer: await ask(now) };
}
