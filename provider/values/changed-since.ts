/** What others changed of an object since the state was written, whatever the program asks now. */

import { isBody } from "../body/arguments.ts";
import { type Definition, type Fields, type Items, isCompared } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { mergeBody } from "./body-merge.ts";
import { itemName, pair } from "./diff.ts";
import { argumentsOf, sameRead } from "./merge.ts";
import type { Sides } from "./sides.ts";

/** What was changed in the shop of all that a program stated: what a delete would destroy unseen. */
export function changedSince(definition: Definition, base: Values, theirs: Values): readonly Sides[] {
  const stated = new Set(
    String(base.__stated ?? "")
      .split(",")
      .filter((path) => path !== ""),
  );
  const fields = Object.entries(definition.fields).flatMap(([name, field]): Sides[] => {
    if (!stated.has(name) || !isCompared(field) || field.unread || field.moves || isBody(definition, name))
      return [];
    const [was, is] = [base[name], theirs[name]];
    if (field.items?.fields !== undefined)
      return changedItems(field.items, field.items.fields, name, stated, was, is);
    return sameRead(field, was, is) ? [] : [{ path: name, was, is, asked: undefined }];
  });
  return [...fields, ...mergeBody(definition, base, theirs, {}, { folder: "" }).kept];
}

function changedItems(
  items: Items,
  fields: Fields,
  name: string,
  stated: ReadonlySet<string>,
  was: unknown,
  is: unknown,
): Sides[] {
  const { pairs, gone } = pair(items, (was ?? []) as readonly Values[], (is ?? []) as readonly Values[]);
  const changed = pairs.flatMap(([old, found], index): Sides[] => {
    const path = `${name}[${itemName(items, old, index)}]`;
    if (found === undefined)
      return [{ path, was: argumentsOf(fields, old), is: undefined, asked: undefined }];
    return Object.entries(fields).flatMap(([inner, field]) =>
      !stated.has(`${name}.${inner}`) ||
      field.moves ||
      !isCompared(field) ||
      sameRead(field, old[inner], found[inner])
        ? []
        : [{ path: `${path}.${inner}`, was: old[inner], is: found[inner], asked: undefined }],
    );
  });
  const added = gone.map((item, index) => ({
    path: `${name}[${itemName(items, item, index)}]`,
    was: undefined,
    is: argumentsOf(fields, item),
    asked: undefined,
  }));
  return [...changed, ...added];
}
