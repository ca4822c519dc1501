/** What a resource was called: its old state is found under its own urn, or under the first of its aliases that the state had. */

import { parseUrn, quoted } from "../pulumi/urn.ts";
import { keyOf } from "../state/journal.ts";
import type { State } from "../state/snapshot.ts";
import type { Goal } from "../values/goal.ts";
import type { Run } from "./executor.ts";
import type { Previous } from "./interrupted.ts";
import { aliasUrns } from "./plan.ts";

/** @param seen urns that the program has asked for in this run; an alias that is used is added */
export function openNames(run: Run, seen: Set<string>) {
  const registrations = new Map<string, { readonly goal: Goal; readonly aliases: readonly string[] }>();
  // Who goes on as an old one, by its urn.
  const heirs = new Map<string, string>();
  let before: ReadonlySet<string> | undefined;
  let left: ReadonlyMap<string, State> | undefined;

  /** An old urn is one resource's only (pkg/resource/deploy/step_generator.go, getOldResource). */
  function refuseSecond(goal: Goal, alias: string): void {
    const other = heirs.get(alias) ?? (registrations.has(alias) ? alias : undefined);
    if (other === undefined) return;
    throw new Error(
      `${goal.name} and ${parseUrn(other).name} are both ${quoted(alias)} of the state: an old name is one resource's; ` +
        "remove the alias of one of them",
    );
  }

  return {
    /** What the program asked for under a urn. */
    goalOf: (urn: string): Goal | undefined => registrations.get(urn)?.goal,

    /** What an earlier replacement has left to be deleted: what takes its place is not the first of its resource. */
    leftOf(urn: string): State | undefined {
      const name = [urn, ...(registrations.get(urn)?.aliases ?? [])].find((one) => left?.has(one));
      return name === undefined ? undefined : left?.get(name);
    },

    /** @throws Error where another resource has taken the name over, by an alias */
    refuseTaken(goal: Goal, urn: string): void {
      if (heirs.has(urn)) refuseSecond(goal, urn);
    },

    /** Finds the old state, and takes its urn over. @throws Error for an alias that another resource has */
    previous(goal: Goal, urn: string): Previous {
      // What the state has is what it had before the program asked for anything.
      before ??= new Set(run.ledger.states().flatMap((state) => (state.delete ? [] : [state.urn])));
      left ??= new Map(
        run.ledger.states().flatMap((state) => (state.delete ? [[state.urn, state] as const] : [])),
      );
      const inherited = registrations.get(goal.parent)?.aliases ?? [];
      const others = aliasUrns(goal, urn, run, inherited);
      registrations.set(urn, { goal, aliases: others });
      const direct = run.ledger.find(urn);
      if (direct !== undefined) return { old: direct, key: keyOf(direct) };
      for (const alias of others) {
        if (!before.has(alias)) continue;
        refuseSecond(goal, alias);
        const found = run.ledger.find(alias);
        if (found === undefined || seen.has(alias)) continue;
        seen.add(alias);
        heirs.set(alias, urn);
        return { old: { ...found, urn }, key: keyOf(found) };
      }
      return { old: undefined, key: undefined };
    },
  };
}
