/** Moves resources from one stack's state to another's; their objects stay as they are. */

import { removePendingMove, writePendingMove } from "../pulumi/pending-move.ts";
import {
  isDefaultProvider,
  isProviderType,
  makeUrn,
  parseUrn,
  referenceParts,
  stackType,
} from "../pulumi/urn.ts";
import { allDependencies, sortedByDependencies } from "../state/dependency-order.ts";
import { type Lock, underLock } from "../state/lock.ts";
import type { Snapshot, State } from "../state/snapshot.ts";
import { load, recover, save } from "../state/state-file.ts";
import { found, withUrns } from "./edit.ts";
import { locksOf, type Stack } from "./stack.ts";

export interface Move {
  readonly from: Stack;
  readonly to: Stack;
}

/**
 * Moves resources, and with a component all its children.
 * @param named names or URNs
 * @param check inspects the resources before anything is written
 * @returns the URNs that they had
 * @throws Error if resources that stay and those that move depend on each other, if the target state has them already,
 * or if a run was interrupted
 */
export function moveResources(
  { from, to }: Move,
  named: readonly string[],
  check: (leaving: readonly State[]) => void,
): Promise<readonly string[]> {
  if (from.paths.state === to.paths.state)
    throw new Error(`they are in the stack ${from.name} already: name another stack`);
  const isFirst = from.paths.locks < to.paths.locks;
  const [one, two] = isFirst ? [from, to] : [to, from];
  // Locks in a fixed order: two opposite moves would wait for each other otherwise.
  return underLock(locksOf(one), (lock) =>
    underLock(locksOf(two), (other) => {
      const locks = isFirst ? { from: lock, to: other } : { from: other, to: lock };
      return move({ from, to }, { named, check, locks });
    }),
  );
}

interface Work {
  readonly named: readonly string[];
  readonly check: (leaving: readonly State[]) => void;
  readonly locks: Readonly<Record<"from" | "to", Lock>>;
}

function move({ from, to }: Move, { named, check, locks }: Work): readonly string[] {
  const [here, there] = [load(from), load(to)];
  for (const [stack, { pending }] of [
    [from, here],
    [to, there],
  ] as const)
    if (pending.length > 0)
      throw new Error(`a run of ${stack.name} was interrupted: run up on it first, so that nothing is open`);
  const leaving = leavingOf(from, here, named);
  check(leaving);
  recover(from, here, locks.from);
  recover(to, there, locks.to);
  const { urns, snapshot } = arrived({ from, to }, { here, there, leaving });
  writePendingMove(from.files, from.paths.state, { to: to.paths.state, urns });
  save(to, snapshot, locks.to);
  const isLeft = ({ urn }: State) => urns[urn] === undefined;
  save(from, { ...here, resources: here.resources.filter(isLeft) }, locks.from);
  removePendingMove(from.files, from.paths.state);
  return Object.keys(urns);
}

function leavingOf(from: Stack, here: Snapshot, named: readonly string[]): readonly State[] {
  const urns = new Set(named.map((name) => found(from, here, name).urn));
  // A state has a component before its children.
  for (const { urn, parent } of here.resources) if (parent !== undefined && urns.has(parent)) urns.add(urn);
  const leaving = here.resources.filter(({ urn }) => urns.has(urn));
  const types = new Map(here.resources.map(({ urn, type }) => [urn, type]));
  const isOwn = (urn: string) =>
    types.has(urn) && types.get(urn) !== stackType && !isProviderType(types.get(urn) ?? "");
  for (const { urn, type } of leaving) {
    if (type === stackType || isProviderType(type))
      throw new Error(`${urn} can't be moved: each stack has its own`);
    if (here.resources.some((other) => other.urn === urn && other.delete === true))
      throw new Error(
        `${parseUrn(urn).name} was replaced, and the old one is still to be deleted: run up first`,
      );
  }
  const open = here.resources.flatMap((state) =>
    allDependencies(state).flatMap((urn) => {
      const isParent = urn === state.parent;
      return urns.has(state.urn) !== urns.has(urn) && isOwn(urn) && !isParent ? [{ of: state.urn, urn }] : [];
    }),
  );
  if (open.length > 0)
    throw new Error(
      `these belong together, so move them together:\n  ${open
        .map(({ of, urn }) => `${parseUrn(of).name} needs ${parseUrn(urn).name}`)
        .join("\n  ")}`,
    );
  return leaving;
}

/** The target state with the moved resources, under its own project and stack, and with the providers that they need. */
function arrived(
  { to }: Move,
  {
    here,
    there,
    leaving,
  }: { readonly here: Snapshot; readonly there: Snapshot; readonly leaving: readonly State[] },
): { readonly urns: Readonly<Record<string, string>>; readonly snapshot: Snapshot } {
  const { name, project } = to;
  const root = makeUrn(name, project.name, undefined, stackType, `${project.name}-${name}`);
  const stacks = here.resources.filter(({ type }) => type === stackType).map(({ urn }) => urn);
  const urns: Record<string, string> = Object.fromEntries(stacks.map((urn) => [urn, root]));
  const put = ({ urn, type, parent }: State) => {
    const above = parent === undefined ? undefined : urns[parent];
    urns[urn] = makeUrn(name, project.name, above, type, parseUrn(urn).name);
  };
  const providers = here.resources.filter(
    ({ urn, type }) =>
      isProviderType(type) &&
      leaving.some(({ provider = "" }) => referenceParts(provider || "::").urn === urn),
  );
  for (const state of [...providers, ...leaving]) put(state);
  const known = new Map(there.resources.map((state) => [state.urn, state]));
  // The objects of two providers of a program may have one id.
  const ownOf = ({ provider = "::" }: State) => {
    const { urn } = referenceParts(provider);
    return isDefaultProvider(parseUrn(urn).name) ? "" : (urns[urn] ?? urn);
  };
  for (const state of leaving) {
    const { urn, id, type } = state;
    const next = urns[urn] ?? "";
    const isIts = (other: State) =>
      id !== undefined && other.id === id && other.type === type && ownOf(other) === ownOf(state);
    const same = there.resources.find((other) => other.urn === next || isIts(other));
    if (same !== undefined)
      throw new Error(
        `the stack ${name} has it already: ${same.urn}${same.id === undefined ? "" : ` (${same.id})`}`,
      );
  }
  const reference = (provider: string) => {
    const { urn, id } = referenceParts(provider);
    return `${urns[urn] ?? urn}::${known.get(urns[urn] ?? "")?.id ?? id}`;
  };
  const moved = (state: State): State => ({
    ...withUrns(state, (urn) => urns[urn] ?? urn),
    // A resource whose component stays becomes a child of the stack.
    ...(state.parent !== undefined && { parent: urns[state.parent] ?? root }),
    ...(state.provider !== undefined && { provider: reference(state.provider) }),
  });
  const stack: State = { urn: root, custom: false, type: stackType };
  const all = [
    ...(known.has(root) ? [] : [stack]),
    ...there.resources,
    ...providers.map(moved).filter(({ urn }) => !known.has(urn)),
    ...leaving.map(moved),
  ];
  for (const urn of stacks) delete urns[urn];
  for (const { urn } of providers) delete urns[urn];
  return { urns, snapshot: { ...there, resources: sortedByDependencies(all) } };
}
