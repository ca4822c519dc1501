/**
 * Who ran what: a file for each run, beside the state, as Pulumi's file backend keeps them (pkg/backend/diy/state.go,
 * addToHistory), so that each engine shows the runs of both.
 */
import { join } from "node:path";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { openProject } from "../project/project.ts";
import { writeWhole } from "../pulumi/disk.ts";
import type { Counts } from "../values/events.ts";
import type { Stack } from "./stack.ts";

/** What whoever starts a run tells of it: Pulumi's own keys (pkg/backend/updates.go), and ours. No secrets. */
export interface About {
  /** What the run is for; the title of the commit where nobody says. */
  readonly message: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** What a run did to a resource: made or ended its object, found it gone, left it so, or changed these paths of it. */
export type Touched = "made" | "ended" | "gone" | "left" | readonly string[];

/** One run, as its file has it. Pulumi reads its own fields and leaves the others alone. */
export interface HistoryEntry extends About {
  readonly kind: "update" | "refresh" | "destroy" | "resource-import" | "import" | "rename" | "preview";
  /** Seconds since 1970. */
  readonly startTime: number;
  readonly endTime: number;
  readonly result: "succeeded" | "failed" | "in-progress";
  readonly resourceChanges?: Counts;
  /** What the run did to which resource, by URN; only this engine writes it. */
  readonly touched?: Readonly<Record<string, Touched>>;
  /** Whether it left out resources of its program; only this engine writes it. */
  readonly part?: true;
}

/** A file of the history; `entry` is undefined where it can't be read. */
export interface Past {
  readonly path: string;
  readonly entry: HistoryEntry | undefined;
}

type Place = Pick<Stack, "files" | "paths">;

/** So many runs are read; a job that checks out another folder each time has more. */
const mostRuns = 100;

const ending = /\.history\.json(\.gz|\.zst)?$/;

/** The runs of a stack, the last one first; each is read when it is asked for. */
export function* history({ files, paths }: Place): Generator<Past, void> {
  if (!files.exists(paths.history)) return;
  const names = files.list(paths.history).filter((name) => ending.test(name));
  for (const name of names.sort().reverse()) {
    const path = join(paths.history, name);
    yield { path, entry: read(() => files.read(path)) };
  }
}

/** One who reads beside a `stacks remove`, or what is damaged, is no reason to fail. */
function read(bytes: () => Buffer): HistoryEntry | undefined {
  try {
    return entryOf(JSON.parse(unpacked(bytes()).toString("utf8")));
  } catch {
    return undefined;
  }
}

const gzipMagic = 0x1f8b;
const zstdMagic = 0x28b52ffd;

// PULUMI_DIY_BACKEND_GZIP and _ZSTD: as Pulumi does, by what the file begins with.
function unpacked(bytes: Buffer): Buffer {
  if (bytes.length < 4) return bytes;
  if (bytes.readUInt16BE(0) === gzipMagic) return gunzipSync(bytes);
  return bytes.readUInt32BE(0) === zstdMagic ? zstdDecompressSync(bytes) : bytes;
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

/** Resources whose objects were gone when a run last had to do with them: who deleted them was no run. */
export function foundGone(stack: Place): ReadonlySet<string> {
  const last = new Map<string, Touched>();
  let runs = 0;
  for (const { entry } of history(stack)) {
    if (++runs > mostRuns) break;
    const isWhole = entry?.kind === "update" && entry.result === "succeeded" && entry.part !== true;
    // What was gone by then, and it neither made again nor left so, its program had no more.
    for (const [urn, how] of Object.entries(entry?.touched ?? {}))
      if (!last.has(urn)) last.set(urn, isWhole && how === "gone" ? "ended" : how);
    if (isWhole) break;
  }
  return new Set([...last].flatMap(([urn, how]) => (how === "gone" || how === "left" ? [urn] : [])));
}

const isOn = (value: string | undefined) => value === "1" || value?.toLowerCase() === "true";

/**
 * Adds a run. Pulumi copies the state beside each entry, which its history never reads; at 10,000 resources that is the
 * price of a state for each run, so that only who retains checkpoints has the copy.
 * @throws the system's error where it can't be written
 */
export function addToHistory(
  { name, files, paths, env, now }: Pick<Stack, "name" | "files" | "paths" | "env" | "now">,
  entry: HistoryEntry,
): void {
  const there = new Set(files.exists(paths.history) ? files.list(paths.history) : []);
  const path = (nanos: bigint) => `${name}-${nanos}.history.json`;
  // Two runs of one clock's tick are two runs.
  let nanos = BigInt(now().getTime()) * 1_000_000n;
  while (there.has(path(nanos))) nanos += 1n;
  // The configuration may hold secrets that nobody marked, and the stack's file has it.
  const whole = { ...entry, config: {}, version: 0 };
  writeWhole(files, join(paths.history, path(nanos)), `${JSON.stringify(whole, undefined, 4)}\n`);
  const retains = isOn(env.PULUMI_DIY_BACKEND_RETAIN_CHECKPOINTS) || isOn(env.PULUMI_RETAIN_CHECKPOINTS);
  if (retains && files.exists(paths.state))
    writeWhole(files, join(paths.history, `${name}-${nanos}.checkpoint.json`), files.read(paths.state));
}

/** In which folder the project of a run was. */
export const folderKey = "exec.folder";

/**
 * Another folder of this machine with a project of the same name that has run the stack; undefined where there is none,
 * and where this folder has run it too. A folder that was moved, or is another machine's, isn't there.
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
  if (!files.exists(join(folder, "Pulumi.yaml"))) return undefined;
  try {
    return openProject(folder, files).name;
  } catch {
    // What nobody can read is no project of any name.
    return undefined;
  }
}
