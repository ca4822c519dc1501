// Imports by id: objects are read unchanged, and only one resource manages each.
import { expect, test } from "vitest";
import { type Import, importAll, type State } from "../../engine/index.ts";
import type { Provider } from "../../engine/processes/provider.ts";
import { openDisk } from "../support/disk.ts";
import {
  alterStates,
  openCloud,
  places,
  providerOf,
  putProject,
  runUp,
  statesOf,
  thing as type,
  urnOf as urn,
} from "./in-process.ts";

const stackUrn = urn("memory-dev", "pulumi:pulumi:Stack");
const host = urn("default", "pulumi:providers:pulumi-nodejs");

/** A cloud with foreign objects 7 and 8. */
function open(more: Partial<Provider> = {}) {
  const [disk, cloud] = [putProject(openDisk()), openCloud()];
  cloud.objects.set("7", { n: 7 });
  cloud.objects.set("8", { n: 8 });
  const own = providerOf(cloud);
  const provider: Provider = {
    ...own,
    read: async (...asked) => {
      const found = await own.read(...asked);
      const { id: _id, ...inputs } = found.outputs;
      return { ...found, inputs: found.id === "" ? undefined : inputs };
    },
    ...more,
  };
  const run = async (imports: readonly Partial<Import>[], previewOnly = false) => {
    cloud.requests.length = 0;
    const verb = (stack: Parameters<typeof importAll>[0], options: Parameters<typeof importAll>[2]) =>
      importAll(
        stack,
        imports.map((one) => ({ type, name: "a", id: "7", protect: false, ...one })),
        { ...options, previewOnly },
      );
    const ran = await runUp(disk, cloud, {}, { verb, parts: { startProvider: async () => provider } });
    const said = ran.events.flatMap((event) => (event.type === "message" ? [event] : []));
    return { ...ran, said, failures: (ran.result?.failures ?? []).map(({ message }) => message) };
  };
  const state = () => statesOf(disk);
  return {
    cloud,
    disk,
    run,
    state,
    alter: (change: (one: State) => State) => alterStates(disk, change),
    find: (name: string) => state().find((one) => one.urn === urn(name)),
  };
}

test("an imported object is in the state, below the stack and with the package's default provider", async () => {
  const { cloud, run, state, find } = open();
  const { result, events } = await run([{}, { name: "b", id: "8", protect: true }]);
  expect(result).toMatchObject({ outcome: "succeeded", counts: { import: 2 }, changed: true });
  expect(cloud.requests.toSorted()).toEqual(["read 7", "read 8"]);
  const provider = `${host}::${state().find((one) => one.urn === host)?.id}`;
  const time = "2026-01-01T00:00:00.000Z";
  expect(state()[0]).toEqual({
    urn: stackUrn,
    custom: false,
    type: "pulumi:pulumi:Stack",
    created: time,
    modified: time,
  });
  expect(find("a")).toEqual({
    urn: urn("a"),
    custom: true,
    type,
    id: "7",
    parent: stackUrn,
    provider,
    inputs: { n: 7 },
    outputs: { n: 7, id: "7" },
    created: time,
    modified: time,
  });
  expect(find("b")).toMatchObject({ id: "8", protect: true });
  expect(events).toContainEqual(
    expect.objectContaining({ type: "done", step: expect.objectContaining({ op: "import", id: "7" }) }),
  );
});

test("a preview of an import only reads the object", async () => {
  const { cloud, run, disk } = open();
  expect((await run([{}], true)).result).toMatchObject({ outcome: "succeeded", changed: true });
  expect(cloud.requests).toEqual(["read 7"]);
  expect(disk.text(places.state)).toBeUndefined();
});

test("importing an object that the resource already manages does nothing", async () => {
  const { cloud, run } = open();
  await run([{}]);
  const { result, said } = await run([{}]);
  expect(result).toMatchObject({ outcome: "succeeded", changed: false });
  expect(said).toMatchObject([{ severity: "info", text: "is in the state already", urn: urn("a") }]);
  expect(cloud.requests).toEqual([]);
});

