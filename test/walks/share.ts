/** Walks one after the other: their counts, and each broken rule as a script. */
import type { Counts } from "./model.ts";
import type { Move } from "./moves.ts";
import { script, shrink, walk } from "./walk.ts";

export type Totals = Counts & { walks: number; moves: number };

export const none = (): Totals => ({
  walks: 0,
  moves: 0,
  ups: 0,
  conflicts: 0,
  kept: 0,
  gap: 0,
  pulls: 0,
  accepted: 0,
});

export function add(totals: Totals, more: Totals): void {
  for (const count of Object.keys(totals) as (keyof Totals)[]) totals[count] += more[count];
}

export const line = (totals: Totals): string =>
  Object.entries(totals)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");

/** Runs one walk; the script is the shortest walk that breaks the same rule. */
export async function walkOne(name: string, moves: readonly Move[], settles = true) {
  const { broken, counts } = await walk(moves, settles);
  const totals: Totals = { ...counts, walks: 1, moves: moves.length };
  const [first] = broken;
  if (first === undefined) return { totals };
  const shorter = await shrink(moves, first.what, settles);
  const again = (await walk(shorter, settles)).broken[0] ?? first;
  return { totals, script: `// ${name}\n${script(shorter, again)}` };
}
