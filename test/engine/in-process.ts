/** A whole run in one process: a disk in memory, a cloud that counts its objects, and a function as program. */

import {
  type Event,
  openStack,
  type Result,
  type RunOptions,
  recorder,
  type Stack,
  type State,
  up,
} from "../../engine/index.ts";
import type { Provider } from "../../engine/processes/provider.ts";
import type { Machine } from "../../engine/state/lock.ts";
import type { Goal } from "../../engine/values/goal.ts";
import { anySource } from "../../engine/values/plugin-source.ts";
import type { Properties } from "../../engine/values/values.ts";
import type { Disk } from "../support/disk.ts";

export const places = {
  folder: "/project",
  state: "/backend/.pulumi/stacks/memory/dev.json",
  journal: "/backend/.pulumi/stacks/memory/dev.journal",
  locks: "/backend/.pulumi/locks/organization/memory/dev",
  history: "/backend/.pulumi/history/memory/dev",
} as const;

/** Puts a project and an empty backend on a disk. @param more lines for its Pulumi.yaml */
export function putProject(disk: Disk, more = "", name = "memory"): Disk {
  const folder = name === "memory" ? places.folder : `/${name}`;
  disk.put(
    `${folder}/Pulumi.yaml`,
    `name: ${name}\nruntime: nodejs\nbackend: {url: 'file:///backend'}\n${more}`,
  );
  disk.put(`${folder}/Pulumi.dev.yaml`, "config: {}\n");
  disk.put("/backend/.pulumi/meta.yaml", "version: 1\n");
  return disk;
}

/** Objects by id, and the calls in order. */
export interface Cloud {
  readonly objects: Map<string, Properties>;
  readonly requests: string[];
  /** Resources that objects were created for, by id, including deleted ones. */
  readonly names: Map<string, string>;
  next: number;
}

export const openCloud = (): Cloud => ({ objects: new Map(), requests: [], names: new Map(), next: 1 });

/** A provider of any type with its objects in a cloud. @param request numbers the calls */
export function providerOf(
  cloud: Cloud,
  request: <T>(what: string, work: () => T) => T = (_what, work) => work(),
): Provider {
  const send = async <T>(what: string, work: () => T): Promise<T> =>
    request(what, () => {
      cloud.requests.push(what);
      return work();
    });
  return {
    check: async (_urn, _olds, news) => ({ inputs: news, failures: [] }),
    diff: async (_urn, _id, olds, { news }) => {
      const { id: _own, ...had } = olds;
      const changes = JSON.stringify(had) === JSON.stringify(news) ? ("none" as const) : ("some" as const);
      return { changes, replaces: [], deleteBeforeReplace: false };
    },
    create: (urn, inputs) =>
      send(`create ${urn.split("::").at(-1)}`, () => {
        const id = String(cloud.next);
        cloud.next += 1;
        cloud.objects.set(id, inputs);
        cloud.names.set(id, urn.split("::").at(-1) ?? "");
        return { id, outputs: { ...inputs, id } };
      }),
    read: (_urn, id, inputs) =>
      send(`read ${id}`, () => {
        const there = cloud.objects.get(id);
        return there === undefined
          ? { id: "", outputs: {}, inputs: undefined }
          : { id, outputs: { ...there, id }, inputs };
      }),
    update: (_urn, id, _olds, { news }) =>
      send(`update ${id}`, () => {
        if (!cloud.objects.has(id)) throw new Error(`there is no object ${id}`);
        cloud.objects.set(id, news);
        return { outputs: { ...news, id } };
      }),
    delete: (_urn, id) => send(`delete ${id}`, () => void cloud.objects.delete(id)),
    stop: () => {},
    close: () => {},
  };
}

/** The type of the programs' resources. */
export const thing = "pulumi-nodejs:dynamic/memory:Thing";
export const urnOf = (name: string, types = thing): string => `urn:pulumi:dev::memory::${types}::${name}`;

/** A resource in a program. */
export const goal = (name: string, inputs: Properties, more: Partial<Goal> = {}): Goal => ({
  type: thing,
  name,
  custom: true,
  remote: false,
  parent: "",
  provider: "",
  source: anySource,
  inputs,
  dependencies: [],
  propertyDependencies: {},
  protect: undefined,
  retainOnDelete: undefined,
  deleteBeforeReplace: undefined,
  ignoreChanges: [],
  replaceOnChanges: [],
  hideDiffs: [],
  replacementTrigger: undefined,
  unsupported: [],
  additionalSecretOutputs: [],
  importId: "",
  deletedWith: "",
  replaceWith: [],
  timeouts: {},
  aliasUrns: [],
  aliases: [],
  ...more,
});

export type Program = NonNullable<NonNullable<RunOptions["parts"]>["program"]>;

/** A program with these resources and inputs. A failed one doesn't stop the others. */
export const programOf =
  (things: Readonly<Record<string, Properties>>): Program =>
  async (deployment) => {
    const asked = Object.entries(things).map(([name, inputs]) => deployment.register(goal(name, inputs)));
    const settled = await Promise.allSettled(asked);
    return settled.some(({ status }) => status === "rejected") ? 1 : 0;
  };

/** The same, but each is registered after the one before it. */
export const inTurn =
  (things: readonly Goal[]): Program =>
  async (deployment) => {
    let failed = 0;
    for (const thing of things)
      await deployment.register(thing).catch(() => {
        failed = 1;
      });
    return failed;
  };

/** The resources of the saved state; none if there is no state. */
export function statesOf(disk: Disk): readonly State[] {
  const text = disk.text(places.state);
  return text === undefined ? [] : (JSON.parse(text).checkpoint.latest.resources ?? []);
}

/** Edits the saved state directly. */
export function alterStates(disk: Disk, change: (one: State) => State): void {
  const file = JSON.parse(disk.text(places.state) ?? "");
  file.checkpoint.latest.resources = statesOf(disk).map(change);
  disk.put(places.state, JSON.stringify(file));
}

/** A lock that is never lost. */
export const undisturbed = { check() {} };

export const machineOf = (pid: number, more: Partial<Machine> = {}): Machine => ({
  pid,
  username: "ann",
  hostname: "desk",
  boot: "boot-1",
  container: "pid:[1]",
  isAlive: () => false,
  pause: async () => {},
  ...more,
});

export const openMemory = (disk: Disk, pid = 1): Stack =>
  openStack({
    folder: places.folder,
    stack: "dev",
    env: { HOME: "/home" },
    files: disk.files,
    machine: machineOf(pid),
    now: () => new Date("2026-01-01T00:00:00.000Z"),
  });

export interface Ran {
  readonly result: Result | undefined;
  readonly error: Error | undefined;
  readonly events: readonly Event[];
}

/** Runs `up` like the command: it succeeded if the result says so and nothing was thrown. */
export async function runUp(
  disk: Disk,
  cloud: Cloud,
  things: Readonly<Record<string, Properties>>,
  options: Partial<RunOptions> & { readonly verb?: typeof up } = {},
): Promise<Ran> {
  const { events, watch } = recorder();
  const { verb = up, ...more } = options;
  try {
    const parts = {
      startProvider: async () => providerOf(cloud, disk.effect),
      program: programOf(things),
    };
    const result = await verb(openMemory(disk), { watch, parts, ...more });
    return { result, error: undefined, events };
  } catch (error) {
    return { result: undefined, error: error as Error, events };
  }
}
