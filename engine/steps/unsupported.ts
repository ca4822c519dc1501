/** What a program may ask of Pulumi and not of this engine. */
import type { Goal } from "../values/goal.ts";

/** Types whose provider is the SDK's own host. */
export const dynamicPackage = /^pulumi-nodejs:/;

/** Refuses what this engine does not support. @throws Error that names it */
export function refuse(goal: Goal): void {
  const other = "is not supported by the embedded engine; use --engine pulumi";
  if (goal.remote) throw new Error(`the remote component ${goal.type} ${other}`);
  if (goal.unsupported.length > 0)
    throw new Error(
      `the resource option ${goal.unsupported.join(", ")} is not supported by the embedded engine; use --engine pulumi`,
    );
  if (goal.importId !== "")
    throw new Error(
      `the resource option import ${other}; dynamic resources can't be imported by the real one either: state adopt instead`,
    );
  if (goal.custom && goal.type.startsWith("pulumi:providers:"))
    throw new Error(`the explicit provider ${goal.type} ${other}`);
  if (goal.custom && !dynamicPackage.test(goal.type))
    throw new Error(`resources of type ${goal.type} need a plugin, which ${other}`);
}
