// A run that ends at any of its effects, with any next step: nothing is lost, doubled or left unknown.
// PULUMI_SHOP_CRASHES sets the number of crashes.
import { afterAll, expect, test } from "vitest";
import { type Row, report, table } from "../faults/table.ts";
import { full, partOf } from "../support/campaign.ts";
import { begin, crash, crashesOf, type Next, nameOf, nexts, stories, type Trial } from "./crash-campaign.ts";
import { openHouse } from "./house.ts";

const wanted = Number(process.env.PULUMI_SHOP_CRASHES ?? (full ? 10_000 : 28));
const rows: Row[] = [];

/** An evenly spread sample, out of step with their order. */
const sample = <T>(all: readonly T[], count: number, from: number): readonly T[] =>
  count >= all.length
    ? all
    : Array.from({ length: count }, (_none, index) => all[(index * 7919 + from * 101) % all.length] as T);

const faultsOf = ({ verdict: { lost, doubled, orphaned, stuck } }: Trial) =>
  Object.entries({ lost, doubled, orphaned, stuck }).flatMap(([what, all]) =>
    all.map((one) => `${what} ${one}`),
  );

// `npm test` plays each in one form, alternating.
const played = partOf(
  stories,
  stories.filter((_story, index) => index % 4 === 0 || index % 4 === 3),
);

test.each(played.map((story, number) => ({ story, number, name: story.name })))(
  "a run that ends at any effect, and the next step after it: $name",

  async ({ story, number }) => {
    const house = openHouse();
    const begun = await begin(house, story);
    const trials: Trial[] = [];
    const crashes = sample(crashesOf(begun.effects), Math.ceil(wanted / played.length), number);
    for (const [index, one] of crashes.entries())
      trials.push(
        ...(await crash(house, story, begun, one, [nexts[(index + number) % nexts.length] as Next])),
      );
    house.close();
    const sum = (count: (trial: Trial) => number) => trials.reduce((total, trial) => total + count(trial), 0);
    rows.push([
      story.name,
      begun.effects.length,
      sum((trial) => trial.crashes),
      trials.length,
      sum(({ verdict }) => verdict.asked),
      sum(({ verdict }) => verdict.named),
      ...(["lost", "doubled", "orphaned", "stuck"] as const).map((what) =>
        sum(({ verdict }) => verdict[what].length),
      ),
    ]);
    const bad = trials.flatMap((trial) =>
      faultsOf(trial).map((fault) => `${nameOf(trial)}: ${fault}`.slice(0, 600)),
    );
    expect(bad.slice(0, 20)).toEqual([]);
  },
);

afterAll(() =>
  report(
    "crashes, simulated",
    table(
      ["run", "effects", "crashes", "next steps", "asked", "named", "lost", "doubled", "orphaned", "stuck"],
      rows,
    ),
  ),
);
