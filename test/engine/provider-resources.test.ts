// Provider resources: defaults, explicit ones, and changes of a resource's provider.
import { describe, expect, test } from "vitest";
import type { State } from "../../engine/state/snapshot.ts";
import type { Executor, Run } from "../../engine/steps/executor.ts";
import type { Operations } from "../../engine/steps/operations.ts";
import { openProviderResources } from "../../engine/steps/provider-resources.ts";
import type { Goal } from "../../engine/values/goal.ts";
import type { Properties } from "../../engine/values/values.ts";

const urnOf = (pkg: string, name: string) => `urn:pulumi:dev::p::pulumi:providers:${pkg}::${name}`;
const type = "pkg:index:Thing";
const nothing = { version: "", pluginDownloadURL: "" };

interface Scene {
  readonly states?: readonly State[];
  readonly dryRun?: boolean;
  readonly config?: Properties;
  readonly failures?: readonly { readonly property: string; readonly reason: string }[];
  readonly verdict?: { readonly changes: string; readonly replaces: readonly string[] } | undefined;
}

/** Provider resources with a list as snapshots, and plugins with scripted answers. */
function open({ states = [], dryRun = false, config = {}, failures = [], verdict }: Scene = {}) {
  const all = new Map(states.map((state) => [state.urn, state]));
  const log: unknown[] = [];
  const puts: [State, unknown][] = [];
  const run = {
    stack: "dev",
    project: "p",
    dryRun,
    configOf: () => config,
    snapshots: {
      states: () => [...all.values()],
      find: (urn: string) => all.get(urn),
      put: async (state: State, more?: unknown) => {
        all.set(state.urn, state);
        puts.push([state, more]);
      },
    },
    providers: {
      check: async (urn: string, olds: Properties, news: Properties) => {
        log.push(["check", urn, olds, news]);
        return { inputs: { ...news, checked: true }, failures };
      },
      diff: async (...asked: unknown[]) => {
        log.push(["diff", ...asked]);
        return verdict;
      },
      configure: (urn: string, inputs: Properties) => log.push(["configure", urn, inputs]),
      of: async (asked: { readonly type: string }) =>
        asked.type.startsWith("pkg:") ? { invoke: async (...call: unknown[]) => ({ call, asked }) } : {},
    },
  } as unknown as Run;
  const steps: unknown[] = [];
  const executor = {
    step: (op: string, state: State, more: object) => ({ op, id: state.id, ...more }),
    perform: async (told: unknown, _state: State, _pending: unknown, work: () => Promise<void>) => {
      steps.push(told);
      await work();
    },
  } as unknown as Executor;
  const operations = {
    stamps: (old: State | undefined) => ({
      created: old?.created ?? "now",
      modified: old?.modified ?? "now",
    }),
    stamp: () => "now",
  } as unknown as Operations;
  const seen = new Set<string>();
  const resources = openProviderResources(run, executor, operations, seen);
  const reference = (source: object = {}, more: object = {}) =>
    resources.referenceOf({ provider: "", type, source: { ...nothing, ...source }, ...more } as never);
  const register = (more: Partial<Goal> = {}, old?: State) =>
    resources.register(
      { type: "pulumi:providers:pkg", name: "own", source: nothing, inputs: {}, ...more } as Goal,
      { urn: urnOf("pkg", "own"), custom: true, type: "pulumi:providers:pkg" },
      old,
      "key",
    );
  return { resources, reference, register, log, puts, steps, seen };
}

const uuid = /[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f]{4}-[\da-f]{12}/;
const provider = (name: string, inputs: Properties, pkg = "pkg"): State => ({
  urn: urnOf(pkg, name),
  custom: true,
  type: `pulumi:providers:${pkg}`,
  id: "p1",
  inputs,
  created: "then",
});

