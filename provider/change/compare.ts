/** Compares values and pairs list items: the program's with the state's or the shop's. */
import type { Path } from "../../engine/pulumi/path.ts";
import { type Definition, type Field, type Fields, type Items, isCompared } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { isUnknownValue, lastPart, unknownValue, withLineFeeds } from "../wire/text.ts";
import { isBlank, listOf, valuesOf } from "../wire/values.ts";

export const below = (step: string, paths: readonly Path[]): readonly Path[] =>
  paths.map((path) => [step, ...path]);

/** The name of a file in the shop: the last part of its address. */
export function servedName({ body }: Definition, values: Values): string | undefined {
  const address = body === undefined ? undefined : values[body.address];
  return typeof address === "string" ? lastPart(address) : undefined;
}

/** Whether the program now sets the filename that the shop already uses. */
export const hasServedName = (definition: Definition, state: Values, args: Values, name: string): boolean =>
  name === definition.body?.name &&
  (state[name] ?? "") === "" &&
  args[name] === servedName(definition, state);

/** Whether unlisted items stay. An unknown value deletes nothing. */
export const keepsOthers = (items: Items, values: Values): boolean =>
  items.othersArgument !== undefined && ["keep", unknownValue].includes(String(values[items.othersArgument]));

/** The items, marked as partial if the arguments keep unlisted ones. */
export const asPartialItems = <T extends Items>(items: T, args: Values): T =>
  keepsOthers(items, args) ? { ...items, isPartial: true } : items;

/**
 * Whether the values are from before a write or after it. After a write, new items have ids. A program that has an edit
 * that `accept` wrote may list further items: none of them is a renamed one only because of its place.
 */
export type WriteStage = "before" | "after" | "accepted";

/** The differing paths inside a field; [[]] is the field as a whole. */
export function fieldDifferences(
  field: Field,
  asked: unknown,
  known: unknown,
  stage: WriteStage = "before",
): readonly Path[] {
  if (asked === unknownValue) return [[]];
  const { items } = field;
  if (items?.fields === undefined) return isSameValue(field, asked, known) ? [] : [[]];
  const { fields } = items;
  const { pairs, gone } = pairItems(items, listOf(asked), listOf(known), stage);
  const changed = pairs.flatMap(([entry, old], index): readonly Path[] => {
    const name = itemName(items, entry, index);
    if (isUnknownValue(entry) || old === undefined) return [[name]];
    return below(name, itemDifferences(fields, entry, old));
  });
  return [...changed, ...gone.map((item, index) => [itemName(items, item, index)])];
}

/** The name of an item in paths: its key, its id, or its index. */
export function itemName({ key }: Items, item: Values, index: number): string {
  const named = key === undefined ? undefined : item[key];
  if (named !== undefined && named !== "" && named !== unknownValue) return String(named);
  return item.id === undefined ? String(index) : `#${item.id}`;
}

export function itemDifferences(fields: Fields, asked: Values, known: Values): readonly Path[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const value = asked[name];
    if (value === undefined || !isCompared(field)) return [];
    return below(name, fieldDifferences(field, value, known[name]));
  });
}

/** The program's items with the matching known ones, and the known items that the program doesn't list. */
export interface Pairs {
  readonly pairs: readonly (readonly [Values, Values | undefined])[];
  readonly gone: readonly Values[];
}

/**
 * Pairs items by id, then by key, then by other identifying fields. An item without a key gets the next unmatched one. If
 * both lists have the same length, a new key means that the item at this place was renamed. Otherwise one item is removed
 * and another added, so that stock and prices never move between two items.
 */
export function pairItems(
  items: Items,
  asked: readonly Values[],
  known: readonly Values[],
  stage: WriteStage = "before",
): Pairs {
  const left = [...known];
  const take = (found: Values | undefined) => {
    if (found !== undefined) left.splice(left.indexOf(found), 1);
    return found;
  };
  const { key } = items;
  const keyIn = (entry: Values) => (key === undefined ? undefined : entry[key]);
  const keyed = (entry: Values) => keyIn(entry) !== undefined && keyIn(entry) !== "";
  const numbered = asked.some(({ id }) => id !== undefined);
  const byId = asked.map(({ id }) =>
    id === undefined ? undefined : take(left.find((old) => old.id === id)),
  );
  // An item that staff deleted and made again has another id.
  const sure = asked.map(
    (entry, index) =>
      byId[index] ?? (keyed(entry) ? take(left.find((old) => keyIn(old) === keyIn(entry))) : undefined),
  );
  // If other items have ids, an item without one is new.
  const isNew = stage !== "after" && numbered;
  const open = asked.filter(({ id }, index) => sure[index] === undefined && id === undefined && !isNew);
  const alike = new Map(open.map((entry) => [entry, onlyAlike(items, entry, open, left)]));
  for (const old of alike.values()) take(old);
  const inPlace = (entry: Values, index: number) => {
    if (isNew || items.isPartial) return undefined;
    if (!keyed(entry)) return left[0];
    const isRenamed = stage !== "accepted" && asked.length === known.length;
    return isRenamed ? left.find((old) => old === known[index]) : undefined;
  };
  const pairs = asked.map(
    (entry, index) => [entry, sure[index] ?? alike.get(entry) ?? take(inPlace(entry, index))] as const,
  );
  return { pairs, gone: left };
}

/** The only known item that matches, if it matches no other item of the program. */
function onlyAlike(
  items: Items,
  entry: Values,
  asked: readonly Values[],
  known: readonly Values[],
): Values | undefined {
  const [found, ...others] = known.filter((old) => isAlike(items, entry, old));
  if (found === undefined || others.length > 0) return undefined;
  return asked.filter((one) => isAlike(items, one, found)).length === 1 ? found : undefined;
}

/** Whether two items agree in all identifying fields that both have, and in at least one. */
export function isAlike({ fields = {}, identifiers }: Items, one: Values, other: Values): boolean {
  const isSet = (value: unknown) => !isBlank(value) && value !== unknownValue;
  const shared = identifiers.filter((name) => isSet(one[name]) && isSet(other[name]));
  return (
    shared.length > 0 &&
    shared.every((name) => {
      const field = fields[name];
      return field !== undefined && fieldDifferences(field, one[name], other[name]).length === 0;
    })
  );
}

/** Whether a known value equals the program's. For a shop, unset and an empty text are the same. */
export function isSameValue(field: Field, asked: unknown, known: unknown): boolean {
  if (asked === unknownValue) return false;
  const { each } = field;
  if (each !== undefined)
    return Object.entries(valuesOf(asked)).every(([name, one]) =>
      isSameValue(each, one, valuesOf(known)[name]),
    );
  if (field.type === "text") return asked === withLineFeeds(String(known ?? ""));
  if (asked === "") return known === undefined || known === null || known === "";
  return asked === known;
}

export function hasSameKey({ key }: Items, one: Values, other: Values): boolean {
  return key !== undefined && one[key] !== undefined && one[key] !== "" && one[key] === other[key];
}

/** An item for a message: the arguments that aren't empty. */
export function argumentsOf(fields: Fields, item: Values): Values {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      isCompared(field) && !isBlank(item[name]) ? [[name, item[name]]] : [],
    ),
  );
}
