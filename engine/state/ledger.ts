/** The state while a run changes it: what stood there, what was done, and the journal that outlives us. */

import type { StackConfig } from "../project/project.ts";
import { equal, type Properties, type Value } from "../values/values.ts";
import { type Entry, fold, type Journal, keyOf } from "./journal.ts";
import { following } from "./order.ts";
import { type Pending, type Snapshot, type State, sealed } from "./snapshot.ts";

export interface Ledger {
  /** The live resource of a urn, as it stood before this run or stands now. */
  find(urn: string): State | undefined;
  /** All resources as they stand now. */
  states(): readonly State[];
  /** Those of a type that have an id, as they stand now. */
  withId(type: string, id: string): readonly State[];
  /** What an earlier run was interrupted in of this resource. */
  interrupted(urn: string): Pending["type"] | undefined;
  /** The arguments of the update of this resource that an earlier run was interrupted in. */
  underWay(state: State): Properties | undefined;
  /**
   * Notes that an operation begins; its number ends it.
   * @param adopts the id of the object that a create is to take over
   */
  begin(type: "creating" | "updating" | "deleting", resource: State, adopts?: string): Promise<number>;
  /** Puts a resource in its place, or in the place of the one with the key `over`. */
  put(state: State, options?: { over?: string | undefined; end?: number | undefined }): Promise<void>;
  drop(state: State, end?: number): Promise<void>;
  /** Notes that a resource is as the program asked for it: what it needs is of this run. */
  asked(urn: string): void;
  /** Notes that an operation ended without a change. */
  end(number: number): Promise<void>;
  /** Whether anything differs from what the state file has. */
  changed(): boolean;
  /**
   * The snapshot to write, sealed.
   * @param complete the run did all that it was for; otherwise what an earlier run was interrupted in stays pending until it
   * is begun again
   */
  snapshot(complete: boolean): Snapshot;
}

/** @param journal undefined in a preview, which writes nothing */
export function openLedger(base: Snapshot, config: StackConfig, journal: Journal | undefined): Ledger {
  const live = openLive(base.resources);
  const entries: Entry[] = [];
  const ciphertexts = new Map<string, string>();
  const seal = (state: State) => sealed(state, config.crypter, ciphertexts);
  const asked = new Set<string>();
  let numbers = 0;
  let dirty = base.pending.length > 0;
  const note = async (entry: Entry) => {
    if (journal === undefined) return;
    // What has happened counts even where the journal refuses it; what could not be noted must not begin.
    if (!("begin" in entry)) entries.push(entry);
    await journal.append(entry);
    if ("begin" in entry) entries.push(entry);
  };
  return {
    find: (urn) => live.get(urn),
    states: live.all,
    withId: live.withId,
    // A delete of what was replaced is none of what stands in its place.
    interrupted: (urn) => base.pending.find(({ resource }) => keyOf(resource) === urn)?.type,
    // Its object may be a resource of another name by now.
    underWay: ({ urn, type: kind, id }) =>
      base.pending.find(
        ({ resource, type }) =>
          type === "updating" &&
          (resource.urn === urn || (id !== undefined && resource.id === id && resource.type === kind)),
      )?.resource.inputs,
    async begin(type, resource, adopts) {
      numbers += 1;
      const number = numbers;
      await note({ begin: number, type, resource: seal(resource), ...(adopts !== undefined && { adopts }) });
      return number;
    },
    async put(state, { over, end } = {}) {
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
      await note({ put: seal(state), over, end });
    },
    async drop(state, end) {
      live.delete(keyOf(state));
      dirty = true;
      await note({ drop: keyOf(state), id: state.id, end });
    },
    asked: (urn) => void asked.add(urn),
    end: (number) => note({ end: number }),
    changed: () => dirty,
    snapshot(complete) {
      const pending = complete
        ? []
        : base.pending.map(({ resource, type }) => ({ resource: seal(resource), type }));
      return fold({ resources: base.resources.map(seal), pending }, entries, (urn) => asked.has(urn));
    },
  };
}

/** The resources that stand, by key and by what they stand for: a run asks thousands of times. */
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
    /** All that need it call it so from now on. */
    rename: (from: string, to: string) => void names.set(from, to),
    get: (key: string) => byKey.get(key),
    set,
    delete: remove,
    all: (): readonly State[] =>
      names.size === 0 ? [...byKey.values()] : [...byKey.values()].map((state) => following(state, names)),
    withId: (type: string, id: string): readonly State[] =>
      [...(byObject.get(objectOf({ type, id })) ?? [])].flatMap((key) => byKey.get(key) ?? []),
  };
}
