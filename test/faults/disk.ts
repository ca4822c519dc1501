/**
 * Campaigns on a disk in memory: a run that fails or ends at one of its effects, then the next run. The cloud knows
 * nothing: what a create had made before it was interrupted is found again only where the engine says that it was interrupted.
 */
import { expect } from "vitest";
import { type Event, type Result, recorder, type Stack, up } from "../../engine/index.ts";
import type { Properties } from "../../engine/values/values.ts";
import { eventErrors } from "../engine/event-law.ts";
import {
  type Cloud,
  openCloud,
  openMemory,
  places,
  programOf,
  providerOf,
  putProject,
} from "../engine/in-process.ts";
import { type Disk, type Effect, type Fault, type Left, type Limits, openDisk } from "../support/disk.ts";

export type Things = Readonly<Record<string, Properties>>;

/** What is there before, and what the run that is hit asks for. */
export interface Story {
  readonly name: string;
  readonly before: readonly Things[];
  /** A run that ended in the middle of it, so that the one that is hit has its journal to fold. */
  readonly cutOff?: Things;
  readonly wanted: Things;
}

export const stories: readonly Story[] = [
  { name: "first up", before: [], wanted: { a: { n: 1 }, b: { n: 2 }, c: { n: 3 } } },
  {
    name: "edit",
    before: [{ a: { n: 1 }, b: { n: 2 }, c: { n: 3 } }],
    wanted: { a: { n: 1 }, b: { n: 20 }, d: { n: 4 } },
  },
  {
    name: "after a crash",
    before: [{ a: { n: 1 }, b: { n: 2 } }],
    cutOff: { a: { n: 1 }, b: { n: 20 }, c: { n: 3 }, d: { n: 4 } },
    wanted: { b: { n: 20 }, c: { n: 30 }, d: { n: 4 }, e: { n: 5 } },
  },
  { name: "all removed", before: [{ a: { n: 1 }, b: { n: 2 } }], wanted: {} },
];

export interface World {
  disk: Disk;
  readonly cloud: Cloud;
}

export async function prepared({ before, cutOff }: Story): Promise<World> {
  const world: World = { disk: putProject(openDisk()), cloud: openCloud() };
  for (const things of before) await run(world, things);
  if (cutOff === undefined) return world;
  // The second of its requests is answered, and the journal doesn't have it yet.
  const requests: number[] = [];
  const cut = copied(world, ({ name, number }) => {
    if (name === "request") requests.push(number);
    return requests.length === 2 ? { crash: "after" } : undefined;
  });
  await run(cut, cutOff);
  return { disk: cut.disk.next("all"), cloud: cut.cloud };
}

/** The same world again, at its beginning: trials share nothing. */
export function copied({ disk, cloud }: World, plan?: (effect: Effect) => Fault | undefined): World {
  const counter = { next: 1 };
  return {
    disk: disk.next("all", { counter, ...(plan !== undefined && { plan }) }),
    cloud: { ...cloud, objects: new Map(cloud.objects), requests: [], names: new Map(cloud.names) },
  };
}

export interface Ran {
  readonly result: Result | undefined;
  readonly error: Error | undefined;
  readonly succeeded: boolean;
}

let pid = 0;

/** One `up`, by a process of its own. */
export async function run({ disk, cloud }: World, things: Things): Promise<Ran> {
  const { events, watch } = recorder();
  pid += 1;
  const told = (result: Result | undefined) => {
    // Whatever the disk does: what began is told to its end.
    if (!disk.isDead()) expect(eventErrors(events, result, false)).toEqual([]);
  };
  try {
    const stack: Stack = openMemory(disk, pid);
    const parts = {
      startProvider: async () => recognising(cloud, disk, events),
      program: programOf(things),
    };
    const result = await up(stack, { watch, parts });
    told(result);
    return { result, error: undefined, succeeded: result.outcome === "succeeded" };
  } catch (error) {
    told(undefined);
    return { result: undefined, error: error as Error, succeeded: false };
  }
}

// What the provider's own notes do, in one line: an object that a cut-off create made is its own.
function recognising(cloud: Cloud, disk: Disk, events: readonly Event[]) {
  const provider = providerOf(cloud, disk.effect);
  const cutOff = (urn: string) =>
    events.some((event) => event.type === "message" && event.urn === urn && event.text.includes("creating"));
  return {
    ...provider,
    create: async (urn: string, inputs: Properties) => {
      const name = urn.split("::").at(-1);
      const own = [...cloud.objects.keys()].find((id) => cloud.names.get(id) === name);
      if (own !== undefined && cutOff(urn)) {
        cloud.objects.set(own, inputs);
        return { id: own, outputs: { ...inputs, id: own } };
      }
      return provider.create(urn, inputs);
    },
  };
}

