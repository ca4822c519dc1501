/** The deletes of a run, done once, whoever asks first: the program that waits for them, or the run after its end. */
import type { Executor, Run } from "../steps/executor.ts";

/** @param finish deletes what the program no longer asks for */
export function openDeletes(run: Run, { settled, hasFailed }: Executor, finish: () => Promise<void>) {
  let begun: Promise<void> | undefined;
  function finishDeletes(): Promise<void> {
    begun ??= finish();
    return begun;
  }
  return {
    /** @throws Error where what was named is no resource */
    finishDeletes,
    /** Hooks of a delete are in the program: it is there until its deletes are done. */
    async shutdown(): Promise<void> {
      if (!run.hooks.any()) return;
      await settled();
      // What goes wrong in it the run is told when it asks for the deletes itself.
      if (!hasFailed() && !run.cancelled()) await finishDeletes().catch(() => undefined);
    },
  };
}
