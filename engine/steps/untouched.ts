/** Resources that a run isn't about: they stay as the state has them, and what isn't there yet isn't made. */

import { parseUrn } from "../pulumi/urn.ts";
import { needs } from "../state/order.ts";
import type { State } from "../state/snapshot.ts";
import type { Goal, Registered } from "../values/goal.ts";
import type { Executor, Run } from "./executor.ts";
import type { Previous } from "./interrupted.ts";
import { answer } from "./operations.ts";

export function openUntouched(run: Run, { perform, step }: Executor) {
  const urns = new Set<string>();
  return {
    has: (urn: string) => urns.has(urn),
    async keep(goal: Goal, urn: string, { old, key }: Previous): Promise<Registered> {
      urns.add(urn);
      if (old === undefined) return { urn, id: undefined, properties: goal.inputs };
      await perform(step("same", old), old, undefined, () => run.ledger.put(old, { over: key }));
      return answer(old);
    },
    /** What somebody deleted stays so, and is told in each run: the history knows it by that. */
    leaveGone(goal: Goal, state: State): Registered {
      const { urn } = state;
      urns.add(urn);
      const it = step("delete", state, { found: true, left: true });
      for (const type of ["started", "done"] as const) run.watch({ type, step: it });
      return { urn, id: undefined, properties: goal.inputs };
    },
    /** @throws Error where a resource needs one that wasn't made */
    refuseMissing(state: State): void {
      const missing = needs(state).find((urn) => urns.has(urn) && run.ledger.find(urn) === undefined);
      if (missing === undefined) return;
      const why = run.targets.staysGone(missing)
        ? "was deleted and stays so: leave out both (--keep, --exclude), or let both be made"
        : "isn't there yet and isn't among the targets: name it too";
      throw new Error(`it needs ${parseUrn(missing).name}, which ${why}`);
    },
  };
}
