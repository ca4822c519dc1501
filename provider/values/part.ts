/** What of an object a program may leave to others: values of what is there already, and items of a list. */
import { statedIn } from "../body/state.ts";
import { type Definition, type Field, type Items, isRequired } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { unknownValue } from "../wire/text.ts";

/**
 * Arguments that a create needs and a program that takes over what is there may leave out: those that are required and
 * don't say which object it is.
 */
export const neededToCreate = ({
  fields,
  keys = [],
  operations,
  singleton,
}: Definition): readonly string[] =>
  operations.edit === undefined || singleton !== undefined
    ? []
    : Object.entries(fields).flatMap(([name, field]) =>
        isRequired(field) && !keys.flat().includes(name) ? [name] : [],
      );

/** Those of them that aren't among the arguments: nothing can be created of these. */
export const missingToCreate = (definition: Definition, args: Values): readonly string[] =>
  neededToCreate(definition).filter((name) => args[name] === undefined);

/**
 * Whether a program stated a part of an object only: the rest of it, and whether it is there at all, are others' affair.
 * What was only read, as an import does, states nothing, and has taken nothing over.
 */
export function isPart(definition: Definition, state: Values): boolean {
  const { __stated: paths, adopt } = state;
  if (paths === undefined || (paths === "" && adopt === undefined)) return false;
  const stated = statedIn(state);
  return neededToCreate(definition).some((name) => !stated.has(name));
}

/** What becomes of items of a list that the program doesn't list. */
export const otherWords = {
  keep: "they stay as they are",
  delete: "they are deleted (default)",
} as const;

/** Lists that may be a part of what the shop has, each with the argument that says so. */
export const partialLists = ({
  fields,
}: Definition): readonly { readonly list: string; readonly items: Items; readonly others: string }[] =>
  Object.entries(fields).flatMap(([list, { items }]) =>
    items?.others === undefined ? [] : [{ list, items, others: items.others }],
  );

/** A field as these arguments mean it: of a list that says that others stay, a part. */
export const asPart = (field: Field, args: Values): Field =>
  field.items !== undefined && keepsOthers(field.items, args)
    ? { ...field, items: { ...field.items, isPart: true } }
    : field;

/** Whether items that aren't listed stay, as arguments or a state say; what isn't known yet takes nothing away. */
export const keepsOthers = (items: Items, values: Values): boolean =>
  items.others !== undefined && ["keep", unknownValue].includes(String(values[items.others]));
