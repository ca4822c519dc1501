// The engine, fuzzed: any state, program, provider and operation leave a state that is whole, and lose nothing.
// PULUMI_SHOP_FUZZ says how many cases, PULUMI_SHOP_FUZZ_SEED which.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { full } from "../campaign.ts";
import { type Case, cases } from "./fuzz/case.ts";
import { play } from "./fuzz/play.ts";
import { wrongIn } from "./fuzz/verdict.ts";

const numRuns = Number(process.env.PULUMI_SHOP_FUZZ ?? (full ? 20_000 : 300));
const seed = Number(process.env.PULUMI_SHOP_FUZZ_SEED ?? 1);
const minutes = 60_000;

/** What an untroubled `up` does after it, and another one after that. */
const untroubled: Partial<Case> = {
  operation: "up",
  troubles: [],
  throws: false,
  replace: [],
  unsure: [],
};

test("whatever is asked of it, it leaves a whole state, and the next run heals what it left", {
  timeout: 60 * minutes,
}, async () => {
  const property = fc.asyncProperty(cases, async (one) => {
    const played = await play(one);
    expect(wrongIn(one, played)).toEqual([]);
    const next = await played.goOn(untroubled);
    expect(wrongIn({ ...one, ...untroubled }, next), "the next up").toEqual([]);
    if (next.result?.outcome !== "succeeded") return;
    expect(next.after.pending).toEqual([]);
    const again = await next.goOn({ ...untroubled, operation: "preview" });
    expect(again.result?.changed === true ? again.result.counts : {}, "a preview after it").toEqual({});
  });
  await fc.assert(property, { numRuns, seed, endOnFailure: false });
});
