// What each step does to its object, all steps in one table; and when a component's hooks are called.
import { describe, expect, test } from "vitest";
import type { State } from "../../engine/state/snapshot.ts";
import { openComponents } from "../../engine/steps/components.ts";
import type { Executor, Run } from "../../engine/steps/executor.ts";
import type { Operations } from "../../engine/steps/operations.ts";
import type { Op } from "../../engine/values/events.ts";
import type { Goal } from "../../engine/values/goal.ts";
import { asks, ends, makes, wholeOf, writes } from "../../engine/values/ops.ts";
import type { Properties } from "../../engine/values/values.ts";

test.each<[op: Op, does: readonly string[], whole?: Op]>([
  ["same", []],
  ["create", ["makes", "writes", "asks"]],
  ["update", ["writes", "asks"]],
  ["delete", ["ends", "writes"]],
  ["replace", ["makes", "ends", "writes", "asks"]],
  ["create-replacement", ["makes", "writes", "asks"], "replace"],
  ["delete-replaced", ["ends", "writes"], "replace"],
  ["read", []],
  ["refresh", []],
  ["adopt", ["makes", "writes", "asks"]],
  ["rename", ["writes", "asks"]],
  ["import", []],
])("%s: %j", (op, does, whole = op) => {
  const all = Object.entries({ makes, ends, writes, asks });
  expect(all.filter(([, isSo]) => isSo(op)).map(([name]) => name)).toEqual(does);
  expect(wholeOf(op)).toBe(whole);
});

describe("a component", () => {
  const urn = "urn:pulumi:dev::p::own:Part::a";
  const before = (inputs: Properties, outputs: Properties = {}): State => ({
    urn,
    custom: false,
    type: "own:Part",
    inputs,
    outputs,
  });

  /** Registers a component, and its outputs. @returns what was done, in order */
  async function register(old: State | undefined, inputs: Properties) {
    const log: unknown[] = [];
    const run = {
      hooks: { run: async (name: string, _state: State, told: object) => void log.push([name, told]) },
      ledger: { put: async (state: State, more: object) => void log.push(["put", state, more]) },
    } as unknown as Run;
    const executor = {
      step: (op: string) => op,
      perform: async (told: unknown, _state: State, _pending: unknown, work: () => Promise<void>) => {
        log.push(told);
        await work();
      },
    } as unknown as Executor;
    const operations = {
      stamps: () => ({}),
      after: async (name: string, _state: State, told: object) => void log.push([name, told]),
    } as unknown as Operations;
    const components = openComponents(run, executor, operations);
    const base: State = { urn, custom: false, type: "own:Part" };
    const registered = await components.register({ inputs } as Goal, base, old, "key");
    const registering = log.splice(0);
    const finished = { ...base, inputs, outputs: { made: 1 } };
    await components.finished(finished);
    const finishing = log.splice(0);
    await components.finished(finished);
    expect(log).toEqual([]);
    return { registered, registering, finishing };
  }
  const put = (inputs: Properties, outputs: Properties = {}) => [
    "put",
    { urn, custom: false, type: "own:Part", inputs, outputs },
    { over: "key" },
  ];

  test("that is new is created: its hooks are called before it, and after its outputs", async () => {
    expect(await register(undefined, { n: 1 })).toEqual({
      registered: { urn, id: undefined, properties: { n: 1 } },
      registering: ["create", ["BeforeCreate", { newInputs: { n: 1 } }], put({ n: 1 })],
      finishing: [["AfterCreate", { newInputs: { n: 1 }, newOutputs: { made: 1 } }]],
    });
  });

  test("whose arguments changed is updated: its hooks are told what it was; its outputs stay until there are others", async () => {
    const told = { newInputs: { n: 2 }, oldInputs: { n: 1 }, oldOutputs: { made: 0 } };
    expect(await register(before({ n: 1 }, { made: 0 }), { n: 2 })).toMatchObject({
      registering: ["same", ["BeforeUpdate", told], put({ n: 2 }, { made: 0 })],
      finishing: [["AfterUpdate", { ...told, newOutputs: { made: 1 } }]],
    });
  });

  test("that is as it was calls none", async () => {
    expect(await register(before({ n: 1 }), { n: 1 })).toMatchObject({
      registering: ["same", put({ n: 1 })],
      finishing: [],
    });
  });

  test("of whose arguments and outputs nothing was known has none of them", async () => {
    const { inputs: _none, outputs: _nothing, ...bare } = before({});
    expect((await register(bare as State, {})).registering).toEqual(["same", put({})]);
    expect((await register(bare as State, { n: 1 })).registering[1]).toEqual([
      "BeforeUpdate",
      { newInputs: { n: 1 }, oldInputs: undefined, oldOutputs: undefined },
    ]);
  });
});
