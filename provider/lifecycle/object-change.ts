/**
 * The change of an object, computed once; and its state with what this program wrote since: interrupted updates, sheets
 * of prices, renamed price kinds.
 */

import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../../engine/common/record.ts";
import { pathText } from "../../engine/pulumi/path.ts";
import { acceptedKey, baseKey, setPathsIn, withEachBase } from "../body/state.ts";
import { baseItemsIn, fieldsWithIds, restoreBase, withBase, withBaseStock } from "../change/base.ts";
import { type Change, changeOf, changesWith } from "../change/change.ts";
import type { MergeOptions } from "../change/field-change.ts";
import { asLists } from "../change/keyed-lists.ts";
import { stateOf } from "../change/state.ts";
import { renamedTitles, withRenamedTitles } from "../client/titled-amounts.ts";
import {
  isNamed,
  keyIn,
  type NamedObject,
  type ObjectRef,
  ownerHere,
  type ReadSubject,
  type Shop,
  type StateObject,
  type Subject,
  shopKnown,
} from "../context/context.ts";
import { numberedPlace } from "../context/value-owners.ts";
import { type Definition, type Fields, isCompared } from "../definition/define.ts";
import { kindColumn } from "../names/rows.ts";
import type { Values } from "../wire/codec.ts";
import { listOf, valuesOf } from "../wire/values.ts";

/** How to merge an object: whether `shop:drift` or `--keep` keeps edits of staff that a refresh has read. */
export function mergingOf(object: NamedObject): MergeOptions {
  const { plan, folder } = object.shop;
  return {
    folder,
    keeps: plan.keepsAll || plan.kept.has(object.definition.kind) || isNamed(plan.kept, object),
  };
}

export function changeFromState(subject: Subject): Change {
  const { definition, shop, olds, args } = subject;
  const known = shop.memory.changes.get(keyIn(subject));
  if (known !== undefined && isDeepStrictEqual(known.of, [olds, args])) return known.change;
  const change = changeOf(definition, { known: olds, seen: olds, asked: args }, mergingOf(subject));
  if (change.fields.length > 0) shop.memory.changes.set(keyIn(subject), { of: [olds, args], change });
  return change;
}

/** The change of an object according to the shop; the same one if nothing changed there. */
export function changeFromShop(looked: ReadSubject): Change {
  const { definition, olds, seen, args } = looked;
  const state = stateOf(definition, {}, seen, olds);
  const isAsKnown =
    definition.body === undefined &&
    Object.entries(definition.fields).every(
      ([name, field]) => !isCompared(field) || isDeepStrictEqual(state[name], olds[name]),
    );
  if (isAsKnown) return changeFromState(looked);
  return changeOf(definition, { known: olds, seen, asked: args }, mergingOf(looked));
}

/** An object as a preview expects it once its own resource is updated: its items have the keys that the program gives them. */
export function underPlannedKeys({ definition, shop, id }: ObjectRef, seen: Values): Values {
  const planned = shop.memory.changes.get(keyIn({ definition, id }));
  if (planned === undefined || shop.plan.isPreview === false) return seen;
  const { edit } = planned.change.sends;
  const lists = Object.entries(definition.fields).flatMap(([name, { items }]): [string, unknown][] => {
    const { key } = items ?? {};
    if (key === undefined || edit[name] === undefined || seen[name] === undefined) return [];
    const sent = new Map(listOf(edit[name]).map((item) => [String(item.id), item[key]]));
    return [
      [name, listOf(seen[name]).map((item) => ({ ...item, [key]: sent.get(String(item.id)) ?? item[key] }))],
    ];
  });
  return { ...seen, ...Object.fromEntries(lists) };
}

/** The engine stores the arguments of an interrupted update under this name (engine/steps/interrupted.ts). */
const interruptedUpdateKey = "__underWay";

export function withoutInterruptedUpdate({ [interruptedUpdateKey]: _asked, ...state }: Values): Values {
  return state;
}

/** The state with the values that an interrupted update and sheets of prices have written since. */
export const withOwnWrites = (object: StateObject, seen: Values): Values =>
  withSheetWrites({ ...object, olds: withInterruptedUpdate(object, seen) }, seen);

/**
 * Applies an interrupted update to the state, if the shop accepted it. If staff have edited the same fields, the state
 * stays, so that this is a conflict. Sold stock stays sold.
 */
