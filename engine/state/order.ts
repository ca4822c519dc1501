/** The order of a state: each resource behind all that it needs (pkg/resource/deploy/snapshot.go, VerifyIntegrity). */
import { referenceParts } from "../values/urn.ts";
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
 * @param isNew whether this run has written a resource: its needs are the program's
 */
export function ordered(
  states: readonly State[],
  isNew: (state: State) => boolean = () => true,
): readonly State[] {
  const { lined, circle } = lineUp(states);
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
function lineUp(states: readonly State[]) {
  const byUrn = new Map<string, State>();
  for (const state of states) if (!state.delete || !byUrn.has(state.urn)) byUrn.set(state.urn, state);
  const placed = new Set<State>();
  const path = new Set<State>();
  const lined: State[] = [];
  let circle: readonly State[] | undefined;
  const visit = (state: State) => {
    if (placed.has(state)) return;
    if (path.has(state)) {
      const way = [...path];
      circle ??= way.slice(way.indexOf(state));
      return;
    }
    path.add(state);
    for (const urn of needs(state)) {
      const needed = byUrn.get(urn);
      if (needed !== undefined && needed !== state) visit(needed);
    }
    path.delete(state);
    placed.add(state);
    const isThere = (urn: string) => byUrn.has(urn);
    lined.push(needs(state).every(isThere) ? state : keeping(state, isThere));
  };
  // What is only still to be deleted stands behind what took its place, as Pulumi has it.
  for (const state of states) if (!state.delete) visit(state);
  for (const state of states) visit(state);
  return { lined, circle };
}

// A parent and a provider are what a resource is; the rest is what somebody said of it, an older program perhaps.
function staleNeed(circle: readonly State[], isNew: (state: State) => boolean) {
  const needed = circle.flatMap((of, index) => {
    const { urn } = circle[(index + 1) % circle.length] as State;
    return urn === of.parent || urn === providerOf(of) ? [] : [{ of, urn }];
  });
  return needed.find(({ of }) => !isNew(of)) ?? needed[0];
}

function keeping(state: State, isKept: (urn: string) => boolean): State {
  const { dependencies, propertyDependencies, deletedWith, replaceWith, parent, ...rest } = state;
  const kept = (urns: readonly string[]) => urns.filter(isKept);
  const properties = Object.entries(propertyDependencies ?? {}).map(
    ([key, urns]) => [key, kept(urns)] as const,
  );
  return {
    ...rest,
    ...(parent !== undefined && isKept(parent) && { parent }),
    ...(dependencies !== undefined && { dependencies: kept(dependencies) }),
    ...(propertyDependencies !== undefined && { propertyDependencies: Object.fromEntries(properties) }),
    ...(deletedWith !== undefined && isKept(deletedWith) && { deletedWith }),
    ...(replaceWith !== undefined && { replaceWith: kept(replaceWith) }),
  };
}
