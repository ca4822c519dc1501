/**
 * Creates for which the provider takes over an object. Where the state has that object under another name, it is that
 * resource renamed: what a plan keeps it doesn't delete, and two resources never have one object.
 */

import type { Takes } from "../processes/provider.ts";
import { kindOf, parseUrn } from "../pulumi/urn.ts";
import { keyOf } from "../state/journal.ts";
import type { Ledger } from "../state/ledger.ts";
import type { State } from "../state/snapshot.ts";
import type { Goal } from "../values/goal.ts";
import { typesOf } from "./plan.ts";

/** The resource that had the object, as the one that has it now. */
export interface Owner {
  readonly old: State;
  readonly key: string;
  /** The name that it had. */
  readonly from: string;
}

/** The resource of the state that has the object of another one, which the same provider manages. */
export const holderOf = (
  ledger: Ledger,
  { urn, type, id, provider }: State & { readonly id: string },
): State | undefined =>
  ledger
    .withId(type, id)
    .find((state) => state.urn !== urn && isManaged(state) && state.provider === provider);

/** Whether a state is of an object that its resource has, and that is to stay. */
const isManaged = (state: State) => state.custom && !state.delete && !state.external;

/** Why a urn can't be asked for a second time. @param where both are made, in brackets */
export const duplicateUrn = (urn: string, where = ""): Error =>
  new Error(`two ${kindOf(urn)}s are named "${parseUrn(urn).name}"${where}: give each a name of its own`);

/**
 * @param seen urns that the program has asked for in this run; an owner's is added
 * @param isLeaving whether a state is of what is replaced in this run: it has its object until its successor is made
 */
export function openTakeovers(ledger: Ledger, seen: Set<string>, isLeaving: (state: State) => boolean) {
  // Who takes an object over, by type and id; who gave theirs away, by urn.
  const taken = new Map<string, string>();
  const renamed = new Map<string, string>();

  // An object may stand in the state under a type that the resource had before.
  const statesOf = (goal: Goal, id: string) => typesOf(goal).flatMap((type) => ledger.withId(type, id));

  return {
    /**
     * What the state has of an object under other names, once a resource of this run was created as that object: an id
     * that is always the same is one object, whoever made it last.
     */
    async forgetTwins(goal: Goal, id: string | undefined, urn: string): Promise<void> {
      if (id === undefined) return;
      for (const state of statesOf(goal, id))
        if (state.urn !== urn && !seen.has(state.urn) && isManaged(state)) await ledger.drop(state);
    },
    /** Why a urn can't be registered (again). */
    duplicate(goal: Goal, urn: string, where: string): Error {
      const other = renamed.get(urn);
      if (other === undefined) return duplicateUrn(urn, where);
      const id = ledger.find(other)?.id ?? "one object";
      return new Error(
        `${goal.name} and ${parseUrn(other).name} both stand for ${id}: two resources can't manage one object; remove one of them`,
      );
    },
    /**
     * The resource of the state that has the object which a create would take over; undefined where none has.
     * @throws Error where another resource of this plan has the object
     */
    takeFrom(goal: Goal, urn: string, { id }: Takes): Owner | undefined {
      const object = `${goal.type} ${id}`;
      const other = taken.get(object);
      const states = statesOf(goal, id).filter((state) => state.custom && !state.external);
      const holder = states.find((state) => !state.delete || isLeaving(state));
      if (other !== undefined || (holder !== undefined && seen.has(holder.urn))) {
        const { name } = parseUrn(other ?? holder?.urn ?? "");
        throw new Error(
          `${goal.name} can't take over ${kindOf(urn)} ${id}: resource ${name} of this stack has it; two resources can't manage one object`,
        );
      }
      taken.set(object, urn);
      // What an earlier replacement has left to be deleted stays, where somebody asks for it.
      const owner = holder ?? states[0];
      if (owner === undefined) return undefined;
      if (holder !== undefined) {
        seen.add(holder.urn);
        renamed.set(holder.urn, urn);
      }
      const { delete: _leaves, ...old } = owner;
      return { old: { ...old, urn }, key: keyOf(owner), from: parseUrn(owner.urn).name };
    },
  };
}
