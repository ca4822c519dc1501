/** The parts of an object that a program leaves to the shop: arguments it doesn't set, and list items it doesn't list. */

import { isBody } from "../body/arguments.ts";
import { setPathsIn } from "../body/state.ts";
import {
  type Definition,
  type Field,
  type Fields,
  type Items,
  isAlwaysSet,
  isCompared,
  isRequired,
} from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { hidden } from "../wire/text.ts";
import { isBlank, listOf } from "../wire/values.ts";
import { baseOf } from "./base.ts";
import { asPartialItems, hasSameKey, isAlike, itemName, keepsOthers, pairItems } from "./compare.ts";
import { isSecretPath } from "./secrets.ts";

/** Required arguments that a program may leave out when it adopts an object, because they don't identify it. */
export const requiredToCreate = ({
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

/** Required arguments that are missing, so that the object can't be created. */
export const missingForCreate = (definition: Definition, args: Values): readonly string[] =>
  requiredToCreate(definition).filter((name) => args[name] === undefined);

/** The paths that no create can be without and the program doesn't set. */
export const lackingToCreate = (fields: Fields, args: Values, path = ""): readonly string[] =>
  Object.entries(fields).flatMap(([name, { needed, items }]): readonly string[] => {
    const value = args[name];
    if (value === undefined) return needed ? [path + name] : [];
    if (items?.fields === undefined || !Array.isArray(value)) return [];
    const { fields: inner } = items;
    return listOf(value).flatMap((item, index) =>
      lackingToCreate(inner, item, `${path}${name}[${itemName(items, item, index)}].`),
    );
  });

/** The paths that new items of lists can't be without. @param edit an update, which has the ids of present items */
export const lackingInItems = ({ fields }: Definition, edit: Values): readonly string[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const added = listOf(edit[name]).filter(({ id }) => id === undefined);
    return field.items === undefined ? [] : lackingToCreate({ [name]: field }, { [name]: added });
  });

/**
 * Whether the program manages only a part of the object. Then the object belongs to others and isn't deleted. An imported
 * object that no run has written isn't partial.
 */
export function isPartial(definition: Definition, state: Values): boolean {
  const { __stated: paths, adopt } = state;
  if (paths === undefined || (paths === "" && adopt === undefined)) return false;
  const stated = setPathsIn(state);
  return requiredToCreate(definition).some((name) => !stated.has(name));
}

/** The meaning of each value of `otherVariants`. */
export const othersMeanings = {
  keep: "they stay as they are",
  delete: "they are deleted (default)",
} as const;

/** Lists that a program may list in part, each with the argument that allows it. */
export const partialLists = ({
  fields,
}: Definition): readonly { readonly list: string; readonly items: Items; readonly others: string }[] =>
  Object.entries(fields).flatMap(([list, { items }]) =>
    items?.othersArgument === undefined ? [] : [{ list, items, others: items.othersArgument }],
  );

/** The field, marked as partial if the arguments keep unlisted items. */
export const asPartialList = (field: Field, args: Values): Field =>
  field.items === undefined ? field : { ...field, items: asPartialItems(field.items, args) };

/** An adopted object with only the items that the program lists. */
export const onlyListedItems = (definition: Definition, args: Values, seen: Values): Values =>
  withOwn(definition, args, seen, (items, item) =>
    listOf(args[items.list]).some((entry) => hasSameKey(items, entry, item) || isAlike(items, entry, item)),
  );

/** A read object with only the items that are in the state or its base. */
export function onlyOwnItems(definition: Definition, olds: Values, seen: Values): Values {
  const asked = baseOf(definition, olds);
  return withOwn(definition, olds, seen, (items, item) => {
    const own = [...listOf(olds[items.list]), ...listOf(asked[items.list])];
    const there = new Set(listOf(seen[items.list]).map(({ id }) => id));
    return own.some((one) => one.id === item.id || (!there.has(one.id) && hasSameKey(items, one, item)));
  });
}

type Named = Items & { readonly list: string };

function withOwn(
  definition: Definition,
  values: Values,
  seen: Values,
  isOwn: (items: Named, item: Values) => boolean,
): Values {
  const lists = partialLists(definition).flatMap(({ list, items }) =>
    keepsOthers(items, values) && Array.isArray(values[list]) && Array.isArray(seen[list])
      ? [[list, listOf(seen[list]).filter((item) => isOwn({ ...items, list }, item))] as const]
      : [],
  );
  return lists.length === 0 ? seen : { ...seen, ...Object.fromEntries(lists) };
}

interface Unstated {
  readonly name: string;
  readonly field: Field;
  /** Keys of the items; empty for an argument of the object itself. */
  readonly items: readonly string[];
  readonly values: readonly string[];
}

/**
 * A warning for each argument that the program no longer sets, unless it was empty.
 * @param called the resource's name
 * @param olds the arguments of the last run, `news` the current ones; both with lists
 */
export function removedArgumentTexts(
  definition: Definition,
  called: string,
  olds: Values,
  news: Values,
): readonly string[] {
  const unlisted = partialLists(definition).flatMap(({ list, items }) => {
    if (!keepsOthers(items, news) || !Array.isArray(news[list]) || !Array.isArray(olds[list])) return [];
    const { gone } = pairItems(asPartialItems(items, news), listOf(news[list]), listOf(olds[list]));
    const names = gone.map((item, index) =>
      isSecretPath(olds, list) ? hidden : itemName(items, item, index),
    );
    return names.length === 0
      ? []
      : [`${list} of ${called} (${shortened(names)}) are no longer listed: the shop keeps them`];
  });
  const left = unstatedIn(definition, olds, news).map(({ name, field, items, values }) => {
    const mayBeEmpty = "value" in field.argument("");
    const where = items.length === 0 ? "" : ` (${shortened(items)})`;
    const way = mayBeEmpty && !isAlwaysSet(field) ? '; "" removes it' : "";
    return `${name} of ${called}${where} is no longer set: the shop keeps ${shortened([...new Set(values)])}${way}`;
  });
  return [...unlisted, ...left];
}

const most = 5;
const shortened = (texts: readonly string[]) =>
  texts.length <= most
    ? texts.join(", ")
    : `${texts.slice(0, most - 1).join(", ")} and ${texts.length - most + 1} more`;

function unstatedIn(definition: Definition, olds: Values, news: Values): readonly Unstated[] {
  const textOf = (value: unknown, path: string) =>
    isSecretPath(olds, path) || isSecretPath(news, path)
      ? hidden
      : typeof value === "object"
        ? JSON.stringify(value)
        : String(value);
  return Object.entries(definition.fields).flatMap(([name, field]): readonly Unstated[] => {
    const { items } = asPartialList(field, news);
    const [old, now] = [olds[name], news[name]];
    if (items?.fields !== undefined && Array.isArray(old) && Array.isArray(now)) {
      const { pairs } = pairItems(items, listOf(now), listOf(old));
      return Object.entries(items.fields).flatMap(([inner, own]): readonly Unstated[] => {
        const lost = pairs.flatMap(([entry, before], index) =>
          before !== undefined && isLost(own, inner, before, entry)
            ? [{ item: textOf(itemName(items, entry, index), name), value: textOf(before[inner], name) }]
            : [],
        );
        if (lost.length === 0) return [];
        return [
          {
            name: inner,
            field: own,
            items: lost.map(({ item }) => item),
            values: lost.map(({ value }) => value),
          },
        ];
      });
    }
    if (isBody(definition, name) || !isLost(field, name, olds, news)) return [];
    return [{ name, field, items: [], values: [textOf(old, name)] }];
  });
}

const isLost = (field: Field, name: string, before: Values, now: Values): boolean =>
  isCompared(field) && !isBlank(before[name]) && now[name] === undefined;
