/** The deletes of a run, done once, whoever asks first: the program that waits for them, or the run after its end. */
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
  async function finish(): Promise<void> {
    const all = run.ledger.states();
    run.targets.refuseUnknown([...seen, ...all.map(({ urn }) => urn)]);
    await remove(run.targets.deletable(unasked(), all));
  }
  let begun: Promise<void> | undefined;
  function finishDeletes(): Promise<void> {
    begun ??= finish();
    return begun;
  }
  return {
    /** What the program hasn't asked for, so far. */
    unasked,
    /** @throws Error where what was named is no resource */
    finishDeletes,
    /** Resolves when the program may end: hooks of a delete are in it, so it is there until its deletes are done. */
    async shutdown(): Promise<void> {
      await executor.settled();
      // What goes wrong in it the run is told when it asks for the deletes itself.
      if (!executor.hasFailed() && !run.cancelled()) await finishDeletes().catch(() => undefined);
    },
    /** Resolves when nothing is being done any more, deletes that a program began which died since among it. */
    async settled(): Promise<void> {
      await executor.settled();
      await begun?.catch(() => undefined);
    },
  };
}
