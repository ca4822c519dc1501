/** Resource options, as Pulumi's SDKs spell them. */
import { didYouMean, nearest } from "../../engine/common/nearest.ts";
import { isPlain } from "../../engine/common/record.ts";
import { topOf } from "../../engine/pulumi/path.ts";

const many = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** The options that programs use. */
export const resourceOptions = many(
  "additionalSecretOutputs aliases customTimeouts deleteBeforeReplace deletedWith dependsOn ignoreChanges import parent protect provider replaceOnChanges retainOnDelete",
);
const others = many(
  "envVarMappings hideDiffs hooks id pluginDownloadURL providers replaceWith replacementTrigger stateMigrations transformations transforms urn version",
);

// The keys of options that are objects.
const aliasKeys = ["name", "type", "stack", "project", "parent"];
const timeoutKeys = ["create", "update", "delete"];

/**
 * Rejects misspelled options such as `protekt`, which Pulumi ignores. An unknown option that resembles none may belong to a
 * later Pulumi.
 * @param fields the resource's fields, which options may name
 * @throws Error if a name resembles a known one
 */
export function refuseMistyped(given: Options, fields: readonly string[] = []): void {
  for (const option of ["parent", "provider", "deletedWith", "dependsOn"])
    for (const one of [given[option]].flat())
      refuseText(option, one, "a resource: write the variable, not its name");
  for (const option of ["protect", "retainOnDelete", "deleteBeforeReplace"])
    refuseText(option, given[option], "true or false");
  for (const name of Object.keys(given))
    if (!others.has(name)) refuseNear(name, [...resourceOptions], "unknown option");
  for (const option of ["ignoreChanges", "replaceOnChanges", "additionalSecretOutputs"] as const)
    for (const path of listIn(given, option))
      if (typeof path === "string") refuseNear(topOf(path), fields, `${option}: unknown argument`);
  for (const alias of listIn(given, "aliases")) if (isPlain(alias)) refuseKeys("aliases", alias, aliasKeys);
  if (isPlain(given.customTimeouts)) refuseKeys("customTimeouts", given.customTimeouts, timeoutKeys);
}

type Options = Readonly<Record<string, unknown>>;

function refuseText(option: string, value: unknown, expected: string): void {
  if (typeof value === "string" || typeof value === "number")
    throw new Error(`${option}: got ${JSON.stringify(value)}, expected ${expected}`);
}

function refuseNear(name: string, known: readonly string[], what: string): void {
  const near = known.includes(name) ? undefined : nearest(name, known);
  if (near !== undefined) throw new Error(`${what} ${name}, did you mean ${near}?`);
}

function refuseKeys(option: string, given: object, known: readonly string[]): void {
  for (const key of Object.keys(given))
    if (!known.includes(key))
      throw new Error(
        `${option}: unknown key ${key}${didYouMean(key, known) || `; it takes ${known.join(", ")}`}`,
      );
}

/** The entries of an option; empty if it is unset or a promise. */
function listIn(given: Options, option: string): readonly unknown[] {
  const value = given[option];
  if (isPlain(value) || typeof value === "string")
    throw new Error(`${option}: must be a list: write [ ] around it`);
  return Array.isArray(value) ? value : [];
}
