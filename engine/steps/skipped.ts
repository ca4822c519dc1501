/** Resources that the run leaves out: existing ones stay unchanged, new ones aren't created. */

import { parseUrn } from "../pulumi/urn.ts";
import { allDependencies } from "../state/dependency-order.ts";
import type { State } from "../state/snapshot.ts";
import type { Goal, Registered } from "../values/goal.ts";
import type { Executor, Run } from "./executor.ts";
import { answer } from "./operations.ts";
import type { Previous } from "./pending-operations.ts";

export function openSkipped(run: Run, { perform, step }: Executor) {
  const urns = new Set<string>();
  const left = new Set<string>();
  return {
    has: (urn: string) => urns.has(urn),
    async keep(goal: Goal, urn: string, { old, key }: Previous): Promise<Registered> {
      urns.add(urn);
      if (old === undefined) return { urn, id: undefined, properties: goal.inputs };
      await perform(step("same", old), old, undefined, () => run.snapshots.put(old, { over: key }));
      return answer(old);
    },
    /** Leaves a deleted object deleted. Each run reports it, so that the history knows about it. */
    leaveGone(goal: Goal, state: State): Registered {
      const { urn } = state;
      urns.add(urn);
      left.add(urn);
      const it = step("delete", state, { found: true, left: true });
      for (const type of ["started", "done"] as const) run.watch({ type, step: it });
      return { urn, id: undefined, properties: goal.inputs };
    },
    /** @throws Error if a resource depends on one that wasn't created */
    refuseMissing(state: State): void {
      const missing = allDependencies(state).find(
        (urn) => urns.has(urn) && run.snapshots.find(urn) === undefined,
      );
      if (missing === undefined) return;
      const why = left.has(missing)
        ? "stays deleted: leave out both (--keep, --exclude), or create both"
        : "doesn't exist yet and isn't a target: add it to the targets";
      throw new Error(`it needs ${parseUrn(missing).name}, which ${why}`);
    },
  };
}
