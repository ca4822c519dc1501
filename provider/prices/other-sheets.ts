/** Values that another sheet of the stack's state had, and which this sheet sets from now on. */

import { type Shop, shopKnown } from "../context/context.ts";
import { keyedPlace, numberedPlace } from "../context/value-owners.ts";
import { nameIn, ownerIn } from "../names/owner.ts";
import type { SheetState } from "../names/rows.ts";
import type { Values } from "../wire/codec.ts";
import { isRestored, sheetArgs } from "./rows.ts";
import type { Task } from "./work.ts";

const cellsOf = (shop: Shop, args: Values) => shop.notes.sheetCells(ownerIn(args), shopKnown(shop));

/**
 * The last value that a sheet of the stack has set, also in an interrupted run.
 * @param given what the engine's state knows of the sheet
 */
export function cellOf(shop: Shop, args: Values, { isEnded = false }: SheetState): Task["cellOf"] {
  const cells = cellsOf(shop, args);
  const by = sheetArgs(args).key;
  return ({ key, variant, known }, column, is) => {
    const own = known.get(column);
    const cell = cells.cell(numberedPlace("variants", variant, column), is, own);
    const before = cell?.before;
    if (isEnded && before !== undefined && before === (is ?? "")) return { asked: before, before };
    return cell ?? (own === undefined ? cells.remade(keyedPlace(by, key, column), is) : undefined);
  };
}

/**
 * Why a sheet can't restore the values that it takes over from secret sheets, a line for each of them.
 * @param given what the engine's state knows of the sheet
 */
export function unknownBeforeLines(
  shop: Shop,
  args: Values,
  given: SheetState,
  tasks: Iterable<Pick<Task, "key" | "variant" | "asked" | "known">>,
): readonly string[] {
  if (!isRestored(args)) return [];
  const keys = new Map<string, Set<string>>();
  const cells = cellsOf(shop, args);
  const name = nameIn(args);
  const own = new Map([...(given.secret?.values() ?? [])].map((row) => [row.variant, row.cells]));
  for (const { key, variant, asked, known } of tasks)
    for (const column of asked.keys()) {
      const place = numberedPlace("variants", variant, column);
      const its = own.get(variant)?.has(column) ? name : cells.secretIn(place);
      const from = known.has(column) ? undefined : its;
      if (from !== undefined) keys.set(from, (keys.get(from) ?? new Set()).add(key));
    }
  return [...keys].map(([from, all]) => {
    const rows = `${all.size} ${all.size === 1 ? "row is" : "rows are"}`;
    const restored = `${name} restores their present values at its end, not those from before`;
    return from === name
      ? `${rows} secret, and ${name} is replaced: ${restored} it`
      : `${rows} taken over from ${from}, whose rows are secret: ${restored} ${from}. If this is ${from} under another name, give it aliases: [{ name: ${JSON.stringify(from)} }]`;
  });
}
