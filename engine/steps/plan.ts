/** Decides on the step for a resource, from its goal, its old state and the provider's diff. No I/O. */

import type { ProviderDiff } from "../processes/provider.ts";
import { pathSteps } from "../pulumi/path.ts";
import { makeUrn, parseUrn, refuseNoUrn } from "../pulumi/urn.ts";
import type { State } from "../state/snapshot.ts";
import type { Alias, Goal } from "../values/goal.ts";
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

/** The decision for one registration. */
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
  const differs =
    answer === undefined || answer.changes === "unknown"
      ? !equal(old.inputs ?? {}, inputs)
      : answer.changes === "some";
  return differs ? { type: "update", changes: differing } : { type: "same" };
}

/** A resource's type, and the types of its aliases. */
export const typesOf = ({ type, aliases }: Goal): readonly string[] => [
  ...new Set([type, ...aliases.map((alias) => alias.type ?? type)]),
];

/** All URNs under which the state may have a resource: its aliases, and its names under its parent's aliases. */
export function aliasUrns(
  goal: Goal,
  urn: string,
  { stack, project }: { readonly stack: string; readonly project: string },
  parentAliases: readonly string[],
): readonly string[] {
  const own = [...goal.aliasUrns, ...goal.aliases.map((alias) => aliasUrn(alias, goal, stack, project))];
  const names = [goal.name, ...goal.aliases.map(({ name }) => name ?? goal.name)];
  const types = typesOf(goal);
  const inherited = parentAliases.flatMap((parent) =>
    names.flatMap((name) =>
      types.map((type) => makeUrn(stack, project, parent, type, childName(name, goal, parent))),
    ),
  );
  return [...new Set([...own, ...inherited])].filter((alias) => alias !== urn);
}

// A component usually prefixes its children's names with its own: renaming it renames them.
function childName(name: string, goal: Goal, parent: string): string {
  const [now, before] = [parseUrn(goal.parent || parent).name, parseUrn(parent).name];
  return name.startsWith(now) ? before + name.slice(now.length) : name;
}

function aliasUrn(alias: Alias, goal: Goal, stack: string, project: string): string {
  if (alias.urn !== undefined) {
    refuseNoUrn(alias.urn);
    return alias.urn;
  }
  const parent = alias.noParent ? undefined : (alias.parent ?? goal.parent);
  return makeUrn(
    alias.stack ?? stack,
    alias.project ?? project,
    parent,
    alias.type ?? goal.type,
    alias.name ?? goal.name,
  );
}

/** Marks the outputs that additionalSecretOutputs names as secret. */
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

const units: Readonly<Record<string, number>> = {
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
  ms: 1,
  us: 1e-3,
  µs: 1e-3,
  ns: 1e-6,
};
const amounts = /(\d+\.?\d*|\.\d+)(ms|us|µs|ns|h|m|s)/g;

/** Whether a text is a duration in the form of customTimeouts: `5m`, `1h30m`, `20s`; `0` or empty means no limit. */
export const isDuration = (text: string): boolean => text === "0" || text.replace(amounts, "") === "";

/** Milliseconds of a duration; undefined if it is zero or empty. */
export function timeoutMs(text: string | undefined): number | undefined {
  const parts = [...(text ?? "").matchAll(amounts)];
  const sum = parts.reduce((ms, [, amount, unit]) => ms + Number(amount) * (units[unit ?? "s"] ?? 0), 0);
  return sum === 0 ? undefined : sum;
}
