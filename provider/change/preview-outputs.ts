/** The outputs of an object as a preview knows them: a program may use them in other resources. */
import {
  type Definition,
  type Fields,
  isComputed,
  isOutput,
  isReturnedArgument,
} from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { unknownValue } from "../wire/text.ts";
import { listOf } from "../wire/values.ts";
import { itemDifferences, pairItems } from "./compare.ts";
import { asPartialList } from "./partial.ts";

/**
 * The outputs after a create or an update. Arguments that the program doesn't set keep their value; what the shop
 * computes is unknown, except in list items that it already has.
 * @param args with lists
 * @param olds the outputs in the state; undefined for a create
 */
export function plannedOutputs(definition: Definition, args: Values, olds: Values | undefined): Values {
  const outs = Object.entries(definition.fields).flatMap(([name, field]): [string, unknown][] => {
    if (!isOutput(field)) return [];
    if (!isReturnedArgument(field)) return [[name, unknownValue]];
    const asked = args[name];
    if (asked === undefined) return [[name, olds === undefined ? unknownValue : olds[name]]];
    const { items } = asPartialList(field, args);
    if (items?.fields === undefined || !Array.isArray(asked)) return [[name, asked]];
    const { pairs } = pairItems(items, listOf(asked), listOf(olds?.[name]));
    const { fields } = items;
    return [[name, pairs.map(([item, old]) => plannedItem(fields, item, old))]];
  });
  return Object.fromEntries(outs);
}

function plannedItem(fields: Fields, item: Values, old: Values | undefined): unknown {
  if (typeof item !== "object") return item;
  // The shop derives lists, such as the options by id, from those that the program sets.
  const areListsKept = itemDifferences(fields, item, old ?? {}).every(
    ([name = ""]) => fields[name]?.items === undefined,
  );
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      if (!isOutput(field)) return [];
      if (item[name] !== undefined) return [[name, item[name]]];
      const isKept = areListsKept || !(isComputed(field) && field.items !== undefined);
      return [[name, old !== undefined && isKept ? old[name] : unknownValue]];
    }),
  );
}

/** The outputs of a keyed list, as a preview knows them. @param olds the resource's outputs in the state */
export const plannedItems = (
  definition: Definition,
  name: string,
  items: readonly unknown[],
  olds: Values | undefined,
): unknown => plannedOutputs(definition, { [name]: items }, olds)[name];
