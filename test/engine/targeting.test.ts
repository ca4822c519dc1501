// Runs for selected resources, and stack references: in one process with a counting cloud.
import { expect, test } from "vitest";
import { destroy, type RunOptions, refresh } from "../../engine/index.ts";
import { referredOutputs } from "../../engine/processes/stack-references.ts";
import type { Goal } from "../../engine/values/goal.ts";
import { anySource } from "../../engine/values/plugin-source.ts";
import { type Disk, openDisk } from "../support/disk.ts";
import {
  type Cloud,
  goal,
  openCloud,
  openMemory,
  type Program,
  providerOf,
  putProject,
  runUp,
  statesOf,
  urnOf as urn,
} from "./in-process.ts";

const on = (name: string) => ({ dependencies: [urn(name)] });

type Goals = Readonly<Record<string, Partial<Goal>>>;

function open() {
  const [disk, cloud]: [Disk, Cloud] = [putProject(openDisk()), openCloud()];
  const up = (goals: Goals, n: number, more: Partial<RunOptions> = {}) => {
    cloud.requests.length = 0;
    return runUp(
      disk,
      cloud,
      {},
      {
        parts: {
          startProvider: async () => providerOf(cloud),
          program: async (deployment) => {
            const asked = Object.entries(goals).map(([name, rest]) =>
              deployment.register(goal(name, { n }, rest)),
            );
            const settled = await Promise.allSettled(asked);
            return settled.some(({ status }) => status === "rejected") ? 1 : 0;
          },
        },
        ...more,
      },
    );
  };
  const verb = (work: typeof destroy, more: Partial<RunOptions>) => {
    cloud.requests.length = 0;
    return runUp(disk, cloud, {}, { verb: work, ...more });
  };
  return { disk, cloud, up, verb };
}

const abc: Goals = { a: {}, b: on("a"), c: {} };

test("--target changes, creates and deletes only the named resources", async () => {
  const { cloud, up } = open();
  await up(abc, 1);
  expect((await up(abc, 2, { target: ["a"] })).result?.outcome).toBe("succeeded");
  expect(cloud.requests).toEqual(["update 1"]);
  await up({ a: {}, d: {} }, 2, { target: ["d", urn("b")] });
  expect(cloud.requests.toSorted()).toEqual(["create d", "delete 2"]);
  await up({ a: {}, d: {} }, 2);
  expect(cloud.requests).toEqual(["delete 3"]);
});

test("--target-dependents also changes resources that depend on the targets", async () => {
  const { cloud, up } = open();
  await up(abc, 1);
  await up(abc, 2, { target: ["a"], targetDependents: true });
  expect(cloud.requests).toEqual(["update 1", "update 2"]);
});

test("--exclude keeps the named resources and their dependencies", async () => {
  const { cloud, up, verb } = open();
  await up(abc, 1);
  await up(abc, 2, { exclude: ["c"] });
  expect(cloud.requests).toEqual(["update 1", "update 2"]);
  expect((await verb(destroy, { exclude: ["b"] })).result?.outcome).toBe("succeeded");
  expect(cloud.requests).toEqual(["delete 3"]);
});

test("a target can't depend on a new resource that isn't a target", async () => {
  const { cloud, up } = open();
  await up({ c: {} }, 1);
  const { result } = await up(abc, 1, { target: ["b"] });
  expect(result?.failures).toMatchObject([
    {
      urn: urn("b"),
      message: "it needs a, which doesn't exist yet and isn't a target: add it to the targets",
    },
  ]);
  expect(cloud.requests).toEqual([]);
});

test("resources outside of the targets keep their old dependencies, except one of a cycle, until the next full run", async () => {
  const { cloud, disk, up } = open();
  const needs = () => {
    return statesOf(disk).flatMap(({ urn: of, dependencies = [] }) =>
      of.includes("Thing")
        ? [[of, ...dependencies].map((one) => one.split("::").at(-1)).join(" needs ")]
        : [],
    );
  };
  await up({ a: {}, c: on("a"), f: on("c") }, 1);
  expect(needs()).toEqual(["a", "c needs a", "f needs c"]);
  const turned = { f: {}, a: on("f"), c: on("a") };
  expect((await up(turned, 2, { target: ["a"] })).result?.outcome).toBe("succeeded");
  expect(cloud.requests).toEqual(["update 1"]);
  expect(needs()).toEqual(["f", "a needs f", "c needs a"]);
  expect((await up(turned, 2)).result?.outcome).toBe("succeeded");
  expect(cloud.requests).toEqual(["update 3", "update 2"]);
  expect(needs()).toEqual(["f", "a needs f", "c needs a"]);
});

test("destroy --target is refused if others depend on the target, unless --target-dependents is set", async () => {
  const { cloud, up, verb } = open();
  await up(abc, 1);
  const { error } = await verb(destroy, { target: ["a"] });
  expect(error?.message).toBe("b needs a, which would be deleted: name it too, or pass --target-dependents");
  expect(cloud.requests).toEqual([]);
  await verb(destroy, { target: ["a"], targetDependents: true });
  expect(cloud.requests).toEqual(["delete 2", "delete 1"]);
});

test("refresh --target reads only the targets", async () => {
  const { cloud, up, verb } = open();
  await up(abc, 1);
  await verb(refresh, { target: ["b"] });
  expect(cloud.requests).toEqual(["read 2"]);
});

test("an unknown target is an error, and nothing is deleted", async () => {
  const { cloud, up, verb } = open();
  await up(abc, 1);
  const { result } = await up({ a: {} }, 1, { target: ["cc"] });
  expect(result?.failures).toMatchObject([
    { message: "--target: neither the program nor the state has cc, did you mean c?" },
  ]);
  expect((await verb(destroy, { exclude: ["cc"] })).error?.message).toContain(
    "--exclude: neither the program nor the state has cc",
  );
  expect(cloud.requests).toEqual([]);
});

test("a program reads another stack's outputs with a stack reference", async () => {
  const { disk, up } = open();
  const other = (resources: readonly unknown[]) =>
    disk.put(
      "/backend/.pulumi/stacks/memory/net.json",
      JSON.stringify({ version: 3, checkpoint: { stack: "organization/memory/net", latest: { resources } } }),
    );
  const root = "urn:pulumi:net::memory::pulumi:pulumi:Stack::memory-net";
  other([{ urn: root, custom: false, type: "pulumi:pulumi:Stack", outputs: { address: "here" } }]);
  let seen: unknown;
  const program: Program = async (deployment) => {
    const { properties } = await deployment.read({
      type: "pulumi:pulumi:StackReference",
      name: "net",
      id: "organization/memory/net",
      parent: "",
      inputs: { name: "organization/memory/net" },
      dependencies: [],
      provider: "",
      source: anySource,
      additionalSecretOutputs: [],
    });
    seen = properties;
    return 0;
  };
  const { result } = await up({}, 1, { parts: { program } });
  expect(result?.outcome).toBe("succeeded");
  expect(seen).toEqual({
    name: "organization/memory/net",
    outputs: { address: "here" },
    secretOutputNames: [],
  });
  expect(() => referredOutputs(openMemory(disk), "nett")).toThrow(
    "the stack nett, which the program refers to, was not found in /backend; the project memory has the states of dev, net",
  );
});
