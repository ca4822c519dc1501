/** Resource options of Pulumi that this engine doesn't support. */

import { dynamicPackageName, packageOf } from "../pulumi/urn.ts";
import type { Goal } from "../values/goal.ts";
import { isDuration } from "./plan.ts";

/**
 * @param passesHooks whether another engine applies the plan and runs hooks @throws Error that names the unsupported
 * option
 */
export function refuseUnsupported(goal: Goal, passesHooks: boolean): void {
  const other = "is not supported by the embedded engine; use --engine pulumi";
  if (goal.remote) throw new Error(`the remote component ${goal.type} ${other}`);
  const options = goal.unsupported.filter((option) => option !== "hooks" || !passesHooks);
  if (options.length > 0) throw new Error(`the resource option ${options.join(", ")} ${other}`);
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
