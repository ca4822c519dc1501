/** Removes resources, those first that need others: what can't be removed keeps what it needs. */
import { needs } from "../state/order.ts";
import type { State } from "../state/snapshot.ts";
import type { Run } from "./executor.ts";
import type { Operations } from "./operations.ts";
import { deletionWaves } from "./plan.ts";
import type { openReplacements } from "./replacement.ts";
import { openStuck } from "./stuck.ts";

/**
 * Call it before a run changes anything.
 * @param deleting urns that go down in this run; those that are removed are added
 */
export function openRemovals(
  run: Run,
  { remove }: Pick<Operations, "remove">,
  { isLeaving }: Pick<ReturnType<typeof openReplacements>, "isLeaving">,
  deleting: Set<string>,
) {
  const stuck = openStuck(run.ledger);

  async function removeOne(state: State): Promise<void> {
    if (stuck.has(state)) throw new Error("something that needs it could not be deleted");
    // Its object was deleted by an earlier run, which didn't come to create the new one.
    if (state.pendingReplacement) return run.ledger.drop(state);
    // What an earlier replacement has left, of the same resource too, is a step of its own.
    const part = isLeaving(state) ? { partOf: "replace" as const } : {};
    return remove(state, state.delete ? "delete-replaced" : "delete", part);
  }

  return async (leaving: readonly State[]): Promise<void> => {
    // What goes down with a resource that is replaced goes down with the old one.
    for (const state of leaving) if (!stuck.isEarlier(state)) deleting.add(state.urn);
    for (const wave of deletionWaves(leaving, needs)) {
      const results = await Promise.allSettled(wave.map(removeOne));
      // What couldn't be deleted keeps alive all that it needs.
      results.forEach((result, index) => {
        if (result.status === "rejected") stuck.add(wave[index] as State);
      });
    }
  };
}
