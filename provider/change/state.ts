/**
 * The state of an object: the values that were read, the arguments that no response contains, and the names of the
 * arguments that the program set.
 */

import { isDeepStrictEqual } from "node:util";
import type { Path } from "../../engine/pulumi/path.ts";
import { sha256 } from "../body/body.ts";
import { baseKeys, bodyInputs, bodyState, keptArguments, setPathsIn } from "../body/state.ts";
import {
  type Definition,
  type Field,
  type Fields,
  isReturnedArgument,
  isStored,
} from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { isBlank, listOf, valuesOf } from "../wire/values.ts";
import { baseOf, withBaseStock } from "./base.ts";
import { itemName, pairItems } from "./compare.ts";
import { isPartial, partialLists } from "./partial.ts";
import { isBodySecret, isSecretPath, secretsOf, untakenKey } from "./secrets.ts";

/**
 * The engine's `read` doesn't pass the arguments, so the state records their paths. Only these are managed, also after a
 * refresh.
 */
const statedKey = "__stated";
// Arguments that no response contains.
const said = ["adopt", "from", "until", "otherwise", "__secret", "__of", "__ignored"];
const saidOf = (definition: Definition) => [...said, ...partialLists(definition).map(({ others }) => others)];

/**
 * The state of an object.
 * @param args the arguments, or the previous state when there are none
 */
export function stateOf(definition: Definition, args: Values, seen: Values, before: Values): Values {
  const state: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(definition.fields)) {
    if (!isStored(field)) continue;
    const value = field.writeOnly ? (args[name] ?? before[name]) : inOrder(field, args[name], seen[name]);
    if (value !== undefined && value !== "") state[name] = value;
  }
  for (const name of [...keptArguments, ...saidOf(definition)])
    if (args[name] !== undefined) state[name] = args[name];
  const stated =
    typeof args[statedKey] === "string"
      ? setPathsSince(definition, args, seen)
      : setPathsOf(definition, args);
  // Empty for an object that was only read, which distinguishes its refresh from its first read.
  state[statedKey] = stated.join(",");
  const { __lines: lines, ...body } = bodyState(definition, args, seen, before);
  // The embedded engine then shows that nothing is deleted (engine/steps/operations.ts).
  if (isPartial(definition, state)) state.__retained = true;
  // A line of a secret is short enough to be guessed from its hash.
  return { ...state, ...body, ...(lines !== undefined && !isBodySecret(args) && { __lines: lines }) };
}

/**
 * The state without the paths that the program has removed, or never set since an import: an engine replaces the
 * arguments in the state also if nothing is to update.
 * @param args the arguments in the state, with lists; none if the engine doesn't pass them
 */
export function withoutRemovedPaths(definition: Definition, state: Values, args: Values): Values {
  if (typeof state[statedKey] !== "string" || Object.keys(args).length === 0) return state;
  // A refresh writes arguments too, and leaves out those without a value: these aren't removed.
  const removed = new Set(setPathsOf(definition, inputsOf(definition, state, {})));
  for (const path of setPathsOf(definition, args)) removed.delete(path);
  const left = [...setPathsIn(state)].filter((path) => !removed.has(path));
  return { ...state, [statedKey]: left.join(",") };
}

/** The arguments in a state file, which has secret ones encrypted: the state's own values stand for those. */
export function argumentsInFile(inputs: Values = {}, state: Values): Values {
  const secrets = secretsOf(state).filter((name) => inputs[name] !== undefined);
  return { ...inputs, ...Object.fromEntries(secrets.map((name) => [name, state[name]])) };
}

/** Sorts keyed items in the program's order: the order in the shop isn't an argument. */
function inOrder({ items }: Field, asked: unknown, seen: unknown): unknown {
  if (items?.key === undefined || !Array.isArray(asked) || !Array.isArray(seen)) return seen;
  const { pairs, gone } = pairItems(items, listOf(asked), listOf(seen), "after");
  return [...pairs.flatMap(([, there]) => (there === undefined ? [] : [there])), ...gone];
}

