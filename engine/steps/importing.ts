/** Objects that are there and come under the program: by the resource option import, or on a person's word. */

import { parseUrn, quoted, typeOf } from "../pulumi/urn.ts";
import { keyOf } from "../state/journal.ts";
import type { State } from "../state/snapshot.ts";
import type { Goal } from "../values/goal.ts";
import type { Properties } from "../values/values.ts";
import type { Executor, Run } from "./executor.ts";
import type { Operations } from "./operations.ts";
import { holderOf } from "./takeovers.ts";

/** Nothing has the id that was to be imported. */
export class AbsentError extends Error {
  override readonly name = "AbsentError";
  constructor(id: string) {
    super(`resource ${quoted(id)} does not exist, so it can't be imported`);
  }
}

/** Whether a registration imports: what the state has under its name is nothing, or something else (step_generator.go). */
export const isImport = ({ importId }: Pick<Goal, "importId">, old: State | undefined): boolean =>
  importId !== "" && (old === undefined || old.external === true || (old.importID ?? old.id) !== importId);

export function openImports(run: Run, { perform, step, fail }: Executor, { stamp }: Operations) {
  /**
   * Reads an object as it is and puts it in the state, as if a run before this one had made it.
   * @param base the resource as the state shall have it, without id, arguments and outputs
   * @param old what the state had under its name, to be deleted
   * @param known what its provider needs to read it, beside the id
   * @throws Error where there is no such object, or another resource has it
   */
  async function read(
    base: State,
    importId: string,
    old: State | undefined,
    known?: Properties,
  ): Promise<State> {
    if (old?.protect && !old.external) {
      const error = new Error(
        `unable to replace resource ${quoted(base.urn)} by what is imported, as it is currently marked for protection; ` +
          `set protect to false and run up first`,
      );
      fail(step("import", { ...base, id: importId }), error);
      throw error;
    }
    const asked = { ...base, id: importId };
    const holder = holderOf(run.ledger, asked);
    if (holder !== undefined) {
      const error = new Error(
        `${parseUrn(base.urn).name} can't import ${typeOf(base.urn).split(":").at(-1)} ${importId}: resource ${parseUrn(holder.urn).name} of this stack has it; two resources can't manage one object`,
      );
      fail(step("import", asked), error);
      throw error;
    }
    return perform(step("import", asked), asked, undefined, async () => {
      const host = await run.providers.of(base);
      const found = await run.limit(() => host.read(base.urn, importId, {}, known));
      if (found.id === "") throw new AbsentError(importId);
      if (found.inputs === undefined)
        throw new Error(`the provider of ${base.type} can't import: it answers without arguments`);
      const state: State = {
        ...base,
        id: found.id,
        inputs: found.inputs,
        outputs: found.outputs,
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
