/**
 * The base: the values that the program last set, where the shop now has others (stock that sold, or an edit that staff
 * made and a refresh has read). The state keeps both: the outputs have the shop's values, and `__asked` the program's. So
 * a later run can still tell who changed a value (docs/decisions/0021-staff-edits-after-a-refresh.md).
 */

import { isRecord } from "../../engine/common/record.ts";
import { type Path, pathIn } from "../../engine/pulumi/path.ts";
import { bodyPath, ignoresBody, isBody } from "../body/arguments.ts";
import {
  acceptedBody,
  acceptedKey,
  baseIn,
  baseKey,
  bodyBase,
  isBodyDigest,
  keepBodyBase,
  setPathsIn,
} from "../body/state.ts";
import {
  type Definition,
  type Field,
  type Fields,
  type Items,
  isReturnedArgument,
} from "../definition/define.ts";
import { programFolder } from "../settings/folder.ts";
import type { Values } from "../wire/codec.ts";
import { listOf, valuesOf } from "../wire/values.ts";
import { fieldDifferences, itemName, pairItems, type WriteStage } from "./compare.ts";
import { asLists, ignoredIn, isIgnored } from "./keyed-lists.ts";
import { unitOf } from "./value-text.ts";

/**
 * The base of list items, by the shop's id: the values that differ; the whole item if the shop no longer has it; false if
 * the program never set it.
 */
export type BaseItems = Readonly<Record<string, Values | false>>;

/** The fields of a list's items if the shop gives each item an id; undefined for any other field. */
export const fieldsWithIds = ({ items }: Field): Fields | undefined =>
  items?.fields?.id === undefined ? undefined : items.fields;

/** The base of such a list. */
export const baseItemsIn = (value: unknown): BaseItems => valuesOf(value) as BaseItems;

/** The state with the values that the program last set. */
export function baseOf(definition: Definition, state: Values): Values {
  const fields = Object.entries(baseIn(state)).flatMap(([name, value]) => {
    const field = definition.fields[name];
    if (field === undefined) return [];
    const asked = fieldsWithIds(field) === undefined ? value : itemsInBase(state[name], baseItemsIn(value));
    return [[name, asked] as const];
  });
  return { ...state, ...Object.fromEntries(fields) };
}

function itemsInBase(known: unknown, asked: BaseItems): readonly Values[] {
  const list = listOf(known);
  const there = new Set(list.map(({ id }) => String(id)));
  const gone = Object.entries(asked).flatMap(([id, item]) => (item === false || there.has(id) ? [] : [item]));
  const withDiffering = list.filter(({ id }) => asked[String(id)] !== false);
  return [...withDiffering.map((item) => ({ ...item, ...asked[String(item.id)] })), ...gone];
}

/**
 * The state with the stock that the program last set. The program is compared with this, since a sale is nobody's edit.
 */
export function withBaseStock(definition: Definition, state: Values): Values {
  const fields = Object.entries(baseIn(state)).flatMap(([name, value]) => {
    const field = definition.fields[name];
    if (field === undefined) return [];
    const inner = fieldsWithIds(field);
    if (inner === undefined) return field.serverManaged === true ? [[name, value] as const] : [];
    const items = baseItemsIn(value);
    const list = listOf(state[name]).map((item) => ({
      ...item,
      ...Object.fromEntries(
        Object.entries(items[String(item.id)] || {}).filter(([own]) => inner[own]?.serverManaged === true),
      ),
    }));
    return [[name, list] as const];
  });
  return { ...state, ...Object.fromEntries(fields) };
}

/**
 * The state after a write, with the program's values as its base.
 * @param folder the folder that the paths of files start from
 */
export function withBase(
  definition: Definition,
  args: Values,
  state: Values,
  folder: string = programFolder(),
): Values {
  return kept(definition, args, state, bodyBase(definition, args, state, folder));
}

