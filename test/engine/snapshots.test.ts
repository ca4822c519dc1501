// Resources of the state: from a goal, after a read, in the file, and masked.
import { describe, expect, test } from "vitest";
import { drift, masked, maskedChanges, maskedOutputs, secretDigests } from "../../engine/state/masking.ts";
import {
  parseSnapshot,
  printSnapshot,
  type State,
  saltOf,
  versionFields,
} from "../../engine/state/snapshot.ts";
import { step } from "../../engine/steps/executor.ts";
import { stateOf } from "../../engine/steps/goal-state.ts";
import { refreshed } from "../../engine/steps/provider-reads.ts";
import { encrypted, secret } from "../../engine/values/values.ts";
import { goal } from "./in-process.ts";

const type = "x:y:Thing";
const urn = "urn:pulumi:dev::p::x:y:Thing::a";
const state: State = { urn, custom: true, type };

describe("the state of a goal", () => {
  test("the state has every option of the goal", () => {
    const said = {
      dependencies: ["b"],
      protect: true,
      retainOnDelete: true,
      deletedWith: "c",
      replaceWith: ["d"],
      additionalSecretOutputs: ["s"],
      ignoreChanges: ["i"],
      replaceOnChanges: ["r"],
      parent: "urn:parent",
      replacementTrigger: null,
    };
    const more = {
      importId: "7",
      hideDiffs: ["h"],
      propertyDependencies: { n: ["b"], m: [] },
      timeouts: { create: "1m", update: "", delete: "1.5s" },
    };
    expect(stateOf(goal("a", {}, { type, ...said, ...more }), urn, "urn:p::1", undefined)).toEqual({
      ...state,
      ...said,
      provider: "urn:p::1",
      importID: "7",
      hideDiff: ["h"],
      propertyDependencies: { n: ["b"] },
      customTimeouts: { create: 60, delete: 1.5 },
    });
  });

  test("the state keeps the old id and times only", () => {
    const times = { id: "1", created: "then", modified: "later" };
    const old = { ...state, ...times, protect: true, inputs: { n: 1 } };
    expect(stateOf(goal("a", {}, { type }), urn, undefined, old)).toEqual({ ...state, ...times });
  });
});

test("a resource that was read has the object's values, keeps secrets, and is complete", () => {
  const old = {
    ...state,
    id: "1",
    inputs: { s: secret(1) },
    outputs: { s: secret(1), made: 1 },
    initErrors: ["x"],
  };
  const found = { id: "2", outputs: { s: 2, made: 2 }, inputs: { s: 2 } };
  const whole = { ...state, id: "2", inputs: { s: secret(2) }, outputs: { s: secret(2), made: 2 } };
  expect(refreshed(old, found)).toEqual(whole);
  expect(refreshed(old, { ...found, inputs: undefined })).toEqual({ ...whole, inputs: { s: secret(1) } });
  expect(refreshed(state, { ...found, inputs: undefined })).toEqual({
    ...state,
    id: "2",
    outputs: found.outputs,
  });
});

describe("the state file", () => {
  const made: State = { ...state, id: "1" };
  const crypter = { encrypt: (text: string) => `<${text}>`, decrypt: (text: string) => text.slice(1, -1) };
  const now = new Date("2026-01-01T00:00:00.000Z");
  const print = (resources: readonly State[], pending: readonly State[] = [], salt?: string) =>
    printSnapshot(
      "dev",
      { resources, pending: pending.map((resource) => ({ resource, type: "creating" })) },
      salt,
      now,
    );
  const parse = (text: string) => parseSnapshot(text, "dev.json", () => crypter);

  test("a new state file has no resources, secrets or pending operations", () => {
    const { version, features, checkpoint } = JSON.parse(print([]));
    expect([version, features, checkpoint.stack]).toEqual([3, undefined, "dev"]);
    expect(checkpoint.latest).toEqual({
      manifest: {
        time: now.toISOString(),
        magic: expect.stringMatching(/^[0-9a-f]{64}$/),
        version: "v3.270.0",
      },
      metadata: {},
    });
    expect(parse(print([]))).toEqual({ resources: [], pending: [] });
    expect(saltOf(print([]), "dev.json")).toBeUndefined();
  });

  test("a state file is read as it was written, with decrypted secrets", () => {
    const hidden = { inputs: { deep: [encrypted('<"x">')], n: 1 }, outputs: { s: encrypted("<2>") } };
    const text = print([made, { ...made, ...hidden }], [{ ...made, ...hidden }], "v1:salt");
    const open = { ...made, inputs: { deep: [secret("x")], n: 1 }, outputs: { s: secret(2) } };
    expect(parse(text)).toEqual({
      resources: [made, open],
      pending: [{ resource: open, type: "creating" }],
    });
    expect(saltOf(text, "dev.json")).toBe("v1:salt");
    expect(saltOf(print([], [], ""), "dev.json")).toBeUndefined();
  });

  test("a state with newer features is of version 4 and names them", () => {
    const version4 = (...features: readonly string[]) => ({ version: 4, features });
    expect(versionFields([made, { ...made, replaceWith: [], taint: false, resourceHooks: {} }])).toEqual({
      version: 3,
    });
    expect(versionFields([made, { ...made, replaceWith: ["b"] }])).toEqual(version4("replaceWith"));
    expect(versionFields([{ ...made, taint: true }])).toEqual(version4("taint"));
    expect(
      versionFields([
        { ...made, resourceHooks: { AfterCreate: ["one"] } },
        { ...made, taint: true },
      ]),
    ).toEqual(version4("taint", "hooks"));
    const text = print([{ ...made, taint: true, replaceWith: ["b"] }]);
    expect(parse(text).resources).toHaveLength(1);
  });

  test("an empty state has no resources, with a passphrase or without a secrets provider", () => {
    for (const latest of [
      undefined,
      null,
      {},
      { secrets_providers: { type: "" } },
      { secrets_providers: {} },
    ])
      expect(parse(JSON.stringify({ version: 4, checkpoint: { latest } }))).toEqual({
        resources: [],
        pending: [],
      });
    const salted = (salt: unknown) =>
      JSON.stringify({ version: 3, checkpoint: { latest: { secrets_providers: { state: { salt } } } } });
    expect(saltOf(salted("v1:x"), "dev.json")).toBe("v1:x");
    expect(saltOf(salted(7), "dev.json")).toBeUndefined();
  });
});

