// Random walks: everyday edits in a program and in a back office, with runs in between, judged after each.
import { expect, test } from "vitest";
import { movesOf } from "./moves.ts";
import { script, shrink, walk } from "./walk.ts";

const howMany = Number(process.env.PULUMI_SHOP_WALKS ?? 20);
const from = Number(process.env.PULUMI_SHOP_WALKS_FROM ?? 1);

test("no walk of everyday edits loses, doubles or overwrites anything unseen", {
  timeout: 3_600_000,
}, async () => {
  const totals = { walks: 0, moves: 0, ups: 0, conflicts: 0, kept: 0, gap: 0 };
  const began = process.hrtime.bigint();
  const scripts: string[] = [];
  for (let seed = from; seed < from + howMany && scripts.length < 5; seed += 1) {
    const moves = movesOf(seed);
    const { broken, counts } = await walk(moves);
    const [first] = broken;
    if (first !== undefined) {
      const shorter = await shrink(moves, first.what);
      const again = (await walk(shorter)).broken[0] ?? first;
      scripts.push(
        `// seed ${seed}, ${Number((process.hrtime.bigint() - began) / 1_000_000n)} ms\n${script(shorter, again)}`,
      );
    }
    totals.walks += 1;
    totals.moves += moves.length;
    for (const name of ["ups", "conflicts", "kept", "gap"] as const) totals[name] += counts[name];
  }
  console.log(
    Object.entries(totals)
      .map(([name, count]) => `${count} ${name}`)
      .join(", "),
  );
  expect(scripts.join("\n\n")).toBe("");
});
