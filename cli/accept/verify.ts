/** Verifies edits: the program's next preview must ask for the accepted values, and change nothing else. */

import { isRecord } from "../../engine/common/record.ts";
import { pathIn } from "../../engine/pulumi/path.ts";
import { kindOf, parseUrn } from "../../engine/pulumi/urn.ts";
import {
  bodyPath,
  cellsIn,
  isBodyName,
  isLeafPath,
  isSheet,
  itemName,
  rowPath,
  titlesIn,
  type Values,
} from "../../provider/inventory/index.ts";
import { definitionOf } from "../../provider/resources/index.ts";
import { type Change, type Drift, indexesOf, isDrift, partsOf } from "./drift.ts";
import { isFoundByKey } from "./remade.ts";
import { isSameValue } from "./tables.ts";

export type ProgramInputs = ReadonlyMap<string, Values>;

/** Whether the program now asks for the shop's value. */
export function isAccepted(change: Change, asked: ProgramInputs): boolean {
  const inputs = asked.get(change.urn);
  if (!isDrift(change)) return inputs === undefined;
  if (inputs === undefined) return false;
  if (isFoundByKey({ ...change, inputs })) return true;
  if (isSheet(change.kind) && rowPath(change.path) === change.path)
    return ![...cellsIn(inputs).keys()].some((path) => rowPath(path) === change.path);
  if (isSheet(change.kind)) return isSame(cellsIn(inputs).get(change.path), change.is);
  const { top, item, field, each } = partsOf(change.path);
  // The value is in the file, and the inputs only name the file.
  if (isLeafPath(change.path) || (change.path === bodyPath && inputs[top] === undefined)) return true;
  if (item === undefined) return isSame(inputs[top], change.is);
  const list = inputs[top] as readonly Values[];
  const named = indexesOf({ ...change, inputs }).map((index) => list[index] as Values);
  const [own] = named;
  if (each !== undefined) return isSame((own?.[field ?? ""] as Values | undefined)?.[each], change.is);
  if (field !== undefined)
    return field in (own ?? {}) && field !== keyOf(change.kind, top)
      ? isSame(own?.[field], change.is)
      : hasItem(inputs[top], field, change.is);
  if (own === undefined || change.is === null) return own === undefined && change.is === null;
  // A loop may make more of a row, or something else.
  const is = change.stated ?? (change.is as Values);
  return named.some((one) => Object.entries(one).every(([name, value]) => isSame(value, is[name] ?? "")));
}

const keyOf = (kind: string, list: string) => definitionOf(kind)?.fields[list]?.items?.key;

/** A renamed item has its new key. */
const hasItem = (list: unknown, field: string, value: unknown) =>
  ((list ?? []) as readonly Values[]).some((one) => isSame(one[field], value));

const isSame = (asked: unknown, is: unknown): boolean =>
  typeof asked === "object" && typeof is === "object"
    ? JSON.stringify(asked) === JSON.stringify(is)
    : isSameValue(asked, is);

/** URNs of resources with changed inputs beside the accepted ones. */
export function othersChanged(
  before: ProgramInputs,
  now: ProgramInputs,
  accepted: readonly Change[],
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

/** Resources with amounts under a title that this change removes, such as prices of a price kind. */
export function usersOfTitle({ kind, path, asked: title }: Drift, asked: ProgramInputs): readonly string[] {
  if (path !== definitionOf(kind)?.sequential?.title) return [];
  const titlesOf = (own: string, inputs: Values) => {
    const definition = definitionOf(own);
    if (definition !== undefined) return titlesIn(definition, inputs);
    return isSheet(own) ? [...cellsIn(inputs).keys()].map((cell) => pathIn(cell)[3]) : [];
  };
  const users = [...asked].flatMap(([urn, inputs]) =>
    titlesOf(kindOf(urn), inputs).includes(String(title)) ? [`${kindOf(urn)} ${parseUrn(urn).name}`] : [],
  );
  // A preview ends its steps in any order.
  return users.toSorted();
}

/** All values of a resource, by their path as JSON: argument, item, field, name. */
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

/** Whether a value belongs to a change. A change that adds, removes or renames an item covers the whole item. */
function isOfChange([top = "", item, ...rest]: readonly string[], { kind, path, is }: Drift): boolean {
  const own = partsOf(path);
  // The body may also be set by a file.
  if (own.top !== top) return isBodyName(top) && own.top === bodyPath;
  const key = keyOf(kind, top);
  // Items without a key are named by position, which changes for the items behind.
  if (own.item === undefined || (own.field === undefined && /^(#|\d+$)/.test(item ?? ""))) return true;
  if (own.field === undefined || own.field === key) return item === own.item || item === String(is);
  return item === own.item && rest[0] === own.field && (own.each === undefined || rest[1] === own.each);
}

/**
 * The largest subset that works together, found by halving.
 * @param isGood whether a subset works
 */
export async function largestSubset<T>(
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
