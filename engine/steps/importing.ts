/** Objects that are there and come under the program: by the resource option import. */

import { keyOf } from "../state/journal.ts";
import type { State } from "../state/snapshot.ts";
import type { Goal } from "../values/goal.ts";
import { quoted } from "../values/urn.ts";
import type { Executor, Run } from "./executor.ts";
import type { Operations } from "./operations.ts";

/** Whether a registration imports: what the state has under its name is nothing, or something else (step_generator.go). */
export const isImport = ({ importId }: Pick<Goal, "importId">, old: State | undefined): boolean =>
  importId !== "" && (old === undefined || old.external === true || (old.importID ?? old.id) !== importId);

export function openImports(run: Run, { perform, step, fail }: Executor, { stamp }: Operations) {
  /**
   * Reads an object as it is and puts it in the state, as if a run before this one had made it.
   * @param base the resource without arguments or outputs
   * @param old what the state had under its name, to be deleted
   * @throws Error where there is no such object
   */
  async function read(base: State, importId: string, old: State | undefined): Promise<State> {
    if (old?.protect && !old.external) {
      const error = new Error(
        `unable to replace resource ${quoted(base.urn)} by what is imported, as it is currently marked for protection; ` +
          `set protect to false and run up first`,
      );
      fail(step("import", { ...base, id: importId }), error);
      throw error;
    }
    const asked = { ...base, id: importId };
    return perform(step("import", asked), asked, undefined, async () => {
      const host = await run.providers.of(base);
      const found = await run.limit(() => host.read(base.urn, importId, {}, undefined));
      if (found.id === "")
        throw new Error(`resource ${quoted(importId)} does not exist, so it can't be imported`);
      if (found.inputs === undefined)
        throw new Error(`the provider of ${base.type} can't import: it answers without arguments`);
      const state: State = {
        ...base,
        id: found.id,
        inputs: found.inputs,
        outputs: found.outputs,
        importID: importId,
        created: stamp(),
        modified: stamp(),
      };
      if (old !== undefined && !old.external) {
        const { protect: _off, ...unprotected } = old;
        await run.ledger.put({ ...unprotected, delete: true }, { over: keyOf(old) });
      }
      await run.ledger.put(state);
      return state;
    });
  }
  return { read };
}
