// The walks under real pulumi in both forms, if `pulumi` is on PATH: the same moves, judged like those of the
// embedded engine. PULUMI_SHOP_PULUMI_WALKS sets the number per form, PULUMI_SHOP_WALKS_FROM the first seed.
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
 * The moves that `pulumi` supports. pull, `accept` and moving a state with its notes are commands of ours; only
 * our engine refuses a state that is older than its backup, and stops a run that was overtaken (docs/rules.md).
 * Going back from the plugin to dynamic resources needs a run of its own (docs/plugin.md). This house has one shop.
 */
function pulumisMoves(seed: number, first: Form): readonly Move[] {
  let form = first;
  // The first move of a walk is its form, here the house's.
  return movesOf(seed)
    .slice(1)
    .flatMap((move): readonly Move[] => {
      if (JSON.stringify(move).includes('"shop":"other"')) return [];
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
      // Prints the progress of a run that takes minutes.
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
