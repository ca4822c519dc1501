// The walks under the real engine, in both forms, where `pulumi` is on PATH: the moves that its commands have, judged as the
// embedded engine's are. PULUMI_SHOP_PULUMI_WALKS says how many of each form, PULUMI_SHOP_WALKS_FROM from which seed.
import { expect, test } from "vitest";
import { report, table } from "../faults/table.ts";
import { pulumiWaysFor } from "../support/engines.ts";
import { openPulumiHouse } from "./house/pulumi.ts";
import { type Move, movesOf } from "./moves.ts";
import { script, walk } from "./walk.ts";

const howMany = Number(process.env.PULUMI_SHOP_PULUMI_WALKS ?? 50);
const from = Number(process.env.PULUMI_SHOP_WALKS_FROM ?? 1);

// A pull is our command's; only our engine refuses a state that is older than its backup (docs/rules.md). A form is a house's.
const isPulumis = (move: Move) => !["pull", "older state", "form"].includes(move.do);

test.each(pulumiWaysFor("walks"))(
  "no walk under the real engine loses, doubles or overwrites anything unseen ($form)",
  async ({ form }) => {
    const counts = { walks: 0, moves: 0, ups: 0, conflicts: 0, gap: 0 };
    const scripts: string[] = [];
    for (let seed = from; seed < from + howMany; seed += 1) {
      const moves = movesOf(seed).filter(isPulumis);
      const {
        broken: [first],
        counts: of,
      } = await walk(moves, true, await openPulumiHouse(form));
      counts.walks += 1;
      counts.moves += moves.length;
      for (const count of ["ups", "conflicts", "gap"] as const) counts[count] += of[count];
      if (first !== undefined) {
        scripts.push(`// seed ${seed}, ${form}\n${script(moves, first)}`);
        console.log(scripts.at(-1));
      }
      console.log(form, seed, JSON.stringify(counts));
    }
    report(
      `walks, pulumi, ${form}`,
      table([...Object.keys(counts), "broken"], [[...Object.values(counts), scripts.length]]),
    );
    expect(scripts.join("\n\n")).toBe("");
  },
);
