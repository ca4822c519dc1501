/** What a state knows of a sheet: its rows, with the values from before it. */
import { renamedTitles } from "../client/titled-amounts.ts";
import type { Shop } from "../context/context.ts";
import { shownSheet } from "../context/value-owners.ts";
import { ownerIn, resourceOf } from "../names/owner.ts";
import {
  emptySheetState,
  kindColumn,
  kindOfColumn,
  parseSheetState,
  type SheetState,
  sheetKindsKey,
  sheetStateKey,
} from "../names/rows.ts";
import type { Values } from "../wire/codec.ts";
import { prices } from "./definition.ts";
import { inColumns } from "./kinds.ts";
import { newId, planned, tell } from "./plan.ts";

/** What a state knows of its rows, under the titles that this run gives the price kinds. */
export function knownOf(
  { transport }: Shop,
  olds: Values,
  known = parseSheetState(olds[sheetStateKey]),
): SheetState {
  const titles = renamedTitles(transport);
  const kinds = olds[sheetKindsKey] as SheetState["kinds"];
  const noted = { ...known, of: ownerIn(olds), ...(kinds !== undefined && { kinds }) };
  if (titles.size === 0) return noted;
  return inColumns(noted, (column) => {
    const title = titles.get(kindOfColumn(column) ?? "");
    return title === undefined ? column : kindColumn(title);
  });
}

/**
 * What the state knows of the sheet that a create replaces: to a shop, the replacement is an update. Empty for a new sheet, and
 * where the state isn't in a folder.
 */
export function replacedBy(shop: Shop, args: Values): SheetState {
  const { memory, plan } = shop;
  const of = ownerIn(args);
  // The embedded engine checks it with the old arguments first; a state on disk may be from before its delete.
  const isChecked = !plan.isEmbedded || memory.inState.has(resourceOf(prices.kind, args));
  const olds = isChecked ? shop.notes.heldBy(of)?.outputs : undefined;
  if (olds === undefined) return emptySheetState;
  if (typeof olds[sheetStateKey] !== "string") return { ...emptySheetState, secret: shownSheet(olds).rows };
  const known = knownOf(shop, olds);
  return { ...known, isEnded: memory.deleted.has(of) };
}

/** Tells what a sheet sends that an engine creates to replace the same one. */
export async function tellReplacement(shop: Shop, args: Values): Promise<void> {
  const id = newId(shop, args);
  tell(shop, { id, args }, await planned(shop, id, args, replacedBy(shop, args)));
}
