// The settings of a run, from the stack's configuration and the environment.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { adoptOf, digestUnder, plannedReadsOf, planOf, printApproved } from "../../provider/context/plan.ts";
import { type Definition, text } from "../../provider/definition/define.ts";
import { chosenEnv, messageEnv } from "../../provider/settings/protocol.ts";
import type { Env } from "../../provider/settings/settings.ts";
import { kindOf } from "./kind.ts";

const of = (config: Readonly<Record<string, string>>, env: Env = {}) => ({
  config: (key: string) => config[key],
  env,
});
const thing = kindOf("Thing", { name: text() }) as Definition;

describe("settings of a run", () => {
  test("a run without settings overwrites and resends nothing and searches for a minute", () => {
    expect(planOf(of({}))).toEqual({
      isPreview: undefined,
      isEmbedded: false,
      onlyArguments: false,
      showsTexts: false,
      overwritesAll: false,
      overwritten: new Set(),
      keepsAll: false,
      recovered: new Set(),
      refreshes: false,
      stopsOnDrift: false,
      kept: new Set(),
      resent: new Set(),
      replaced: new Set(),
      patienceMs: 60_000,
      digest: undefined,
      approved: undefined,
    });
  });

  test("a run overwrites and resends only what the settings name", () => {
    const env = {
      ...chosenEnv({ overwrite: ["Thing:7"], keep: ["Thing"], resend: ["spring"], replace: ["mug", "jug"] }),
      ...messageEnv({}, { check: "arguments", diff: "texts" }),
    };
    expect(planOf(of({}, env))).toMatchObject({
      onlyArguments: true,
      showsTexts: true,
      overwritesAll: false,
      overwritten: new Set(["Thing:7"]),
      kept: new Set(["Thing"]),
      resent: new Set(["spring"]),
      replaced: new Set(["mug", "jug"]),
    });
  });

  test.each([
    ["overwrite", true],
    ["stop", false],
    ["", false],
  ])("shop:conflicts %j overwrites the edits of staff: %j", (word, overwrites) => {
    expect(planOf(of({ "shop:conflicts": word })).overwritesAll).toBe(overwrites);
  });

  test.each([
    ["keep", true],
    ["revert", false],
    ["", false],
  ])("shop:drift %j keeps the edits of staff: %j", (word, keeps) => {
    expect(planOf(of({ "shop:drift": word })).keepsAll).toBe(keeps);
  });

  test.each([
    ["0", 0],
    ["5", 5_000],
    ["600", 600_000],
  ])("a lost create is searched for for %s seconds, as shop:lateAnswers says", (seconds, patienceMs) => {
    expect(planOf(of({ "shop:lateAnswers": seconds })).patienceMs).toBe(patienceMs);
  });

  test.each([
    [{ "shop:conflicts": "merge" }, 'shop:conflicts must be stop or overwrite, got "merge"'],
    [{ "shop:lateAnswers": "601" }, 'shop:lateAnswers must be an integer from 0 to 600, got "601"'],
  ])("a run isn't started with the setting %j", (config, message) => {
    expect(() => planOf(of(config as never))).toThrow(message);
  });

  test("only the embedded engine tells whether a run is a preview", () => {
    const embedded = (dry: string) =>
      planOf(of({}, { PULUMI_EMBEDDED_ENGINE: "{}", PULUMI_NODEJS_DRY_RUN: dry }));
    expect(embedded("true")).toMatchObject({ isEmbedded: true, isPreview: true });
    expect(embedded("false")).toMatchObject({ isEmbedded: true, isPreview: false });
    expect(planOf(of({}, { PULUMI_NODEJS_DRY_RUN: "true" }))).toMatchObject({ isPreview: undefined });
  });

  test("a run with a saved plan reads the approved steps and compares secrets by the plan's key", () => {
    const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-plan-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, "approved");
    const approved = { objects: { "Thing:7": [{ ends: false }] }, creates: ["Thing dev::a"] };
    writeFileSync(path, printApproved(approved));
    const plan = planOf(of({}, messageEnv({}, { approved: path, planKey: "00ff" })));
    expect(plan.approved).toEqual(approved);
    expect(plan.digest?.("text")).toBe(digestUnder("00ff")("text"));
    expect(() => planOf(of({}, messageEnv({}, { approved: folder })))).toThrow(
      `the approved plan ${folder} can't be read`,
    );
  });
});

test("a digest depends on its key and reveals nothing of the text", () => {
  const digest = digestUnder("00ff")("secret");
  // HMAC-SHA-256, so that older saved plans stay comparable.
  expect(digest).toBe("A-AgSLXOfpkAnvddMX4GCp2St9Ak1Dc9XvegXQUU3Qs");
  expect(new Set([digest, digestUnder("00fe")("secret"), digestUnder("00ff")("secrets")]).size).toBe(3);
});

test("the cheapest reads are known by list", () => {
  const reads = {
    "host Thing {}": { pages: 2, looks: 9 },
    'host Thing {"shelfId":7}': { pages: 0, looks: 1 },
  };
  const planned = plannedReadsOf({ env: messageEnv({}, { reads }) });
  expect(planned(thing, {})).toEqual({ pages: 2, looks: 9 });
  expect(planned(thing, { shelfId: 7 })).toEqual({ pages: 0, looks: 1 });
  expect(planned(thing, { shelfId: 8 })).toBeUndefined();
  expect(plannedReadsOf({ env: messageEnv({}, { reads }), by: "plugin" })(thing, {})).toBeUndefined();
  expect(plannedReadsOf({ env: {} })(thing, {})).toBeUndefined();
});

test("shop:adopt makes a stack adopt by key", () => {
  expect([adoptOf(of({})), adoptOf(of({ "shop:adopt": "key" }))]).toEqual([undefined, "key"]);
  expect(() => adoptOf(of({ "shop:adopt": "id" }))).toThrow('shop:adopt must be key, got "id"');
});