export interface Harm {
  /** Of the state, without an object. */
  readonly lost: readonly string[];
  /** Objects of one name. */
  readonly doubled: readonly string[];
  /** Objects that no state has. */
  readonly orphaned: readonly string[];
  /** Things that are not as the program wants them. */
  readonly wrong: readonly string[];
}

export const noHarm: Harm = { lost: [], doubled: [], orphaned: [], wrong: [] };

/** How the world differs from what the program wants, and the state from the world. */
export function harm({ disk, cloud }: World, wanted: Things): Harm {
  const state = managed(disk);
  const names = [...cloud.objects.keys()].map((id) => cloud.names.get(id) ?? id);
  return {
    lost: state.filter(({ id }) => !cloud.objects.has(id)).map(({ name }) => name),
    doubled: names.filter((name, index) => names.indexOf(name) !== index),
    orphaned: [...cloud.objects.keys()].filter((id) => !state.some((one) => one.id === id)),
    wrong: [...new Set([...Object.keys(wanted), ...state.map(({ name }) => name)])].filter((name) => {
      const id = state.find((one) => one.name === name)?.id;
      const object = id === undefined ? undefined : cloud.objects.get(id);
      return JSON.stringify(object) !== JSON.stringify(wanted[name]);
    }),
  };
}

interface Managed {
  readonly name: string;
  readonly id: string;
}

/** What the state file has; nothing where there is none. @throws where it is not whole */
function managed(disk: Disk, path: string = places.state): readonly Managed[] {
  const text = disk.text(path);
  if (text === undefined) return [];
  const { resources = [] } = (
    JSON.parse(text) as {
      checkpoint: { latest: { resources?: readonly { urn: string; id?: string; type: string }[] } };
    }
  ).checkpoint.latest;
  return resources.flatMap(({ urn, id, type }) =>
    id === undefined || type.startsWith("pulumi:") ? [] : [{ name: urn.split("::").at(-1) ?? "", id }],
  );
}

/** Whether a file of the state, where it is there, is one that was written whole. */
export function isWhole(disk: Disk, path: string): boolean {
  try {
    managed(disk, path);
    return true;
  } catch {
    // That is the answer.
    return false;
  }
}

/** Faults of a disk: once at an effect, or from it on until there is room again. */
export type Trouble = {
  readonly name: string;
  /** Nothing can be written any more, not even to room that was kept: what was under way can only be told. */
  readonly onlyTold?: true;
} & (
  | { readonly once: Fault; readonly from?: undefined }
  | { readonly from: (disk: Disk, effect: Effect) => Limits; readonly once?: undefined }
);

export const troubles: readonly Trouble[] = [
  { name: "short write, 0 bytes", once: { short: 0 } },
  { name: "short write, 1 byte", once: { short: 1 } },
  { name: "short write, 100 bytes", once: { short: 100 } },
  ...["ENOSPC", "EFBIG", "EIO", "EROFS"].map((code) => ({ name: `${code} once`, once: { error: code } })),
  { name: "full from then on", from: (disk) => ({ capacity: disk.used() }) },
  { name: "nearly full: 40 bytes left", from: (disk) => ({ capacity: disk.used() + 40 }) },
  {
    name: "files no larger than they are",
    onlyTold: true,
    from: (disk, { path }) => ({ fileSize: Math.max(200, disk.text(path)?.length ?? 0) }),
  },
  { name: "read-only from then on", onlyTold: true, from: () => ({ readOnly: true }) },
  { name: "EIO from then on", onlyTold: true, from: () => ({ broken: true }) },
];

/** The plan that brings trouble to one effect. */
export function planOf(trouble: Trouble, number: number, disk: () => Disk) {
  return (effect: Effect): Fault | undefined => {
    if (effect.number !== number) return undefined;
    if (trouble.once !== undefined) return trouble.once;
    disk().limit(trouble.from(disk(), effect));
    return undefined;
  };
}

/** All ways to end at an effect: before it, after it, and with every torn prefix worth telling apart. */
export function endsOf({ name, bytes }: Effect): readonly Fault[] {
  const torn = name === "write" ? [0, 1, Math.floor(bytes / 2), bytes - 1] : [];
  return [{ crash: "before" }, { crash: "after" }, ...[...new Set(torn)].map((crash) => ({ crash }))];
}

export const leftovers: readonly Left[] = ["all", "nothing", "names", "content", 1, 2, 3, 4];
