/**
 * Converts lists whose items have a key to objects by that key, and back. Engines compare arguments by position: after an
 * insert, they would report a change of all items behind it. So such lists travel as objects (sdk/keyed.ts), and are lists
 * here. Also applies `ignoreChanges` to the items of a list.
 */

import { isRecord } from "../../engine/common/record.ts";
import { joinedPaths, type Path, topOf } from "../../engine/pulumi/path.ts";
import type { Definition, Items } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { unknownValue } from "../wire/text.ts";
import { listOf } from "../wire/values.ts";
import { asPartialItems, pairItems } from "./compare.ts";

const keyedLists = (
  definition: Definition,
): readonly (readonly [string, Items & { readonly key: string }])[] =>
  Object.entries(definition.fields).flatMap(([name, { items }]) =>
    items?.fields !== undefined && items.key !== undefined
      ? [[name, { ...items, key: items.key }] as const]
      : [],
  );

/** Converts keyed objects to lists, in the program's order. */
export function asLists(definition: Definition, inputs: Values): Values {
  const lists = keyedLists(definition).flatMap(([name]) => {
    const value = inputs[name];
    // A single item that was written without its list isn't a keyed object.
    if (!isRecord(value) || !Object.values(value).every((item) => isRecord(item) || item === unknownValue))
      return [];
    const { __order: orders } = inputs;
    const written = isRecord(orders) ? orders[name] : undefined;
    const order = Array.isArray(written) ? written.map(String) : [];
    const rest = Object.keys(value).filter((key) => !order.includes(key));
    return [
      [name, [...order.filter((key) => value[key] !== undefined), ...rest].map((key) => value[key])] as const,
    ];
  });
  return lists.length === 0 ? inputs : { ...inputs, ...Object.fromEntries(lists) };
}

/**
 * Converts lists to keyed objects.
 * @param came the arguments as the engine sent them: their lists stay lists. Undefined converts all
 */
export function asKeyedLists(definition: Definition, inputs: Values, came: Values | undefined): Values {
  const order: Record<string, readonly string[]> = {};
  const shaped = keyedLists(definition).flatMap(([name, items]) => {
    const list = inputs[name];
    if (!Array.isArray(list) || (came !== undefined && !isRecord(came[name]))) return [];
    const entries = keyed(items.key, listOf(list));
    if (entries === undefined) return [];
    order[name] = entries.map(([key]) => key);
    return [[name, Object.fromEntries(entries)] as const];
  });
  if (shaped.length === 0) return inputs;
  return { ...inputs, ...Object.fromEntries(shaped), __order: order };
}

/** Items by their keys; undefined if keys are missing or equal. The SDK does the same (sdk/keyed.ts). */
function keyed(key: string, list: readonly Values[]): readonly (readonly [string, Values])[] | undefined {
  const entries = list.flatMap((item) => {
    const value = item?.[key];
    const isKey = typeof value === "string" && value !== "" && !value.startsWith("__");
    return isKey ? [[value, item] as const] : [];
  });
  return new Set(entries.map(([value]) => value)).size < list.length ? undefined : entries;
}

/**
 * Removes the ignored fields (`variants.quantity`) from items that already exist; new items keep them. An engine can only
 * ignore by position.
 */
export function withoutIgnoredItems(definition: Definition, olds: Values, args: Values): Values {
  const ignored = ignoredIn(args).filter((path) => path.includes("."));
  if (ignored.length === 0) return args;
  const lists = keyedLists(definition).flatMap(([name, items]) => {
    const list = args[name];
    if (!ignored.some((path) => topOf(path) === name) || !Array.isArray(list)) return [];
    const { pairs } = pairItems(asPartialItems(items, args), listOf(list), listOf(olds[name]));
    const kept = (item: Values) =>
      Object.entries(item).flatMap(([field, value]): (readonly [string, unknown])[] => {
        const isLeft = (text: string) => isIgnoredIn(ignored, name, item[items.key], text);
        if (isLeft(field)) return [];
        if (!isRecord(value)) return [[field, value]];
        return [
          [
            field,
            without(
              value,
              Object.keys(value).filter((key) => isLeft(`${field}[${key}]`)),
            ),
          ],
        ];
      });
    return [
      [
        name,
        pairs.map(([item, old]) => (old === undefined ? item : Object.fromEntries(kept(item)))),
      ] as const,
    ];
  });
  return { ...args, ...Object.fromEntries(lists) };
}

/**
 * The arguments of an adopted object, without everything that `ignoreChanges` names. An engine does this only for objects
 * in its state.
 */
export function withoutIgnored(definition: Definition, seen: Values, args: Values): Values {
  const ignored = ignoredArguments(definition, args);
  return ignored.length === 0 ? args : withoutIgnoredItems(definition, seen, without(args, ignored));
}

/** The names in `ignoreChanges`, each with the arguments that say its unit. */
const ignoredArguments = ({ fields }: Definition, args: Values): readonly string[] =>
  ignoredIn(args).flatMap((name) => [name, ...Object.values(fields[name]?.forms ?? {}).flatMap(Object.keys)]);

/** The paths in `ignoreChanges`: `title`, `variants.quantity`, `variants[MUG-R].quantity`. */
export const ignoredIn = ({ __ignored: paths }: Values): readonly string[] =>
  joinedPaths(String(paths ?? ""));

/** Whether `ignoreChanges` covers a path, or the argument whose unit it says. */
export function isIgnored(definition: Definition, args: Values, [name = "", item, field]: Path): boolean {
  const ignored = ignoredArguments(definition, args);
  return (
    ignored.includes(name) ||
    ignored.includes("*") ||
    (field !== undefined && isIgnoredIn(ignored, name, item, field))
  );
}

/** Whether a field of an item is ignored: in all items, or in the one with this key. */
export const isIgnoredIn = (ignored: readonly string[], list: string, key: unknown, field: string): boolean =>
  ignored.includes(`${list}.${field}`) || ignored.includes(`${list}[${key}].${field}`);

const without = (item: Values, names: readonly string[]): Values =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));
