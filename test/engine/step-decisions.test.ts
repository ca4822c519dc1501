// Decisions about a resource from its goal, its old state and the provider's diff.
import { describe, expect, test } from "vitest";
import type { State } from "../../engine/state/snapshot.ts";
import { aliasUrns } from "../../engine/steps/aliases.ts";
import { timeoutMs } from "../../engine/steps/goal-state.ts";
import { decide, decideForced, deletionWaves, inputsAfter, isTriggered } from "../../engine/steps/plan.ts";
import type { Alias, Goal } from "../../engine/values/goal.ts";
import { secret, type Value } from "../../engine/values/values.ts";
import { openDisk } from "../support/disk.ts";
import { goal, inTurn, openCloud, providerOf, putProject, runUp } from "./in-process.ts";

const asked = (more: Partial<Goal> = {}) => goal("a", {}, { type: "x:y:Thing", ...more });
const urn = "urn:pulumi:dev::p::x:y:Thing::a";
const old: State = { urn, custom: true, type: "x:y:Thing", id: "1", inputs: { n: 1 } };

describe("deciding on a create", () => {
  test("a resource that is pending replacement is created, also with --replace", () => {
    expect(decideForced(asked(), { ...old, pendingReplacement: true }, { n: 1 }, ["id"])).toEqual({
      type: "create",
    });
  });
});

describe("deciding on an update", () => {
  test("a resource without inputs in the state is updated", () => {
    const { inputs: _none, ...bare } = old;
    expect(decide(asked(), bare, { n: 1 }, undefined)).toEqual({
      type: "update",
      changes: [{ path: "n", kind: "add", new: 1 }],
    });
    expect(decide(asked(), bare, {}, undefined)).toEqual({ type: "same" });
  });
});

test.each<[Value | undefined, Value | undefined, boolean]>([
  ["one", "two", true],
  ["one", "one", false],
  [{ deep: ["one"] }, { deep: ["two"] }, true],
  [secret("one"), "one", false],
  ["one", secret("one"), false],
  [secret("one"), secret("two"), true],
  [false, 0, true],
  [undefined, "one", false],
  ["one", undefined, false],
  [null, "one", false],
  ["one", null, false],
])("a replacementTrigger of %j after %j replaces: %j", (now, before, expected) => {
  expect(isTriggered(now, before)).toBe(expected);
});

describe("URNs of a resource in the state", () => {
  const old = "urn:pulumi:dev::q::x:y:Old::a";
  const names = (aliases: readonly Alias[], more: Partial<Goal> = {}, parents: readonly string[] = []) =>
    aliasUrns(asked({ aliases, ...more }), urn, { stack: "dev", project: "p" }, parents);

  test("the URNs of its aliases come first, each once, without its own", () => {
    const aliasUrns = [old, urn];
    expect(names([{ urn: old }, {}, { name: "b" }], { aliasUrns })).toEqual([
      old,
      "urn:pulumi:dev::p::x:y:Thing::b",
    ]);
  });

  test("a renamed parent's old names lead to a child's old URNs", () => {
    const now = "urn:pulumi:dev::p::x:y:Group::new";
    const before = "urn:pulumi:dev::p::x:y:Group::old";
    const child = (name: string, aliases: readonly Alias[] = []) =>
      aliasUrns(
        goal(name, {}, { type: "x:y:Thing", parent: now, aliases }),
        "urn:own",
        { stack: "dev", project: "p" },
        [before],
      );
    const under = (type: string, name: string) => `urn:pulumi:dev::p::x:y:Group$${type}::${name}`;
    expect(child("new-child")).toEqual([under("x:y:Thing", "old-child")]);
    expect(child("child-new")).toEqual([under("x:y:Thing", "child-new")]);
    // With all its own former names and types.
    expect(child("child", [{ name: "kid", type: "x:y:Old" }])).toEqual([
      under("x:y:Old", "kid"),
      under("x:y:Thing", "child"),
      under("x:y:Old", "child"),
      under("x:y:Thing", "kid"),
    ]);
  });

  test("a resource without aliases has no other URNs", () => {
    expect(names([])).toEqual([]);
  });
});

test("deletion waves read the dependencies of each of ten thousand resources once", () => {
  const chain = Array.from(
    { length: 10_000 },
    (_none, at): State => ({ urn: String(at), custom: true, type: "t", dependencies: [String(at - 1)] }),
  );
  let asked = 0;
  const waves = deletionWaves(chain, ({ dependencies = [] }) => {
    asked += 1;
    return dependencies;
  });
  expect(waves.map((wave) => wave.map(({ urn }) => urn).join())).toEqual(
    chain.map(({ urn }) => urn).toReversed(),
  );
  expect(asked).toBe(chain.length);
});

test("a replacement makes the inputs that depend on it unknown", () => {
  const state = { ...old, inputs: { n: 1, m: 2 }, propertyDependencies: { n: ["x", "gone"], m: ["x"] } };
  expect(inputsAfter(state, new Set(["gone"]), "?")).toEqual({ n: "?", m: 2 });
  expect(inputsAfter(state, new Set(["other"]), "?")).toBeUndefined();
  expect(inputsAfter(old, new Set(["gone"]), "?")).toBeUndefined();
});

test.each([
  ["5m", 300_000],
  ["1h30m", 5_400_000],
  ["20s", 20_000],
  ["1.5s", 1_500],
  ["250ms", 250],
  ["1m5ms", 60_005],
  [".5h", 1_800_000],
  ["2us", 0.002],
  ["0", undefined],
  ["0s", undefined],
  ["", undefined],
  [undefined, undefined],
])("the timeout %j is %j ms", (text, ms) => {
  expect(timeoutMs(text)).toBe(ms);
});

test.each(["90", "1d", "soon", "-5m", "5m0", "5 m", "1h,30m"])(
  "a timeout of %j is refused by name before anything is asked of a provider",
  async (text) => {
    const cloud = openCloud();
    const { result } = await runUp(
      putProject(openDisk()),
      cloud,
      {},
      {
        parts: {
          startProvider: async () => providerOf(cloud),
          program: inTurn([goal("a", {}, { timeouts: { create: text } })]),
        },
      },
    );
    expect(result?.failures.map(({ message }) => message)).toEqual([
      `customTimeouts.create must be a duration such as 30s, 5m or 1h30m, got ${JSON.stringify(text)}`,
    ]);
    expect(cloud.requests).toEqual([]);
  },
);
