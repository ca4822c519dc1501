/** Arguments that a program stated and no longer states: the shop keeps what it has of them, and nobody manages it. */

import { isBody } from "../body/arguments.ts";
import {
  type Definition,
  type Field,
  isAlways,
  isCompared,
  isReturnedArgument,
} from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { hidden } from "../wire/text.ts";
import { isBlank, listOf } from "../wire/values.ts";
import { itemName, pair } from "./diff.ts";
import { asPart, keepsOthers, partialLists } from "./part.ts";
import { isSecretPath } from "./secrecy.ts";

/** One argument that is no longer set, in all items of a list that had it. */
interface Unstated {
  readonly name: string;
  readonly field: Field;
  /** The items by their keys; empty of an argument of the object itself. */
  readonly items: readonly string[];
  readonly values: readonly string[];
}

/** What no program states and the shop has all the same: an update leaves it as it is. */
export const unstatedOutputs = ({ fields }: Definition, args: Values): readonly string[] =>
  Object.entries(fields).flatMap(([name, field]) =>
    isReturnedArgument(field) && args[name] === undefined ? [name] : [],
  );

/**
 * A sentence for each argument that was taken away; none where it was empty.
 * @param called the resource's name
 * @param olds the arguments of the last run, `news` those of this one; lists are lists
 */
export function unstatedTexts(
  definition: Definition,
  called: string,
  olds: Values,
  news: Values,
): readonly string[] {
  const unlisted = partialLists(definition).flatMap(({ list, items }) => {
    if (!keepsOthers(items, news) || !Array.isArray(news[list]) || !Array.isArray(olds[list])) return [];
    const { gone } = pair({ ...items, isPart: true }, listOf(news[list]), listOf(olds[list]));
    const names = gone.map((item, index) =>
      isSecretPath(olds, list) ? hidden : itemName(items, item, index),
    );
    return names.length === 0
      ? []
      : [`${list} of ${called} (${shortened(names)}) are no longer listed: the shop keeps them`];
  });
  const left = unstatedIn(definition, olds, news).map(({ name, field, items, values }) => {
    const { success: mayBeEmpty } = field.argument.safeParse("");
    const where = items.length === 0 ? "" : ` (${shortened(items)})`;
    const way = mayBeEmpty && !isAlways(field) ? '; "" removes it' : "";
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
    const { items } = asPart(field, news);
    const [old, now] = [olds[name], news[name]];
    if (items?.fields !== undefined && Array.isArray(old) && Array.isArray(now)) {
      const { pairs } = pair(items, listOf(now), listOf(old));
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
