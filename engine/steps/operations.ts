/** Performs the operations on one resource (same, create, update, delete) and writes their results to the state. */

import { InitError, RefusedError } from "../processes/provider.ts";
import { keyOf } from "../pulumi/journal.ts";
import { isProviderType, quoted } from "../pulumi/urn.ts";
import { drift } from "../state/masking.ts";
import type { State } from "../state/snapshot.ts";
import type { Op } from "../values/events.ts";
import type { Goal, Registered } from "../values/goal.ts";
import {
  annotateSecrets,
  bareProperties,
  type Change,
  equal,
  type Properties,
  type Value,
} from "../values/values.ts";
import type { Executor, Run, StepParts } from "./executor.ts";
import { timeoutMs } from "./goal-state.ts";
import { isGoing } from "./pending-operations.ts";
import { withSecretOutputs } from "./plan.ts";
import { outputsOf, readAtOnce } from "./provider-reads.ts";

/** The former name of a resource whose object another name takes over. */
export interface Renamed {
  readonly from: string;
}

interface Removal extends StepParts {
  /** Whether the object is created again; until then the state keeps the resource as pending replacement. */
  readonly comesBack?: boolean;
  /** URN of the resource in its `deletedWith`: if that is deleted, no delete of its own is needed. */
  readonly goesWith?: string;
}

/** `discount: 10 => 15`. */
function changeText({ path, old, new: next }: Change): string {
  const text = (value: Value | undefined) => {
    const shown = value === undefined ? "unset" : JSON.stringify(value);
    return shown.length > 80 ? `${shown.slice(0, 80)}...` : shown;
  };
  return `${path}: ${text(old)} => ${text(next)}`;
}

/** The old state of an existing resource, and the key under which the state has it. */
export interface Existing {
  readonly old: State;
  readonly key: string | undefined;
}

export type Operations = ReturnType<typeof openOperations>;

export const answer = (state: State): Registered => ({
  urn: state.urn,
  id: state.id,
  properties: state.outputs ?? {},
});

/** Returns why a resource can't be deleted. */
function undeletable(
  { urn, protect, resourceHooks = {} }: State,
  comesBack: boolean,
  passesHooks: boolean,
): string | undefined {
  if (protect && !comesBack)
    return `resource ${quoted(urn)} cannot be deleted because it is protected; set protect to false and run up first`;
  const hooks = [...(resourceHooks.BeforeDelete ?? []), ...(resourceHooks.AfterDelete ?? [])];
  if (passesHooks || hooks.length === 0) return undefined;
  return `resource ${quoted(urn)} has hooks of its delete (${hooks.join(", ")}), which the embedded engine doesn't run; use --engine pulumi`;
}

/** Whether a delete leaves the object in place; the provider sets the output for objects that it leaves. */
export const isRetained = ({ retainOnDelete, outputs }: State): boolean =>
  retainOnDelete === true || outputs?.__retained === true;