describe("a package's default provider", () => {
  test("a default provider is created once and configured by the stack", async () => {
    const { reference, log, puts, steps, seen } = open({ config: { url: "x" } });
    const [one, two] = await Promise.all([reference(), reference({}, { type: "pkg:index:Other" })]);
    expect(one).toMatch(new RegExp(`^${urnOf("pkg", "default")}::${uuid.source}$`));
    expect(two).toBe(one);
    const inputs = { url: "x", checked: true };
    expect(log).toEqual([
      ["check", urnOf("pkg", "default"), {}, { url: "x" }],
      ["configure", urnOf("pkg", "default"), inputs],
    ]);
    expect(puts.map(([state]) => state)).toEqual([
      {
        urn: urnOf("pkg", "default"),
        custom: true,
        id: one.slice(-36),
        type: "pulumi:providers:pkg",
        inputs,
        outputs: inputs,
        created: "now",
        modified: "now",
      },
    ]);
    // No step is reported.
    expect(steps).toEqual([]);
    expect([...seen]).toEqual([urnOf("pkg", "default")]);
  });

  test("invalid inputs of a default provider are reported with their reasons", async () => {
    const failures = [
      { property: "url", reason: "is required" },
      { property: "key", reason: "is wrong" },
    ];
    await expect(open({ failures: failures.slice(0, 1) }).reference()).rejects.toThrow(
      "invalid argument of the provider:\n  default.url: is required",
    );
    await expect(open({ failures }).reference()).rejects.toThrow(
      "invalid arguments of the provider:\n  default.url: is required\n  default.key: is wrong",
    );
  });
});

describe("a resource's plugin source, completed from the state", () => {
  const name = async (states: readonly State[], source: object = {}) =>
    (await open({ states }).reference(source)).replace(/^.*pulumi:providers:pkg::(.*)::.*$/, "$1");

  test.each<[what: string, states: readonly State[], source: object, name: string]>([
    ["is what it says", [], { version: "1.2.3" }, "default_1_2_3"],
    ["is as the state knows it", [provider("own", { version: "1.0.0" })], {}, "default_1_0_0"],

    [
      "an address is as the state knows it",
      [provider("own", { __internal: { pluginDownloadURL: "https://y.test" } })],
      {},
      "default_https_/y.test",
    ],
  ])("%s", async (_what, states, source, expected) => {
    expect(await name(states, source)).toBe(expected);
  });
});

