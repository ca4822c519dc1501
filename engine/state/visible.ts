/** Properties as a watcher may see them: secrets masked, what is the engine's own left out. */

import {
  type Change,
  changes,
  hasSecret,
  isSecret,
  joinPath,
  type Properties,
  secret,
  secretValue,
  type Value,
} from "../values/values.ts";
import type { State } from "./snapshot.ts";

const hidden = "[secret]";

/** Properties as a watcher may see them. */
export function visible(properties: Properties): Properties {
  const entries = Object.entries(properties).filter(([key]) => !key.startsWith("__"));
  return Object.fromEntries(entries.map(([key, value]) => [key, masked(value)]));
}

/**
 * Outputs as a watcher may see them. What a provider made of a secret may be in any of them: beside one, only what the
 * arguments name is shown.
 */
export function visibleOlds(outputs: Properties, ...arguments_: readonly Properties[]): Properties {
  if (!arguments_.some(hasSecret)) return visible(outputs);
  const isOpen = (key: string) =>
    arguments_.some((one) => one[key] !== undefined) &&
    arguments_.every((one) => one[key] === undefined || !hasSecret(one[key]));
  return visible(
    Object.fromEntries(
      Object.entries(outputs).map(([key, value]) => [key, isOpen(key) ? value : secret(value)] as const),
    ),
  );
}

function masked(value: Value): Value {
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== "object" || value === null) return value;
  if (isSecret(value)) return hidden;
  return Object.fromEntries(
    Object.entries(value as unknown as Properties).map(([key, entry]) => [key, masked(entry)]),
  );
}

/** Makes a keyed digest of a secret: two that are equal hide the same value, and nobody without the key can try values. */
export type Seal = (text: string) => string;

/** The digests of all secrets in a value, by the path at which it stands and theirs in it: `inputs content`. */
export function digestsOf(
  value: Value | undefined,
  what: string,
  path: string,
  seal: Seal,
): readonly (readonly [string, string])[] {
  if (typeof value !== "object" || value === null) return [];
  if (isSecret(value)) return [[`${what} ${path}`, seal(JSON.stringify(secretValue(value)))]];
  const at = (key: string) => (Array.isArray(value) ? `${path}[${key}]` : joinPath(path, key));
  return Object.entries(value).flatMap(([key, entry]) => digestsOf(entry as Value, what, at(key), seal));
}

export function visibleChanges(list: readonly Change[]): readonly Change[] {
  return list.map((one) => ({
    ...one,
    ...(one.old !== undefined && { old: masked(one.old) }),
    ...(one.new !== undefined && { new: masked(one.new) }),
  }));
}

/** What a refresh found: the differences between two sets of inputs. */
export const drift = (before: State, after: State) =>
  visibleChanges(changes(before.inputs ?? {}, after.inputs ?? {}));