/** @param deleting URNs that this run deletes; resources with such a `deletedWith` need no delete of their own */
export function openOperations(run: Run, executor: Executor, deleting: ReadonlySet<string>) {
  const { perform, failWith, step } = executor;
  const stamp = () => run.now().toISOString();
  const stamps = (old: State | undefined) => ({
    created: old?.created ?? stamp(),
    modified: old?.modified ?? stamp(),
  });

  async function same(
    state: State,
    old: State,
    key: string | undefined,
    renamed?: Renamed,
  ): Promise<Registered> {
    const kept: State = {
      ...state,
      outputs: finish(old.outputs ?? {}, state),
      ...stamps(old),
    };
    await perform(step(renamed === undefined ? "same" : "rename", kept, renamed), kept, undefined, () =>
      run.snapshots.put(kept, { over: key }),
    );
    return answer(kept);
  }

  /** @param over the key of the state that it replaces, if any */
  async function create(
    goal: Goal,
    state: State,
    over: string | undefined,
    { op, changes: changed = [], ...more }: StepParts & { readonly op: Op },
  ): Promise<Registered> {
    const { id: _id, created: _created, modified: _modified, ...fresh } = state;
    const it = step(op, fresh, { changes: changed, ...more });
    return perform(it, fresh, "creating", async (end) => {
      const host = await run.providers.of(fresh);
      if (run.dryRun) {
        const inputs = fresh.inputs ?? {};
        const { outputs } = host.previews
          ? await host.create(fresh.urn, inputs, { preview: true })
          : { outputs: inputs };
        return planned(fresh, outputs, over);
      }
      return written(
        () => host.create(fresh.urn, fresh.inputs ?? {}, { timeoutMs: timeoutMs(goal.timeouts.create) }),
        ({ id, outputs }) => ({ ...fresh, id, outputs: finish(outputs, fresh), ...stamps(undefined) }),
        { over, end },
      );
    });
  }

  /** A preview's result; what is secret is as secret in it as in a run's. */
  async function planned(state: State, outs: Properties, over: string | undefined): Promise<Registered> {
    const made = { ...state, outputs: finish(outs, state) };
    await run.snapshots.put(made, { over });
    return answer(made);
  }

  /** Calls the provider and writes its result to the state, also if it left an incomplete object. */
  async function written<Made extends { readonly outputs: Properties }>(
    call: () => Promise<Made>,
    done: (made: Made | { readonly id: string; readonly outputs: Properties }) => State,
    at: { readonly over: string | undefined; readonly end: number | undefined },
  ): Promise<Registered> {
    try {
      const result = done(await call());
      await run.snapshots.put(result, at);
      return answer(result);
    } catch (error) {
      if (!(error instanceof InitError)) throw error;
      const { id, properties, reasons } = error.failure;
      await run.snapshots.put({ ...done({ id, outputs: properties }), initErrors: reasons }, at);
      throw error;
    }
  }

  // The provider's outputs carry no secret marks: restore those of the inputs and of additionalSecretOutputs.
  const finish = (outs: Properties, state: State) =>
    withSecretOutputs(annotateSecrets(outs, state.inputs ?? {}), state.additionalSecretOutputs ?? []);

  async function update(
    goal: Goal,
    state: State,
    { old, key }: Existing,
    {
      changes: changed,
      renamed,
    }: { readonly changes: readonly Change[]; readonly renamed: Renamed | undefined },
  ): Promise<Registered> {
    return perform(
      step(renamed === undefined ? "update" : "rename", state, {
        old,
        changes: changed,
        ...((old.initErrors ?? []).length > 0 && {
          unfinished: true as const,
          missing: old.initErrors ?? [],
        }),
        ...renamed,
      }),
      // If this update is interrupted, the next run finds its inputs in the journal.
      { ...old, inputs: state.inputs ?? {} },
      "updating",
      async (end) => {
        const [olds, inputs] = [outputsOf(run, old), state.inputs ?? {}];
        const host = await run.providers.of(state);
        const beside = { news: inputs, oldInputs: old.inputs, ignoreChanges: goal.ignoreChanges };
        if (run.dryRun) {
          const { outputs } = host.previews
            ? await host.update(state.urn, state.id ?? "", olds, { ...beside, preview: true })
            : { outputs: inputs };
          return planned(state, outputs, key);
        }
        return written(
          () =>
            host.update(state.urn, state.id ?? "", olds, {
              ...beside,
              timeoutMs: timeoutMs(goal.timeouts.update),
            }),
          ({ outputs }) => ({
            ...state,
            outputs: finish(outputs, state),
            created: old.created ?? stamp(),
            modified: stamp(),
          }),
          { over: key, end },
        );
      },
    ).catch((error: unknown) => {
      if (error instanceof RefusedError) return keep(old, key);
      throw error;
    });
  }

  /** Leaves a resource unchanged under its present name: a step that the provider refused doesn't affect others. */
  async function keep(old: State, key: string | undefined): Promise<Registered> {
    await run.snapshots.put(old, { over: key });
    return answer(old);
  }

  async function remove(
    state: State,
    op: Op,
    { comesBack = false, goesWith, ...more }: Removal = {},
  ): Promise<void> {
    const isLeft = isRetained(state);
    const free =
      state.external ||
      isLeft ||
      !state.custom ||
      isProviderType(state.type) ||
      (state.deletedWith !== undefined &&
        (deleting.has(state.deletedWith) || state.deletedWith === goesWith));
    // Resources with `deletedWith` are gone as well; only these objects remain.
    const stays = state.external === true || isLeft;
    const it = step(op, state, { ...more, ...(stays && { stays: true as const }) });
    const why = undeletable(state, comesBack, run.passesHooks);
    if (why !== undefined) failWith(it, why);
    await perform(it, state, "deleting", async (end) => {
      if (run.looksBeforeDelete && !free) await lookAt(state);
      if (!run.dryRun && !free) {
        const host = await run.providers.of(state);
        await host.delete(state.urn, state.id ?? "", outputsOf(run, state), {
          timeoutMs: secondsMs(state.customTimeouts?.delete),
        });
      }
      if (comesBack)
        await run.snapshots.put({ ...state, pendingReplacement: true }, { over: keyOf(state), end });
      else await run.snapshots.drop(state, end);
    });
  }

  /** Reads a resource that a preview would delete, and refuses the delete if the object has changed. */
  async function lookAt(state: State): Promise<void> {
    const host = await run.providers.of(state);
    const found = await readAtOnce(run, state);
    if (!isGoing(run, state)) run.looked.count += 1;
    if (!isGoing(run, state) && found.id === "") run.looked.gone += 1;
    if (found.keeps !== undefined && found.keeps !== "") throw new RefusedError(found.keeps);
    if (found.keeps !== undefined) return;
    // An incomplete resource differs from its inputs without anybody's edit: the provider compares it with the outputs.
    if (state.initErrors !== undefined || found.id === "" || found.inputs === undefined) return;
    // An incomplete update left inputs that the object never had: if the outputs are unchanged, so is the object.
    if (equal(bareProperties(found.outputs), bareProperties(state.outputs ?? {}))) return;
    const verdict = await host.diff(state.urn, state.id ?? "", found.outputs, {
      news: state.inputs ?? {},
      oldInputs: found.inputs,
    });
    if (verdict.changes === "none") return;
    const { outputs: _outputs, ...rest } = state;
    const changed = drift(state, { ...rest, inputs: annotateSecrets(found.inputs, state.inputs ?? {}) });
    if (changed.length === 0) return;
    throw new RefusedError(
      `was changed since the last run, so it is not deleted: ${changed.map(changeText).join("; ")}`,
    );
  }

  const secondsMs = (seconds: number | undefined) => (seconds ? seconds * 1000 : undefined);

  return {
    stamp,
    stamps,
    same,
    create,
    update,
    remove,
    keep,
  };
}