/** The state after a refresh, with the base of the state before it. */
export function keepBase(definition: Definition, olds: Values, state: Values): Values {
  const stated = setPathsIn(olds);
  const before = withEmptyTexts(definition.fields, baseOf(definition, olds), stated);
  const { [acceptedKey]: accepted } = olds;
  const now = kept(definition, before, state, keepBodyBase(definition, olds, state, baseIn(olds)));
  return accepted === undefined ? now : { ...now, [acceptedKey]: accepted };
}

/** Adds an empty text for each argument that the program set and the state has no value for. */
function withEmptyTexts(fields: Fields, values: Values, stated: ReadonlySet<string>): Values {
  const filled = Object.entries(fields).flatMap(([name, field]): [string, unknown][] => {
    const inner = fieldsWithIds(field);
    if (!stated.has(name) || !isReturnedArgument(field)) return [];
    if (inner === undefined) return values[name] === undefined ? [[name, ""]] : [];
    const own = new Set(
      [...stated].flatMap((path) => (path.startsWith(`${name}.`) ? [path.slice(name.length + 1)] : [])),
    );
    return [[name, listOf(values[name]).map((item) => withEmptyTexts(inner, item, own))]];
  });
  return { ...values, ...Object.fromEntries(filled) };
}

function kept(definition: Definition, asked: Values, state: Values, body: Values): Values {
  const { [baseKey]: _before, ...rest } = state;
  const stated = setPathsIn(state);
  const fields = Object.entries(definition.fields).flatMap(([name, field]): [string, unknown][] => {
    if (!stated.has(name) || asked[name] === undefined || !isTracked(field) || isBody(definition, name))
      return [];
    const inner = fieldsWithIds(field);
    if (inner === undefined) return differs(field, asked[name], state[name]) ? [[name, asked[name]]] : [];
    const sides = { asked: listOf(asked[name]), known: listOf(state[name]) };
    const items = differingItems(field.items, sides, (own) => stated.has(`${name}.${own}`));
    return Object.keys(items).length === 0 ? [] : [[name, items]];
  });
  const all = { ...Object.fromEntries(fields), ...body };
  return Object.keys(all).length === 0 ? rest : { ...rest, [baseKey]: all };
}

const isTracked = (field: Field) => isReturnedArgument(field) && !field.writeOnly;
const differs = (field: Field, asked: unknown, known: unknown) =>
  fieldDifferences(field, asked, known).length > 0;

interface ItemSides {
  readonly asked: readonly Values[];
  readonly known: readonly Values[];
}

function differingItems(
  items: Items | undefined,
  { asked, known }: ItemSides,
  isStated: (name: string) => boolean,
): BaseItems {
  if (items?.fields === undefined) return {};
  const { fields } = items;
  const stage = asked.some(({ id }) => id !== undefined) ? "before" : "after";
  const { pairs, gone } = pairItems(items, asked, known, stage);
  const listed = pairs.flatMap(([entry, item], index): [string, Values][] => {
    if (item === undefined) return [[String(entry.id ?? `-${index}`), entry]];
    const own = Object.entries(fields).filter(
      ([name, inner]) =>
        isTracked(inner) &&
        isStated(name) &&
        entry[name] !== undefined &&
        differs(inner, entry[name], item[name]),
    );
    const values = Object.fromEntries(own.map(([name]) => [name, entry[name]]));
    return own.length === 0 || item.id === undefined ? [] : [[String(item.id), values]];
  });
  const added = gone.flatMap(({ id }): [string, false][] => (id === undefined ? [] : [[String(id), false]]));
  return Object.fromEntries([...listed, ...added]);
}

/** A value that staff changed: the program's last value, and the shop's. No value is null; a body has undefined. */
export interface StaffChange {
  /** In the form that `acceptEdits` takes. */
  readonly path: string;
  readonly asked: unknown;
  readonly is: unknown;
  readonly units?: { readonly asked: string; readonly is: string };
}

