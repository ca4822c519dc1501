// Compares our engine with Pulumi's in random cases: same state, program, provider and operation. PULUMI_SHOP_ORACLE
// sets the number of cases, PULUMI_SHOP_ORACLE_SEED the seed; the campaign runs some if pulumi is on PATH.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { report, table } from "../faults/table.ts";
import { full } from "../support/campaign.ts";
import { cases } from "./fuzz/case.ts";
import type { Form } from "./fuzz/onstage.ts";
import { comparable, compared } from "./fuzz/oracle.ts";
import { shown } from "./fuzz/plain.ts";
import { smallest } from "./fuzz/shrink.ts";
import { pulumiVersion } from "./pulumi.ts";

const asked = process.env.PULUMI_SHOP_ORACLE;
const isThere = (full || asked !== undefined) && pulumiVersion() !== undefined;
const count = Number(asked ?? 500);
const seed = Number(process.env.PULUMI_SHOP_ORACLE_SEED ?? 1);

if (asked !== undefined && !isThere)
  test("PULUMI_SHOP_ORACLE needs pulumi on PATH", () => expect.fail("pulumi isn't on PATH"));

const forms: readonly Form[] = ["dynamic", "plugin"];
test.skipIf(!isThere).each(forms)("whatever is asked of it, it does what pulumi does (%s)", async (form) => {
  const seen = new Map<string, number>();
  for (const [index, drawn] of fc.sample(cases, { numRuns: count, seed }).entries()) {
    const one = comparable(drawn);
    const { theirs, error } = await compared(one, form);
    const what = `${one.operation}, ${theirs.exit === 0 ? "succeeded" : "failed"}`;
    seen.set(what, (seen.get(what) ?? 0) + 1);
    if (error === undefined) continue;
    const small = await smallest(one, async (other) => (await compared(other, form)).error !== undefined);
    const { error: smallError = error } = await compared(small, form);
    smallError.message = `case ${index} of seed ${seed}: ${smallError.message}\nfor drawn.test.ts:\ncaseOf(${shown(small)})${form === "plugin" ? ', "plugin"' : ""}`;
    throw smallError;
  }
  report(`engine oracle, ${form}`, table(["operation, and how it ended", "cases"], [...seen].sort()));
});
