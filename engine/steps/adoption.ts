/**
 * Creates that adopt an existing object. If the state has the object under another name, the resource was renamed: it
 * isn't deleted, and no two resources manage one object.
 */

import type { Adoption } from "../processes/provider.ts";
import { keyOf } from "../pulumi/journal.ts";
import { isSamePlace, parsePlace, placeKey } from "../pulumi/place.ts";
import { kindOf, parseUrn } from "../pulumi/urn.ts";
import type { State } from "../state/snapshot.ts";
import type { SnapshotManager } from "../state/snapshot-manager.ts";
import type { Goal, Registered } from "../values/goal.ts";
import type { Properties } from "../values/values.ts";
import { typesOf } from "./aliases.ts";

/** The resource that managed the adopted object before. */
export interface Owner {
  readonly old: State;
  readonly key: string;
  readonly urn: string;
}

/** The resource of the same provider that already manages an object. */
export const holderOf = (
  snapshots: SnapshotManager,
  { urn, type, id, provider }: State & { readonly id: string },
): State | undefined =>
  snapshots
    .withId(type, id)
    .find((state) => state.urn !== urn && isManaged(state) && state.provider === provider);

/** Whether the resource of a state manages its object and keeps it. */
const isManaged = (state: State) => state.custom && !state.delete && !state.external;

/** Whether the outputs of two objects say that they are in different places. */
function isElsewhere(one: Properties | undefined, other: Properties | undefined): boolean {
  const [own, its] = [one, other].map((outputs) => outputs?.[placeKey]);
  return typeof own === "string" && typeof its === "string" && !isSamePlace(parsePlace(own), parsePlace(its));
}

/** The error for a URN that is registered twice. @param where both positions in the program, in brackets */
export const duplicateUrn = (urn: string, where = ""): Error =>
  new Error(`two ${kindOf(urn)}s are named "${parseUrn(urn).name}"${where}: give each a name of its own`);

/**
 * @param seen URNs that the program has registered in this run; a former owner's is added
 * @param isLeaving whether a state is the old object of a replacement in this run
 */
export function openAdoptions(
  snapshots: SnapshotManager,
  seen: Set<string>,
  isLeaving: (state: State) => boolean,
) {
  // New URNs by the type and id of the adopted object, and new URNs by the former one.
  const taken = new Map<string, string>();
  const renamed = new Map<string, string>();

  // The state may have the object under a former type of the resource.
  const statesOf = (goal: Goal, id: string, outputs: Properties | undefined) =>
    typesOf(goal)
      .flatMap((type) => snapshots.withId(type, id))
      .filter((state) => !isElsewhere(state.outputs, outputs));

  return {
    /**
     * Drops other states of an object after a create returned its id: an id stands for one object, whichever resource
     * created it last.
     */
    async dropDuplicates(goal: Goal, { id, urn, properties }: Registered): Promise<void> {
      if (id === undefined) return;
      for (const state of statesOf(goal, id, properties))
        if (state.urn !== urn && !seen.has(state.urn) && isManaged(state)) await snapshots.drop(state);
    },
    duplicate(goal: Goal, urn: string, where: string): Error {
      const other = renamed.get(urn);
      if (other === undefined) return duplicateUrn(urn, where);
      const id = snapshots.find(other)?.id ?? "one object";
      return new Error(
        `${goal.name} and ${parseUrn(other).name} both manage ${id}, but two resources can't manage one object: remove one of them`,
      );
    },
    /**
     * The resource that manages an object which a create would adopt; undefined if there is none.
     * @throws Error if another resource of this run manages it
     */
    formerOwner(goal: Goal, urn: string, { id, olds }: Adoption): Owner | undefined {
      const object = `${goal.type} ${id} ${olds?.[placeKey]}`;
      const other = taken.get(object);
      const states = statesOf(goal, id, olds).filter((state) => state.custom && !state.external);
      const holder = states.find((state) => !state.delete || isLeaving(state));
      if (other !== undefined || (holder !== undefined && seen.has(holder.urn))) {
        const { name } = parseUrn(other ?? holder?.urn ?? "");
        throw new Error(
          `${goal.name} can't adopt ${kindOf(urn)} ${id}: resource ${name} of this stack has it; two resources can't manage one object`,
        );
      }
      taken.set(object, urn);
      // The old object of an earlier replacement isn't deleted if a resource adopts it.
      const owner = holder ?? states[0];
      if (owner === undefined) return undefined;
      if (holder !== undefined) {
        seen.add(holder.urn);
        renamed.set(holder.urn, urn);
      }
      const { delete: _leaves, ...old } = owner;
      return { old: { ...old, urn }, key: keyOf(owner), urn: owner.urn };
    },
  };
}
