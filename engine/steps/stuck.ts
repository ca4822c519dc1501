/** What can't be deleted, because something that could not be deleted needs it. */
import { keyOf } from "../state/journal.ts";
import type { Ledger } from "../state/ledger.ts";
import { needs } from "../state/order.ts";
import type { State } from "../state/snapshot.ts";

/** Call it before a run changes anything: what was to be deleted already then is an earlier run's. */
export function openStuck(ledger: Ledger) {
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
