/** Whether a program asks what was accepted, and nothing else otherwise than before: its next preview says it. */

import { pathIn } from "../../engine/pulumi/path.ts";
import { isRecord } from "../../engine/pulumi/record.ts";
import { kindOf, parseUrn } from "../../engine/pulumi/urn.ts";
import {
  bodyPath,
  cellsIn,
  isBodyName,
  isLeafPath,
  isSheet,
  itemName,
  lineFeeds,
  rowPath,
  titlesIn,
  type Values,
} from "../../provider/inventory/index.ts";
import { definitionOf } from "../../provider/resources/index.ts";
import { type Deleted, type Drift, partsOf, placeOf } from "./drift.ts";
import { isDrift } from "./plan.ts";
import { isAlike } from "./tables.ts";

/** All that a program asks, by URN. */
export type Asked = ReadonlyMap<string, Values>;

/** Whether the program now asks what staff have. */
export function isMet(change: Drift | Deleted, asked: Asked): boolean {
  const inputs = asked.get(change.urn);
  if (!isDrift(change)) return inputs === undefined;
  if (inputs === undefined) return false;
  if (isSheet(change.kind) && rowPath(change.path) === change.path)
    return ![...cellsIn(inputs).keys()].some((path) => rowPath(path) === change.path);
  if (isSheet(change.kind)) return isSame(cellsIn(inputs).get(change.path), change.is);
  const { top, item, field, each } = partsOf(change.path);
  // A file has what was written, and the resource names the file.
  if (isLeafPath(change.path) || (change.path === bodyPath && inputs[top] === undefined)) return true;
  if (item === undefined) return isSame(inputs[top], change.is);
  const own = (inputs[top] as readonly Values[] | undefined)?.[placeOf({ ...change, inputs })];
  if (each !== undefined) return isSame((own?.[field ?? ""] as Values | undefined)?.[each], change.is);
  if (field !== undefined)
    return field in (own ?? {}) && field !== keyOf(change.kind, top)
      ? isSame(own?.[field], change.is)
      : hasItem(inputs[top], field, change.is);
  if (own === undefined || change.is === null) return own === undefined && change.is === null;
  // What a loop makes of a row may be more than staff have, or something else.
  const is = change.stated ?? (change.is as Values);
  return Object.entries(own).every(([name, value]) => isSame(value, is[name] ?? ""));
}

const keyOf = (kind: string, list: string) => definitionOf(kind)?.fields[list]?.items?.key;

/** An item that got another key is called by that. */
const hasItem = (list: unknown, field: string, value: unknown) =>
  ((list ?? []) as readonly Values[]).some((one) => isSame(one[field], value));

const isSame = (asked: unknown, is: unknown): boolean => {
  if (typeof asked === "string" && typeof is === "string" && lineFeeds(asked) === lineFeeds(is)) return true;
  if (typeof asked === "object" && typeof is === "object")
    return JSON.stringify(asked) === JSON.stringify(is);
  return isAlike(asked, is);
};

/** Resources that the program asks otherwise than before, beside what was accepted of them. */
export function othersChanged(
  before: Asked,
  now: Asked,
  accepted: readonly (Drift | Deleted)[],
): readonly string[] {
  const own = Map.groupBy(accepted, ({ urn }) => urn);
  return [...new Set([...before.keys(), ...now.keys()])].filter((urn) => {
    const changes = own.get(urn) ?? [];
    if (changes.some((one) => !isDrift(one))) return false;
    const [old, next] = [before.get(urn) ?? {}, now.get(urn) ?? {}];
    if (changes.some(({ kind }) => isSheet(kind))) {
      const paths = new Set(changes.filter(isDrift).map(({ path }) => path));
      const [cells, after] = [cellsIn(old), cellsIn(next)];
      return [...cells.keys(), ...after.keys()].some(
        (path) => cells.get(path) !== after.get(path) && !paths.has(path) && !paths.has(rowPath(path)),
      );
    }
    const [drifts, cells, after] = [changes.filter(isDrift), leavesOf(urn, old), leavesOf(urn, next)];
    return [...new Set([...cells.keys(), ...after.keys()])].some(
      (leaf) =>
        !isSame(cells.get(leaf), after.get(leaf)) &&
        !drifts.some((change) => isOfChange(JSON.parse(leaf) as readonly string[], change)),
    );
  });
}

/** Resources that state amounts under the title that a change takes away, such as prices of a kind. */
export function namersOf({ kind, path, asked: title }: Drift, asked: Asked): readonly string[] {
  if (path !== definitionOf(kind)?.sequential?.title) return [];
  const titlesOf = (own: string, inputs: Values) => {
    const definition = definitionOf(own);
    if (definition !== undefined) return titlesIn(definition, inputs);
    return isSheet(own) ? [...cellsIn(inputs).keys()].map((cell) => pathIn(cell)[3]) : [];
  };
  return [...asked].flatMap(([urn, inputs]) =>
    titlesOf(kindOf(urn), inputs).includes(String(title)) ? [`${kindOf(urn)} ${parseUrn(urn).name}`] : [],
  );
}

/** Each value that a resource asks, by the steps that lead to it: the argument, the item's name, its field, the name in that. */
function leavesOf(urn: string, inputs: Values): ReadonlyMap<string, unknown> {
  const { fields = {} } = definitionOf(kindOf(urn)) ?? {};
  const leaves = (value: unknown, path: readonly string[]): readonly (readonly [string, unknown])[] => {
    const { items } = fields[path[0] ?? ""] ?? {};
    if (path.length === 1 && items !== undefined && Array.isArray(value))
      return (value as readonly Values[]).flatMap((one, index) =>
        leaves(one, [...path, itemName(items, one, index)]),
      );
    return path.length > 1 && isRecord(value)
      ? Object.entries(value).flatMap(([name, one]) => leaves(one, [...path, name]))
      : [[JSON.stringify(path), value]];
  };
  const own = Object.entries(inputs).filter(([name]) => !name.startsWith("__"));
  return new Map(own.flatMap(([name, value]) => leaves(value, [name])));
}

/** Whether a value is what a change is about: of one that adds, removes or renames an item all of the item. */
function isOfChange([top = "", item, ...rest]: readonly string[], { kind, path, is }: Drift): boolean {
  const own = partsOf(path);
  // A body is stated by a file too.
  if (own.top !== top) return isBodyName(top) && own.top === bodyPath;
  const key = keyOf(kind, top);
  // An item without a key is called by its place, which others get that stood behind it.
  if (own.item === undefined || (own.field === undefined && /^(#|\d+$)/.test(item ?? ""))) return true;
  if (own.field === undefined || own.field === key) return item === own.item || item === String(is);
  return item === own.item && rest[0] === own.field && (own.each === undefined || rest[1] === own.each);
}

/**
 * As many of these as can be had together.
 * @param isGood whether some of them may be had
 */
export async function most<T>(
  all: readonly T[],
  isGood: (some: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let kept: readonly T[] = [];
  const add = async (some: readonly T[]): Promise<void> => {
    if (some.length === 0) return;
    if (await isGood([...kept, ...some])) kept = [...kept, ...some];
    else if (some.length > 1) {
      const half = Math.ceil(some.length / 2);
      await add(some.slice(0, half));
      await add(some.slice(half));
    }
  };
  await add(all);
  return kept;
}