/** The edits of staff that a refresh has read. Stock and values in `ignoreChanges` aren't among them. */
export function staffChanges(definition: Definition, state: Values): readonly StaffChange[] {
  const lists = asLists(definition, state);
  const all = Object.entries(baseIn(state));
  const body =
    all.some(([name]) => isBodyDigest(name)) && !ignoresBody(ignoredIn(state))
      ? [{ path: bodyPath, asked: undefined, is: undefined }]
      : [];
  const others = all.flatMap(([name, asked]): readonly StaffChange[] => {
    if (isBodyDigest(name)) return [];
    const field = definition.fields[name];
    const [inner, shape] = [field && fieldsWithIds(field), field?.items];
    if (inner === undefined || shape === undefined) {
      const unitIn = (values: Values) => unitOf(definition, name, (other) => values[other]);
      const units = { asked: unitIn({ ...state, ...baseIn(state) }), is: unitIn(state) };
      return [{ path: name, asked, is: state[name] ?? null, units }];
    }
    return Object.entries(baseItemsIn(asked)).flatMap(([id, item]): readonly StaffChange[] => {
      const known = listOf(lists[name]).find((one) => String(one.id) === id);
      const path = `${name}[${itemName(shape, { ...known, ...item }, -1)}]`;
      if (item === false || known === undefined)
        return [{ path, asked: item === false ? null : item, is: known ?? null }];
      return Object.entries(item).flatMap(([own, was]) =>
        inner[own]?.serverManaged ? [] : [{ path: `${path}.${own}`, asked: was, is: known[own] ?? null }],
      );
    });
  });
  return [...body, ...others.filter(({ path }) => !isIgnored(definition, state, pathIn(path)))];
}

/** Adds values to the base: items by id, values of one item by field, amounts by title. */
export function withBaseValues(state: Values, added: Values): Values {
  const { [baseKey]: under, ...rest } = state;
  const all = valuesOf(mergedValues(valuesOf(under), added));
  return Object.keys(all).length === 0 ? rest : { ...rest, [baseKey]: all };
}

/** Values over others: of records each entry by itself. */
export function mergedValues(before: unknown, added: unknown): unknown {
  if (!isRecord(before) || !isRecord(added)) return added;
  const over = Object.entries(added).map(([name, one]) => [name, mergedValues(before[name], one)]);
  return { ...before, ...Object.fromEntries(over) };
}

export function withoutBase(definition: Definition, state: Values, paths: ReadonlySet<string>): Values {
  const { [baseKey]: _before, ...rest } = state;
  const left = selectBase(definition, state, (...names) => !names.some((path) => paths.has(path)));
  return Object.keys(left).length === 0 ? rest : { ...rest, [baseKey]: left };
}

/**
 * The state after a write whose values at `paths` the shop didn't accept: their base is the one from before the write.
 */
export function restoreBase(
  definition: Definition,
  state: Values,
  { before, paths }: { readonly before: Values; readonly paths: ReadonlySet<string> },
): Values {
  const own = withoutBase(definition, state, paths);
  const isMeant = (...names: readonly string[]) => names.some((path) => paths.has(path));
  return withBaseValues(own, selectBase(definition, before, isMeant));
}

/** The part of the base that `isMeant` selects. @param isMeant takes the path of an item, and of a value in it */
export function selectBase(
  definition: Definition,
  state: Values,
  isMeant: (...paths: readonly string[]) => boolean,
): Values {
  const lists = asLists(definition, state);
  const meant = Object.entries(baseIn(state)).flatMap(([name, value]): [string, unknown][] => {
    const field = definition.fields[name];
    const inner = field === undefined ? undefined : fieldsWithIds(field);
    const shape = field?.items;
    if (shape === undefined || inner === undefined)
      return isMeant(isBodyDigest(name) ? bodyPath : name) ? [[name, value]] : [];
    const items = Object.entries(baseItemsIn(value)).flatMap(([id, asked]): [string, Values | false][] => {
      const known = listOf(lists[name]).find((one) => String(one.id) === id);
      const path = `${name}[${itemName(shape, { ...known, ...asked }, -1)}]`;
      if (asked === false || known === undefined) return isMeant(path) ? [[id, asked]] : [];
      const own = Object.entries(asked).flatMap(([one, value]): [string, unknown][] => {
        const names = [path, `${path}.${one}`];
        if (inner[one]?.each === undefined) return isMeant(...names) ? [[one, value]] : [];
        const amounts = Object.entries(valuesOf(value)).filter(([title]) =>
          isMeant(...names, `${path}.${one}[${title}]`),
        );
        return amounts.length === 0 ? [] : [[one, Object.fromEntries(amounts)]];
      });
      return own.length === 0 ? [] : [[id, Object.fromEntries(own)]];
    });
    return items.length === 0 ? [] : [[name, Object.fromEntries(items)]];
  });
  return Object.fromEntries(meant);
}

