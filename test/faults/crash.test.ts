// kill -9 of the engine, of the provider's host, of both, at seeded random moments; then the same command again. Nothing
// is lost, nothing is doubled, nothing is forgotten. One kill for each command and victim, to agree with the simulated
// ones (test/walks/crash.test.ts); PULUMI_SHOP_TRIALS sets how many moments per command instead.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { full } from "../support/campaign.ts";
import { type By, type Outcome, perform, type Trial, trialOf, type Verb } from "./crash.ts";
import { type Row, report, table } from "./table.ts";

const victims = ["engine", "host", "both"] as const;
const wanted = process.env.PULUMI_SHOP_TRIALS ?? (full ? "40" : undefined);

/** The seeds of a command's trials: so many as are wanted, or the first of each victim. */
function seedsOf(verb: Verb): number[] {
  const seeds = Array.from({ length: Number(wanted ?? 40) }, (_none, index) => index + 1);
  if (wanted !== undefined) return seeds;
  return victims.map((victim) => seeds.find((seed) => trialOf(verb, seed).victim === victim) ?? 1);
}
const rows: Row[] = [];

/** Two at once: as many as the machine has cores. */
async function campaign(
  verb: Verb,
  seeds: number[],
  by: By = "embedded",
): Promise<readonly (readonly [Trial, Outcome])[]> {
  const outcomes: (readonly [Trial, Outcome])[] = [];
  const worker = async () => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const trial = trialOf(verb, seed);
      outcomes.push([trial, await perform(trial, by)]);
    }
  };
  await Promise.all([worker(), worker()]);
  return outcomes;
}

// Processes are found in /proc.
describe.skipIf(!existsSync("/proc/self/stat"))("a run that is killed", () => {
  test.each(["up", "refresh", "destroy"] as const)(
    "%s, and the next one converges",

    async (verb) => {
      const outcomes = await campaign(verb, seedsOf(verb));
      const bad = outcomes.filter(
        ([, { lost, doubled, orphaned, converged }]) =>
          lost.length + doubled.length + orphaned.length > 0 || !converged,
      );
      for (const victim of victims) {
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
      expect(outcomes.filter(([, { killed }]) => killed).length).toBeGreaterThanOrEqual(outcomes.length / 2);
    },
  );
});

// Its pending operations included: a create that was cut off is recognised when the provider is asked again.
test.skipIf(spawnSync("pulumi", ["version"]).status !== 0)(
  "so does up by the real engine",

  async () => {
    const outcomes = await campaign("up", seedsOf("up"), "pulumi");
    const bad = outcomes.filter(
      ([, { lost, doubled, orphaned, converged }]) =>
        lost.length + doubled.length + orphaned.length > 0 || !converged,
    );
    rows.push([
      "up, pulumi",
      "all",
      outcomes.length,
      outcomes.filter(([, { killed }]) => killed).length,
      ...(["lost", "doubled", "orphaned"] as const).map((what) =>
        outcomes.reduce((sum, [, outcome]) => sum + outcome[what].length, 0),
      ),
    ]);
    expect(bad.map(([trial, outcome]) => JSON.stringify({ trial, outcome }).slice(0, 600))).toEqual([]);
  },
);

afterAll(() =>
  report("crashes", table(["command", "killed", "moments", "hit", "lost", "doubled", "orphaned"], rows)),
);