const setPathsOf = ({ fields }: Definition, args: Values): readonly string[] => [
  ...setPaths(fields, args),
  ...emptiedItems(fields, args),
];

/** A field that all items set, some of them to an empty text. */
const everyItem = (name: string): string => `*.${name}`;

/** The paths that the program sets: `variants`, `variants.price`; `variants.*.oldPrice` if items may have it empty. */
export function setPaths(fields: Fields, args: Values): readonly string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const value = args[name];
    if (value === undefined) return [];
    const inner = field.items?.fields;
    if (fields[name]?.each !== undefined && typeof value === "object")
      return [name, ...Object.keys(valuesOf(value)).map((own) => `${name}.${encodeURIComponent(own)}`)];
    if (inner === undefined || !Array.isArray(value)) return [name];
    const entries = listOf(value);
    const below = new Set(entries.flatMap((entry) => setPaths(inner, entry)));
    // If all items set a field, those without a value set it to an empty text.
    const emptied = Object.keys(inner).filter(
      (path) =>
        entries.some((entry) => entry[path] === "") && entries.every((entry) => entry[path] !== undefined),
    );
    return [name, ...[...below, ...emptied.map(everyItem)].map((path) => `${name}.${path}`)];
  });
}

/**
 * One item sets an empty text, and others leave the field out. The prefix distinguishes a key from a field, and a number
 * the items of one key.
 */
function oneItem(key: string, list: readonly Values[], index: number, name: string): string {
  const own = list[index]?.[key];
  const before = list.slice(0, index).filter((one) => one[key] === own).length;
  return `@${encodeURIComponent(String(own))}${before === 0 ? "" : `@${before}`}.${name}`;
}

/** The items that set an empty text, if not all items set the field: `variants.@MUG.oldPrice`. */
const emptiedItems = (fields: Fields, args: Values): readonly string[] =>
  Object.entries(fields).flatMap(([name, { items }]) => {
    const [list, key] = [args[name], items?.key];
    // The keys of a secret list are stored nowhere.
    if (!Array.isArray(list) || key === undefined || isSecretPath(args, name)) return [];
    const entries = listOf(list);
    const partly = Object.keys(items?.fields ?? {}).filter((own) =>
      entries.some((entry) => entry[own] === undefined),
    );
    return entries.flatMap((entry, index) =>
      partly.filter((own) => entry[own] === "").map((own) => `${name}.${oneItem(key, entries, index, own)}`),
    );
  });

/** Once the shop has other items, an empty text is attributed to the program's items by key. */
function setPathsSince(definition: Definition, olds: Values, seen: Values): readonly string[] {
  const before = baseOf(definition, olds);
  return [...setPathsIn(olds)].flatMap((path) => {
    const [name = "", every, own = ""] = path.split(".");
    const key = definition.fields[name]?.items?.key;
    if (every !== "*" || key === undefined || isSecretPath(olds, name)) return [path];
    const asked = listOf(before[name]);
    const isAsked = (id: unknown) => asked.some((one) => String(one.id) === String(id));
    if (listOf(seen[name]).every(({ id }) => isAsked(id))) return [path];
    return asked.map((_item, index) => `${name}.${oneItem(key, asked, index, own)}`);
  });
}

const digestOf = ({ fields }: Definition, args: Values): string =>
  sha256(JSON.stringify(Object.keys(fields).map((name) => args[name] ?? null)));

/** The state of an object that the shop made of other values than these arguments. */
export const withUntaken = (definition: Definition, state: Values, args: Values): Values => ({
  ...state,
  [untakenKey]: digestOf(definition, args),
});

/** Whether the shop has already made the state's object of these arguments, and of other values: it would do so again. */
export const isUntaken = (definition: Definition, state: Values, args: Values): boolean =>
  state[untakenKey] !== undefined && state[untakenKey] === digestOf(definition, args);

/** The state after a refresh, which reads the same object. */
export const keepUntaken = ({ [untakenKey]: untaken }: Values, state: Values): Values =>
  untaken === undefined ? state : { ...state, [untakenKey]: untaken };

