/** The state of a resource as the program's goal describes it. */

import type { State } from "../state/snapshot.ts";
import type { Goal } from "../values/goal.ts";
import { timeoutMs } from "./plan.ts";

/**
 * @param provider the reference of its provider; undefined for a component
 * @param old the old state, whose id and times are kept
 * @returns the state without inputs and outputs
 */
export function stateOf(
  goal: Goal,
  urn: string,
  provider: string | undefined,
  old: State | undefined,
): State {
  const timeouts = Object.entries(goal.timeouts).flatMap(([name, text]) =>
    text ? [[name, (timeoutMs(text) ?? 0) / 1000] as const] : [],
  );
  const properties = Object.fromEntries(
    Object.entries(goal.propertyDependencies).filter(([, urns]) => urns.length > 0),
  );
  return {
    urn,
    custom: goal.custom,
    type: goal.type,
    ...(old?.id !== undefined && { id: old.id }),
    ...(goal.importId !== "" && { importID: goal.importId }),
    ...(goal.parent !== "" && { parent: goal.parent }),
    ...(provider !== undefined && { provider }),
    ...(goal.dependencies.length > 0 && { dependencies: goal.dependencies }),
    ...(Object.keys(properties).length > 0 && { propertyDependencies: properties }),
    ...(goal.protect && { protect: true }),
    ...(goal.retainOnDelete && { retainOnDelete: true }),
    ...(goal.deletedWith !== "" && { deletedWith: goal.deletedWith }),
    ...(goal.replaceWith.length > 0 && { replaceWith: goal.replaceWith }),
    ...(goal.additionalSecretOutputs.length > 0 && {
      additionalSecretOutputs: goal.additionalSecretOutputs,
    }),
    ...(timeouts.length > 0 && { customTimeouts: Object.fromEntries(timeouts) }),
    ...(goal.ignoreChanges.length > 0 && { ignoreChanges: goal.ignoreChanges }),
    ...(goal.replaceOnChanges.length > 0 && { replaceOnChanges: goal.replaceOnChanges }),
    ...(goal.hideDiffs.length > 0 && { hideDiff: goal.hideDiffs }),
    ...(goal.replacementTrigger !== undefined && { replacementTrigger: goal.replacementTrigger }),
    ...(old?.created !== undefined && { created: old.created }),
    ...(old?.modified !== undefined && { modified: old.modified }),
  };
}
