/**
 * Replaces resources: creates the new object first, or with deleteBeforeReplace deletes the old ones first, dependents
 * before their dependencies.
 */

import { RefusedError } from "../processes/provider.ts";
import { keyOf } from "../pulumi/journal.ts";
import { quoted } from "../pulumi/urn.ts";
import { allDependencies } from "../state/dependency-order.ts";
import type { State } from "../state/snapshot.ts";
import type { Step } from "../values/events.ts";
import type { Goal, Registered } from "../values/goal.ts";
import { type Change, unknownText } from "../values/values.ts";
import type { Executor, Run } from "./executor.ts";
import { type Existing, isRetained, type Operations } from "./operations.ts";
import { type Decision, deletionWaves, inputsAfter } from "./plan.ts";

/** @param seen URNs that the program has registered in this run */
export function openReplacements(
  run: Run,
  { step, failWith, performWhole }: Executor,
  { create, remove, keep }: Operations,
  seen: ReadonlySet<string>,
) {
  const deletedFirst = new Set<string>();
  const replaced = new Set<string>();
  const leaving = new Set<string>();

  /** @throws Error if the resource is protected in both state and goal */
  function refuseProtected(it: Step, goal: Goal, old: State): void {
    if (!old.protect || !goal.protect) return;
    failWith(
      it,
      `unable to replace resource ${quoted(it.urn)} as it is currently marked for protection; set protect to false and run up first`,
    );
  }

  async function replace(
    goal: Goal,
    state: State,
    { old, key }: Existing,
    decision: Extract<Decision, { type: "replace" }>,
  ): Promise<Registered> {
    const it = step("replace", state, {
      old,
      changes: decision.changes,
      replaces: decision.keys,
      ...(isRetained(old) && { stays: true }),
    });
    refuseProtected(it, goal, old);
    const dependents = decision.deleteFirst ? await condemnedWith(it, old) : [];
    replaced.add(state.urn);
    let isGone = false;
    try {
      return await performWhole(it, async () => {
        if (!decision.deleteFirst) return await createFirst(goal, state, { old, key }, decision.changes);
        // The delete and the create must have the same URN.
        if (key !== undefined && key !== keyOf(old)) await run.snapshots.put(old, { over: key });
        await deleteFirst(old, [old, ...dependents]);
        isGone = true;
        return await successor(goal, state, decision.changes);
      });
    } catch (error) {
      // The provider refused the delete: the resource stays and others aren't affected.
      if (decision.deleteFirst && !isGone && error instanceof RefusedError) return keep(old, key);
      throw error;
    }
  }

  const successor = (goal: Goal, state: State, changed: readonly Change[]): Promise<Registered> =>
    create(goal, state, undefined, { op: "create-replacement", changes: changed, partOf: "replace" });

  /** Creates the new object; the old one is deleted at the end of the run. */
  async function createFirst(
    goal: Goal,
    state: State,
    { old, key }: Existing,
    changed: readonly Change[],
  ): Promise<Registered> {
    const { protect: _off, ...unprotected } = old;
    const last: State = { ...unprotected, delete: true };
    if (key !== undefined) await run.snapshots.put(last, { over: key });
    leaving.add(keyOf(last));
    try {
      return await successor(goal, state, changed);
    } catch (error) {
      // No new object was created: the old one stays in use.
      if (run.snapshots.find(state.urn) === undefined) await run.snapshots.put(old, { over: keyOf(last) });
      throw error;
    }
  }

  /**
   * The resources to delete before one with deleteBeforeReplace: those in its `deletedWith`, and those that a change of
   * its outputs would replace (pkg/resource/deploy/step_generator.go, calculateDependentReplacements).
   */
  async function dependentsOf(old: State): Promise<readonly State[]> {
    const gone = new Map([[old.urn, old]]);
    for (const state of run.snapshots.states()) {
      if (!state.custom || state.external || state.delete || gone.has(state.urn) || seen.has(state.urn))
        continue;
      // It was already deleted because of another resource.
      if (state.pendingReplacement) continue;
      if (state.deletedWith !== undefined && gone.has(state.deletedWith)) gone.set(state.urn, state);
      // Its other replaceWith dependencies are handled when it is registered.
      if (state.replaceWith?.includes(old.urn)) gone.set(state.urn, state);
      const inputs = inputsAfter(state, new Set(gone.keys()), unknownText);
      if (inputs === undefined || state.id === undefined || gone.has(state.urn)) continue;
      const host = await run.providers.of(state);
      const verdict = await host.diff(state.urn, state.id, state.outputs ?? {}, {
        news: inputs,
        oldInputs: state.inputs,
      });
      if (verdict.replaces.length > 0) gone.set(state.urn, state);
    }
    gone.delete(old.urn);
    return [...gone.values()];
  }

  /** @throws Error if one of the dependents is protected */
  async function condemnedWith(it: Step, old: State): Promise<readonly State[]> {
    const dependents = await dependentsOf(old);
    const kept = dependents.find(({ protect }) => protect);
    if (kept === undefined) return dependents;
    return failWith(
      it,
      `unable to replace resource ${quoted(kept.urn)} as part of replacing ${quoted(it.urn)} as it is currently marked for protection; set protect to false and run up first`,
    );
  }

  /** @param condemned the resources to delete, with or without the old one itself */
  async function deleteFirst(old: State, condemned: readonly State[]): Promise<void> {
    for (const wave of deletionWaves(condemned, allDependencies)) {
      await Promise.all(
        wave.map(async (state) => {
          await remove(state, "delete-replaced", {
            comesBack: true,
            ...(condemned.includes(old) && { goesWith: old.urn }),
            ...(state.urn === old.urn && { partOf: "replace" as const }),
          });
          deletedFirst.add(state.urn);
        }),
      );
    }
  }

  return {
    replace,
    /**
     * Continues a replacement whose old object an earlier run deleted: handles the resources that are replaced or
     * deleted with it.
     * @throws Error if the resource is protected
     */
    async goOn(goal: Goal, state: State, old: State | undefined): Promise<void> {
      if (old?.pendingReplacement !== true || deletedFirst.has(state.urn)) return;
      const it = step("replace", state, { old });
      refuseProtected(it, goal, old);
      const dependents = goal.deleteBeforeReplace === true ? await condemnedWith(it, old) : [];
      replaced.add(state.urn);
      await deleteFirst(old, dependents);
    },
    /** Whether this run replaces a resource, which also replaces resources that name it in deletedWith or replaceWith. */
    isReplaced: (urn: string) => replaced.has(urn) || deletedFirst.has(urn),
    /** Whether this run deleted a resource that it will create again. */
    isDeletedFirst: (urn: string) => deletedFirst.has(urn),
    /** Whether a state is the old object of a replacement in this run, still to be deleted. */
    isLeaving: (state: State) => leaving.has(keyOf(state)),
  };
}
