/**
 * Property values as on the wire and in the state: JSON, with special objects for secrets and outputs, and a special
 * text for unknown values. The signatures are Pulumi's (sdk/nodejs/runtime/rpc.ts).
 */

import { pathSteps } from "../pulumi/path.ts";

export type Value = null | boolean | number | string | readonly Value[] | Properties;
export interface Properties {
  readonly [key: string]: Value;
}

const signature = "4dabf18193072939515e22adb298388d";
const secretMark = "1b47061264138c4ac30d75fd1eb44270";
const outputMark = "d0e6a833031e9bbcd3f4e8bde6ca49a4";

/** Stands for a value that a preview doesn't know. */
export const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

export function isObject(value: Value | undefined): value is Properties {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isSecret(value: Value | undefined): value is Properties {
  return isObject(value) && value[signature] === secretMark;
}

/** Marks a value as secret, unless it is one already. */
export function secret(value: Value): Value {
  return isSecret(value) ? value : { [signature]: secretMark, value };
}

export function secretValue(value: Properties): Value {
  return value.value ?? null;
}

/** A secret in the state: its ciphertext instead of its value. */
export const encrypted = (ciphertext: string): Value => ({ [signature]: secretMark, ciphertext });

/** Maps every value, from the leaves up. */
export function mapValue(value: Value, change: (value: Value) => Value): Value {
  if (Array.isArray(value)) return change(value.map((entry: Value) => mapValue(entry, change)));
  if (isObject(value))
    return change(
      Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, mapValue(entry, change)])),
    );
  return change(value);
}

/** Removes secret marks, for providers that don't accept them. */
export function bare(value: Value): Value {
  return mapValue(value, (one) => (isSecret(one) ? secretValue(one) : one));
}
export const bareProperties = (properties: Properties): Properties =>
  hasSecret(properties) ? (bare(properties) as Properties) : properties;

/** Converts output values to plain values, secrets and unknowns. */
export function plain(value: Value): Value {
  return mapValue(value, (one) => {
    if (!isOutputValue(one)) return one;
    const inner = one.value === undefined ? unknownText : (one.value as Value);
    return one.secret === true ? secret(inner) : inner;
  });
}

/** Whether a value is the SDK's output value, with its dependencies and whether it is known and secret. */
const isOutputValue = (value: Value | undefined): value is Properties =>
  isObject(value) && value[signature] === outputMark;

export function hasUnknown(value: Value | undefined): boolean {
  if (value === unknownText) return true;
  if (Array.isArray(value)) return value.some(hasUnknown);
  return isObject(value) && Object.values(value).some(hasUnknown);
}

/** The value of a key, which may also be `toString`. */
const own = (values: Properties, key: string): Value | undefined =>
  Object.hasOwn(values, key) ? values[key] : undefined;

/** Whether two values are equal; a secret never equals a plain value. */
export function equal(a: Value | undefined, b: Value | undefined): boolean {
  if (a === b) return true;
  if (isSecret(a) || isSecret(b)) return isSecret(a) && isSecret(b) && equal(secretValue(a), secretValue(b));
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((entry: Value, index) => equal(entry, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => equal(own(a, key), own(b, key)));
}

/** Marks outputs as secret if the inputs of the same name are, as Pulumi does for providers that don't accept secrets. */
export function annotateSecrets(outputs: Properties, inputs: Properties): Properties {
  const entries = Object.entries(outputs).map(
    ([key, value]) => [key, annotated(value, own(inputs, key))] as const,
  );
  return Object.fromEntries(entries);
}

function annotated(output: Value, input: Value | undefined): Value {
  if (isSecret(input)) return secret(output);
  if (isObject(output) && isObject(input) && !isSecret(output)) return annotateSecrets(output, input);
  // A provider may reorder or reshape a list: one secret inside makes the whole list secret.
  return input !== undefined && hasSecret(input) ? secret(output) : output;
}

export function hasSecret(value: Value): boolean {
  if (isSecret(value)) return true;
  if (Array.isArray(value)) return value.some(hasSecret);
  return isObject(value) && Object.values(value).some(hasSecret);
}

/** One difference between two sets of properties. */
export interface Change {
  readonly path: string;
  readonly kind: "add" | "delete" | "update";
  readonly old?: Value;
  readonly new?: Value;
}

/** The change from one value to another; undefined is no value. */
export const changeBetween = (path: string, old: Value | undefined, next: Value | undefined): Change => ({
  path,
  kind: old === undefined ? "add" : next === undefined ? "delete" : "update",
  ...(old !== undefined && { old }),
  ...(next !== undefined && { new: next }),
});

/** The differences, leaf by leaf; keys that start with two underscores belong to the engine or the provider. */
export function changes(olds: Properties, news: Properties, path = ""): readonly Change[] {
  const keys = [...new Set([...Object.keys(olds), ...Object.keys(news)])].filter(
    (key) => !key.startsWith("__"),
  );
  return keys.flatMap((key) => change(joinPath(path, key), own(olds, key), own(news, key)));
}

// A key that is no identifier is quoted, as in Pulumi's property paths.
export function joinPath(path: string, key: string): string {
  const plain = /^[A-Za-z_$][\w$-]*$/.test(key);
  if (!plain) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}

function change(path: string, old: Value | undefined, next: Value | undefined): readonly Change[] {
  if (equal(old, next)) return [];
  if (isObject(old) && isObject(next) && !isSecret(old) && !isSecret(next)) return changes(old, next, path);
  if (Array.isArray(old) && Array.isArray(next)) {
    const length = Math.max(old.length, next.length);
    return Array.from({ length }, (_none, index) =>
      change(`${path}[${index}]`, old[index], next[index]),
    ).flat();
  }
  return [changeBetween(path, old, next)];
}

/** Takes the values at a path from the old values, for `ignoreChanges`; `*` stands for every key. */
export function restore(
  news: Value | undefined,
  olds: Value | undefined,
  steps: readonly string[],
): Value | undefined {
  const [step, ...rest] = steps;
  if (step === undefined) return olds;
  if (
    isSecret(news) ||
    isSecret(olds) ||
    typeof news !== "object" ||
    news === null ||
    typeof olds !== "object" ||
    olds === null
  )
    return news;
  const [after, before] = [news as unknown as Properties, olds as unknown as Properties];
  const keys = step === "*" ? [...new Set([...Object.keys(after), ...Object.keys(before)])] : [step];
  const result: Record<string, Value> = { ...after };
  for (const key of keys) {
    const value = restore(own(after, key), own(before, key), rest);
    if (value === undefined) delete result[key];
    // An assignment to __proto__ would not create a key.
    else Object.defineProperty(result, key, { value, configurable: true, enumerable: true, writable: true });
  }
  return Array.isArray(news) ? Object.values(result) : result;
}

/** Whether a path lies at, under or above a pattern. */
export function touches(pattern: string, path: string): boolean {
  const [wanted, found] = [pathSteps(pattern), pathSteps(path)];
  const length = Math.min(wanted.length, found.length);
  return wanted.slice(0, length).every((step, index) => step === "*" || step === found[index]);
}
