// A run that ends at any of its effects, and whatever a person does next: nothing is lost, doubled or left unknown.
// PULUMI_SHOP_CRASHES sets how many crashes are tried, `all` for all.
import { expect, test } from "vitest";
import { report, table } from "../faults/table.ts";
import { begin, crash, crashesOf, nameOf, nexts, stories, type Trial } from "./crash-campaign.ts";
import { openHouse } from "./house.ts";

const usual = 150;
const wanted = Number(process.env.PULUMI_SHOP_CRASHES ?? usual);

/** So many of them, spread evenly, and not in step with how they are ordered. */
const sample = <T>(all: readonly T[], count: number): readonly T[] =>
  count >= all.length ? all : Array.from({ length: count }, (_none, index) => all[(index * 7919 + 13) % all.length] as T);

const faultsOf = ({ verdict: { lost, doubled, orphaned, stuck } }: Trial) =>
  Object.entries({ lost, doubled, orphaned, stuck }).flatMap(([what, all]) => all.map((one) => `${what} ${one}`));

test("a run that ends at any effect, and the next step after it", { timeout: 3_600_000 }, async () => {
  const trials: Trial[] = [];
  const effects = new Map<string, number>();
  for (const story of stories) {
    const house = openHouse();
    const begun = await begin(house, story);
    effects.set(story.name, begun.effects.length);
    const crashes = sample(crashesOf(begun.effects), Math.ceil(wanted / stories.length));
    for (const [index, one] of crashes.entries()) {
      // In a sample each crash has some of the next steps, in turn.
      const steps = wanted > usual ? nexts : [0, 1].map((more) => nexts[(index * 2 + more) % nexts.length] as (typeof nexts)[number]);
      trials.push(...(await crash(house, story, begun, one, steps)));
    }
    house.close();
  }
  const sum = (of: readonly Trial[], count: (trial: Trial) => number) => of.reduce((total, trial) => total + count(trial), 0);
  const rows = stories.flatMap((story) =>
    nexts.map((next) => {
      const of = trials.filter((trial) => trial.story === story && trial.next === next);
      return [
        story.name,
        effects.get(story.name) ?? 0,
        next.name,
        sum(of, ({ crashes }) => crashes),
        sum(of, ({ verdict }) => verdict.asked),
        sum(of, ({ verdict }) => verdict.named),
        ...(["lost", "doubled", "orphaned", "stuck"] as const).map((what) => sum(of, ({ verdict }) => verdict[what].length)),
      ];
    }),
  );
  report(
    "crashes, simulated",
    table(["run", "effects", "next step", "crashes", "asked", "named", "lost", "doubled", "orphaned", "stuck"], rows),
  );
  const bad = trials.flatMap((trial) => faultsOf(trial).map((fault) => `${nameOf(trial)}: ${fault}`.slice(0, 600)));
  expect(bad.slice(0, 40)).toEqual([]);
});
