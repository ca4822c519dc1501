/** Changes a state without a run, under the stack's lock. */

import { join } from "node:path";
import { removeWhole, writeWhole } from "../common/disk.ts";
import { configPath, type StackConfig } from "../project/stack-file.ts";
import { keyOf } from "../pulumi/journal.ts";
import { arrivalPath, pendingMovePath } from "../pulumi/pending-move.ts";
import { didYouMeanAny, isProviderType, parseUrn, stackType } from "../pulumi/urn.ts";
import { allDependencies, withDependencies } from "../state/dependency-order.ts";
import { holderText, isRunning, locksIn, removeLocks, underLock } from "../state/lock.ts";
import { lateEntryFiles } from "../state/lock-loss.ts";
import { newerStatePath } from "../state/restored-state.ts";
import type { Snapshot, State } from "../state/snapshot.ts";
import { load, recover, save, stateText } from "../state/state-file.ts";
import { configOf, locksOf, type Stack } from "./stack.ts";

/** Loads the state with the journal of an interrupted run, changes it and writes it. */
function change(stack: Stack, work: (snapshot: Snapshot) => Snapshot): Promise<void> {
  return underLock(locksOf(stack), (lock) => {
    const base = load(stack);
    const changed = work(base);
    recover(stack, base, lock);
    save(stack, changed, lock);
  });
}

/** How often a writer of the stack's configuration file tries to get the lock: about ten seconds. */
const patience = 100;

/** Changes the stack's configuration file; concurrent writers wait for each other. */
export const changeConfig = <T>(stack: Stack, work: (config: StackConfig) => T): Promise<T> =>
  underLock({ ...locksOf(stack), folder: stack.paths.configLocks }, () => work(configOf(stack)), patience);

/** Finds a resource by its name, URN or id. @throws Error if there is none, or several with the name */
export function found(stack: Stack, { resources }: Snapshot, named: string): State {
  const those = resources.filter(
    ({ urn, id }) => urn === named || id === named || parseUrn(urn).name === named,
  );
  const first = those.find((state) => !state.delete) ?? those[0];
  if (first === undefined)
    throw new Error(
      `the stack ${stack.name} has no resource ${named}${didYouMeanAny(
        [named],
        resources.map(({ urn }) => urn),
      )}`,
    );
  if (those.every(({ urn }) => urn === first.urn)) return first;
  const lines = those.map(({ urn, id }) => (id === undefined ? urn : `${urn} (${id})`));
  throw new Error(`several resources are named ${named}; use the URN of one:\n  ${lines.join("\n  ")}`);
}

/**
 * Removes a resource from the state, a component with its children; their objects stay.
 * @param force also if one is protected
 * @returns the number of removed children
 * @throws Error if others depend on one
 */
export async function removeResource(stack: Stack, named: string, force: boolean): Promise<number> {
  let count = 0;
  await change(stack, (snapshot) => {
    const it = found(stack, snapshot, named);
    const gone = withChildren(snapshot, it);
    count = gone.size - 1;
    // An object that is still to be deleted has a replacement, on which the others depend.
    const dependents = snapshot.resources.filter(
      (other) => !it.delete && !gone.has(other.urn) && allDependencies(other).some((urn) => gone.has(urn)),
    );
    if (dependents.length > 0)
      throw new Error(
        `${named} can't be removed from the state, because these depend on it:\n  ${dependents.map(({ urn }) => urn).join("\n  ")}`,
      );
    const isLeaving = (other: State) => (it.custom ? keyOf(other) === keyOf(it) : gone.has(other.urn));
    const kept = snapshot.resources.find((other) => other.protect && isLeaving(other));
    if (kept !== undefined && !force)
      throw new Error(
        `${parseUrn(kept.urn).name} is protected; --force removes it from the state all the same`,
      );
    return {
      resources: snapshot.resources.filter((other) => !isLeaving(other)),
      pending: snapshot.pending.filter(({ resource }) => !gone.has(resource.urn)),
    };
  });
  return count;
}

/** The URNs of a resource and of those in it; the stack's own resource contains none of its own. */
function withChildren({ resources }: Snapshot, { urn, type, custom }: State): ReadonlySet<string> {
  const gone = new Set([urn]);
  // Parents precede their children.
  for (const one of custom || type === stackType ? [] : resources)
    if (one.parent !== undefined && gone.has(one.parent)) gone.add(one.urn);
  return gone;
}

