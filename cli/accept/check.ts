/** Whether a program asks what was accepted, and nothing else otherwise than before: its next preview says it. */
import {
  bodyPath,
  cellsIn,
  isBodyName,
  isLeafPath,
  isSheet,
  lineFeeds,
  rowPath,
  type Values,
} from "../../provider/inventory/index.ts";
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
    return field in (own ?? {}) ? isSame(own?.[field], change.is) : hasItem(inputs[top], field, change.is);
  return (own === undefined) === (change.is === null);
}

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
    const tops = new Set(changes.filter(isDrift).map(({ path }) => partsOf(path).top));
    const [old, next] = [before.get(urn) ?? {}, now.get(urn) ?? {}];
    if (changes.some(({ kind }) => isSheet(kind))) {
      // An unchanged one asks what the state has, which knows no rows of deleted variants.
      if (next.rows === undefined) return false;
      const paths = new Set(changes.filter(isDrift).map(({ path }) => path));
      const [cells, after] = [cellsIn(old), cellsIn(next)];
      return [...cells.keys(), ...after.keys()].some(
        (path) => cells.get(path) !== after.get(path) && !paths.has(path) && !paths.has(rowPath(path)),
      );
    }
    return [...new Set([...Object.keys(old), ...Object.keys(next)])].some(
      (name) => !isOwn(name, tops) && JSON.stringify(old[name]) !== JSON.stringify(next[name]),
    );
  });
}

// A body is stated by a file too, and a list keeps its order beside it.
const isOwn = (name: string, tops: ReadonlySet<string>) =>
  tops.has(name) || name.startsWith("__") || (isBodyName(name) && tops.has(bodyPath));

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
