/** What to do with a resource: pure decisions over the goal, the old state and the provider's answers. */

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

/** What a resource's registration comes to. */
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

/** The inputs with what the program wants ignored taken from the state. */
export function withIgnored(goal: Goal, old: State | undefined, inputs: Properties): Properties {
  if (old?.inputs === undefined) return inputs;
  return goal.ignoreChanges.reduce(
    (news, path) => restore(news, old.inputs, pathSteps(path)) as Properties,
    inputs,
  );
}

/** Whether another value replaces the resource; where either has none, nothing does. */
export const isTriggered = (now: Value | undefined, before: Value | undefined): boolean =>
  now !== undefined &&
  now !== null &&
  before !== undefined &&
  before !== null &&
  !equal(bare(now), bare(before));

/** @param keys for what it is replaced, whatever its provider answers */
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

/** @param answer undefined where there is no provider to ask */
export function decide(
  goal: Goal,
  old: State | undefined,
  inputs: Properties,
  answer: ProviderDiff | undefined,
): Decision {
  if (old === undefined || old.pendingReplacement) return { type: "create" };
  const differing = changes(old.inputs ?? {}, inputs);
  // Of a provider that only says that something changed, Pulumi knows no keys to compare with
  // (pkg/resource/deploy/step_generator.go, applyReplaceOnChanges).
  const isUnsaid = answer === undefined || answer.changes === "unknown";
  const paths = isUnsaid ? differing.map(({ path }) => path) : (answer.paths ?? []);
  const named = goal.replaceOnChanges.flatMap((pattern) => paths.filter((path) => touches(pattern, path)));
  const replaces = [...(answer?.replaces ?? []), ...named];
  const deleteFirst = goal.deleteBeforeReplace ?? answer?.deleteBeforeReplace ?? false;
  if (replaces.length > 0)
    return { type: "replace", changes: differing, keys: [...new Set(replaces)], deleteFirst };
  // A half-made resource is tried again, whatever the provider thinks of its arguments.
  if ((old.initErrors ?? []).length > 0) return { type: "update", changes: differing };
  const differs =
    answer === undefined || answer.changes === "unknown"
      ? !equal(old.inputs ?? {}, inputs)
      : answer.changes === "some";
  return differs ? { type: "update", changes: differing } : { type: "same" };
}

/** The type of a resource, and those that its aliases say it had. */
export const typesOf = ({ type, aliases }: Goal): readonly string[] => [
  ...new Set([type, ...aliases.map((alias) => alias.type ?? type)]),
];

/** All urns under which a resource may stand in the state: its own aliases, and its own name under its parent's. */
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

// A component usually puts its own name before its children's: a renamed one renames them.
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

/** Outputs with those marked that the program wants secret. */
export function withSecretOutputs(outputs: Properties, names: readonly string[]): Properties {
  const entries = Object.entries(outputs).map(([key, value]): [string, Value] => [
    key,
    names.includes(key) ? secret(value) : value,
  ]);
  return Object.fromEntries(entries);
}

/** States in the order in which they can be deleted: each wave needs nothing of the waves after it. */
export function deletionWaves(
  states: readonly State[],
  needs: (state: State) => readonly string[],
): readonly (readonly State[])[] {
  const needed = new Map(states.map((state) => [state, new Set(needs(state))]));
  const byUrn = Map.groupBy(states, ({ urn }) => urn);
  const places = new Map(states.map((state, place) => [state, place]));
  // How many of those that are left need it.
  const dependents = new Map<string, number>();
  const others = (state: State) => [...(needed.get(state) ?? [])].filter((urn) => urn !== state.urn);
  for (const urn of states.flatMap(others)) dependents.set(urn, (dependents.get(urn) ?? 0) + 1);
  const left = new Set(states);
  const waves: (readonly State[])[] = [];
  for (let next = states.filter(({ urn }) => !dependents.has(urn)); left.size > 0; ) {
    // Two that need each other can't come of a program; a damaged state must not hang.
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

/** The old inputs with those unknown that depend on one of these resources: what a replacement does to a dependent. */
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

/** Whether a text is a duration as Pulumi's options state it: `5m`, `1h30m`, `20s`; `0`, and none, is no bound. */
export const isDuration = (text: string): boolean => text === "0" || text.replace(amounts, "") === "";

/** Milliseconds of a duration; undefined of none. */
export function timeoutMs(text: string | undefined): number | undefined {
  const parts = [...(text ?? "").matchAll(amounts)];
  const sum = parts.reduce((ms, [, amount, unit]) => ms + Number(amount) * (units[unit ?? "s"] ?? 0), 0);
  return sum === 0 ? undefined : sum;
}
