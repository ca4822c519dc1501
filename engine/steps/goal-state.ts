/** The state of a resource as the program's goal describes it, and goals that this engine doesn't support. */

import { dynamicPackageName, packageOf } from "../pulumi/urn.ts";
import type { State } from "../state/snapshot.ts";
import type { Goal } from "../values/goal.ts";

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

const units: Readonly<Record<string, number>> = {
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
  ms: 1,
  us: 1e-3,
  µs: 1e-3,
  ns: 1e-6,
};
const amounts = /(\d+\.?\d*|\.\d+)(ms|us|µs|ns|h|m|s)/g;

/** Whether a text is a duration in the form of customTimeouts: `5m`, `1h30m`, `20s`; `0` or empty means no limit. */
const isDuration = (text: string): boolean => text === "0" || text.replace(amounts, "") === "";

/** Milliseconds of a duration; undefined if it is zero or empty. */
export function timeoutMs(text: string | undefined): number | undefined {
  const parts = [...(text ?? "").matchAll(amounts)];
  const sum = parts.reduce((ms, [, amount, unit]) => ms + Number(amount) * (units[unit ?? "s"] ?? 0), 0);
  return sum === 0 ? undefined : sum;
}

/**
 * @param passesHooks whether another engine applies the plan and runs hooks
 * @throws Error that names an option of Pulumi which this engine doesn't support
 */
export function refuseUnsupported(goal: Goal, passesHooks: boolean): void {
  const other = "is not supported by the embedded engine; use --engine pulumi";
  if (goal.remote) throw new Error(`the remote component ${goal.type} ${other}`);
  const options = goal.unsupported.filter((option) => option !== "hooks" || !passesHooks);
  if (options.length === 1) throw new Error(`the resource option ${options[0]} ${other}`);
  if (options.length > 1)
    throw new Error(`the resource options ${options.join(", ")} ${other.replace("is", "are")}`);
  for (const [verb, text] of Object.entries(goal.timeouts))
    if (!isDuration(text))
      throw new Error(
        `customTimeouts.${verb} must be a duration such as 30s, 5m or 1h30m, got ${JSON.stringify(text)}`,
      );
  if (goal.custom && goal.type === `pulumi:providers:${dynamicPackageName}`)
    throw new Error(`the explicit provider ${goal.type} ${other}`);
  if (goal.importId !== "" && packageOf(goal.type) === dynamicPackageName)
    throw new Error(
      "dynamic resources can't be imported by the resource option import, whichever engine runs; take the object over with an argument of its own",
    );
}
