/** What a program may ask of Pulumi and not of this engine. */
import type { Goal } from "./goal.ts";

/** The package whose provider is the SDK's own host. */
export const dynamicPackageName = "pulumi-nodejs";

const providers = "pulumi:providers:";
export const isProviderType = (type: string): boolean => type.startsWith(providers);

/** The package that a type is of; of a provider the one that it provides: `pulumi:providers:random` is of random. */
export const packageOf = (type: string): string =>
  isProviderType(type) ? type.slice(providers.length) : (type.split(":")[0] ?? "");

/** Refuses what this engine does not support. @throws Error that names it */
export function refuse(goal: Goal): void {
  const other = "is not supported by the embedded engine; use --engine pulumi";
  if (goal.remote) throw new Error(`the remote component ${goal.type} ${other}`);
  if (goal.unsupported.length > 0)
    throw new Error(
      `the resource option ${goal.unsupported.join(", ")} is not supported by the embedded engine; use --engine pulumi`,
    );
  if (goal.custom && goal.type === providers + dynamicPackageName)
    throw new Error(`the explicit provider ${goal.type} ${other}`);
  if (goal.importId !== "" && packageOf(goal.type) === dynamicPackageName)
    throw new Error(
      "dynamic resources can't be imported by the resource option import, by no engine; take the object over with an argument of its own",
    );
}
