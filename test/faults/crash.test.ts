// kill -9 of the engine, of the provider's process, of both, and Ctrl-C, at seeded random moments; then the same command again.
// Nothing is lost, nothing is doubled, nothing is forgotten. `npm test` has one moment of the first two commands, each in a form of its own, to
// agree with the simulated ones of both (test/walks/crash.test.ts); PULUMI_SHOP_TRIALS sets how many instead, also of `pulumi` where that is on PATH.
import { existsSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { full } from "../support/campaign.ts";
import { pulumiWaysFor, type Way, ways } from "../support/engines.ts";
import { crashVerbs, type Outcome, perform, type Trial, trialOf, type Verb, victims } from "./crash.ts";
import { type Row, report, table } from "./table.ts";

const wanted = process.env.PULUMI_SHOP_TRIALS ?? (full ? "40" : undefined);
const own = ways.filter(({ engine }) => engine === "embedded");
const all = [...own, ...pulumiWaysFor("crashes")].flatMap((way) =>
  crashVerbs.map((verb) => ({ verb, way, ...way })),
);
const tried =
  wanted === undefined ? own.map((way, index) => ({ verb: crashVerbs[index] as Verb, way, ...way })) : all;

/** The seeds of a command's trials: so many as are wanted, or the first one of a victim of its own. */
function seedsOf(verb: Verb, way: Way): readonly number[] {
  const seeds = Array.from({ length: Number(wanted ?? 40) }, (_none, index) => index + 1);
  if (wanted !== undefined) return seeds;
  const victim = victims[(crashVerbs.indexOf(verb) + 2 * own.indexOf(way)) % victims.length];
  return [seeds.find((seed) => trialOf(verb, seed).victim === victim) ?? 1];
}
const rows: Row[] = [];

/** Two at once: as many as the machine has cores. */
async function campaign(verb: Verb, way: Way): Promise<readonly (readonly [Trial, Outcome])[]> {
  const seeds = [...seedsOf(verb, way)];
  const outcomes: (readonly [Trial, Outcome])[] = [];
  const worker = async () => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const trial = trialOf(verb, seed);
      outcomes.push([trial, await perform(trial, way)]);
    }
  };
  await Promise.all([worker(), worker()]);
  return outcomes;
}

// Processes are found in /proc.
test.skipIf(!existsSync("/proc/self/stat")).each(tried)(
  "$verb that is cut off is finished by the next one ($form, $engine)",
  async ({ verb, way }) => {
    const outcomes = await campaign(verb, way);
    const bad = outcomes.filter(
      ([, { lost, doubled, orphaned, converged }]) =>
        lost.length + doubled.length + orphaned.length > 0 || !converged,
    );
    for (const victim of victims) {
      const of = outcomes.filter(([trial]) => trial.victim === victim);
      const sum = (count: (outcome: Outcome) => number) =>
        of.reduce((total, [, outcome]) => total + count(outcome), 0);
      if (of.length > 0)
        rows.push([
          verb,
          way.form,
          way.engine,
          victim,
          of.length,
          sum(({ killed }) => (killed ? 1 : 0)),
          sum(({ lost }) => lost.length),
          sum(({ doubled }) => doubled.length),
          sum(({ orphaned }) => orphaned.length),
        ]);
    }
    expect(bad.map(([trial, outcome]) => JSON.stringify({ trial, outcome }).slice(0, 1_500))).toEqual([]);
    // A campaign whose moments came too late would prove nothing.
    expect(outcomes.filter(([, { killed }]) => killed).length).toBeGreaterThanOrEqual(outcomes.length / 2);
  },
);

afterAll(() =>
  report(
    "crashes",
    table(["command", "form", "engine", "cut off", "moments", "hit", "lost", "doubled", "orphaned"], rows),
  ),
);
