/** Imports existing objects by their ids, before a program registers them (pkg/resource/deploy/import.go). */

import { keyOf } from "../pulumi/journal.ts";
import { makeUrn, parseUrn, quoted, stackType, typeOf } from "../pulumi/urn.ts";
import type { State } from "../state/snapshot.ts";
import type { Goal } from "../values/goal.ts";
import { anySource } from "../values/plugin-source.ts";
import type { Properties } from "../values/values.ts";
import { holderOf } from "./adoption.ts";
import type { Executor, Run } from "./executor.ts";
import type { Operations } from "./operations.ts";
import type { ProviderResources } from "./provider-resources.ts";

export interface Import {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  /** The URN of its parent; by default the stack. */
  readonly parent?: string | undefined;
  /** The URN of its provider; by default the package's default provider. */
  readonly provider?: string | undefined;
  readonly protect: boolean;
  /** Properties that the provider needs beside the id; a dynamic resource's include its provider. */
  readonly known?: Properties | undefined;
}

interface Parts {
  readonly executor: Executor;
  readonly operations: Operations;
  readonly providers: Pick<ProviderResources, "referenceOf">;
  readonly imports: ReturnType<typeof openImports>;
}

export const urnOfImport = (
  stack: string,
  project: string,
  { parent, type, name }: Pick<Import, "parent" | "type" | "name">,
): string => makeUrn(stack, project, parent, type, name);

/** @throws Error if two imports have the same URN */
function importsByUrn({ stack, project }: Run, wanted: readonly Import[]): ReadonlyMap<string, Import> {
  const byUrn = new Map<string, Import>();
  for (const one of wanted) {
    const urn = urnOfImport(stack, project, one);
    if (byUrn.has(urn))
      throw new Error(`${quoted(urn)} is imported twice; give each resource a name of its own`);
    byUrn.set(urn, one);
  }
  return byUrn;
}

/**
 * Imports objects into the state. If one fails, only its children fail, too.
 * @param wanted parents before their children
 */
export async function importAll(
  run: Run,
  { executor, operations, providers, imports }: Parts,
  wanted: readonly Import[],
): Promise<void> {
  const byUrn = importsByUrn(run, wanted);
  const stack = await stackItself();
  const begun = new Map<string, Promise<unknown>>();
  // Parents come before their children, here and in the state.
  for (const [urn, one] of byUrn)
    begun.set(
      urn,
      executor.reportOnce(urn, async () => {
        await begun.get(one.parent ?? "")?.catch(() => undefined);
        await importOne(one, urn);
      }),
    );
  await Promise.allSettled(begun.values());

  async function stackItself(): Promise<string> {
    const known = run.snapshots.states().find(({ type }) => type === stackType);
    if (known !== undefined) return known.urn;
    const urn = makeUrn(run.stack, run.project, undefined, stackType, `${run.project}-${run.stack}`);
    const state: State = { urn, custom: false, type: stackType, ...operations.stamps(undefined) };
    await run.snapshots.put(state);
    return urn;
  }

  async function importOne({ id, type, parent, provider, protect, known }: Import, urn: string) {
    const { name } = parseUrn(urn);
    if (parent !== undefined && run.snapshots.find(parent) === undefined)
      throw new Error(`the parent of ${name}, ${quoted(parent)}, is not in the state`);
    const there = run.snapshots.find(urn);
    if (there !== undefined && (there.importID ?? there.id) === id) {
      run.watch({ type: "message", severity: "info", text: "is in the state already", urn });
      return;
    }
    if (there !== undefined)
      throw new Error(
        `the state has a resource of this name already, with the id ${there.id}: give the imported object another name`,
      );
    const reference = provider === undefined ? "" : referenceOf(name, provider);
    const base: State = {
      urn,
      custom: true,
      type,
      parent: parent ?? stack,
      provider: await providers.referenceOf({ type, provider: reference, source: anySource }),
      ...(protect && { protect: true }),
    };
    await warnOfWrong(await imports.read(base, id, undefined, known));
  }

  /** @throws Error if the state doesn't have the provider */
  function referenceOf(name: string, provider: string): string {
    const state = run.snapshots.find(provider);
    if (state?.id !== undefined) return `${provider}::${state.id}`;
    throw new Error(`the provider of ${name}, ${quoted(provider)}, is not in the state; run up to create it`);
  }

  // An object may have values that a program can't set: it is imported with a warning.
  async function warnOfWrong(state: State): Promise<void> {
    const host = await run.providers.of(state);
    const { failures } = await host.check(state.urn, state.inputs ?? {}, state.inputs ?? {});
    for (const { property, reason } of failures)
      run.watch({
        type: "message",
        severity: "warning",
        text: `the imported ${property} ${reason}; edit it in the program`,
        urn: state.urn,
      });
  }
}

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
        `unable to replace resource ${quoted(base.urn)} with the imported object, as it is currently marked for protection; ` +
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
      const found = await run.limit(() => host.read(base.urn, importId, undefined, known));
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
