// The walks under the real engine, in both forms, where `pulumi` is on PATH: the moves that its commands have, judged as the
// embedded engine's are. PULUMI_SHOP_PULUMI_WALKS says how many of each form, PULUMI_SHOP_WALKS_FROM from which seed.
import { afterAll, expect, test } from "vitest";
import { type Row, report, table } from "../faults/table.ts";
import { hasPulumi, pulumiWaysFor } from "../support/engines.ts";
import { openPulumiHouse } from "./house/pulumi.ts";
import { type Move, movesOf } from "./moves.ts";
import { script, walk } from "./walk.ts";

const howMany = Number(process.env.PULUMI_SHOP_PULUMI_WALKS ?? 50);
const from = Number(process.env.PULUMI_SHOP_WALKS_FROM ?? 1);

// A pull is our command's; only our engine refuses a state that is older than its backup (docs/rules.md). A form is a house's.
const isPulumis = (move: Move) => !["pull", "older state", "form"].includes(move.do);

const rows: Row[] = [];

if (!hasPulumi) test.skip("pulumi is not on PATH: its walks are left out", () => {});

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
      if (first !== undefined) scripts.push(`// seed ${seed}, ${form}\n${script(moves, first)}`);
      // It takes minutes: who waits sees how far it is, and what broke.
      process.stdout.write(`${form}, seed ${seed}: ${first?.what ?? "well"}\n`);
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
