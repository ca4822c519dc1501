/** Rows whose keys staff have given to other variants of the product: what was set, and was there before, is the variant's. */
import type { Shop } from "../context/context.ts";
import type { Values } from "../wire/codec.ts";
import { findVariants } from "./find.ts";
import type { Key } from "./rows.ts";
import type { IsFree } from "./tasks.ts";
import { meantVariant, type Task, type Terms, variantIn } from "./work.ts";

/** A row, as it was set last. */
type Placed = Pick<Task, "key" | "variant" | "known">;

/**
 * @param seen the products' variants
 * @param rows those that mean variants of them
 * @param leaving what was set of variants that no row means any more
 * @param idOf the variant that a row means now
 * @returns each row with that variant, and what was set of it; and what was set of variants that have lost their keys, under
 * the keys that they have by now
 */
export function afterMoves<Row extends Placed>(
  seen: Values,
  rows: readonly Row[],
  leaving: readonly Placed[],
  { by, idOf }: { readonly by: Key; readonly idOf: (row: Row) => string },
): { readonly rows: readonly Row[]; readonly left: readonly Row[] } {
  const known = new Map(
    [...leaving, ...rows].flatMap((row) => (row.known.size === 0 ? [] : [[row.variant, row.known] as const])),
  );
  const meant = new Set(rows.map(idOf));
  const keys = new Set(rows.map(({ key }) => key));
  const isMoved = (row: Row) => idOf(row) !== row.variant && variantIn(seen, row.variant) !== undefined;
  return {
    rows: rows.map((row) => {
      const variant = idOf(row);
      const isNew = row.known.size === 0 && known.has(variant);
      return isMoved(row) || isNew ? { ...row, variant, known: known.get(variant) ?? new Map() } : row;
    }),
    left: rows.flatMap((row) => {
      if (!isMoved(row) || meant.has(row.variant)) return [];
      const key = String(variantIn(seen, row.variant)?.[by] ?? "");
      return [{ ...row, key: key === "" || keys.has(key) ? row.variant : key }];
    }),
  };
}

/** The rest of a sheet, beside what a run has to do. */
interface Rest {
  /** The rows of a product for which nothing is to be done. */
  readonly othersOf: (product: string) => readonly Task[];
  readonly isFree: IsFree;
}

/**
 * What is done of a product's rows, by the variants that they mean now.
 * @throws Error where another product has a row's key: only a refresh sees all that such a move means
 */
export async function withMoves(
  shop: Shop,
  seen: Values,
  tasks: readonly Task[],
  { by, remembers, othersOf, isFree }: Pick<Terms, "by" | "remembers"> & Rest,
): Promise<readonly Task[]> {
  const meantBy = (row: Pick<Task, "key" | "variant">) => meantVariant(seen, row, by);
  const idOf = (row: Pick<Task, "key" | "variant">) => String(meantBy(row)?.id ?? row.variant);
  const asking = tasks.filter((task) => !task.isLeaving);
  const others = othersOf(tasks[0]?.product ?? "");
  // A new row may mean a variant that another row has set, under a key that it had before.
  const taken = new Set(asking.flatMap((task) => (task.known.size === 0 ? [idOf(task)] : [])));
  await refuseStrayed(
    shop,
    [...asking, ...others.filter(({ variant }) => taken.has(variant))].filter(
      (task) => (meantBy(task) ?? { [by]: task.key })[by] !== task.key,
    ),
    by,
  );
  const all = [...asking, ...others];
  if (all.every((task) => idOf(task) === task.variant || variantIn(seen, task.variant) === undefined))
    return tasks;
  const leaving = tasks.filter((task) => task.isLeaving);
  const { rows, left } = afterMoves(seen, all, leaving, { by, idOf });
  const set = new Set(
    rows.flatMap(({ variant, asked }) => [...asked.keys()].map((column) => `${variant} ${column}`)),
  );
  const back = [...leaving, ...(remembers ? left.map((task) => leavingTask(task, isFree)) : [])].map(
    (task) => ({
      ...task,
      asked: new Map([...task.asked].filter(([column]) => !set.has(`${task.variant} ${column}`))),
    }),
  );
  return [...rows, ...back.filter(({ asked }) => asked.size > 0)];
}

/** @param tasks whose variants have other keys by now */
async function refuseStrayed(shop: Shop, tasks: readonly Task[], by: Key): Promise<void> {
  const { found } = await findVariants(
    shop,
    by,
    tasks.map(({ key }) => key),
  );
  const lines = tasks.flatMap(({ key, product }) => {
    const other = found.get(key);
    return other === undefined || other.product === product
      ? []
      : [
          `${key}: another variant of the shop has this ${by} now, in Product ${other.product}; run refresh, then up again`,
        ];
  });
  if (lines.length > 0) throw new Error(lines.join("\n"));
}

const leavingTask = (task: Task, isFree: IsFree): Task => ({
  ...task,
  isLeaving: true,
  asked: new Map(
    [...task.known].flatMap(([column, { before }]) =>
      before === undefined || !isFree(task.key, task, column) ? [] : [[column, before] as const],
    ),
  ),
});
