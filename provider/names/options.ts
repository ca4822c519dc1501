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
 * Rejects misspelled options such as `protekt`, and values of another type: Pulumi ignores them, or fails at a line of its
 * own. An unknown option that resembles none may belong to a later Pulumi.
 * @param fields the resource's fields, which options may name
 * @throws Error if a name resembles a known one, or a value has another type
 */
export function refuseMistyped(given: Options, fields: readonly string[] = []): void {
  for (const option of ["parent", "provider", "deletedWith", "dependsOn"])
    for (const one of [given[option]].flat()) refuseNoResource(option, one);
  for (const option of ["protect", "retainOnDelete", "deleteBeforeReplace"])
    refuseText(option, given[option], "true or false");
  for (const name of Object.keys(given))
    if (!others.has(name)) refuseNear(name, [...resourceOptions], "unknown option");
  for (const option of ["ignoreChanges", "replaceOnChanges", "additionalSecretOutputs"] as const)
    for (const path of listIn(given, option)) {
      if (typeof path !== "string") throw wrongType(option, path, "the name of an argument");
      refuseNear(topOf(path), fields, `${option}: unknown argument`);
    }
  for (const alias of listIn(given, "aliases")) {
    refuseNumber("aliases", alias, 'an object such as { name: "old-name" }');
    if (isPlain(alias)) refuseKeys("aliases", alias, aliasKeys);
  }
  refuseTimeouts(given.customTimeouts);
  refuseNumber("import", given.import, `a string: ${JSON.stringify(String(given.import))}`);
  // In a dynamic resource the option means the argument `adopt`, which can name a key.
  const isKnown = (text: string) => text === "key" || isObjectId(text) || isNameOfOne(text);
  if (typeof given.import === "string" && !isKnown(given.import))
    throw wrongType("import", given.import, 'the id of an object in the shop, such as "8841"');
}

/** Whether a text is the id of an object in a shop: a number, or for a theme's file two. */
export const isObjectId = (text: string): boolean => /^\d+(\/\d+)?$/.test(text);

/** Whether a text may be the id of an object that a shop has once: the name of its element. */
const isNameOfOne = (text: string): boolean => /^[a-z]+(-[a-z]+)+$/.test(text);

type Options = Readonly<Record<string, unknown>>;

function refuseText(option: string, value: unknown, expected: string): void {
  if (typeof value === "string" || typeof value === "number") throw wrongType(option, value, expected);
}

function refuseNumber(option: string, value: unknown, expected: string): void {
  if (typeof value === "number") throw wrongType(option, value, expected);
}

function wrongType(option: string, value: unknown, expected: string): Error {
  const isValue = ["string", "number", "boolean", "undefined"].includes(typeof value) || value === null;
  const given = isValue
    ? (JSON.stringify(value) ?? "undefined")
    : Array.isArray(value)
      ? "a list"
      : undefined;
  const type = typeof value === "function" ? "a class or a function" : "an object";
  return new Error(`${option}: got ${given ?? type}, expected ${expected}`);
}

/** A value that is known later may be a resource. */
function refuseNoResource(option: string, value: unknown): void {
  refuseText(option, value, "a resource: write the variable, not its name");
  if (isPlain(value) || typeof value === "function")
    throw wrongType(option, value, "a resource: write the variable that new ... was assigned to");
}

function refuseTimeouts(given: unknown): void {
  refuseText("customTimeouts", given, 'an object such as { create: "5m" }');
  if (!isPlain(given)) return;
  refuseKeys("customTimeouts", given, timeoutKeys);
  for (const [verb, time] of Object.entries(given))
    refuseNumber(`customTimeouts.${verb}`, time, `a string with its unit, such as "${time}m"`);
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
