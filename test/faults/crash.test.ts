// kill -9 of the engine, of the provider's host, of both, at seeded random moments; then the same command again. Nothing
// is lost, nothing is doubled, nothing is forgotten. PULUMI_SHOP_TRIALS sets how many moments per command.
import { existsSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { type Outcome, perform, type Trial, trialOf, type Verb } from "./crash.ts";
import { type Row, report, table } from "./table.ts";

const trials = (verb: Verb) => Number(process.env.PULUMI_SHOP_TRIALS ?? (verb === "up" ? 200 : 20));
const rows: Row[] = [];

/** Two at once: as many as the machine has cores. */
async function campaign(verb: Verb): Promise<readonly (readonly [Trial, Outcome])[]> {
  const seeds = Array.from({ length: trials(verb) }, (_none, index) => index + 1);
  const outcomes: (readonly [Trial, Outcome])[] = [];
  const worker = async () => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const trial = trialOf(verb, seed);
      outcomes.push([trial, await perform(trial)]);
    }
  };
  await Promise.all([worker(), worker()]);
  return outcomes;
}

// Processes are found in /proc.
describe.skipIf(!existsSync("/proc/self/stat"))("a run that is killed", () => {
  test.each(["up", "refresh", "destroy"] as const)(
    "%s, and the next one converges",
    { timeout: 1_200_000 },
    async (verb) => {
      const outcomes = await campaign(verb);
      const bad = outcomes.filter(
        ([, { lost, doubled, orphaned, converged }]) =>
          lost.length + doubled.length + orphaned.length > 0 || !converged,
      );
      for (const victim of ["engine", "host", "both"]) {
        const of = outcomes.filter(([trial]) => trial.victim === victim);
        const sum = (count: (outcome: Outcome) => number) =>
          of.reduce((total, [, outcome]) => total + count(outcome), 0);
        rows.push([
          verb,
          victim,
          of.length,
          sum(({ killed }) => (killed ? 1 : 0)),
          sum(({ lost }) => lost.length),
          sum(({ doubled }) => doubled.length),
          sum(({ orphaned }) => orphaned.length),
        ]);
      }
      expect(bad.map(([trial, outcome]) => `${JSON.stringify({ trial, outcome }).slice(0, 400)}`)).toEqual(
        [],
      );
      // A campaign whose moments came too late would prove nothing.
      expect(outcomes.filter(([, { killed }]) => killed).length).toBeGreaterThan(outcomes.length / 2);
    },
  );
});

afterAll(() =>
  report("crashes", table(["command", "killed", "moments", "hit", "lost", "doubled", "orphaned"], rows)),
);
