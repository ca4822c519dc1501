/** Values that another sheet of the stack's state had, and which this sheet sets from now on. */
import { nameIn, ownerIn } from "../names/owner.ts";
import type { CellState } from "../names/rows.ts";
import type { Shop } from "../run/context.ts";
import { numberedPlace } from "../run/value-owners.ts";
import type { Values } from "../wire/codec.ts";
import { isRestored } from "./rows.ts";
import type { Task } from "./work.ts";

const otherCell = (shop: Shop, args: Values, { variant, column }: { variant: string; column: string }) =>
  shop.notes.sheetCell(ownerIn(args), numberedPlace("variants", variant, column));

/** What another sheet had set; undefined if its rows are secret. */
export const othersOf =
  (shop: Shop, args: Values): NonNullable<Task["others"]> =>
  (variant, column): CellState | undefined => {
    const cell = otherCell(shop, args, { variant, column });
    return cell?.secretIn === undefined ? cell : undefined;
  };

/** Why a sheet can't restore the values that it takes over from secret sheets, a line for each of them. */
export function unknownBeforeLines(
  shop: Shop,
  args: Values,
  tasks: Iterable<Pick<Task, "key" | "variant" | "asked" | "known">>,
): readonly string[] {
  if (!isRestored(args)) return [];
  const keys = new Map<string, Set<string>>();
  for (const { key, variant, asked, known } of tasks)
    for (const column of asked.keys()) {
      const from = known.has(column) ? undefined : otherCell(shop, args, { variant, column })?.secretIn;
      if (from !== undefined) keys.set(from, (keys.get(from) ?? new Set()).add(key));
    }
  return [...keys].map(
    ([from, all]) =>
      `${all.size} ${all.size === 1 ? "row is" : "rows are"} taken over from ${from}, whose rows are secret: ${nameIn(args)} restores their present values at its end, not those from before ${from}. If this is ${from} under another name, give it aliases: [{ name: ${JSON.stringify(from)} }]`,
  );
}
