/** Compares values and pairs list items: the program's with the state's or the shop's. */
import type { Path } from "../../engine/pulumi/path.ts";
import { type Definition, type Field, type Fields, type Items, isCompared } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { isUnknownValue, lastPart, unknownValue, withLineFeeds } from "../wire/text.ts";
import { isBlank, listOf, valuesOf } from "../wire/values.ts";

export const below = (step: string, paths: readonly Path[]): readonly Path[] =>
  paths.map((path) => [step, ...path]);

/** The name under which the shop serves a body: the last part of its address. */
export function servedName({ body }: Definition, values: Values): string | undefined {
  const address = body === undefined ? undefined : values[body.address];
  return typeof address === "string" ? lastPart(address) : undefined;
}

/** Whether a file that was named by its path is now named outright: the shop's address has the name already. */
export const hasServedName = (definition: Definition, state: Values, args: Values, name: string): boolean =>
  name === definition.body?.name &&
  (state[name] ?? "") === "" &&
  args[name] === servedName(definition, state);

/** Whether a state is what was there before a write, or what the write came to: new items are numbered then. */
export type WriteStage = "asked" | "written";

/** The paths inside of a field that differ; the empty one is the field itself. */
export function fieldDifferences(
  field: Field,
  asked: unknown,
  known: unknown,
  moment: WriteStage = "asked",
): readonly Path[] {
  if (asked === unknownValue) return [[]];
  const { items } = field;
  if (items?.fields === undefined) return isSameValue(field, asked, known) ? [] : [[]];
  const { fields } = items;
  const { pairs, gone } = pairItems(items, listOf(asked), listOf(known), moment);
  const changed = pairs.flatMap(([entry, old], index): readonly Path[] => {
    const name = itemName(items, entry, index);
    if (isUnknownValue(entry) || old === undefined) return [[name]];
    return below(name, itemDifferences(fields, entry, old));
  });
  return [...changed, ...gone.map((item, index) => [itemName(items, item, index)])];
}

/** What a person calls an item: its key, else the shop's number of it, else its place. */
export function itemName({ key }: Items, item: Values, index: number): string {
  const named = key === undefined ? undefined : item[key];
  if (named !== undefined && named !== "" && named !== unknownValue) return String(named);
  return item.id === undefined ? String(index) : `#${item.id}`;
}

/** The paths inside one item that differ. */
export function itemDifferences(fields: Fields, asked: Values, known: Values): readonly Path[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const value = asked[name];
    if (value === undefined || !isCompared(field)) return [];
    return below(name, fieldDifferences(field, value, known[name]));
  });
}

/** Asked items beside the known ones they mean, and the known ones that nobody asks for. */
export interface Pairs {
  readonly pairs: readonly (readonly [Values, Values | undefined])[];
  readonly gone: readonly Values[];
}

/**
 * By the shop's number where it is stated, then by key, then by what else tells items apart. An item without a key is
 * the next one that nobody asks for by key. A new key is a change of the item that stood in the same place, where the
 * lists are equally long: otherwise one item is removed and another is added, so that no stock and no price moves
 * between two that differ.
 */
export function pairItems(
  items: Items,
  asked: readonly Values[],
  known: readonly Values[],
  moment: WriteStage = "asked",
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
  const sure = asked.map((entry) => {
    if (entry.id !== undefined) return take(left.find((old) => old.id === entry.id));
    return keyed(entry) ? take(left.find((old) => keyIn(old) === keyIn(entry))) : undefined;
  });
  // Where others have their numbers, what has none is new.
  const isNew = moment === "asked" && numbered;
  const open = asked.filter(({ id }, index) => sure[index] === undefined && id === undefined && !isNew);
  const told = new Map(open.map((entry) => [entry, onlyAlike(items, entry, open, left)]));
  for (const old of told.values()) take(old);
  const inPlace = (entry: Values, index: number) => {
    if (isNew || items.isPartial) return undefined;
    if (!keyed(entry)) return left[0];
    return asked.length === known.length ? left.find((old) => old === known[index]) : undefined;
  };
  const pairs = asked.map(
    (entry, index) => [entry, sure[index] ?? told.get(entry) ?? take(inPlace(entry, index))] as const,
  );
  return { pairs, gone: left };
}

/** The known item that is alike to an asked one, where neither is alike to another. */
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

/** Whether two items agree in what tells items apart: in all of it that both have, and in some. */
export function isAlike({ fields = {}, identifiers }: Items, one: Values, other: Values): boolean {
  const isSet = (value: unknown) => !isBlank(value) && value !== unknownValue;
  const told = identifiers.filter((name) => isSet(one[name]) && isSet(other[name]));
  return (
    told.length > 0 &&
    told.every((name) => {
      const field = fields[name];
      return field !== undefined && fieldDifferences(field, one[name], other[name]).length === 0;
    })
  );
}

/** Whether a known value is what was asked; an unset text and an empty one are the same to a shop. */
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

/**
 * Items that staff gave other keys, and a refresh has read so, are those that the program still asks for by the keys
 * before, also where staff gave such a key to another item. One that is as the program asks for it keeps its item.
 */
export function withFormerKeys(
  items: Items,
  { pairs, gone }: Pairs,
  last: ReadonlyMap<unknown, Values>,
): Pairs {
  const known = [...pairs.flatMap(([, old]) => (old === undefined ? [] : [old])), ...gone];
  const { key = "", fields = {} } = items;
  const byKey = new Map(known.map((one) => [last.get(one.id)?.[key], one]));
  const formers = pairs.flatMap(([entry]) => {
    const former = isBlank(entry[key]) ? undefined : byKey.get(entry[key]);
    return former === undefined ? [] : [[entry, former] as const];
  });
  const now = new Map<Values, Values | undefined>(pairs);
  const open = () =>
    formers.find(([entry, former]) => {
      const old = now.get(entry);
      return old !== former && (old === undefined || itemDifferences(fields, entry, old).length > 0);
    });
  // An entry that loses its item so looks for its own.
  for (let next = open(); next !== undefined; next = open()) {
    const [entry, former] = next;
    for (const [other, old] of now) if (old === former) now.set(other, undefined);
    now.set(entry, former);
  }
  const taken = new Set(now.values());
  return {
    pairs: pairs.map(([entry]) => [entry, now.get(entry)] as const),
    gone: known.filter((one) => !taken.has(one)),
  };
}

/** Whether two items have one key. */
export function hasSameKey({ key }: Items, one: Values, other: Values): boolean {
  return key !== undefined && one[key] !== undefined && one[key] !== "" && one[key] === other[key];
}

/** An item as a message quotes it: what a program could write of it, without what is empty. */
export function argumentsOf(fields: Fields, item: Values): Values {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      isCompared(field) && !isBlank(item[name]) ? [[name, item[name]]] : [],
    ),
  );
}
