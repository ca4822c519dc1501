/** The order of resources in a state: dependencies first (pkg/resource/deploy/snapshot.go, VerifyIntegrity). */
import { referenceParts } from "../pulumi/urn.ts";
import type { State } from "./snapshot.ts";

/** The URNs that a resource depends on in any way. */
export function allDependencies(state: State): readonly string[] {
  const properties = Object.values(state.propertyDependencies ?? {}).flat();
  const { parent, deletedWith, replaceWith = [], dependencies = [] } = state;
  return [parent, providerOf(state), deletedWith, ...replaceWith, ...dependencies, ...properties].filter(
    (urn): urn is string => urn !== undefined && urn !== "",
  );
}

const providerOf = ({ provider }: State) => provider && referenceParts(provider).urn;

/**
 * Sorts resources so that each comes after its dependencies, and otherwise keeps their order; Pulumi refuses a state in
 * any other order. Dependencies that no longer exist are removed. So is one of each cycle: a resource that this run
 * didn't register may still depend on one that now depends on it.
 * @param isNew whether this run registered the resource, so its dependencies are of this run too and it comes before
 * objects that are still to be deleted. Other resources keep their position behind such objects, which may be their
 * dependencies.
 */
export function sortedByDependencies(
  states: readonly State[],
  isNew: (state: State) => boolean = () => true,
): readonly State[] {
  const { lined, circle } = lineUp(states, isNew);
  const stale = circle && staleNeed(circle, isNew);
  if (stale === undefined) return lined;
  const { of, urn } = stale;
  const freed = keeping(of, (other) => other !== urn);
  return sortedByDependencies(
    states.map((state) => (state === of ? freed : state)),
    (state) => (state === freed ? isNew(of) : isNew(state)),
  );
}

/** @returns the sorted resources, and the first cycle that was found: each depends on the next, the last on the first */
function lineUp(states: readonly State[], isNew: (state: State) => boolean) {
  const byUrn = new Map<string, State>();
  for (const state of states) if (!state.delete || !byUrn.has(state.urn)) byUrn.set(state.urn, state);
  const leftBefore = openLeftovers(states, isNew);
  const placed = new Set<State>();
  const path = new Set<State>();
  const lined: State[] = [];
  let circle: readonly State[] | undefined;
  function* visit(state: State): Generator<State> {
    if (placed.has(state)) return;
    if (path.has(state)) {
      const way = [...path];
      circle ??= way.slice(way.indexOf(state));
      return;
    }
    path.add(state);
    for (const urn of allDependencies(state)) {
      const needed = byUrn.get(urn);
      if (needed !== undefined && needed !== state) yield needed;
    }
    path.delete(state);
    for (const left of leftBefore(state)) if (!path.has(left)) yield left;
    if (placed.has(state)) return;
    placed.add(state);
    const isThere = (urn: string) => byUrn.has(urn);
    lined.push(allDependencies(state).every(isThere) ? state : keeping(state, isThere));
  }
  // An explicit stack, because a chain of dependencies may exceed the call stack.
  const walk = (first: State) => {
    const open = [visit(first)];
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const { done, value } = top.next();
      if (done) open.pop();
      else open.push(visit(value));
    }
  };
  // Pulumi puts objects that are still to be deleted behind their replacements.
  for (const state of states) if (!state.delete) walk(state);
  for (const state of states) walk(state);
  return { lined, circle };
}

/** Objects still to be deleted that stand before a resource this run didn't register: they may be its dependencies. */
function openLeftovers(states: readonly State[], isNew: (state: State) => boolean) {
  const leftovers = states.filter((state) => state.delete === true);
  const places = leftovers.length === 0 ? undefined : new Map(states.map((state, place) => [state, place]));
  const placeOf = (state: State) => places?.get(state) ?? 0;
  return (state: State): readonly State[] => {
    if (leftovers.length === 0 || (state.delete !== true && isNew(state))) return [];
    const needed = new Set(allDependencies(state));
    return leftovers.filter((left) => needed.has(left.urn) && placeOf(left) < placeOf(state));
  };
}

// A dependency other than parent or provider may be removed: an older program may have set it.
function staleNeed(circle: readonly State[], isNew: (state: State) => boolean) {
  const needed = circle.flatMap((of, index) => {
    const { urn } = circle[(index + 1) % circle.length] as State;
    return urn === of.parent || urn === providerOf(of) ? [] : [{ of, urn }];
  });
  return needed.find(({ of }) => !isNew(of)) ?? needed[0];
}

export const withRenamedDependencies = (state: State, names: ReadonlyMap<string, string>): State =>
  allDependencies(state).some((urn) => names.has(urn))
    ? withDependencies(state, (urn) => names.get(urn) ?? urn)
    : state;

const keeping = (state: State, isKept: (urn: string) => boolean): State =>
  withDependencies(state, (urn) => (isKept(urn) ? urn : undefined));

/** @param named the new URN of a dependency; undefined removes it, unless it is the provider */
export function withDependencies(state: State, named: (urn: string) => string | undefined): State {
  const { dependencies, propertyDependencies, deletedWith, replaceWith, parent, ...rest } = state;
  const all = (urns: readonly string[]) => urns.flatMap((urn) => named(urn) ?? []);
  const one = (urn: string | undefined) => (urn === undefined ? undefined : named(urn));
  const properties = Object.entries(propertyDependencies ?? {}).map(
    ([key, urns]) => [key, all(urns)] as const,
  );
  const [above, holder] = [one(parent), one(deletedWith)];
  const { urn, id } = referenceParts(state.provider ?? "");
  return {
    ...rest,
    ...(state.provider && { provider: `${named(urn) ?? urn}::${id}` }),
    ...(above !== undefined && { parent: above }),
    ...(dependencies !== undefined && { dependencies: all(dependencies) }),
    ...(propertyDependencies !== undefined && { propertyDependencies: Object.fromEntries(properties) }),
    ...(holder !== undefined && { deletedWith: holder }),
    ...(replaceWith !== undefined && { replaceWith: all(replaceWith) }),
  };
}
