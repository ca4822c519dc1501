/** Finds a resource's old state under its URN, or under the first of its aliases that the state has. */

import { parseUrn, quoted } from "../pulumi/urn.ts";
import { keyOf } from "../state/journal.ts";
import type { State } from "../state/snapshot.ts";
import type { Goal } from "../values/goal.ts";
import type { Run } from "./executor.ts";
import type { Previous } from "./pending-operations.ts";
import { aliasUrns } from "./plan.ts";

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
      `${goal.name} and ${parseUrn(other).name} are both ${quoted(alias)} of the state: an old name is one resource's; ` +
        "remove the alias of one of them",
    );
  }

  return {
    /** The goal that the program registered under a URN. */
    goalOf: (urn: string): Goal | undefined => registrations.get(urn)?.goal,

    /** The old object of an earlier replacement that is still to be deleted. */
    leftOf(urn: string): State | undefined {
      const name = [urn, ...(registrations.get(urn)?.aliases ?? [])].find((one) => left?.has(one));
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