test("importing under the name of another object is refused", async () => {
  const { run, find } = open();
  await run([{}]);
  expect((await run([{ id: "8" }])).failures).toEqual([
    "the state has a resource of this name already, with the id 7: give the imported object another name",
  ]);
  expect(find("a")?.id).toBe("7");
});

test("two imports with the same name are refused before anything is read", async () => {
  const { cloud, run } = open();
  const { error } = await run([{}, { id: "8" }]);
  expect(error?.message).toBe(`"${urn("a")}" is imported twice; give each resource a name of its own`);
  expect(cloud.requests).toEqual([]);
});

test("an object of another resource isn't imported; gets, replaced objects and other providers don't count", async () => {
  const { cloud, run, find, alter } = open();
  await run([{}]);
  expect((await run([{ name: "b" }])).failures).toEqual([
    "b can't import Thing 7: resource a of this stack has it; two resources can't manage one object",
  ]);
  expect(cloud.requests).toEqual([]);
  expect(find("b")).toBeUndefined();
  const before = find("a") as State;
  const other = `${urn("other", "pulumi:providers:pulumi-nodejs")}::1`;
  const others: readonly Partial<State>[] = [{ external: true }, { delete: true }, { provider: other }];
  for (const [index, more] of others.entries()) {
    alter((one) => (one.urn === urn("a") ? { ...before, ...more } : one));
    expect((await run([{ name: `b${index}` }])).failures).toEqual([]);
    // The next import reads it again.
    alter((one) => (one.urn === urn(`b${index}`) ? { ...one, id: `gone ${index}` } : one));
  }
});

test("a missing object fails alone, and the others are imported", async () => {
  const { run, find } = open();
  const { result, failures } = await run([{ id: "9" }, { name: "b" }]);
  expect(result?.outcome).toBe("failed");
  expect(failures).toEqual(['resource "9" does not exist, so it can\'t be imported']);
  expect([find("a"), find("b")?.id]).toEqual([undefined, "7"]);
});

test("a provider that returns no inputs can't import", async () => {
  const read: Provider["read"] = async (_urn, id) => ({ id, outputs: {}, inputs: undefined });
  const { run, find } = open({ read });
  expect((await run([{}])).failures).toEqual([
    `the provider of ${type} can't import: it answers without arguments`,
  ]);
  expect(find("a")).toBeUndefined();
});

test("an import fails together with its parent", async () => {
  const { run, find, state } = open();
  const [parent, child] = [urn("a"), urn("b", `${type}$${type}`)];
  expect((await run([{ name: "b", id: "8", parent }])).failures).toEqual([
    `the parent of b, "${parent}", is not in the state`,
  ]);
  expect((await run([{ id: "9" }, { name: "b", id: "8", parent }])).failures).toEqual([
    'resource "9" does not exist, so it can\'t be imported',
    `the parent of b, "${parent}", is not in the state`,
  ]);
  expect((await run([{}, { name: "b", id: "8", parent }])).failures).toEqual([]);
  expect(find("a")?.parent).toBe(stackUrn);
  expect(state().find((one) => one.urn === child)).toMatchObject({ id: "8", parent });
});

test("an explicit provider must be in the state and becomes the resource's provider", async () => {
  const { run, find, state } = open();
  const wanted = urn("mine", "pulumi:providers:pulumi-nodejs");
  expect((await run([{ provider: wanted }])).failures).toEqual([
    `the provider of a, "${wanted}", is not in the state; run up to create it`,
  ]);
  await run([{ name: "b", id: "8" }]);
  await run([{ provider: host }]);
  expect(find("a")?.provider).toBe(`${host}::${state().find((one) => one.urn === host)?.id}`);
});

test("invalid inputs of an imported object cause a warning", async () => {
  const check: Provider["check"] = async (_urn, _olds, inputs) => ({
    inputs,
    failures: [{ property: "n", reason: "is too large" }],
  });
  const { run, find } = open({ check });
  const { result, said } = await run([{}]);
  expect(result?.outcome).toBe("succeeded");
  expect(said).toMatchObject([
    { severity: "warning", text: "the imported n is too large; edit it in the program", urn: urn("a") },
  ]);
  expect(find("a")?.id).toBe("7");
});