describe("masked values in events", () => {
  test("secrets and the engine's own properties are masked", () => {
    expect(masked({ s: secret(1), deep: [{ s: secret(1), __in: 1 }], n: null, __own: 1 })).toEqual({
      s: "[secret]",
      deep: [{ s: "[secret]", __in: 1 }],
      n: null,
    });
  });

  test("next to a secret input, only outputs with names of other inputs are shown", () => {
    expect(maskedOutputs({ n: 1, made: 1 }, { n: 1 }, {})).toEqual({ n: 1, made: 1 });
    const shown = { n: 1, s: "[secret]", made: "[secret]", was: "[secret]" };
    const outputs = { n: 1, s: 1, made: 1, was: 1 };
    expect(maskedOutputs(outputs, { n: 1, s: secret(1), was: 1 }, { n: 1, was: secret(1) })).toEqual(shown);
    expect(maskedOutputs({ n: 1 }, {}, { n: 1, s: secret(1) })).toEqual({ n: 1 });
  });

  test("the old and new values of changes are masked", () => {
    expect(
      maskedChanges([
        { path: "s", kind: "update", old: secret(1), new: [secret(2)] },
        { path: "a", kind: "add", new: 1 },
        { path: "d", kind: "delete", old: 1 },
      ]),
    ).toEqual([
      { path: "s", kind: "update", old: "[secret]", new: ["[secret]"] },
      { path: "a", kind: "add", new: 1 },
      { path: "d", kind: "delete", old: 1 },
    ]);
    const hidden = ["a", "list.x", "list[0]"].map((path) => ({
      path,
      kind: "update" as const,
      old: 1,
      new: 2,
    }));
    expect(maskedChanges(hidden, ["list"]).map(({ old }) => old)).toEqual([1, "[secret]", "[secret]"]);
    expect(drift({ ...state, inputs: { n: 1 } }, state)).toEqual([{ path: "n", kind: "delete", old: 1 }]);
    expect(drift(state, { ...state, inputs: { s: secret(1) } })).toEqual([
      { path: "s", kind: "add", new: "[secret]" },
    ]);
  });

  const seal = (text: string) => `#${text}`;
  test("digests of secrets are listed by path", () => {
    const value = { s: secret("x"), deep: [{ s: secret(2) }], n: 1, no: null };
    expect(secretDigests(value, "inputs", "", seal)).toEqual([
      ["inputs s", '#"x"'],
      ["inputs deep[0].s", "#2"],
    ]);
    expect(secretDigests(undefined, "old", "s", seal)).toEqual([]);
  });

  test("an event has the inputs of created and changed resources", () => {
    const whole = { ...state, id: "1", parent: "urn:parent", inputs: { n: 1 }, outputs: { n: 1, made: 1 } };
    const about = { urn, type, name: "a", parent: "urn:parent", custom: true, id: "1" };
    const rest = { changes: [], replaces: [], found: false, olds: { n: 1, made: 1 } };
    expect(step("same", whole)).toEqual({ op: "same", ...about, ...rest, inputs: {} });
    expect(step("update", whole)).toEqual({ op: "update", ...about, ...rest, inputs: { n: 1 } });
    expect(step("delete", whole).inputs).toEqual({});
    const old = { ...whole, outputs: { n: 0 } };
    const more = { old, replaces: ["n"], found: true, from: "b" };
    expect(step("replace", whole, more)).toEqual({
      ...{ op: "replace", ...about, ...rest, inputs: { n: 1 }, olds: { n: 0 } },
      ...{ replaces: ["n"], found: true, from: "b" },
    });
  });

  test("with a digest key, an event has digests of secrets, and inputs of unchanged resources", () => {
    const secretive = { ...state, inputs: { s: secret(1) } };
    const changes = [{ path: "s", kind: "update", old: secret(0), new: secret(1) }] as const;
    expect(step("update", secretive, { changes }, seal)).toMatchObject({
      inputs: { s: "[secret]" },
      changes: [{ path: "s", old: "[secret]", new: "[secret]" }],
      secrets: { "inputs s": "#1", "old s": "#0", "new s": "#1" },
    });
    expect(step("same", secretive, {}, seal)).toMatchObject({
      inputs: { s: "[secret]" },
      secrets: { "inputs s": "#1" },
    });
    expect(step("delete", secretive, {}, seal)).not.toHaveProperty("secrets");
    expect(step("update", state, {}, seal)).not.toHaveProperty("secrets");
    expect(step("update", secretive)).not.toHaveProperty("secrets");
  });
});
