/** Collects the program's log messages and the reason why its process ended. */
import { failureText, programFailure } from "../processes/program-failure.ts";
import type { Executor, Run } from "../steps/executor.ts";
import type { Severity } from "../values/events.ts";

export function openProgramLog(run: Run, executor: Pick<Executor, "failures">) {
  const programFailures = new Set<string>();
  let ending: string | undefined;
  let isComplete = false;
  return {
    log(severity: Severity, text: string, urn: string | undefined): void {
      const failure =
        severity === "error" && urn === undefined ? programFailure(text, run.folder) : undefined;
      if (failure === undefined) run.watch({ type: "message", severity, text, urn });
      // If a resource failed, the program fails because it awaits that resource: only the first failure is
      // reported.
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
    /** Whether the program ran to its last line, so that resources it didn't register can be deleted. */
    isComplete: () => isComplete,
    said: () => ({ programFailures: [...programFailures], ending }),
  };
}
