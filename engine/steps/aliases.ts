/** Finds a resource's old state under its URN, or under the first of its aliases that the state has. */

import { keyOf } from "../pulumi/journal.ts";
import { makeUrn, parseUrn, quoted, refuseNoUrn } from "../pulumi/urn.ts";
import type { State } from "../state/snapshot.ts";
import type { Alias, Goal } from "../values/goal.ts";
import type { Run } from "./executor.ts";
import type { Previous } from "./pending-operations.ts";

/** @param seen URNs that the program has registered in this run; used aliases are added */
export function openAliases(run: Run, seen: Set<string>) {
  const registrations = new Map<string, { readonly goal: Goal; readonly aliases: readonly string[] }>();
  // The URN of the new resource by the old URN that it replaces as an alias.
  const heirs = new Map<string, string>();
  let before: ReadonlySet<string> | undefined;
  let left: ReadonlyMap<string, State> | undefined;

  /** An old URN belongs to one resource only (pkg/resource/deploy/step_generator.go, getOldResource). */
  function refuseSecond(goal: Goal, alias: string): void {
    const other = heirs.get(alias) ?? (registrations.has(alias) ? alias : undefined);
    if (other === undefined) return;
    throw new Error(
      `${goal.name} and ${parseUrn(other).name} both continue ${quoted(alias)} of the state, but an old name can belong to one resource only: ` +
        "remove the alias of one of them",
    );
  }

  /** Its earlier URNs. */
  const of = (urn: string): readonly string[] => registrations.get(urn)?.aliases ?? [];

  return {
    of,
    /** The earlier URNs of all resources that the program registered. */
    all: (): ReadonlyMap<string, readonly string[]> =>
      new Map([...registrations].map(([urn, { aliases }]) => [urn, aliases])),

    /** Notes a URN whose object the resource takes over without an alias. */
    add(urn: string, former: string): void {
      const own = registrations.get(urn);
      if (own !== undefined) registrations.set(urn, { ...own, aliases: [...own.aliases, former] });
    },

    /** The goal that the program registered under a URN. */
    goalOf: (urn: string): Goal | undefined => registrations.get(urn)?.goal,

    /** The old object of an earlier replacement that is still to be deleted. */
    leftOf(urn: string): State | undefined {
      const name = [urn, ...of(urn)].find((one) => left?.has(one));
      return name === undefined ? undefined : left?.get(name);
    },

    /** @throws Error if another resource has used the URN as an alias */
    refuseTaken(goal: Goal, urn: string): void {
      if (heirs.has(urn)) refuseSecond(goal, urn);
    },

    /** Finds the old state and marks its URN as used. @throws Error for an alias that another resource has used */
    previous(goal: Goal, urn: string): Previous {
      // Remember the URNs before the program registers anything.
      before ??= new Set(run.snapshots.states().flatMap((state) => (state.delete ? [] : [state.urn])));
      left ??= new Map(
        run.snapshots.states().flatMap((state) => (state.delete ? [[state.urn, state] as const] : [])),
      );
      const inherited = registrations.get(goal.parent)?.aliases ?? [];
      const others = aliasUrns(goal, urn, run, inherited);
      registrations.set(urn, { goal, aliases: others });
      const direct = run.snapshots.find(urn);
      if (direct !== undefined) return { old: direct, key: keyOf(direct) };
      for (const alias of others) {
        if (!before.has(alias)) continue;
        refuseSecond(goal, alias);
        const found = run.snapshots.find(alias);
        if (found === undefined || seen.has(alias)) continue;
        seen.add(alias);
        heirs.set(alias, urn);
        return { old: { ...found, urn }, key: keyOf(found) };
      }
      return { old: undefined, key: undefined };
    },
  };
}

export const typesOf = ({ type, aliases }: Goal): readonly string[] => [
  ...new Set([type, ...aliases.map((alias) => alias.type ?? type)]),
];

/** All URNs under which the state may have a resource: its aliases, and its names under its parent's aliases. */
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

// A component usually prefixes its children's names with its own: renaming it renames them.
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
