/** Properties without secrets and without the engine's own keys, for events and output. */

import {
  type Change,
  changes,
  hasSecret,
  isSecret,
  joinPath,
  mapValue,
  type Properties,
  secret,
  secretValue,
  type Value,
} from "../values/values.ts";
import type { State } from "./snapshot.ts";

const hidden = "[secret]";

export function masked(properties: Properties): Properties {
  const entries = Object.entries(properties).filter(([key]) => !key.startsWith("__"));
  return Object.fromEntries(entries.map(([key, value]) => [key, maskedValue(value)]));
}

/**
 * Masks outputs. A provider may derive any output from a secret input: if there is one, only outputs with the names of
 * non-secret inputs are shown.
 */
export function maskedOutputs(outputs: Properties, ...arguments_: readonly Properties[]): Properties {
  if (!arguments_.some(hasSecret)) return masked(outputs);
  const isOpen = (key: string) =>
    arguments_.some((one) => one[key] !== undefined) &&
    arguments_.every((one) => one[key] === undefined || !hasSecret(one[key]));
  return masked(
    Object.fromEntries(
      Object.entries(outputs).map(([key, value]) => [key, isOpen(key) ? value : secret(value)] as const),
    ),
  );
}

const maskedValue = (value: Value): Value => mapValue(value, (one) => (isSecret(one) ? hidden : one));

/** Computes a keyed digest: equal digests mean equal secrets, and without the key nobody can test guesses. */
export type SecretDigest = (text: string) => string;

/** The digests of all secrets in a value, each with its path: `inputs content`. */
export function secretDigests(
  value: Value | undefined,
  what: string,
  path: string,
  digest: SecretDigest,
): readonly (readonly [string, string])[] {
  if (typeof value !== "object" || value === null) return [];
  if (isSecret(value)) return [[`${what} ${path}`, digest(JSON.stringify(secretValue(value)))]];
  const at = (key: string) => (Array.isArray(value) ? `${path}[${key}]` : joinPath(path, key));
  return Object.entries(value).flatMap(([key, entry]) =>
    secretDigests(entry as Value, what, at(key), digest),
  );
}

/** @param hiddenPaths the paths in the resource option `hideDiffs`, whose values are masked like secrets */
export function maskedChanges(
  list: readonly Change[],
  hiddenPaths: readonly string[] = [],
): readonly Change[] {
  const isHidden = (path: string) =>
    hiddenPaths.some((one) => path === one || path.startsWith(`${one}.`) || path.startsWith(`${one}[`));
  return list.map((one) => {
    const shown = (value: Value) => (isHidden(one.path) ? hidden : maskedValue(value));
    return {
      ...one,
      ...(one.old !== undefined && { old: shown(one.old) }),
      ...(one.new !== undefined && { new: shown(one.new) }),
    };
  });
}

/** The differences between a state's inputs and those that a refresh found. */
export const drift = (before: State, after: State) =>
  maskedChanges(changes(before.inputs ?? {}, after.inputs ?? {}));