/**
 * The paths at which the program now has the value that staff set, so that the state can drop their base. A value that the
 * program hasn't changed isn't among them.
 * @param stage "accepted" if `accept` wrote the edits
 */
export function acceptedPaths(
  definition: Definition,
  state: Values,
  args: Values,
  stage: WriteStage = "before",
): readonly Path[] {
  return Object.entries(baseIn(state)).flatMap(([name, value]): readonly Path[] => {
    const field = definition.fields[name];
    if (isBodyDigest(name)) return acceptedBody(state, args).map((one) => [one]);
    if (field === undefined) return [];
    const asked = args[name];
    if (asked === undefined) return [];
    if (field.items !== undefined && fieldsWithIds(field) !== undefined) {
      const sides = { asked: listOf(asked), known: listOf(state[name]) };
      const own = { was: baseItemsIn(value), stage };
      return acceptedItems(field.items, own, sides).map((path) => [name, ...path]);
    }
    return field.serverManaged || differs(field, asked, state[name]) ? [] : [[name]];
  });
}

/**
 * The paths that the program sets for the first time, to the values that the shop has. The state must record them, or a later
 * edit of staff would look like a change of the program.
 */
export function newPaths(definition: Definition, state: Values, args: Values): readonly Path[] {
  const known = setPathsIn(state);
  const hadBody = [...known].some((name) => isBody(definition, name));
  // A state that no SDK of ours has written doesn't say what a program set.
  const isRecorded = state.__stated !== undefined;
  const isNew = (path: string, field: Field) =>
    !known.has(path) && (field.serverManaged || (isRecorded && isTracked(field)));
  return Object.entries(definition.fields).flatMap(([name, field]): readonly Path[] => {
    const { items } = field;
    if (args[name] === undefined) return [];
    // A body may be set by another argument from now on.
    if (isBody(definition, name)) return isRecorded && !hadBody ? [[name]] : [];
    if (isNew(name, field)) return [[name]];
    if (items === undefined) return [];
    const added = Object.entries(fieldsWithIds(field) ?? {}).flatMap(([own, inner]) =>
      isNew(`${name}.${own}`, inner) ? [own] : [],
    );
    const isSet = (value: unknown) => value !== undefined && value !== "";
    return listOf(args[name]).flatMap((item, index) =>
      added.flatMap((own) => (isSet(item[own]) ? [[name, itemName(items, item, index), own]] : [])),
    );
  });
}

function acceptedItems(
  items: Items,
  { was, stage }: { readonly was: BaseItems; readonly stage: WriteStage },
  { asked, known }: ItemSides,
): readonly Path[] {
  const { fields = {} } = items;
  const { pairs } = pairItems(items, asked, known, stage);
  const there = new Set(known.map(({ id }) => String(id)));
  const gone = Object.entries(was).flatMap(([id, item]) => (item === false || there.has(id) ? [] : [item]));
  const missing = pairs.flatMap(([entry, old]) => (old === undefined ? [entry] : []));
  const stillGone = pairItems(items, missing, gone, stage).gone;
  return [
    ...pairs.flatMap(([entry, old], index): readonly Path[] => {
      const before = old === undefined ? undefined : was[String(old.id)];
      const path = [itemName(items, entry, index)];
      if (before === false) return [path];
      return Object.keys(before ?? {}).flatMap((own) => {
        const inner = fields[own];
        const isOpen =
          !inner || inner.serverManaged || entry[own] === undefined || differs(inner, entry[own], old?.[own]);
        return isOpen ? [] : [[...path, own]];
      });
    }),
    ...stillGone.map((item, index) => [itemName(items, item, index)]),
  ];
}