/** The arguments that would produce this state. A refresh compares the program with them. */
export function inputsOf(definition: Definition, state: Values, seen: Values): Values {
  const stated = [...setPathsIn(state)];
  const inputs: Record<string, unknown> = {
    ...pick(definition.fields, withBaseStock(definition, state), stated),
    ...bodyInputs(definition, state, seen, stated),
  };
  // An engine compares these with the program's arguments: a missing one would cause a write of the state.
  for (const name of saidOf(definition)) if (state[name] !== undefined) inputs[name] = state[name];
  return inputs;
}

/** Whether a read found the object as the state has it, and the state no edits of staff. */
export const isAsBefore = (before: Values, read: Values): boolean =>
  baseKeys.every((key) => before[key] === undefined) && isDeepStrictEqual(read, before);

function pick(fields: Fields, values: Values, paths: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (!paths.includes(name) || !isReturnedArgument(field)) continue;
    picked[name] = pickField(
      field,
      values[name],
      paths.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1)),
    );
  }
  return picked;
}

function pickField(field: Field, value: unknown, paths: readonly string[]): unknown {
  const inner = field.items?.fields;
  if (inner !== undefined) {
    return listOf(value).map((entry, index, list) =>
      // An item without a value doesn't set it, unless the state says so.
      Object.fromEntries(
        Object.entries(pick(inner, entry, paths)).filter(
          ([name, picked]) =>
            !isEmpty(picked) ||
            (picked === "" &&
              (paths.includes(everyItem(name)) ||
                paths.includes(oneItem(field.items?.key ?? "", list, index, name)))),
        ),
      ),
    );
  }
  if (field.each !== undefined)
    return Object.fromEntries(
      paths.flatMap((path) => {
        const own = decodeURIComponent(path);
        const amount = valuesOf(value)[own];
        return amount === undefined ? [] : [[own, amount]];
      }),
    );
  // Set, and no value: the program set an empty text.
  return value ?? "";
}

const isEmpty = (value: unknown) =>
  value === "" || (typeof value === "object" && value !== null && Object.keys(value).length === 0);

/**
 * Arguments with the shop's values at some paths, where an adoption changes them: with the other arguments they are the
 * inputs from before.
 * @param shop the arguments that would produce the object as it is (`inputsOf`)
 */
export function withValuesAt(
  { fields }: Definition,
  args: Values,
  shop: Values,
  paths: readonly Path[],
): Values {
  const byName = Map.groupBy(paths, ([name = ""]) => name);
  const taken = [...byName].map(([name, its]) => {
    const inner = its.map(([, ...rest]) => rest);
    return [name, valueAt(fields[name], { asked: args[name], is: shop[name] }, inner)] as const;
  });
  const all = Object.entries({ ...args, ...Object.fromEntries(taken) });
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}

function valueAt(
  field: Field | undefined,
  { asked, is }: { readonly asked: unknown; readonly is: unknown },
  paths: readonly Path[],
): unknown {
  const items = field?.items;
  if (items?.fields === undefined || paths.some(({ length }) => length === 0))
    return isBlank(is) ? undefined : is;
  const { pairs, gone } = pairItems(items, listOf(asked), listOf(is));
  const isIn = (item: Values, index: number) => paths.some(([own]) => own === itemName(items, item, index));
  const there = pairs.flatMap(([entry, was], index): readonly Values[] => {
    if (!isIn(entry, index)) return [entry];
    if (was === undefined) return [];
    const moved = paths.flatMap(([own, name]) =>
      own === itemName(items, entry, index) && name !== undefined ? [[name, was[name]] as const] : [],
    );
    const all = Object.entries({ ...entry, ...Object.fromEntries(moved) });
    return [moved.length === 0 ? was : Object.fromEntries(all.filter(([, value]) => !isBlank(value)))];
  });
  return [...there, ...gone.filter((item) => isIn(item, -1))];
}
