/**
 * Scenarios describe expected behaviour on which all engines agree. Pulumi's results are recorded
 * (test/fixtures/engine): without pulumi, our engine is compared with them run by run, from its own states and from
 * each recorded state; `npm test` alternates between both. `npm run record` writes the records, and `npm run campaign`
 * runs both engines alternately, each continuing from the other's state, if pulumi is on PATH.
 */
import { afterAll, expect, test } from "vitest";
import { full } from "../support/campaign.ts";
import { embedded, warm } from "./embedded.ts";
import { pulumi, pulumiVersion } from "./pulumi.ts";
import { compareRun, type Difference, type RecordedRun, readRecords, writeRecords } from "./record.ts";
import { type Engine, openScene, plugged, type Scene } from "./scene.ts";

export type Play = (scene: Scene) => Promise<void>;
export type Scenario = (sentence: string, play: Play, differences?: readonly Difference[]) => void;

const recording = process.env.PULUMI_SHOP_RECORD === "true";

/** The scenarios of a file. @param file the name of their records */
export function scenarios(file: string): Scenario {
  return recording ? recorded(file) : compared(file);
}

/** Also runs each scenario with the plugin, for those in which an engine calls the two forms differently. */
export const inBothForms =
  (scenario: Scenario): Scenario =>
  (sentence, play, differences) => {
    scenario(sentence, play, differences);
    scenario(`${sentence}, by a plugin`, (scene) => play(plugged(scene)), differences);
  };

function recorded(file: string): Scenario {
  const { engine, scenarios: before } = readRecords(file);
  const scenarios: Record<string, readonly RecordedRun[]> = {};
  // A self-built pulumi has no version; existing records stay, also if a later recording fails.
  const write = () => writeRecords(file, { engine: pulumiVersion() || engine, scenarios });
  return (sentence, play) => {
    // A failed recording keeps the former one.
    const had = before[sentence];
    if (had !== undefined) scenarios[sentence] = had;
    test(sentence, async () => {
      const runs: RecordedRun[] = [];
      await play(openScene([pulumi], { after: (run) => runs.push(run) }));
      scenarios[sentence] = runs;
      write();
    });
  };
}

function compared(file: string): Scenario {
  const records = readRecords(file).scenarios;
  const sentences: string[] = [];
  const withPulumi = full && pulumiVersion() !== undefined;
  afterAll(() => expect(Object.keys(records).sort(), "npm run record again").toEqual([...sentences].sort()));
  return (sentence, play, differences = []) => {
    sentences.push(sentence);
    const runs = records[sentence] ?? [];
    const as = (name: string, engines: readonly Engine[], continued = false) =>
      test(`${sentence}${name}`, async () => {
        let played = 0;
        const known = engines.includes(pulumi)
          ? []
          : differences.filter((one) => !continued || !one.ownStates);
        const scene = openScene(engines, {
          ...(continued && { before: (number: number) => runs[number]?.before }),
          after: (run, number) => {
            played += 1;
            compareRun(number, run, runs[number], known);
          },
        });
        await play(scene);
        expect(played).toBe(runs.length);
      });
    const isOwn = runs.length < 2 || sentences.length % 2 === 0;
    if (full || isOwn) as("", [warm]);
    if (runs.length > 1 && (full || !isOwn)) as(" (from the states that pulumi left)", [warm], true);
    if (full) as(" (in processes of its own)", [embedded]);
    if (!withPulumi) return;
    as(" (pulumi)", [pulumi]);
    as(" (embedded, then pulumi)", [embedded, pulumi]);
    as(" (pulumi, then embedded)", [pulumi, embedded]);
  };
}
