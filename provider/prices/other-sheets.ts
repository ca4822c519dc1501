/** Values that another sheet of the stack's state had, and which this sheet sets from now on. */
import { nameIn, ownerIn } from "../names/owner.ts";
import { type Shop, shopKnown } from "../run/context.ts";
import { keyedPlace, numberedPlace } from "../run/value-owners.ts";
import type { Values } from "../wire/codec.ts";
import { isRestored, sheetArgs } from "./rows.ts";
import type { Task } from "./work.ts";

const cellsOf = (shop: Shop, args: Values) => shop.notes.sheetCells(ownerIn(args), shopKnown(shop));

/** The last value that a sheet of the stack has set, also in an interrupted run. */
export function cellOf(shop: Shop, args: Values): Task["cellOf"] {
  const cells = cellsOf(shop, args);
  const by = sheetArgs(args).key;
  return ({ key, variant, known }, column, is) => {
    const own = known.get(column);
    const cell = cells.cell(numberedPlace("variants", variant, column), is, own);
    return cell ?? (own === undefined ? cells.remade(keyedPlace(by, key, column), is) : undefined);
  };
}

/** Why a sheet can't restore the values that it takes over from secret sheets, a line for each of them. */
export function unknownBeforeLines(
  shop: Shop,
  args: Values,
  tasks: Iterable<Pick<Task, "key" | "variant" | "asked" | "known">>,
): readonly string[] {
  if (!isRestored(args)) return [];
  const keys = new Map<string, Set<string>>();
  const cells = cellsOf(shop, args);
  for (const { key, variant, asked, known } of tasks)
    for (const column of asked.keys()) {
      const place = numberedPlace("variants", variant, column);
      const from = known.has(column) ? undefined : cells.secretIn(place);
      if (from !== undefined) keys.set(from, (keys.get(from) ?? new Set()).add(key));
    }
  return [...keys].map(
    ([from, all]) =>
      `${all.size} ${all.size === 1 ? "row is" : "rows are"} taken over from ${from}, whose rows are secret: ${nameIn(args)} restores their present values at its end, not those from before ${from}. If this is ${from} under another name, give it aliases: [{ name: ${JSON.stringify(from)} }]`,
  );
}
