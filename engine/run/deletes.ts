/** The deletes of a run: what its program hasn't asked for by its end. */
import type { State } from "../state/snapshot.ts";
import type { Executor, Run } from "../steps/executor.ts";

/**
 * @param seen URNs that the program has asked for
 * @param remove deletes states in reverse order of dependency
 */
export function openDeletes(
  run: Run,
  executor: Executor,
  seen: ReadonlySet<string>,
  remove: (states: readonly State[]) => Promise<void>,
) {
  const unasked = () => run.ledger.states().filter((state) => (state.delete ? true : !seen.has(state.urn)));
  return {
    /** What the program hasn't asked for, so far. */
    unasked,
    /** @throws Error where what was named is no resource */
    async finishDeletes(): Promise<void> {
      const all = run.ledger.states();
      run.targets.refuseUnknown([...seen, ...all.map(({ urn }) => urn)]);
      await remove(run.targets.deletable(unasked(), all));
    },
    settled: executor.settled,
  };
}
