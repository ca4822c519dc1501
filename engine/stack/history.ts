/**
 * The history of a stack: a file for each run beside the state, in the format of Pulumi's file backend
 * (pkg/backend/diy/state.go, addToHistory), so that both engines show each other's runs.
 */
import { join } from "node:path";
import { writeWhole } from "../common/disk.ts";
import { openProject } from "../project/project.ts";
import { projectFileIn, unpacked } from "../pulumi/backend.ts";
import type { Counts } from "../values/events.ts";
import type { Stack } from "./stack.ts";

/** Details of a run from its caller, under Pulumi's keys (pkg/backend/updates.go) and our own. Contains no secrets. */
export interface About {
  /** The purpose of the run; by default the title of the commit. */
  readonly message: string;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * What a run did to a resource: created (`made`) or deleted (`ended`) its object, found it deleted (`gone`), left it
 * deleted (`left`), or changed these paths.
 */
export type Touched = "made" | "ended" | "gone" | "left" | readonly string[];

/** The history entry of one run. Pulumi reads its own fields and ignores the others. */
export interface HistoryEntry extends About {
  readonly kind: "update" | "refresh" | "destroy" | "resource-import" | "import" | "rename" | "preview";
  /** Seconds since 1970. */
  readonly startTime: number;
  readonly endTime: number;
  readonly result: "succeeded" | "failed" | "in-progress";
  readonly resourceChanges?: Counts;
  /** What the run did to each resource, by URN; only this engine writes it. */
  readonly touched?: Readonly<Record<string, Touched>>;
  /** The digests of the inputs that the objects had which it found deleted, by URN; only this engine writes them. */
  readonly lost?: Readonly<Record<string, string>>;
  /** The changes of this refresh that the caller has written into a program, by URN; only this engine has it. */
  readonly accepted?: Readonly<Record<string, Touched>>;
  /** Whether the run left out resources of its program; only this engine writes it. */
  readonly part?: true;
}

/** A file of the history; `entry` is undefined if it can't be read. */
export interface Past {
  readonly path: string;
  readonly entry: HistoryEntry | undefined;
}

type Place = Pick<Stack, "files" | "paths">;

/** Maximum number of runs to read: a CI job that checks out into a new folder each time may have more. */
const mostRuns = 100;

const ending = /\.history\.json(\.gz|\.zst)?$/;

/** The runs of a stack, newest first; each file is read when the iterator reaches it. */
export function* history({ files, paths }: Place): Generator<Past, void> {
  if (!files.exists(paths.history)) return;
  const names = files.list(paths.history).filter((name) => ending.test(name));
  for (const name of names.sort().reverse()) {
    const path = join(paths.history, name);
    yield { path, entry: read(() => files.read(path)) };
  }
}

/** A damaged file, or one that `stacks remove` has just deleted, is skipped. */
function read(bytes: () => Buffer): HistoryEntry | undefined {
  try {
    return entryOf(JSON.parse(unpacked(bytes()).toString("utf8")));
  } catch {
    return undefined;
  }
}

function entryOf(found: unknown): HistoryEntry | undefined {
  if (typeof found !== "object" || found === null) return undefined;
  const entry = found as Partial<HistoryEntry>;
  if (typeof entry.kind !== "string" || typeof entry.startTime !== "number") return undefined;
  const { message, environment, endTime = entry.startTime, result = "in-progress" } = entry;
  return {
    ...(entry as HistoryEntry),
    message: typeof message === "string" ? message : "",
    environment: Object.fromEntries(
      Object.entries(environment ?? {}).filter(([, value]) => typeof value === "string"),
    ),
    endTime,
    result,
  };
}

/** URNs whose objects were missing when a run last handled them, with the digests of their inputs: staff deleted them. */
export function foundGone(stack: Place): ReadonlyMap<string, string | undefined> {
  const last = new Map<string, Touched>();
  const digests = new Map<string, string>();
  let runs = 0;
  for (const { entry } of history(stack)) {
    if (++runs > mostRuns) break;
    const isWhole = entry?.kind === "update" && entry.result === "succeeded" && entry.part !== true;
    // If a successful run of the whole program neither created it again nor left it deleted, the program no longer has
    // it.
    for (const [urn, how] of Object.entries(entry?.touched ?? {}))
      if (!last.has(urn)) last.set(urn, isWhole && how === "gone" ? "ended" : how);
    for (const [urn, digest] of Object.entries(entry?.lost ?? {}))
      if (!digests.has(urn)) digests.set(urn, digest);
    if (isWhole) break;
  }
  const gone = [...last].filter(([, how]) => how === "gone" || how === "left");
  return new Map(gone.map(([urn]) => [urn, digests.get(urn)]));
}

const isOn = (value: string | undefined) => value === "1" || value?.toLowerCase() === "true";

/**
 * Adds a run. Pulumi copies the whole state beside each entry and never reads it; we copy it only if
 * PULUMI_RETAIN_CHECKPOINTS is set.
 * @throws the system's error if the file can't be written
 */
export function addToHistory(
  { name, files, paths, env, now }: Pick<Stack, "name" | "files" | "paths" | "env" | "now">,
  entry: HistoryEntry,
): void {
  const there = new Set(files.exists(paths.history) ? files.list(paths.history) : []);
  const path = (nanos: bigint) => `${name}-${nanos}.history.json`;
  // Two runs in the same tick of the clock get different names.
  let nanos = BigInt(now().getTime()) * 1_000_000n;
  while (there.has(path(nanos))) nanos += 1n;
  // The configuration is left out: it may have unmarked secrets, and the stack's file has it.
  const whole = { ...entry, config: {}, version: 0 };
  writeWhole(files, join(paths.history, path(nanos)), `${JSON.stringify(whole, undefined, 4)}\n`);
  const retains = isOn(env.PULUMI_DIY_BACKEND_RETAIN_CHECKPOINTS) || isOn(env.PULUMI_RETAIN_CHECKPOINTS);
  if (retains && files.exists(paths.state))
    writeWhole(files, join(paths.history, `${name}-${nanos}.checkpoint.json`), files.read(paths.state));
}

export const folderKey = "exec.folder";

/**
 * Another folder on this machine with a project of this name that has run the stack. Undefined if there is none, or if
 * this folder has run it, too.
 */
export function otherFolder(stack: Pick<Stack, "files" | "paths" | "project">): string | undefined {
  const { folder: own, name } = stack.project;
  const others = new Set<string>();
  let runs = 0;
  for (const { entry } of history(stack)) {
    if (++runs > mostRuns) break;
    const folder = entry?.environment[folderKey];
    if (folder === own) return undefined;
    if (folder !== undefined) others.add(folder);
  }
  return [...others].find((folder) => nameIn(stack, folder) === name);
}

function nameIn({ files }: Pick<Stack, "files">, folder: string): string | undefined {
  if (projectFileIn(files, folder) === undefined) return undefined;
  try {
    return openProject(folder, files).name;
  } catch {
    // A project that can't be read has no name.
    return undefined;
  }
}
