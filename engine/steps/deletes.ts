/** Deletes resources, dependents before their dependencies. If a delete fails, the resource's dependencies stay. */

import { keyOf } from "../pulumi/journal.ts";
import { allDependencies } from "../state/dependency-order.ts";
import type { State } from "../state/snapshot.ts";
import type { SnapshotManager } from "../state/snapshot-manager.ts";
import type { Run } from "./executor.ts";
import type { Operations } from "./operations.ts";
import { deletionWaves } from "./plan.ts";
import type { openReplacements } from "./replacements.ts";

/**
 * Must be called before the run changes anything.
 * @param deleting URNs that this run deletes; adds to them
 */
export function openDeletes(
  run: Run,
  { remove }: Pick<Operations, "remove">,
  { isLeaving }: Pick<ReturnType<typeof openReplacements>, "isLeaving">,
  deleting: Set<string>,
) {
  const stuck = openFailedDeletes(run.snapshots);

  async function removeOne(state: State): Promise<void> {
    if (stuck.has(state)) throw new Error("something that needs it could not be deleted");
    // An earlier run deleted the object but did not create its replacement.
    if (state.pendingReplacement) return run.snapshots.drop(state);
    // The old object of an earlier replacement is deleted in a step of its own.
    const part = isLeaving(state) ? { partOf: "replace" as const } : {};
    return remove(state, state.delete ? "delete-replaced" : "delete", part);
  }

  return async (leaving: readonly State[]): Promise<void> => {
    // Resources that are deleted with a replaced one are deleted with its old object.
    for (const state of leaving) if (!stuck.isEarlier(state)) deleting.add(state.urn);
    for (const wave of deletionWaves(leaving, allDependencies)) {
      const results = await Promise.allSettled(wave.map(removeOne));
      // A failed delete keeps all dependencies of the resource.
      results.forEach((result, index) => {
        if (result.status === "rejected") stuck.add(wave[index] as State);
      });
    }
  };
}

/**
 * Tracks dependencies of failed deletes. Must be called before the run changes anything, to know which deletes an
 * earlier run left.
 */
function openFailedDeletes(snapshots: SnapshotManager) {
  const all = snapshots.states();
  const places = new Map(all.map((state, place) => [keyOf(state), place]));
  const leftovers = new Set(all.flatMap((state) => (state.delete ? [keyOf(state)] : [])));
  const isEarlier = (state: State) => leftovers.has(keyOf(state));
  const placeOf = (state: State) =>
    places.get(keyOf(state)) ?? places.get(state.urn) ?? Number.POSITIVE_INFINITY;
  // The last position of a dependent, by URN.
  const needed = new Map<string, number>();

  return {
    /** Whether an earlier run left the delete of this object. */
    isEarlier,
    /** Notes that a delete failed: all dependencies of the resource stay. */
    add(state: State): void {
      const place = placeOf(state);
      for (const urn of allDependencies(state)) needed.set(urn, Math.max(place, needed.get(urn) ?? 0));
    },
    /**
     * Whether a failed delete keeps this object. If several objects have one URN, a dependent needs those before it in
     * the state, not the ones that an earlier replacement left (pkg/resource/graph, DependenciesOf).
     */
    has(state: State): boolean {
      const last = needed.get(state.urn);
      return last !== undefined && (!isEarlier(state) || placeOf(state) < last);
    },
  };
}
