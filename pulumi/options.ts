/** The options of a resource, as Pulumi's SDKs spell them. */
import { nearest } from "./nearest.ts";

const many = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** Those that programs write. */
export const resourceOptions = many(
  "additionalSecretOutputs aliases customTimeouts deleteBeforeReplace deletedWith dependsOn ignoreChanges import parent protect provider replaceOnChanges retainOnDelete",
);
const others = many(
  "envVarMappings hideDiffs hooks id pluginDownloadURL providers replaceWith replacementTrigger stateMigrations transformations transforms urn version",
);

/**
 * Pulumi ignores an option that it doesn't know, `protekt` for instance; one that is near to none may be of a later Pulumi.
 * @throws Error where a name is nearly an option's
 */
export function refuseMistyped(given: object): void {
  for (const name of Object.keys(given)) {
    const near =
      resourceOptions.has(name) || others.has(name) ? undefined : nearest(name, [...resourceOptions]);
    if (near !== undefined) throw new Error(`unknown option ${name}, did you mean ${near}?`);
  }
}
