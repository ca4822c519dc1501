/** Decides on the step for a resource, from its goal, its old state and the provider's diff. No I/O. */

import type { ProviderDiff } from "../processes/provider.ts";
import { pathSteps } from "../pulumi/path.ts";
import type { State } from "../state/snapshot.ts";
import type { Goal } from "../values/goal.ts";
import {
  bare,
  type Change,
  changes,
  equal,
  type Properties,
  restore,
  secret,
  touches,
  type Value,
} from "../values/values.ts";

export type Decision =
  | { readonly type: "same" }
  | { readonly type: "create" }
  | { readonly type: "update"; readonly changes: readonly Change[] }
  | {
      readonly type: "replace";
      readonly changes: readonly Change[];
      readonly keys: readonly string[];
      readonly deleteFirst: boolean;
    };

/** Replaces the inputs that `ignoreChanges` names by those of the old state. */
export function withIgnored(goal: Goal, old: State | undefined, inputs: Properties): Properties {
  if (old?.inputs === undefined) return inputs;
  return goal.ignoreChanges.reduce(
    (news, path) => restore(news, old.inputs, pathSteps(path)) as Properties,
    inputs,
  );
}

/** Whether a replacementTrigger has changed; if either value is missing, it hasn't. */
export const isTriggered = (now: Value | undefined, before: Value | undefined): boolean =>
  now !== undefined &&
  now !== null &&
  before !== undefined &&
  before !== null &&
  !equal(bare(now), bare(before));

/** @param keys the properties that force the replacement */
export function decideForced(
  goal: Goal,
  old: State | undefined,
  inputs: Properties,
  keys: readonly string[],
): Decision {
  if (old === undefined || old.pendingReplacement) return { type: "create" };
  const differing = changes(old.inputs ?? {}, inputs);
  return { type: "replace", changes: differing, keys, deleteFirst: goal.deleteBeforeReplace ?? false };
}

/** @param answer the provider's diff; undefined if the resource has no provider */
export function decide(
  goal: Goal,
  old: State | undefined,
  inputs: Properties,
  answer: ProviderDiff | undefined,
): Decision {
  if (old === undefined || old.pendingReplacement) return { type: "create" };
  const differing = changes(old.inputs ?? {}, inputs);
  // A provider that only says that something changed names no paths: Pulumi then compares all inputs with
  // replaceOnChanges (pkg/resource/deploy/step_generator.go, applyReplaceOnChanges).
  const isUnsaid = answer === undefined || answer.changes === "unknown";
  const paths = isUnsaid ? differing.map(({ path }) => path) : (answer.paths ?? []);
  const named = goal.replaceOnChanges.flatMap((pattern) => paths.filter((path) => touches(pattern, path)));
  const replaces = [...(answer?.replaces ?? []), ...named];
  const deleteFirst = goal.deleteBeforeReplace ?? answer?.deleteBeforeReplace ?? false;
  if (replaces.length > 0)
    return { type: "replace", changes: differing, keys: [...new Set(replaces)], deleteFirst };
  // An incomplete resource is updated again, whatever the provider's diff says.
  if ((old.initErrors ?? []).length > 0) return { type: "update", changes: differing };
  const differs = isUnsaid ? !equal(old.inputs ?? {}, inputs) : answer.changes === "some";
  return differs ? { type: "update", changes: differing } : { type: "same" };
}

export function withSecretOutputs(outputs: Properties, names: readonly string[]): Properties {
  const entries = Object.entries(outputs).map(([key, value]): [string, Value] => [
    key,
    names.includes(key) ? secret(value) : value,
  ]);
  return Object.fromEntries(entries);
}

/** Groups states for deletion: each wave is deleted before the waves that it depends on. */
export function deletionWaves(
  states: readonly State[],
  needs: (state: State) => readonly string[],
): readonly (readonly State[])[] {
  const needed = new Map(states.map((state) => [state, new Set(needs(state))]));
  const byUrn = Map.groupBy(states, ({ urn }) => urn);
  const places = new Map(states.map((state, place) => [state, place]));
  // How many of the remaining states depend on each URN.
  const dependents = new Map<string, number>();
  const others = (state: State) => [...(needed.get(state) ?? [])].filter((urn) => urn !== state.urn);
  for (const urn of states.flatMap(others)) dependents.set(urn, (dependents.get(urn) ?? 0) + 1);
  const left = new Set(states);
  const waves: (readonly State[])[] = [];
  for (let next = states.filter(({ urn }) => !dependents.has(urn)); left.size > 0; ) {
    // A program can't create a dependency cycle; a damaged state must not cause an endless loop.
    const wave = next.length > 0 ? next : [...left];
    waves.push(wave);
    for (const state of wave) left.delete(state);
    next = wave
      .flatMap(others)
      .filter((urn) => {
        const count = (dependents.get(urn) ?? 0) - 1;
        dependents.set(urn, count);
        return count === 0;
      })
      .flatMap((urn) => byUrn.get(urn) ?? [])
      .filter((state) => left.has(state))
      .sort((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
  }
  return waves;
}

/**
 * The inputs of a dependent while some of its dependencies are being replaced: properties that depend on them are
 * unknown.
 */
export function inputsAfter(
  state: State,
  replaced: ReadonlySet<string>,
  unknown: Value,
): Properties | undefined {
  const touched = Object.entries(state.propertyDependencies ?? {}).filter(([, urns]) =>
    urns.some((urn) => replaced.has(urn)),
  );
  if (touched.length === 0) return undefined;
  return { ...state.inputs, ...Object.fromEntries(touched.map(([key]) => [key, unknown])) };
}
