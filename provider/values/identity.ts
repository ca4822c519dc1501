/** How an object is named: by the engine's id, by the path of its operations, by its natural key. */

import type { Input } from "../client/call.ts";
import { type Definition, namesIn } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { isBlank, valuesOf } from "../wire/values.ts";

/** Names in the paths that are neither the object's own id nor an item's: the objects above it. */
export function parents(definition: Definition): readonly string[] {
  const names = Object.values(definition.operations).flatMap(({ path }) => namesIn(path));
  return [...new Set(names)].filter((name) => name !== "id" && name !== "item");
}

/** The engine's id: ids from the top down, joined by slashes; a constant where a shop has one at most. */
export function identify(definition: Definition, seen: Values, args: Values): string {
  if (definition.singleton !== undefined) return definition.one;
  return [...parents(definition).map((name) => seen[name] ?? args[name]), seen.id].join("/");
}

/** The object's own id of an engine's id: without those of what is above it. */
export const ownId = (id: string): string => id.slice(id.lastIndexOf("/") + 1);

/** The path values of an id; what is above it may come from the arguments instead. */
export function where(definition: Definition, id: string, args: Values = {}): Input {
  if (definition.singleton !== undefined) return {};
  const parts = id.split("/");
  const above = parents(definition).map((name, index) => [
    name,
    parts.length > 1 ? parts[index] : args[name],
  ]);
  return { ...Object.fromEntries(above), id: ownId(id) };
}

/** The path values that say which list an object with these arguments stands in. */
export function above(definition: Definition, args: Values): Input {
  return Object.fromEntries(parents(definition).map((name) => [name, args[name]]));
}

/** A natural key: paths of fields with the values they must have. */
export type Key = Readonly<Record<string, unknown>>;

/** The first natural key whose fields are all stated; of a field of items the values of all items that state it. */
export function keyOf(definition: Definition, args: Values): Key | undefined {
  for (const paths of definition.keys ?? []) {
    const key = Object.fromEntries(
      paths.map((path) => [path, path.includes(".") ? statedAt(args, path) : valueAt(args, path)]),
    );
    if (!Object.values(key).some(isBlank)) return key;
  }
  return undefined;
}

/** Whether an object has a natural key; of a field of items one of the values, in any of its items. */
export function hasKey(seen: Values, key: Key): boolean {
  return Object.entries(key).every(([path, value]) =>
    Array.isArray(value)
      ? statedAt(seen, path).some((one) => value.includes(one))
      : valueAt(seen, path) === value,
  );
}

/** `code SALE10`, as a person reads it. */
export function keyText(key: Key): string {
  return Object.entries(key)
    .map(([path, value]) => `${path} ${Array.isArray(value) ? value.join(" or ") : value}`)
    .join(", ");
}

/** The value at a path of a natural key: `variants.sku` is the sku of the first variant. */
export function valueAt(values: Values, path: string): unknown {
  return valuesAt(values, path)[0];
}

/** All values at a path: `variants.sku` is the sku of each variant. */
const valuesAt = (values: Values, path: string): readonly unknown[] =>
  path
    .split(".")
    .reduce<readonly unknown[]>(
      (holders, name) => holders.flatMap((holder) => valuesOf(holder)[name]),
      [values],
    );

/** Those of them that are set. */
export const statedAt = (values: Values, path: string): readonly unknown[] =>
  valuesAt(values, path).filter((value) => value !== undefined && value !== "");

/** What an object stands in, as one text: objects of one text stand in one list. */
export function placeText(definition: Definition, id: string): string {
  const { id: _own, ...rest } = where(definition, id);
  return JSON.stringify(above(definition, rest));
}
