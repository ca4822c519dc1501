/** What a state knows of a sheet: its rows, with the values before it. */
import { renamedTitles } from "../client/titled-amounts.ts";
import { ownerIn, resourceOf } from "../names/owner.ts";
import {
  kindColumn,
  kindOfColumn,
  parseSheetState,
  type RowState,
  type SheetState,
  sheetStateKey,
} from "../names/rows.ts";
import type { Shop } from "../run/context.ts";
import type { Values } from "../wire/codec.ts";
import { prices } from "./definition.ts";
import { planned, tell } from "./plan.ts";

/** What a state knows of its rows, under the titles that this run gives the price kinds. */
export function knownOf(
  { transport }: Shop,
  olds: Values,
  known = parseSheetState(olds[sheetStateKey]),
): SheetState {
  const titles = renamedTitles(transport);
  const of = ownerIn(olds);
  if (titles.size === 0) return { ...known, of };
  const now = (column: string) => {
    const title = titles.get(kindOfColumn(column) ?? "");
    return title === undefined ? column : kindColumn(title);
  };
  const rows = [...known.rows].map(([key, row]): [string, RowState] => {
    const cells = [...row.cells].map(([column, cell]) => [now(column), cell] as const);
    return [key, { ...row, cells: new Map(cells) }];
  });
  return { columns: known.columns.map(now), rows: new Map(rows), of };
}

/**
 * What the state knows of the sheet that a create replaces: to a shop, the replacement is an update. Undefined for a new sheet,
 * and where the old one is deleted first or its state isn't at hand.
 */
export function replacedBy(shop: Shop, args: Values): SheetState | undefined {
  const { inState, deleted } = shop.memory;
  const of = ownerIn(args);
  if (!inState.has(resourceOf(prices.kind, args)) || deleted.has(of)) return undefined;
  const olds = shop.notes.heldBy(of)?.outputs;
  return typeof olds?.[sheetStateKey] === "string" ? knownOf(shop, olds) : undefined;
}

/** Tells what a replacement sends, if this is one. */
export async function previewReplacement(shop: Shop, id: string, args: Values): Promise<void> {
  const known = replacedBy(shop, args);
  if (known !== undefined) tell(shop, { id, args }, await planned(shop, id, args, known));
}
