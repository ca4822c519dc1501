/** What a program's process says of itself: what it logs, and why it ended. */
import { failureText, programFailure } from "../processes/program-failure.ts";
import type { Executor, Run } from "../steps/executor.ts";
import type { Severity } from "../values/events.ts";

export function openProgramWords(run: Run, executor: Pick<Executor, "failures">) {
  const programFailures = new Set<string>();
  let ending: string | undefined;
  let isComplete = false;
  return {
    log(severity: Severity, text: string, urn: string | undefined): void {
      const failure =
        severity === "error" && urn === undefined ? programFailure(text, run.folder) : undefined;
      if (failure === undefined) run.watch({ type: "message", severity, text, urn });
      // A program that waited for a resource that failed dies of it: the failure itself is told.
      else if (!/failed to (?:register|read resource)/.test(text) || executor.failures.length === 0)
        programFailures.add(failure);
    },
    ended(why: string): void {
      ending ??= failureText(why, run.folder);
    },
    /** Notes that the program ran to its last line. */
    complete(): void {
      isComplete = true;
    },
    /** Whether it did: what it has not asked for by then it does not want. */
    isComplete: () => isComplete,
    said: () => ({ programFailures: [...programFailures], ending }),
  };
}
