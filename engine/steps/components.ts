/** Components: what others stand in. Nothing is made of one, so that its hooks and its state are all that there is. */
import type { State } from "../state/snapshot.ts";
import type { Goal, Registered } from "../values/goal.ts";
import { equal } from "../values/values.ts";
import type { Executor, Run } from "./executor.ts";
import type { Operations } from "./operations.ts";

export function openComponents(run: Run, { perform, step }: Executor, { stamps, after }: Operations) {
  // Their children come before they are whole: what runs after that waits for their outputs.
  const unfinished = new Map<string, State | undefined>();

  return {
    /** @param base the component as the state shall have it, without arguments and outputs */
    async register(
      goal: Goal,
      base: State,
      old: State | undefined,
      key: string | undefined,
    ): Promise<Registered> {
      const state: State = { ...base, inputs: goal.inputs, outputs: old?.outputs ?? {}, ...stamps(old) };
      const isChanged = old !== undefined && !equal(old.inputs ?? {}, goal.inputs);
      await perform(step(old === undefined ? "create" : "same", state), state, undefined, async () => {
        if (old === undefined) await run.hooks.run("BeforeCreate", state, { newInputs: goal.inputs });
        if (isChanged)
          await run.hooks.run("BeforeUpdate", state, {
            newInputs: goal.inputs,
            oldInputs: old.inputs,
            oldOutputs: old.outputs,
          });
        await run.ledger.put(state, { over: key });
      });
      if (old === undefined || isChanged) unfinished.set(base.urn, old);
      return { urn: base.urn, id: undefined, properties: goal.inputs };
    },
    /** Its outputs are there. */
    async finished(state: State): Promise<void> {
      const { urn, inputs: newInputs, outputs: newOutputs } = state;
      if (!unfinished.has(urn)) return;
      const old = unfinished.get(urn);
      unfinished.delete(urn);
      if (old === undefined) await after("AfterCreate", state, { newInputs, newOutputs });
      else
        await after("AfterUpdate", state, {
          newInputs,
          newOutputs,
          oldInputs: old.inputs,
          oldOutputs: old.outputs,
        });
    },
  };
}