/** Changes single resources of the state. @param work returns the resource itself to leave it unchanged */
export const editResources = (stack: Stack, work: (state: State) => State): Promise<void> =>
  change(stack, (snapshot) => ({ ...snapshot, resources: snapshot.resources.map(work) }));

/**
 * Renames a resource of the state, together with its children whose names begin with its own (`theme/a` in `theme`).
 * @param begin gets the new URN of each before the state is written
 * @returns the number of renamed children
 * @throws Error if a name is taken or invalid
 */
export async function renameResource(
  stack: Stack,
  named: string,
  name: string,
  begin: (urns: ReadonlyMap<string, string>) => void = () => {},
): Promise<number> {
  if (name === "" || name.includes("::"))
    throw new Error(`${JSON.stringify(name)} is not a valid name of a resource`);
  let count = 0;
  await change(stack, (snapshot) => {
    const { urn } = found(stack, snapshot, named);
    const before = parseUrn(urn).name;
    const names = new Map(
      snapshot.resources.flatMap(({ urn: own, parent }) => {
        const isBelow = parent === urn && parseUrn(own).name.startsWith(`${before}/`);
        if (own !== urn && !isBelow) return [];
        const old = parseUrn(own).name;
        return [[own, `${own.slice(0, own.length - old.length)}${name}${old.slice(before.length)}`] as const];
      }),
    );
    count = names.size - 1;
    const next = new Set(names.values());
    for (const { urn: other } of snapshot.resources)
      if (next.has(other)) throw new Error(`there is a resource ${parseUrn(other).name} already: ${other}`);
    begin(names);
    const rename = (one: State) => withUrns(one, (own) => names.get(own) ?? own);
    return {
      resources: snapshot.resources.map(rename),
      pending: snapshot.pending.map(({ resource, type }) => ({ resource: rename(resource), type })),
    };
  });
  return count;
}

/** A resource with its own URN and those of its dependencies changed. */
export const withUrns = (state: State, name: (urn: string) => string): State => ({
  ...withDependencies(state, name),
  urn: name(state.urn),
});

/**
 * Removes a stack: its state, backup, journal, history and configuration.
 * @param options `force` also if it has resources; `keepConfig` leaves Pulumi.<stack>.yaml
 * @throws Error if it has resources
 */
export function removeStack(
  stack: Stack,
  options: { readonly force: boolean; readonly keepConfig: boolean },
): Promise<void> {
  const { files, paths, project, name } = stack;
  return underLock(locksOf(stack), () => {
    // With `force`, an unreadable state is no obstacle.
    const left = options.force ? [] : load(stack).resources.filter(isManaged);
    if (left.length > 0)
      throw new Error(
        `the stack ${name} still has ${left.length} ${left.length === 1 ? "resource" : "resources"}: destroy deletes them; ` +
          `--force removes the stack and leaves their objects`,
      );
    // The journal goes first: without its state it would prevent another stack of this name.
    removeWhole(files, paths.journal);
    for (const path of lateEntryFiles(files, paths.journal)) removeWhole(files, path);
    for (const path of [
      paths.state,
      `${paths.state}.bak`,
      newerStatePath(paths),
      pendingMovePath(paths.state),
      arrivalPath(paths.state),
    ]) {
      removeWhole(files, path);
      // A metadata file of Pulumi's file store.
      removeWhole(files, `${path}.attrs`);
    }
    if (files.exists(paths.history))
      for (const one of files.list(paths.history)) removeWhole(files, join(paths.history, one));
    if (!options.keepConfig) removeWhole(files, configPath(project, name));
  });
}

const isManaged = ({ type, custom }: State) => custom && !isProviderType(type);

/**
 * Copies a stack's state, with the journal of an interrupted run folded in.
 * @param ending the ending of the copy's name
 * @returns its path
 */
export function keepState(stack: Stack, ending: string): string {
  const path = `${stack.paths.state}.${ending}`;
  writeWhole(stack.files, path, stateText(stack, load(stack)));
  return path;
}

/** Descriptions of the processes that hold the stack's locks. */
export const holders = ({ files, paths, machine }: Stack): readonly string[] =>
  locksIn(files, paths.locks).map(
    (held) => `${holderText(held, machine)}${isRunning(held, machine) ? "; that process is running" : ""}`,
  );

export const unlock = ({ files, paths }: Stack): number => removeLocks(files, paths.locks).length;