describe("explicit providers", () => {
  test("a new provider has no id in a preview", async () => {
    const { register, steps } = open({ dryRun: true });
    expect((await register()).id).toBeUndefined();
    expect(steps).toEqual([{ op: "create", id: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" }]);
  });

  test.each<[what: string, source: object, known: Properties, asked: Properties]>([
    ["what the state knows", {}, { version: "1.0.0" }, { version: "1.0.0", __internal: {} }],
    ["what it says itself", { version: "2.0.0" }, { version: "1.0.0" }, { version: "2.0.0", __internal: {} }],
  ])("a provider is checked with %s of its plugin", async (_what, source, known, asked) => {
    const { register, log } = open({ states: [provider("another", known)] });
    await register({ source: { ...nothing, ...source } });
    expect(log[0]).toEqual(["check", urnOf("pkg", "own"), {}, asked]);
  });

  const old = { ...provider("own", { url: "a", checked: true }), modified: "before" };

  test.each<[what: string, verdict: Scene["verdict"], url: string, op: string]>([
    ["the plugin finds no difference", { changes: "none", replaces: [] }, "b", "same"],
    ["the plugin finds one", { changes: "some", replaces: [] }, "a", "update"],
    ["the plugin doesn't say, and nothing differs", { changes: "unknown", replaces: [] }, "a", "same"],
    ["the plugin doesn't say, and something differs", { changes: "unknown", replaces: [] }, "b", "update"],
    ["it can't be asked, and nothing differs", undefined, "a", "same"],
    ["it can't be asked, and something differs", undefined, "b", "update"],
  ])("an existing provider: %s", async (_what, verdict, url, op) => {
    const { register, log, puts, steps } = open({ states: [old], verdict });
    expect(await register({ inputs: { url } }, old)).toMatchObject({ id: "p1" });
    const inputs = { url, checked: true };
    expect(log).toEqual([
      ["check", old.urn, old.inputs, { url }],
      ["diff", old.urn, "p1", old.inputs, inputs],
      ["configure", old.urn, inputs],
    ]);
    expect(puts[0]?.[0]).toMatchObject({
      created: "then",
      modified: op === "same" ? "before" : "now",
      inputs,
    });
    const difference = url === "a" ? [] : [{ path: "url", kind: "update", old: "a", new: "b" }];
    expect(steps).toEqual([op === "update" ? { op, id: "p1", old, changes: difference } : { op, id: "p1" }]);
  });

  test("a provider that was never created isn't compared", async () => {
    const { id: _none, inputs: _nothing, ...unmade } = old;
    const { register, log, steps } = open({ states: [unmade as State] });
    await register({ inputs: { url: "a" } }, unmade as State);
    expect(log).toEqual([
      ["check", old.urn, {}, { url: "a" }],
      ["configure", old.urn, { url: "a", checked: true }],
    ]);
    expect(steps).toMatchObject([
      { op: "update", changes: [{ path: "url", kind: "add" }, { path: "checked" }] },
    ]);
  });

  test("a change that would replace all of a provider's resources is refused", async () => {
    const { register, puts, steps } = open({
      states: [old],
      verdict: { changes: "some", replaces: ["url", "key"] },
    });
    await expect(register({ inputs: { url: "b" } }, old)).rejects.toThrow(
      "url, key of the provider own can't be changed without replacing all that it manages, " +
        "which is not supported by the embedded engine; use --engine pulumi",
    );
    expect([puts, steps]).toEqual([[], []]);
  });
});

describe("a resource with another provider than before", () => {
  const [one, two] = [provider("one", { url: "a" }), { ...provider("two", { url: "b" }), id: "p2" }];
  const [before, now] = [`${one.urn}::p1`, `${two.urn}::p2`];
  const replaces = async (
    was: string | undefined,
    is: string,
    verdict?: Scene["verdict"],
    states = [one, two],
  ) => {
    const { resources, log } = open({ states, verdict });
    return [await resources.replaces(was, is), log];
  };

  test("the plugin decides from both providers' inputs whether the resource is replaced", async () => {
    const asked = [["diff", two.urn, "p2", { url: "a" }, { url: "b" }]];
    expect(await replaces(before, now, { changes: "some", replaces: ["url"] })).toEqual([true, asked]);
    expect(await replaces(before, now, { changes: "some", replaces: [] })).toEqual([false, asked]);
    expect(await replaces(before, now, undefined)).toEqual([false, asked]);
  });

  test("the resource isn't replaced if the provider is the same, or either one doesn't exist", async () => {
    const verdict = { changes: "some", replaces: ["url"] };
    expect(await replaces(before, before, verdict)).toEqual([false, []]);
    expect(await replaces(undefined, now, verdict)).toEqual([false, []]);
    expect(await replaces(before, now, verdict, [two])).toEqual([false, []]);
    expect(await replaces(before, now, verdict, [one])).toEqual([false, []]);
  });

  test("providers without inputs are compared", async () => {
    const bare = [one, two].map(({ inputs: _none, ...rest }) => rest) as unknown as State[];
    expect(await replaces(before, now, undefined, bare as never)).toEqual([
      false,
      [["diff", two.urn, "p2", {}, {}]],
    ]);
  });
});

describe("functions of a provider", () => {
  test("calling a function of a provider without functions is an error", async () => {
    const { resources } = open();
    await expect(
      resources.invoke({ token: "other:index:get", args: {}, provider: "urn::7", source: nothing } as never),
    ).rejects.toThrow("the provider of other:index:get has no functions");
  });
});
