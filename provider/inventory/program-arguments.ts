/** The arguments for an existing object, as pull writes them and compare compares them. */

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
  /** All arguments with a value, except bodies, ids and stock. */
  readonly args: Values;
  /** Values that aren't valid arguments, by path, with the reason. */
  readonly leftOut: readonly { readonly path: string; readonly reason: string }[];
}

/** Whether staff set the field and no argument exists for it. */
export function hasNoArgument(field: Field): boolean {
  const { items, hasArgument } = field;
  return isComputed(field) && (hasArgument === undefined ? items !== undefined : !hasArgument);
}

/** The arguments of an object, as a check accepts them. Ids of other objects stay as they are. */
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

/** Paths of values that pull leaves out: fields without an argument, and stock. */
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

/** An object's name for people, or its id. */
export function titleOf(definition: Definition, seen: Values): string {
  const name = nameOf(definition, seen);
  if (name !== undefined) return name;
  return definition.singleton === undefined ? String(seen.id) : definition.one;
}

/** The first name field that is set; for an address, its last part. */
export function nameOf(definition: Definition, seen: Values): string | undefined {
  const found = (definition.names ?? [])
    .map((name) => seen[name])
    .find((value): value is string => typeof value === "string" && value.trim() !== "");
  return found === undefined ? undefined : called(found);
}

// An address is shortened to its last part, unless it ends with a slash.
const called = (value: string) => (/^(https?:)?\/\//.test(value) && lastPart(value)) || value;

/**
 * A data source's criterion that finds only this object; undefined if there is none. Marks that staff may move to another
 * object (`published`) don't count.
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

export function roleOf(definition: Definition, seen: Values, all: readonly Values[]): string | undefined {
  const mark = Object.entries(definition.lookups ?? {}).find(
    ([, field]) => seen[field] === true && all.filter((other) => other[field] === true).length === 1,
  );
  return mark?.[0] ?? lookupOf(definition, seen, all)?.[1];
}
