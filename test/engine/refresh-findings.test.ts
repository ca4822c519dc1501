// The findings of a refresh, in one process with a scripted provider.
import { describe, expect, test } from "vitest";
import { type Properties, type RunOptions, refresh, type State } from "../../engine/index.ts";
import type { Provider } from "../../engine/processes/provider.ts";
import { secret } from "../../engine/values/values.ts";
import { openDisk } from "../support/disk.ts";
import { alterStates, openCloud, providerOf, putProject, runUp, statesOf } from "./in-process.ts";

interface There {
  /** Further state of the resource. */
  readonly state?: Partial<State>;
  /** The provider's result of a read. */
  readonly found: Partial<Awaited<ReturnType<Provider["read"]>>>;
  /** The provider's diff. */
  readonly changes?: "some" | "none";
  readonly options?: Partial<RunOptions> & { readonly previewOnly?: boolean };
}

/** Refreshes a resource created with `{ n: 1 }` as object 1, and another one. */
async function refreshed({ state = {}, found, changes = "some", options = {} }: There) {
  const [disk, cloud] = [putProject(openDisk()), openCloud()];
  await runUp(disk, cloud, { a: { n: 1 }, b: { n: 1 } });
  const stateOf = (name: string) => statesOf(disk).find(({ urn }) => urn.endsWith(`::${name}`));
  alterStates(disk, (one) => {
    if (!one.urn.includes("Thing")) return one;
    // Different times show which run wrote.
    const dated = { ...one, created: "2025-01-01T00:00:00.000Z", modified: "2025-01-01T00:00:00.000Z" };
    return one.urn.endsWith("::a") ? { ...dated, ...state } : dated;
  });
  const diffs: unknown[] = [];
  const own = providerOf(cloud);
  const provider: Provider = {
    ...own,
    read: async (urn, id, inputs, outputs) => {
      if (urn.endsWith("::b")) return { id, outputs: outputs ?? {}, inputs };
      return { id, outputs: outputs ?? {}, inputs, ...found };
    },
    diff: async (_urn, id, olds, { news, ...more }) => {
      diffs.push([id, olds, news, more?.oldInputs]);
      return { changes, replaces: [], deleteBeforeReplace: false };
    },
  };
  const { result, events } = await runUp(disk, cloud, {}, {
    verb: refresh,
    parts: { startProvider: async () => provider },
    ...options,
  } as never);
  const steps = events.flatMap((event) =>
    "step" in event && event.type !== "started" && event.step.name === "a"
      ? [`${event.type} ${event.step.op}`]
      : [],
  );
  return { result, steps, diffs, a: stateOf("a") };
}

const [then, now] = ["2025-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z"];
const pink = { outputs: { n: 2, id: "1" } satisfies Properties, inputs: { n: 2 } };

describe("refreshing a managed resource", () => {
  test("an unchanged resource is reported as same, without a diff or a write", async () => {
    const { result, steps, diffs } = await refreshed({ found: {} });
    expect(steps).toEqual(["done same"]);
    expect(result).toMatchObject({ outcome: "succeeded", changed: false, counts: { same: 2 } });
    expect(diffs).toEqual([]);
    // A provider that returns no inputs.
    expect((await refreshed({ found: { inputs: undefined } })).result?.changed).toBe(false);
  });

  test("the provider's diff decides whether a difference is reported as a change", async () => {
    const { result, steps, diffs, a } = await refreshed({ found: pink });
    expect(steps).toEqual(["done update"]);
    expect(diffs).toEqual([["1", pink.outputs, { n: 1 }, { n: 2 }]]);
    expect(a).toMatchObject({ ...pink, created: then, modified: now });
    expect(result).toMatchObject({ counts: { update: 1, same: 1 }, changed: true });
    const none = await refreshed({ found: pink, changes: "none" });
    expect(none.steps).toEqual(["done same"]);
    expect(none.a).toMatchObject({ ...pink, modified: now });
  });

  test.each([
    ["outputs", { outputs: { n: 1, id: "1", more: 1 } }],
    ["arguments", { inputs: { n: 2 } }],
    ["id", { id: "9" }],
  ])("a resource differs by its %s alone", async (_what, found) => {
    const { steps, a } = await refreshed({ found });
    expect(steps).toEqual(["done update"]);
    expect(a).toMatchObject({ id: "1", ...found, modified: now });
  });

  test("secrets are compared by their values", async () => {
    const state = { inputs: { n: secret(1) }, outputs: { n: secret(1), id: "1" } };
    const found = { outputs: { n: 1, id: "1" }, inputs: { n: 1 } };
    expect((await refreshed({ state, found })).steps).toEqual(["done same"]);
  });
});

describe("refreshing other resources", () => {
  const external = { state: { external: true } };
  test("an external resource is compared by its outputs, without a diff", async () => {
    const changed = await refreshed({ ...external, found: pink });
    expect([changed.steps, changed.diffs]).toEqual([["done update"], []]);
    const same = await refreshed({ ...external, found: { inputs: { n: 2 } } });
    expect([same.steps, same.diffs]).toEqual([["done same"], []]);
  });
});

test("a resource that is pending replacement isn't read and is reported as same", async () => {
  const { steps, a } = await refreshed({ state: { pendingReplacement: true }, found: pink });
  expect(steps).toEqual(["done same"]);
  expect(a).toMatchObject({ pendingReplacement: true, modified: then });
});

test("a change outside of the approved preview is refused, and the state stays unchanged", async () => {
  const refuses = () => "wasn't in the plan";
  const { result, steps, a } = await refreshed({ found: pink, options: { refuses } });
  expect(steps).toEqual(["refused update"]);
  expect(result).toMatchObject({
    outcome: "failed",
    failures: [{ message: "wasn't in the plan", refused: true }],
  });
  expect(a).toMatchObject({ inputs: { n: 1 }, modified: then });
  const none = await refreshed({ found: pink, changes: "none", options: { refuses } });
  expect(none.result?.outcome).toBe("succeeded");
});
