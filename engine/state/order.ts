/** The order of a state: each resource behind all that it needs (pkg/resource/deploy/snapshot.go, VerifyIntegrity). */
import { referenceParts } from "../pulumi/urn.ts";
import type { State } from "./snapshot.ts";

/** What a resource needs before it. */
export function needs(state: State): readonly string[] {
  const properties = Object.values(state.propertyDependencies ?? {}).flat();
  const { parent, deletedWith, replaceWith = [], dependencies = [] } = state;
  return [parent, providerOf(state), deletedWith, ...replaceWith, ...dependencies, ...properties].filter(
    (urn): urn is string => urn !== undefined && urn !== "",
  );
}

const providerOf = ({ provider }: State) => provider && referenceParts(provider).urn;

/**
 * Resources so that each stands behind all that it needs, otherwise in their order; needs that are gone are
 * forgotten, and so is what would go round in a circle: what stays as an old program had it may need what the new one
 * has made of it. Pulumi refuses a state in any other order.
 * @param isNew whether a resource is as this run's program has it: its needs are of what the program made, so that it
 * comes before what is only still to be deleted. All else stays where it stood, for it may need that: what an engine finds
 * behind a resource it takes for nothing that the resource needs
 */
export function ordered(
  states: readonly State[],
  isNew: (state: State) => boolean = () => true,
): readonly State[] {
  const { lined, circle } = lineUp(states, isNew);
  const stale = circle && staleNeed(circle, isNew);
  if (stale === undefined) return lined;
  const { of, urn } = stale;
  const freed = keeping(of, (other) => other !== urn);
  return ordered(
    states.map((state) => (state === of ? freed : state)),
    (state) => (state === freed ? isNew(of) : isNew(state)),
  );
}

/** @returns with the first circle that was met, where there is one: each needs the next, and the last the first */
function lineUp(states: readonly State[], isNew: (state: State) => boolean) {
  const byUrn = new Map<string, State>();
  for (const state of states) if (!state.delete || !byUrn.has(state.urn)) byUrn.set(state.urn, state);
  const leftBefore = openLeftovers(states, isNew);
  const placed = new Set<State>();
  const path = new Set<State>();
  const lined: State[] = [];
  let circle: readonly State[] | undefined;
  /** Yields what is to be visited before it goes on. */
  function* visit(state: State): Generator<State> {
    if (placed.has(state)) return;
    if (path.has(state)) {
      const way = [...path];
      circle ??= way.slice(way.indexOf(state));
      return;
    }
    path.add(state);
    for (const urn of needs(state)) {
      const needed = byUrn.get(urn);
      if (needed !== undefined && needed !== state) yield needed;
    }
    path.delete(state);
    for (const left of leftBefore(state)) if (!path.has(left)) yield left;
    if (placed.has(state)) return;
    placed.add(state);
    const isThere = (urn: string) => byUrn.has(urn);
    lined.push(needs(state).every(isThere) ? state : keeping(state, isThere));
  }
  // A chain of needs may be longer than the stack of calls is deep.
  const walk = (first: State) => {
    const open = [visit(first)];
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const { done, value } = top.next();
      if (done) open.pop();
      else open.push(visit(value));
    }
  };
  // What is only still to be deleted stands behind what took its place, as Pulumi has it.
  for (const state of states) if (!state.delete) walk(state);
  for (const state of states) walk(state);
  return { lined, circle };
}

/** What was to be deleted and stands before a resource that isn't as the program has it now: that may need it. */
function openLeftovers(states: readonly State[], isNew: (state: State) => boolean) {
  const leftovers = states.filter((state) => state.delete === true);
  const places = leftovers.length === 0 ? undefined : new Map(states.map((state, place) => [state, place]));
  const placeOf = (state: State) => places?.get(state) ?? 0;
  return (state: State): readonly State[] => {
    if (leftovers.length === 0 || (state.delete !== true && isNew(state))) return [];
    const needed = new Set(needs(state));
    return leftovers.filter((left) => needed.has(left.urn) && placeOf(left) < placeOf(state));
  };
}

// A parent and a provider are what a resource is; the rest is what somebody said of it, an older program perhaps.
function staleNeed(circle: readonly State[], isNew: (state: State) => boolean) {
  const needed = circle.flatMap((of, index) => {
    const { urn } = circle[(index + 1) % circle.length] as State;
    return urn === of.parent || urn === providerOf(of) ? [] : [{ of, urn }];
  });
  return needed.find(({ of }) => !isNew(of)) ?? needed[0];
}

/** A state that names others by the names they have now. */
export function following(state: State, names: ReadonlyMap<string, string>): State {
  if (!needs(state).some((urn) => names.has(urn))) return state;
  const { provider } = state;
  const { urn, id } = referenceParts(provider ?? "");
  const renamed = names.get(urn);
  return {
    ...naming(state, (other) => [names.get(other) ?? other]),
    ...(renamed !== undefined && { provider: `${renamed}::${id}` }),
  };
}

const keeping = (state: State, isKept: (urn: string) => boolean): State =>
  naming(state, (urn) => (isKept(urn) ? [urn] : []));

/** @param named the urn to say in the place of another, or none */
function naming(state: State, named: (urn: string) => readonly string[]): State {
  const { dependencies, propertyDependencies, deletedWith, replaceWith, parent, ...rest } = state;
  const all = (urns: readonly string[]) => urns.flatMap(named);
  const one = (urn: string | undefined) => (urn === undefined ? undefined : named(urn)[0]);
  const properties = Object.entries(propertyDependencies ?? {}).map(
    ([key, urns]) => [key, all(urns)] as const,
  );
  const [above, holder] = [one(parent), one(deletedWith)];
  return {
    ...rest,
    ...(above !== undefined && { parent: above }),
    ...(dependencies !== undefined && { dependencies: all(dependencies) }),
    ...(propertyDependencies !== undefined && { propertyDependencies: Object.fromEntries(properties) }),
    ...(holder !== undefined && { deletedWith: holder }),
    ...(replaceWith !== undefined && { replaceWith: all(replaceWith) }),
  };
}
