/** What the state keeps of an object: what was read, what no answer carries, and which arguments the program stated. */

import { bodyInputs, bodyState, keptArguments, setPathsIn } from "../body/state.ts";
import {
  type Definition,
  type Field,
  type Fields,
  isReturnedArgument,
  isStored,
} from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { listOf, valuesOf } from "../wire/values.ts";
import { baseOf, withBaseStock } from "./base.ts";
import { pairItems } from "./compare.ts";
import { isPartial, partialLists } from "./partial.ts";
import { isBodySecret, isSecretPath } from "./secrets.ts";

/**
 * `read` is not given the arguments, so the state remembers their names: only
 * what the program states is managed, also after a refresh.
 */
const statedKey = "__stated";
// Arguments that no answer carries, kept to be compared with later ones.
const said = ["adopt", "from", "until", "otherwise", "__secret", "__of", "__ignored"];
const saidOf = (definition: Definition) => [...said, ...partialLists(definition).map(({ others }) => others)];

/**
 * The state of an object.
 * @param args what is asked, or the state before where nothing is asked
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
  const { fields } = definition;
  const stated =
    typeof args[statedKey] === "string"
      ? setPathsSince(definition, args, seen)
      : [...setPaths(fields, args), ...emptiedItems(fields, args)];
  // An object that was only read states nothing, and says so: that tells its refresh from its first read.
  state[statedKey] = stated.join(",");
  const { __lines: lines, ...body } = bodyState(definition, args, seen, before);
  // An engine that understands it shows that nothing is deleted (engine/steps/operations.ts).
  if (isPartial(definition, state)) state.__retained = true;
  // A line of a secret is short enough to be guessed from its hash.
  return { ...state, ...body, ...(lines !== undefined && !isBodySecret(args) && { __lines: lines }) };
}

/** Keyed items in the order in which the program has them: where they stand in the shop's list is nobody's argument. */
function inOrder({ items }: Field, asked: unknown, seen: unknown): unknown {
  if (items?.key === undefined || !Array.isArray(asked) || !Array.isArray(seen)) return seen;
  const { pairs, gone } = pairItems(items, listOf(asked), listOf(seen), "written");
  return [...pairs.flatMap(([, there]) => (there === undefined ? [] : [there])), ...gone];
}

/** What all items state, some of them as an empty text. */
const everyItem = (name: string): string => `*.${name}`;

/** The paths of all that a program states: `variants`, `variants.price`; `variants.*.oldPrice` where it may be empty. */
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
    // Of items that have nothing there it is known that they state it empty, where all of them state it.
    const emptied = Object.keys(inner).filter(
      (path) =>
        entries.some((entry) => entry[path] === "") && entries.every((entry) => entry[path] !== undefined),
    );
    return [name, ...[...below, ...emptied.map(everyItem)].map((path) => `${name}.${path}`)];
  });
}

/** One item that states an empty text where others state nothing: its key with what sets it apart from a name. */
const oneItem = (key: unknown, name: string): string => `@${encodeURIComponent(String(key))}.${name}`;

/** Which items state a field as an empty text, where not all of a list state it: `variants.@MUG.oldPrice`. */
const emptiedItems = (fields: Fields, args: Values): readonly string[] =>
  Object.entries(fields).flatMap(([name, { items }]) => {
    const [list, key] = [args[name], items?.key];
    // The keys of a secret list stand nowhere.
    if (!Array.isArray(list) || key === undefined || isSecretPath(args, name)) return [];
    const entries = listOf(list);
    const partly = Object.keys(items?.fields ?? {}).filter((own) =>
      entries.some((entry) => entry[own] === undefined),
    );
    return entries.flatMap((entry) =>
      partly.filter((own) => entry[own] === "").map((own) => `${name}.${oneItem(entry[key], own)}`),
    );
  });

/** What all items of a list state as an empty text only those do that were asked for, once the shop has others. */
function setPathsSince(definition: Definition, olds: Values, seen: Values): readonly string[] {
  const before = baseOf(definition, olds);
  return [...setPathsIn(olds)].flatMap((path) => {
    const [name = "", every, own = ""] = path.split(".");
    const key = definition.fields[name]?.items?.key;
    if (every !== "*" || key === undefined || isSecretPath(olds, name)) return [path];
    const asked = listOf(before[name]);
    const isAsked = (id: unknown) => asked.some((one) => String(one.id) === String(id));
    if (listOf(seen[name]).every(({ id }) => isAsked(id))) return [path];
    return asked.map((item) => `${name}.${oneItem(item[key], own)}`);
  });
}

/** The arguments that would have made this state, as the program stated them: what a refresh compares a program with. */
export function inputsOf(definition: Definition, state: Values, seen: Values): Values {
  const stated = [...setPathsIn(state)];
  const inputs: Record<string, unknown> = {
    ...pick(definition.fields, withBaseStock(definition, state), stated),
    ...bodyInputs(definition, state, seen, stated),
  };
  // An engine compares what it is told here with what a program says: whatever is missing is one more write of its state.
  for (const name of saidOf(definition)) if (state[name] !== undefined) inputs[name] = state[name];
  return inputs;
}

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
    return listOf(value).map((entry) =>
      // One that has nothing there states nothing, unless it is noted that it does, or that all do.
      Object.fromEntries(
        Object.entries(pick(inner, entry, paths)).filter(
          ([name, picked]) =>
            !isEmpty(picked) ||
            (picked === "" &&
              (paths.includes(everyItem(name)) ||
                paths.includes(oneItem(entry[field.items?.key ?? ""], name)))),
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
  // Stated and unset: the program wrote an empty text.
  return value ?? "";
}

const isEmpty = (value: unknown) =>
  value === "" || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
