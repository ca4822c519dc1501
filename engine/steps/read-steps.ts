/** Reads resources that the program only refers to. A resource that the stack managed before is released. */

import { keyOf } from "../pulumi/journal.ts";
import { kindOf } from "../pulumi/urn.ts";
import type { State } from "../state/snapshot.ts";
import type { Reading, Registered } from "../values/goal.ts";
import { annotateSecrets, equal, unknownText } from "../values/values.ts";
import { duplicateUrn } from "./adoption.ts";
import type { Executor, Run } from "./executor.ts";
import { answer, type Operations } from "./operations.ts";
import { withSecretOutputs } from "./plan.ts";
import type { ProviderResources } from "./provider-resources.ts";

/** @param seen URNs that the program has registered or read in this run */
export function openReadSteps(
  run: Run,
  { perform, step }: Executor,
  { stamp, referenceOf }: Pick<Operations, "stamp"> & Pick<ProviderResources, "referenceOf">,
  seen: Set<string>,
) {
  async function read(reading: Reading, urn: string): Promise<Registered> {
    if (seen.has(urn)) throw duplicateUrn(urn);
    seen.add(urn);
    const provider = await referenceOf(reading);
    const old = run.snapshots.find(urn);
    const isOwn = old !== undefined && !old.external && !old.pendingReplacement;
    // If the stack manages a resource of this URN with another id, that object is deleted with the rest at the end. If
    // the id is the same, the stack releases the object and leaves it as it is (pkg/resource/deploy/step_generator.go,
    // GenerateReadSteps).
    const replaced = isOwn && old.id !== reading.id ? old : undefined;
    const base: State = {
      urn,
      custom: true,
      external: true,
      type: reading.type,
      id: reading.id,
      provider,
      inputs: reading.inputs,
      ...(reading.parent !== "" && { parent: reading.parent }),
      ...(reading.dependencies.length > 0 && { dependencies: reading.dependencies }),
    };
    return perform(step("read", base), base, undefined, async () => {
      const found = await foundBy(reading, base);
      const outs = withSecretOutputs(
        annotateSecrets(found.outputs, reading.inputs),
        reading.additionalSecretOutputs,
      );
      // External resources have no creation time.
      const isChanged = old !== undefined && !(equal(old.inputs, reading.inputs) && equal(old.outputs, outs));
      const state: State = {
        ...base,
        id: found.id,
        outputs: outs,
        ...(old?.created !== undefined && { created: old.created }),
        ...(isChanged ? { modified: stamp() } : old?.modified !== undefined && { modified: old.modified }),
      };
      if (replaced !== undefined)
        await run.snapshots.put({ ...replaced, delete: true }, { over: keyOf(replaced) });
      await run.snapshots.put(state);
      return answer(state);
    });
  }

  async function foundBy({ id, inputs }: Reading, base: State) {
    // A preview doesn't know a resource that the run will create.
    if (run.dryRun && id === unknownText) return { id, outputs: {} };
    const host = await run.providers.of(base);
    const found = await run.limit(() => host.read(base.urn, id, inputs, inputs));
    if (found.id === "")
      throw new Error(`${kindOf(base.urn)} ${id} does not exist; check the id that get was given`);
    return found;
  }

  return { read };
}
