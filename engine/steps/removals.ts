/** Removes resources, those first that need others: what can't be removed keeps what it needs. */

import { keyOf } from "../state/journal.ts";
import type { Ledger } from "../state/ledger.ts";
import { needs } from "../state/order.ts";
import type { State } from "../state/snapshot.ts";
import type { Run } from "./executor.ts";
import type { Operations } from "./operations.ts";
import { deletionWaves } from "./plan.ts";
import type { openReplacements } from "./replacement.ts";

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

/** Call it before a run changes anything: what was to be deleted already then is an earlier run's. */
function openStuck(ledger: Ledger) {
  const all = ledger.states();
  const places = new Map(all.map((state, place) => [keyOf(state), place]));
  const leftovers = new Set(all.flatMap((state) => (state.delete ? [keyOf(state)] : [])));
  const isEarlier = (state: State) => leftovers.has(keyOf(state));
  const placeOf = (state: State) =>
    places.get(keyOf(state)) ?? places.get(state.urn) ?? Number.POSITIVE_INFINITY;
  // By urn, the last place of what needs it.
  const needed = new Map<string, number>();

  return {
    /** Whether an earlier run was to delete it. */
    isEarlier,
    /** Notes that a resource could not be deleted: all that it needs stays. */
    add(state: State): void {
      const place = placeOf(state);
      for (const urn of needs(state)) needed.set(urn, Math.max(place, needed.get(urn) ?? 0));
    },
    /**
     * Of several objects of one name, a resource needs those that stand before it in the state: what an earlier replacement
     * has left behind it, it doesn't know (pkg/resource/graph, DependenciesOf).
     */
    has(state: State): boolean {
      const last = needed.get(state.urn);
      return last !== undefined && (!isEarlier(state) || placeOf(state) < last);
    },
  };
}
