// Fuzz test of the engine: any state, program, provider and operation leave a complete state and lose nothing.
// PULUMI_SHOP_FUZZ sets the number of cases, PULUMI_SHOP_FUZZ_SEED the seed.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { report, table } from "../faults/table.ts";
import { full } from "../support/campaign.ts";
import { cases } from "./fuzz/case.ts";
import { judged } from "./fuzz/judge.ts";
import { caseOf, type ShortCase, shown } from "./fuzz/plain.ts";
import { smallest } from "./fuzz/shrink.ts";

const count = Number(process.env.PULUMI_SHOP_FUZZ ?? (full ? 20_000 : 150));
const seed = Number(process.env.PULUMI_SHOP_FUZZ_SEED ?? 1);

test("random programs and faults leave a complete state, lose nothing, and the next up repairs them", async () => {
  const seen = new Map<string, number>();
  for (const one of fc.sample(cases, { numRuns: count, seed })) {
    const wrong = await judged(one, (what) => seen.set(what, (seen.get(what) ?? 0) + 1));
    if (wrong.length === 0) continue;
    const small = await smallest(one, async (other) => (await judged(other)).length > 0);
    expect.fail(`${(await judged(small)).join("\n")}\nin the case\n${shown(small)}`);
  }
  // The cases must end in different ways.
  for (const what of ["up, succeeded", "up, failed", "up, cut off", "an up after it, succeeded"])
    expect(seen.get(what) ?? 0, what).toBeGreaterThan(0);
  report("engine fuzz", table(["operation, and how it ended", "cases"], [...seen].sort()));
});

const found: readonly (readonly [what: string, ShortCase])[] = [
  [
    "what the provider refuses to compare needs what the program makes behind it, and is needed by what that needs",
    {
      olds: [{ name: "a" }, { name: "c", parent: "a" }, { name: "f", of: "c" }],
      program: [{ name: "f" }, { name: "a", dependsOn: ["f"] }, { name: "c", parent: "a" }],
      troubles: [{ name: "f", verb: "diff", fault: "refuses" }],
    },
  ],
];

test.each(found)("a fixed case of the fuzz test: %s", async (_what, one) => {
  expect(await judged(caseOf(one))).toEqual([]);
});
