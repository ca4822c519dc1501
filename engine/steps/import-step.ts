/** Imports an existing object into the state, for the resource option `import` and for the import command. */

import { parseUrn, quoted, typeOf } from "../pulumi/urn.ts";
import { keyOf } from "../state/journal.ts";
import type { State } from "../state/snapshot.ts";
import type { Goal } from "../values/goal.ts";
import type { Properties } from "../values/values.ts";
import { holderOf } from "./adoption.ts";
import type { Executor, Run } from "./executor.ts";
import type { Operations } from "./operations.ts";

/** No object has the id of an import. */
export class AbsentError extends Error {
  override readonly name = "AbsentError";
  constructor(id: string) {
    super(`resource ${quoted(id)} does not exist, so it can't be imported`);
  }
}

/** Whether a registration imports an object: its `import` id differs from the state's (step_generator.go). */
export const isImport = ({ importId }: Pick<Goal, "importId">, old: State | undefined): boolean =>
  importId !== "" && (old === undefined || old.external === true || (old.importID ?? old.id) !== importId);

export function openImports(run: Run, { perform, step, failWith }: Executor, { stamp }: Operations) {
  /**
   * Reads an object and writes it to the state as if an earlier run had created it.
   * @param base the new state, without id, inputs and outputs
   * @param old the state that the URN had before, to be deleted
   * @param known properties that the provider needs beside the id
   * @throws Error if the object doesn't exist or another resource manages it
   */
  async function read(
    base: State,
    importId: string,
    old: State | undefined,
    known?: Properties,
  ): Promise<State> {
    if (old?.protect && !old.external) {
      failWith(
        step("import", { ...base, id: importId }),
        `unable to replace resource ${quoted(base.urn)} by what is imported, as it is currently marked for protection; ` +
          `set protect to false and run up first`,
      );
    }
    const asked = { ...base, id: importId };
    const holder = holderOf(run.snapshots, asked);
    if (holder !== undefined) {
      failWith(
        step("import", asked),
        `${parseUrn(base.urn).name} can't import ${typeOf(base.urn).split(":").at(-1)} ${importId}: resource ${parseUrn(holder.urn).name} of this stack has it; two resources can't manage one object`,
      );
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
        await run.snapshots.put({ ...unprotected, delete: true }, { over: keyOf(old) });
      }
      await run.snapshots.put(state);
      return state;
    });
  }
  return { read };
}
