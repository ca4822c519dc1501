/** Components: what others stand in. Nothing is made of one, so that its state is all that there is. */
import type { State } from "../state/snapshot.ts";
import type { Goal, Registered } from "../values/goal.ts";
import type { Executor, Run } from "./executor.ts";
import type { Operations } from "./operations.ts";

export function openComponents(run: Run, { perform, step }: Executor, { stamps }: Operations) {
  return {
    /** @param base the component as the state shall have it, without arguments and outputs */
    async register(
      goal: Goal,
      base: State,
      old: State | undefined,
      key: string | undefined,
    ): Promise<Registered> {
      const state: State = { ...base, inputs: goal.inputs, outputs: old?.outputs ?? {}, ...stamps(old) };
      await perform(step(old === undefined ? "create" : "same", state), state, undefined, () =>
        run.ledger.put(state, { over: key }),
      );
      return { urn: base.urn, id: undefined, properties: goal.inputs };
    },
  };
}
