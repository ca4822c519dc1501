/** The deletes of a run, done once, whoever asks first: the program that waits for them, or the run after its end. */
import type { Executor, Run } from "../steps/executor.ts";

/** @param finish deletes what the program no longer asks for */
export function openDeletes(run: Run, executor: Executor, finish: () => Promise<void>) {
  let begun: Promise<void> | undefined;
  function finishDeletes(): Promise<void> {
    begun ??= finish();
    return begun;
  }
  return {
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
