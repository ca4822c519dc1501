// Resources that a program only reads: their state, and changes from and to managed ones.
import { expect, test } from "vitest";
import { openStack, preview, type State, up } from "../../engine/index.ts";
import type { Goal, Reading, Registered } from "../../engine/values/goal.ts";
import { anySource } from "../../engine/values/plugin-source.ts";
import { type Properties, secret, unknownText } from "../../engine/values/values.ts";
import { openDisk } from "../support/disk.ts";
import {
  goal,
  openCloud,
  openMemory,
  type Program,
  providerOf,
  putProject,
  statesOf,
  thing as type,
  urnOf as urn,
} from "./in-process.ts";

const get = (name: string, id: string, more: Partial<Reading> = {}): Reading => ({
  type,
  name,
  id,
  parent: "",
  inputs: {},
  dependencies: [],
  provider: "",
  source: anySource,
  additionalSecretOutputs: [],
  ...more,
});
interface Asked {
  readonly gets?: readonly Reading[];
  readonly own?: Readonly<Record<string, Partial<Goal>>>;
}

/** Runs of programs that read and manage resources, on different days; object 7 is foreign. */
function open(passphrase?: string) {
  const [disk, cloud] = [putProject(openDisk()), openCloud()];
  cloud.objects.set("7", { n: 7 });
  let day = 0;
  const run = async ({ gets = [], own = {} }: Asked, verb = up) => {
    cloud.requests.length = 0;
    day += 1;
    const now = () => new Date(Date.UTC(2026, 0, day));
    const told: (Registered | string)[] = [];
    const program: Program = async (deployment) => {
      const asked = [
        ...Object.entries(own).map(
          ([name, more]) =>
            () =>
              deployment.register(goal(name, { n: 1 }, more)),
        ),
        ...gets.map((reading) => () => deployment.read(reading)),
      ];
      for (const ask of asked) told.push(await ask().catch((error: Error) => error.message));
      return told.some((one) => typeof one === "string") ? 1 : 0;
    };
    const env = { HOME: "/home", ...(passphrase !== undefined && { PULUMI_CONFIG_PASSPHRASE: passphrase }) };
    const { files, machine, project } = openMemory(disk);
    const stack = openStack({ folder: project.folder, stack: "dev", env, files, machine, now });
    const parts = { startProvider: async () => providerOf(cloud), program };
    const result = await verb(stack, { watch: () => {}, parts });
    return { told, result };
  };
  const find = (name: string): State | undefined =>
    statesOf(disk).find(({ urn: of }) => [name, urn(name)].includes(of));
  return { cloud, disk, run, find };
}
const date = (day: number) => `2026-01-0${day}T00:00:00.000Z`;

test("a get is external in the state and returns the object's values", async () => {
  const { cloud, run, find } = open();
  const { told } = await run({ gets: [get("a", "7", { inputs: { look: 1 } })] });
  expect(cloud.requests).toEqual(["read 7"]);
  expect(told).toEqual([{ urn: urn("a"), id: "7", properties: { n: 7, id: "7" } }]);
  expect(find("a")).toEqual({
    urn: urn("a"),
    custom: true,
    external: true,
    type,
    id: "7",
    provider: expect.stringContaining("::pulumi:providers:pulumi-nodejs::default::"),
    inputs: { look: 1 },
    outputs: { n: 7, id: "7" },
  });
  await run({});
  expect(cloud.requests).toEqual([]);
  expect([find("a"), cloud.objects.has("7")]).toEqual([undefined, true]);
});

test("a get has the parent and the dependencies that the program sets", async () => {
  const { run, find } = open();
  const more = { parent: urn("own"), dependencies: [urn("own")] };
  const { told } = await run({ own: { own: {} }, gets: [get("a", "7", more)] });
  const below = urn("a").replace("Thing::", `Thing$${type}::`);
  expect(told[1]).toMatchObject({ urn: below });
  expect(find(below)).toMatchObject(more);
});

test("a get is dated by the run that found it changed", async () => {
  const { cloud, run, find } = open();
  await run({ gets: [get("a", "7")] });
  expect((await run({ gets: [get("a", "7")] })).result.changed).toBe(false);
  cloud.objects.set("7", { n: 8 });
  await run({ gets: [get("a", "7")] });
  expect(find("a")).toMatchObject({ modified: date(3), outputs: { n: 8 } });
  await run({ gets: [get("a", "7")] });
  expect(find("a")).toMatchObject({ modified: date(3) });
  await run({ gets: [get("a", "7", { inputs: { look: 1 } })] });
  expect(find("a")).toMatchObject({ modified: date(5), inputs: { look: 1 } });
  expect(find("a")).not.toHaveProperty("created");
});

test("a get of a missing object is an error, as is a duplicate name", async () => {
  const { cloud, run, find } = open();
  const { told } = await run({ gets: [get("a", "9"), get("b", "7"), get("b", "7")] });
  expect(told).toEqual([
    "Thing 9 does not exist; check the id that get was given",
    expect.objectContaining({ id: "7" }),
    expect.stringMatching(/^two \w+s are named "b": give each a name of its own$/),
  ]);
  expect(cloud.requests).toEqual(["read 9", "read 7"]);
  expect([find("a"), find("b")?.id]).toEqual([undefined, "7"]);
});

test("a managed resource that replaces a get under another name removes it from the state", async () => {
  const { cloud, run, find } = open();
  await run({ gets: [get("a", "7")] });
  const { result } = await run({ own: { b: { aliases: [{ name: "a" }] } } });
  expect(result.outcome).toBe("succeeded");
  expect(cloud.requests).toEqual(["create b"]);
  expect([find("a"), find("b")?.id]).toEqual([undefined, "1"]);
  expect(cloud.objects.has("7")).toBe(true);
});

test("a preview doesn't read an object that the run will create", async () => {
  const { cloud, run } = open();
  const { told } = await run({ gets: [get("a", unknownText)] }, preview);
  expect(told).toEqual([{ urn: urn("a"), id: unknownText, properties: {} }]);
  expect(cloud.requests).toEqual([]);
  await run({ gets: [get("a", "7")] }, preview);
  expect(cloud.requests).toEqual(["read 7"]);
});

test("a get's outputs are secret if the program or its inputs say so", async () => {
  const { run } = open("correct horse");
  const properties = async (more: Partial<Reading>) => {
    const { told } = await run({ gets: [get("a", "7", more)] }, preview);
    return (told[0] as Registered).properties satisfies Properties;
  };
  expect(await properties({ additionalSecretOutputs: ["n"] })).toEqual({ n: secret(7), id: "7" });
  expect(await properties({ inputs: { n: secret(7) } })).toEqual({ n: secret(7), id: "7" });
});