function withInterruptedUpdate({ definition, shop, ...object }: StateObject, seen: Values): Values {
  const underWay = object.olds[interruptedUpdateKey];
  const olds = withoutInterruptedUpdate(object.olds);
  if (typeof underWay !== "object" || underWay === null) return olds;
  const asked = asLists(definition, valuesOf(underWay));
  const change = changeOf(definition, { known: olds, seen, asked }, shop);
  if (changesWith(change, "conflict").length > 0 || changesWith(change, "done").length === 0) return olds;
  const now = change.known(stateOf(definition, asked, seen, olds));
  const { [baseKey]: _asked, ...since } = withBaseStock(
    definition,
    withBase(definition, asked, now, shop.folder),
  );
  // Part of the update may be missing in the shop.
  const left = new Set(changesWith(change, "put back").map(({ path }) => pathText(path)));
  const known = left.size === 0 ? since : restoreBase(definition, since, { before: olds, paths: left });
  // Accepted edits stay known until an update has ended.
  return olds[acceptedKey] === undefined ? known : { ...known, [acceptedKey]: olds[acceptedKey] };
}

/** The start of paths to amounts in `__stated`, up to the title: `variants.prices.` */
const namedPaths = (fields: Fields): readonly string[] =>
  Object.entries(fields).flatMap(([name, { namedBy, items }]) =>
    namedBy !== undefined ? [`${name}.`] : namedPaths(items?.fields ?? {}).map((path) => `${name}.${path}`),
  );

/** The state with the titles that this run gave to price kinds, so that each amount stays with its price kind. */
export function underRenamedTitles({ fields }: Definition, { transport }: Shop, state: Values): Values {
  const titles = renamedTitles(transport);
  const paths = titles.size === 0 ? [] : namedPaths(fields);
  if (paths.length === 0) return state;
  const rename = (title: string) => titles.get(title) ?? title;
  const renamed = (base: Values): Values =>
    Object.fromEntries(
      Object.entries(base).map(([name, value]) => {
        const inner = fields[name]?.items?.fields;
        if (inner === undefined) return [name, value] as const;
        const items = Object.entries(baseItemsIn(value)).map(([id, item]) => [
          id,
          item && withRenamedTitles(inner, item, rename),
        ]);
        return [name, Object.fromEntries(items)] as const;
      }),
    );
  const stated = [...setPathsIn(state)].map((path) => {
    const start = paths.find((one) => path.startsWith(one));
    if (start === undefined) return path;
    return start + encodeURIComponent(rename(decodeURIComponent(path.slice(start.length))));
  });
  return {
    ...withRenamedTitles(fields, withEachBase(state, renamed), rename),
    ...(state.__stated !== undefined && { __stated: stated.join(",") }),
  };
}

/** The state with the values that sheets of prices in this stack have set since: they are no edits of staff. */
export function withSheetWrites({ definition, shop, id, olds }: StateObject, seen: Values): Values {
  const names = Object.entries(definition.fields).flatMap(([name, field]) =>
    fieldsWithIds(field) === undefined || olds[name] === undefined ? [] : [name],
  );
  if (names.length === 0) return olds;
  const of = shop.notes.ownerNow(definition.kind, id, ownerHere(shop, olds));
  const cells = shop.notes.sheetCells(of, shopKnown(shop));
  const lists = names.map((name): [string, unknown] => {
    const there = new Map(listOf(seen[name]).map((item) => [item.id, item]));
    const list = listOf(olds[name]).map((item) => {
      const isSheets = (column: string, is: unknown) => {
        const cell = cells.cell(numberedPlace(name, item.id, column), is);
        return cell !== undefined && (cell.asked === (is ?? "") || cell.before === (is ?? ""));
      };
      return { ...item, ...valuesFromSheets(item, there.get(item.id) ?? item, isSheets) };
    });
    return [name, list];
  });
  return { ...olds, ...Object.fromEntries(lists) };
}

function valuesFromSheets(
  before: Values,
  now: Values,
  isMeant: (column: string, is: unknown) => boolean,
): Values {
  const set = Object.keys({ ...before, ...now }).flatMap((field): [string, unknown][] => {
    const [was, is] = [before[field], now[field]];
    if (!isRecord(is) && !isRecord(was)) return was !== is && isMeant(field, is) ? [[field, is]] : [];
    const amounts = valuesFromSheets(valuesOf(was), valuesOf(is), (title, one) =>
      isMeant(kindColumn(title), one),
    );
    return Object.keys(amounts).length === 0 ? [] : [[field, { ...valuesOf(was), ...amounts }]];
  });
  return Object.fromEntries(set);
}
