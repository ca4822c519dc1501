/** An object of the shop as a program would state it: what a pull writes and what a comparison compares. */

import {
  type Definition,
  type Field,
  type Fields,
  isComputed,
  isReturnedArgument,
} from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { lastPart, withLineFeeds } from "../wire/text.ts";
import { isBlank, listOf } from "../wire/values.ts";

export interface ObjectArguments {
  /** Every argument that the object has a value for; bodies, ids and what the shop moves by itself are left out. */
  readonly args: Values;
  /** Values that no program can state, by path: what the argument says of them. */
  readonly leftOut: readonly { readonly path: string; readonly reason: string }[];
}

/** Whether staff set a field, and no argument carries what it holds: it stays in its shop. */
export function hasNoArgument(field: Field): boolean {
  const { items, hasArgument } = field;
  return isComputed(field) && (hasArgument === undefined ? items !== undefined : !hasArgument);
}

/** The arguments of an object, as they would be checked. Numbers of other objects are among them as they are. */
export function programArguments(definition: Definition, seen: Values): ObjectArguments {
  const leftOut: { path: string; reason: string }[] = [];
  return { args: argumentsIn(definition.fields, seen, "", leftOut), leftOut };
}

type LeftOut = { path: string; reason: string }[];

function argumentsIn(fields: Fields, seen: Values, above: string, leftOut: LeftOut): Record<string, unknown> {
  const args: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (!isReturnedArgument(field) || field.serverManaged) continue;
    const value = field.writeOnly ? field.pullValue?.(seen) : seen[name];
    if (value === undefined || value === "") continue;
    const path = above + name;
    const inner = field.items?.fields;
    if (inner === undefined) {
      const stated = statedValue(field, value, path, leftOut);
      if (stated !== undefined) args[name] = stated;
      continue;
    }
    const items = listOf(value).map((item, index) => argumentsIn(inner, item, `${path}[${index}].`, leftOut));
    if (items.length > 0) args[name] = items;
  }
  return args;
}

function statedValue(field: Field, value: unknown, path: string, leftOut: LeftOut): unknown {
  const result = field.argument(typeof value === "string" ? withLineFeeds(value) : value);
  if ("value" in result) return result.value;
  leftOut.push({ path, reason: result.wrong });
  return undefined;
}

/** Paths of what an object has and a pull doesn't state: set by staff without an argument, or moved by the shop. */
export function pathsNotPulled(fields: Fields, seen: Values, above = ""): readonly string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const value = seen[name];
    if (isBlank(value)) return [];
    if (hasNoArgument(field) || (field.serverManaged && isReturnedArgument(field))) return [above + name];
    const inner = field.items?.fields;
    if (inner === undefined || !isReturnedArgument(field)) return [];
    const below = listOf(value).flatMap((item) => pathsNotPulled(inner, item, `${above}${name}.`));
    return [...new Set(below)];
  });
}

/** What a person calls an object: the first of its names that is set, else its number. */
export function titleOf(definition: Definition, seen: Values): string {
  const name = nameOf(definition, seen);
  if (name !== undefined) return name;
  return definition.singleton === undefined ? String(seen.id) : definition.one;
}

/** The first of an object's names that is set; of an address its last part. */
export function nameOf(definition: Definition, seen: Values): string | undefined {
  const found = (definition.names ?? [])
    .map((name) => seen[name])
    .find((value): value is string => typeof value === "string" && value.trim() !== "");
  return found === undefined ? undefined : called(found);
}

// An address is called by its last part, as a file is; one that ends with its folder as it stands.
const called = (value: string) => (/^(https?:)?\/\//.test(value) && lastPart(value)) || value;

/**
 * A text that finds an object by a data source, and that no other object of its shop has; undefined where there is
 * none. A mark that staff may give to another object (`published`) is no such text.
 */
export function lookupOf(
  definition: Definition,
  seen: Values,
  all: readonly Values[],
): readonly [name: string, text: string] | undefined {
  const isOwn = (field: string) =>
    typeof seen[field] === "string" &&
    seen[field] !== "" &&
    all.filter((other) => other[field] === seen[field]).length === 1;
  const found = Object.entries(definition.lookups ?? {}).find(([, field]) => isOwn(field));
  return found === undefined ? undefined : [found[0], String(seen[found[1]])];
}

/** What an object is in its shop, whatever it is called there: a mark that only it bears, else what finds it. */
export function roleOf(definition: Definition, seen: Values, all: readonly Values[]): string | undefined {
  const mark = Object.entries(definition.lookups ?? {}).find(
    ([, field]) => seen[field] === true && all.filter((other) => other[field] === true).length === 1,
  );
  return mark?.[0] ?? lookupOf(definition, seen, all)?.[1];
}
