/** The state during a run: the loaded snapshot, the changes so far, and the journal that records them. */

import type { StackConfig } from "../project/stack-file.ts";
import { keyOf } from "../pulumi/journal.ts";
import { equal, type Value } from "../values/values.ts";
import { withRenamedDependencies } from "./dependency-order.ts";
import { type Entry, fold, type Journal } from "./journal-writer.ts";
import { encryptedState, type Snapshot, type State } from "./snapshot.ts";

export type SnapshotManager = ReturnType<typeof openSnapshotManager>;

/** @param journal undefined in a preview, which writes nothing */
export function openSnapshotManager(base: Snapshot, config: StackConfig, journal: Journal | undefined) {
  const live = openLive(base.resources);
  const entries: Entry[] = [];
  const ciphertexts = new Map<string, string>();
  const encrypted = (state: State) => encryptedState(state, config.crypter, ciphertexts);
  const registered = new Set<string>();
  let numbers = 0;
  let dirty = base.pending.length > 0;
  const note = async (entry: Entry) => {
    if (journal === undefined) return;
    // The result of an operation counts even if the journal refuses it; an operation that can't be noted must not
    // begin.
    if (!("begin" in entry)) entries.push(entry);
    await journal.append(entry);
    if ("begin" in entry) entries.push(entry);
  };
  return {
    find: (urn: string) => live.get(urn),
    states: live.all,
    withId: live.withId,
    // A pending delete of a replaced object isn't one of its replacement.
    interrupted: (urn: string) => base.pending.find(({ resource }) => keyOf(resource) === urn)?.type,
    // The object may belong to a resource of another name by now.
    /** The inputs of the update of this resource that an earlier run was interrupted in. */
    underWay: ({ urn, type: kind, id }: State) =>
      base.pending.find(
        ({ resource, type }) =>
          type === "updating" &&
          (resource.urn === urn || (id !== undefined && resource.id === id && resource.type === kind)),
      )?.resource.inputs,
    /**
     * Notes that an operation begins. @param adopts the id of the object that a create adopts @returns the number that
     * ends it
     */
    async begin(type: "creating" | "updating" | "deleting", resource: State, adopts?: string) {
      numbers += 1;
      const number = numbers;
      await note({
        begin: number,
        type,
        resource: encrypted(resource),
        ...(adopts !== undefined && { adopts }),
      });
      return number;
    },
    /** Writes a resource, in place of the one with the key `over` if given. */
    async put(state: State, { over, end }: { over?: string | undefined; end?: number | undefined } = {}) {
      const key = keyOf(state);
      const before = live.get(over ?? key);
      if (over !== undefined && over !== key) live.delete(over);
      live.set(state);
      if (before !== undefined && before.urn !== state.urn) live.rename(before.urn, state.urn);
      if (
        end === undefined &&
        before !== undefined &&
        equal(before as unknown as Value, state as unknown as Value)
      )
        return;
      dirty = true;
      await note({ put: encrypted(state), over, end });
    },
    async drop(state: State, end?: number) {
      live.delete(keyOf(state));
      dirty = true;
      await note({ drop: keyOf(state), id: state.id, end });
    },
    /** Notes that this run registered the resource successfully, so its dependencies are of this run. */
    markRegistered: (urn: string) => void registered.add(urn),
    /** Notes that an operation ended without a change. */
    end: (number: number) => note({ end: number }),
    /** Whether anything differs from the state file. */
    changed: () => dirty,
    /**
     * The snapshot to write, with encrypted secrets.
     * @param complete whether the run did everything: otherwise operations that an earlier run was interrupted in stay
     * pending
     */
    snapshot(complete: boolean) {
      const pending = complete
        ? []
        : base.pending.map(({ resource, type }) => ({ resource: encrypted(resource), type }));
      return fold({ resources: base.resources.map(encrypted), pending }, entries, (urn) =>
        registered.has(urn),
      );
    },
  };
}

/** The present resources, indexed by key and by type and id: a run looks them up thousands of times. */
function openLive(resources: readonly State[]) {
  const byKey = new Map<string, State>();
  const byObject = new Map<string, Set<string>>();
  const objectOf = ({ type, id }: Pick<State, "type" | "id">) => `${type} ${id}`;
  const remove = (key: string) => {
    const state = byKey.get(key);
    if (state === undefined) return;
    byObject.get(objectOf(state))?.delete(key);
    byKey.delete(key);
  };
  const set = (state: State) => {
    const key = keyOf(state);
    const before = byKey.get(key);
    if (before !== undefined) byObject.get(objectOf(before))?.delete(key);
    byKey.set(key, state);
    const object = objectOf(state);
    byObject.set(object, (byObject.get(object) ?? new Set()).add(key));
  };
  resources.forEach(set);
  const names = new Map<string, string>();
  return {
    /** All dependents use the new URN from now on. */
    rename: (from: string, to: string) => void names.set(from, to),
    get: (key: string) => byKey.get(key),
    set,
    delete: remove,
    all: (): readonly State[] =>
      names.size === 0
        ? [...byKey.values()]
        : [...byKey.values()].map((state) => withRenamedDependencies(state, names)),
    withId: (type: string, id: string): readonly State[] =>
      [...(byObject.get(objectOf({ type, id })) ?? [])].flatMap((key) => byKey.get(key) ?? []),
  };
}
