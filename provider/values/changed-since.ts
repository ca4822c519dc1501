/** What others changed of an object since the state was written, whatever the program asks now. */

import type { Path } from "../../engine/pulumi/path.ts";
import { isBody } from "../body/arguments.ts";
import { statedIn } from "../body/state.ts";
import { type Definition, type Field, type Items, isCompared } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { listOf } from "../wire/values.ts";
import { bodyChange } from "./body-change.ts";
import { itemName, pair } from "./diff.ts";
import { type FieldChange, sameRead } from "./field-change.ts";
import { argumentsOf } from "./item-change.ts";

/** The fields that a program stated and a read shows, but for the body: what is lost with the object. */
export const lostFields = (definition: Definition, known: Values): readonly (readonly [string, Field])[] => {
  const stated = statedIn(known);
  return Object.entries(definition.fields).filter(
    ([name, field]) =>
      stated.has(name) && isCompared(field) && !field.unread && !field.moves && !isBody(definition, name),
  );
};

/** What was changed in the shop of all that a program stated: what a delete would destroy unseen. */
export function changedSince(definition: Definition, known: Values, seen: Values): readonly FieldChange[] {
  const stated = statedIn(known);
  const fields = lostFields(definition, known).flatMap(([name, field]): readonly FieldChange[] => {
    const [was, is] = [known[name], seen[name]];
    if (field.items?.fields === undefined) return sameRead(field, was, is) ? [] : [side([name], was, is)];
    const changed = changedItems(field.items, (own) => stated.has(`${name}.${own}`), was, is);
    return changed.map((one) => ({ ...one, path: [name, ...one.path] }));
  });
  return [...fields, ...bodyChange(definition, { known, seen, asked: {} }, { folder: "" }).fields];
}

function changedItems(
  items: Items,
  stated: (name: string) => boolean,
  was: unknown,
  is: unknown,
): readonly FieldChange[] {
  const { fields = {} } = items;
  const { pairs, gone } = pair(items, listOf(was), listOf(is));
  const changed = pairs.flatMap(([old, found], index): readonly FieldChange[] => {
    const name = itemName(items, old, index);
    if (found === undefined) return [side([name], argumentsOf(fields, old), undefined)];
    return Object.entries(fields).flatMap(([inner, field]) =>
      !stated(inner) || field.moves || !isCompared(field) || sameRead(field, old[inner], found[inner])
        ? []
        : [side([name, inner], old[inner], found[inner])],
    );
  });
  const added = gone.map((item, index) =>
    side([itemName(items, item, index)], undefined, argumentsOf(fields, item)),
  );
  return [...changed, ...added];
}

const side = (path: Path, was: unknown, is: unknown): FieldChange => ({
  path,
  was,
  is,
  asked: undefined,
  verdict: "conflict",
});
