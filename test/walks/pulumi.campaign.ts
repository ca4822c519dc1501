// The walks under the real engine, in both forms, where `pulumi` is on PATH: the moves that its commands have, judged as the
// embedded engine's are. PULUMI_SHOP_PULUMI_WALKS says how many of each form, PULUMI_SHOP_WALKS_FROM from which seed.
import { afterAll, expect, test } from "vitest";
import { type Row, report, table } from "../faults/table.ts";
import { hasPulumi, pulumiWaysFor } from "../support/engines.ts";
import { openPulumiHouse } from "./house/pulumi.ts";
import type { Form } from "./house/types.ts";
import { type Move, movesOf } from "./moves.ts";
import { script, walk } from "./walk.ts";

const howMany = Number(process.env.PULUMI_SHOP_PULUMI_WALKS ?? 50);
const from = Number(process.env.PULUMI_SHOP_WALKS_FROM ?? 1);

/**
 * The moves of a seed that the commands of `pulumi` have. A pull is our command's, as are `accept` and a move of a state with its notes; only
 * our engine refuses a state that is older than its backup, and stops a run that was overtaken (docs/rules.md). From the plugin back to dynamic resources is a run of its own
 * (docs/plugin.md).
 */
function pulumisMoves(seed: number, first: Form): readonly Move[] {
  let form = first;
  // A walk's first move is its form, which is the house's here.
  return movesOf(seed)
    .slice(1)
    .flatMap((move): readonly Move[] => {
      if (["pull", "accept", "move state", "older state"].includes(move.do)) return [];
      if (move.do === "up") {
        const { paused: _paused, ...how } = move.how;
        return [{ do: "up", how }];
      }
      if (move.do !== "form") return [move];
      const isBack = form === "plugin" && move.form === "dynamic";
      ({ form } = move);
      const alone: Move = { do: "up", how: {} };
      return isBack ? [alone, move, alone] : [move];
    });
}

const rows: Row[] = [];

if (!hasPulumi) test.skip("pulumi is not on PATH: its walks are left out", () => {});

test.each(pulumiWaysFor("walks"))(
  "no walk under the real engine loses, doubles or overwrites anything unseen ($form)",
  async ({ form }) => {
    const counts = { walks: 0, moves: 0, ups: 0, conflicts: 0, gap: 0 };
    const scripts: string[] = [];
    for (let seed = from; seed < from + howMany; seed += 1) {
      const moves = pulumisMoves(seed, form);
      const {
        broken: [first],
        counts: of,
      } = await walk([{ do: "form", form }, ...moves], true, await openPulumiHouse());
      counts.walks += 1;
      counts.moves += moves.length;
      for (const count of ["ups", "conflicts", "gap"] as const) counts[count] += of[count];
      // It takes minutes: who waits sees how far it is, and what broke.
      const said = first === undefined ? "well" : `\n${script(moves, first)}`;
      process.stdout.write(`${form}, seed ${seed}: ${said}\n`);
      if (first !== undefined) scripts.push(`// seed ${seed}, ${form}\n${script(moves, first)}`);
    }
    rows.push([form, ...Object.values(counts), scripts.length]);
    expect(scripts.join("\n\n")).toBe("");
  },
);

afterAll(() =>
  report(
    "walks under pulumi",
    table(["form", "walks", "moves", "ups", "conflicts", "in the gap", "broken"], rows),
  ),
);
