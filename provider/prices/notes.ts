/** The shop's values from before a sheet that restores them: on disk before the first write, for runs that are interrupted. */

import { ownerIn } from "../names/owner.ts";
import {
  type CellState,
  parseSheetState,
  printSheetState,
  type RowState,
  type SheetState,
} from "../names/rows.ts";
import { markOfShop, type Shop } from "../run/context.ts";
import type { Values } from "../wire/codec.ts";
import { prices } from "./definition.ts";
import { isRestored, sheetArgs, valueIn } from "./rows.ts";
import { held, knownCell, lookAt, meantVariant, type Task } from "./work.ts";

const { kind } = prices;

/** Notes the shop's values that this run will overwrite for the first time. */
export async function noted(shop: Shop, args: Values, byProduct: ReadonlyMap<string, readonly Task[]>) {
  const fresh = await Promise.all(
    [...byProduct].map(async ([own, tasks]) => {
      const isFresh = (task: Task) =>
        [...task.asked.keys()].some((column) => task.known.get(column)?.before === undefined);
      const wanted = tasks.filter((task) => task.isLeaving !== true && isFresh(task));
      const seen = wanted.length === 0 ? undefined : await lookAt(shop, own);
      return wanted.flatMap((task): [string, RowState][] => {
        const { key, product: of, asked } = task;
        const there = seen && meantVariant(seen, task, sheetArgs(args).key);
        if (there === undefined) return [];
        const cells = [...asked.keys()].map((column) => {
          const value = held(valueIn(there, column));
          return [column, { asked: value, before: knownCell(task, column, value)?.before ?? value }] as const;
        });
        return [[key, { product: of, variant: String(there.id), cells: new Map(cells) }]];
      });
    }),
  );
  const rows = new Map(fresh.flat());
  if (rows.size === 0) return;
  await shop.notes.begin({
    of: ownerIn(args),
    kind,
    shop: markOfShop(shop),
    at: shop.now(),
    skewMs: shop.skewMs(),
    above: {},
    print: { by: [], key: undefined, content: "", text: undefined },
    before: printSheetState({ columns: [], rows }),
  });
}

/**
 * Adds the shop's values from before a run that was interrupted, which the state may lack. Only the values count: such rows
 * are found by their key, as new ones are.
 */
export function withNotes(shop: Shop, args: Values, known: SheetState): SheetState {
  const notes = isRestored(args) ? shop.notes.of(kind, ownerIn(args)) : [];
  if (notes.length === 0) return known;
  const rows = new Map(known.rows);
  for (const { before } of notes)
    for (const [key, row] of parseSheetState(before).rows) {
      const cells = rows.get(key)?.cells ?? new Map<string, CellState>();
      const missing = [...row.cells].filter(([column]) => cells.get(column)?.before === undefined);
      rows.set(key, { ...(rows.get(key) ?? row), cells: new Map([...missing, ...cells]) });
    }
  return { columns: known.columns, rows };
}
