/** Prices that an interrupted run of a sheet has written, where neither the program nor the state has the sheet any more. */

import { type Memory, markOfShop, type Shop } from "../context/context.ts";
import { isSentTo, type Note, type Notes, type RunEnd, unconfirmed } from "../context/create-notes.ts";
import { numberedPlace } from "../context/value-owners.ts";
import { reportInterruptedCreates } from "../lifecycle/interrupted-creates.ts";
import { readObject } from "../lifecycle/observe.ts";
import { nameOf } from "../names/owner.ts";
import { parseSheetState } from "../names/rows.ts";
import { messageOf } from "../wire/text.ts";
import { prices, product } from "./definition.ts";
import { valueIn } from "./rows.ts";
import { held, writtenVariant } from "./work.ts";

const { kind } = prices;

/**
 * At the end of a run: what interrupted runs made, and neither the program nor the state has.
 * @param shop with the notes and the state of the stack as they are now
 * @param notes of the run
 */
export async function reportInterrupted(shop: Shop, notes: Notes, ended: RunEnd): Promise<readonly string[]> {
  const creates = await reportInterruptedCreates({ ...shop, notes }, ended);
  return [...creates, ...(await interruptedSheets(shop, await unconfirmed(notes, ended)))];
}

/**
 * Ends the notes of sheets whose prices the shop has no more.
 * @param notes of interrupted runs
 * @returns a sentence for each sheet whose prices the shop still has
 */
async function interruptedSheets(shop: Shop, notes: readonly Note[]): Promise<readonly string[]> {
  const left = notes.filter(
    (note) => note.rows !== undefined && isSentTo(markOfShop(shop), note) && !shop.notes.isInState(note.of),
  );
  const lines: string[] = [];
  for (const [of, all] of Map.groupBy(left, (note) => note.of)) {
    const keys = await writtenRows(shop, of, all);
    if (keys.length === 0) await shop.notes.end(kind, of);
    else lines.push(leftText(nameOf(of), keys));
  }
  return lines;
}

/** The keys of rows whose prices the shop still has, and which no resource sets by now. */
async function writtenRows(shop: Shop, of: string, notes: readonly Note[]): Promise<readonly string[]> {
  const set = shop.notes.setInOtherForm({ of, shop: markOfShop(shop) });
  const rows = notes.flatMap(({ rows: text }) => [...parseSheetState(text).rows]);
  const found = new Set<string>();
  for (const [id, all] of Map.groupBy(rows, ([, row]) => row.product)) {
    const seen = await readObject(product, shop, id);
    if (typeof seen !== "object") continue;
    for (const [key, row] of all) {
      const variant = writtenVariant(seen, { key, ...row }, "sku");
      const isWritten = [...row.cells].some(([column, { asked, before }]) => {
        const value = held(variant && valueIn(variant, column));
        // The note of secret rows has no new price.
        const isOwn = asked === value || asked === before;
        return isOwn && value !== before && !set.has(numberedPlace("variants", row.variant, column));
      });
      if (variant !== undefined && isWritten) found.add(key);
    }
  }
  return [...found];
}

const leftText = (name: string, keys: readonly string[]): string =>
  `${kind} ${name}: an interrupted run wrote the prices of ${fewOf(keys)}, and the program has no such sheet now. ` +
  "To put back the earlier prices, run up with the sheet in the program, then without it";

const fewOf = (keys: readonly string[]) =>
  `${keys.slice(0, 5).join(", ")}${keys.length > 5 ? ` and ${(keys.length - 5).toLocaleString("en-US")} more` : ""}`;

const told = new WeakSet<Memory>();

/**
 * Names the sheets that an interrupted run began and that no state has, once in a process. Pulumi's engine asks nobody about
 * them if the program no longer has them; the embedded engine puts them into its state.
 * @param of the resource that the engine asks about
 */
export function tellInterruptedSheets(shop: Shop, of: string): void {
  if (shop.plan.isEmbedded || told.has(shop.memory)) return;
  told.add(shop.memory);
  try {
    const notes = shop.notes.sheetNotes(of);
    const open = notes.filter(
      (note) => note.id === undefined && isSentTo(markOfShop(shop), note) && !shop.notes.isInState(note.of),
    );
    for (const [sheet, all] of Map.groupBy(open, (note) => note.of)) {
      const keys = new Set(all.flatMap(({ rows }) => [...parseSheetState(rows).rows.keys()]));
      shop.say(
        `${kind} ${nameOf(sheet)}: an earlier run was interrupted while it wrote the prices of ${fewOf([...keys])}. ` +
          "If the program still has this sheet, up finishes it. If not, run up with the sheet in the program, then without it: " +
          "that puts the earlier prices back",
      );
    }
  } catch (error) {
    // Unreadable notes make the next create fail.
    shop.say(messageOf(error));
  }
}
