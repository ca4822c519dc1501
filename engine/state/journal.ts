/**
 * What happened to a stack since its state file was written: a line each, on the disk before the step counts as done.
 * It is folded into the state file at the end of a run, and at the start of the next where the end never came. Its first
 * line says of which state file it goes on, its last one which state file it became: a journal that fits neither the
 * state file before nor the one after is never folded into it.
 */

import { dirname } from "node:path";
import type { Lock } from "../disk/lock.ts";
import {
  type Files,
  makeFolders,
  type OpenFile,
  removeQuietly,
  removeWhole,
  writeAll,
} from "../pulumi/disk.ts";
import { isRecord } from "../pulumi/record.ts";
import { isProviderType } from "../pulumi/urn.ts";
import { following, ordered } from "./order.ts";
import type { Pending, Snapshot, State } from "./snapshot.ts";

/** What happened. Resources are named by their key: urn, and id where several of one urn are there. */
export type Entry =
  | {
      readonly begin: number;
      readonly type: Pending["type"];
      readonly resource: State;
      /** The id of the object that a create is to take over. */
      readonly adopts?: string;
    }
  | { readonly end: number }
  /** A resource as it is now, in the place of the one with the key `over`. */
  | { readonly put: State; readonly over?: string | undefined; readonly end?: number | undefined }
  | { readonly drop: string; readonly id?: string | undefined; readonly end?: number | undefined };

/** The first line: the hash of the state file that the journal continues from. */
interface Head {
  readonly journal: 1;
  readonly base: string;
}
/** The last line, written before the state file is: its hash. */
interface Saved {
  readonly saved: string;
}

/** What tells a resource from all others of a snapshot. */
export function keyOf(state: State): string {
  return state.delete ? `${state.urn} ${state.id ?? ""} replaced` : state.urn;
}

export interface Journal {
  /**
   * Resolves when the line is on the disk. Lines that are written together go to the disk together. What has happened is
   * kept where the disk refuses it, and written with what comes next; `unwritten` has what is still kept.
   * @throws Error for the begin of an operation, where there is no room for it and its result: it must not begin
   * @throws LockLostError for the begin of an operation, where the lock is gone
   */
  append(entry: Entry): Promise<void>;
  /** Notes which state file this journal becomes. @throws Error where not all of it could be written */
  saved(hash: string): Promise<void>;
  unwritten(): readonly Entry[];
  /** What was made and deleted since the lock was gone: the run that came after may not have read it here. */
  late(): readonly Entry[];
  close(): void;
}

/** The journal's file grows by so many bytes at once, of spaces: what has begun finds room for its result on a full disk. */
const growth = 65_536;
/** Bytes that a result takes beside twice its arguments. */
const resultBytes = 4_096;

interface Waiting {
  readonly entry: Entry;
  readonly line: string;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Begins a journal.
 * @param base the hash of the state file that it continues from
 * @param lock of the run: whoever takes the next one reads what is in the journal by then
 * @throws Error where it can't be written; nothing may be changed then
 */
export function openJournal(files: Files, path: string, base: string, lock: Pick<Lock, "check">): Journal {
  const pages = openPages(files, path, { journal: 1, base });
  const reserved = new Map<number, number>();
  let waiting: Waiting[] = [];
  let kept: Pick<Waiting, "entry" | "line">[] = [];
  const late: Entry[] = [];
  // Operations that make or delete: whatever else is noted is of an object that whoever comes after has, gave up, or can
  // adopt again. What was to be adopted and was made after all is ours.
  const decisive = new Map<number, string | undefined>();
  const isDecisive = (entry: Exclude<Entry, { readonly begin: number }>) =>
    entry.end !== undefined &&
    decisive.has(entry.end) &&
    !("put" in entry && entry.put.id !== undefined && entry.put.id === decisive.get(entry.end));
  const isNews = (entry: Entry) =>
    (!("begin" in entry) && isDecisive(entry)) || ("put" in entry && isProviderType(entry.put.type));
  let flushing: Promise<void> | undefined;
  const reserve = () => [...reserved.values()].reduce((sum, bytes) => sum + bytes, 0);

  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      for (const { entry, line } of batch) {
        if ("begin" in entry) {
          reserved.set(entry.begin, 2 * line.length + resultBytes);
          if (entry.type !== "updating") decisive.set(entry.begin, entry.adopts);
        } else if (entry.end !== undefined) reserved.delete(entry.end);
      }
      try {
        const written = [...kept, ...batch];
        await pages.write(written, reserve());
        kept = [];
        settle(batch, written);
      } catch (error) {
        await refused(batch, error as Error);
      }
    }
    flushing = undefined;
  }

  /** What is written while the lock is there is read by whoever takes the next one; nothing begins without it. */
  function settle(batch: readonly Waiting[], written: readonly Pick<Waiting, "entry">[]): void {
    try {
      lock.check();
    } catch (error) {
      for (const { entry, reject } of batch) if ("begin" in entry) reject(error as Error);
      late.push(...written.map(({ entry }) => entry).filter(isNews));
    }
    for (const { resolve } of batch) resolve();
  }

  async function refused(batch: readonly Waiting[], error: Error): Promise<void> {
    for (const { entry, reject } of batch) {
      if (!("begin" in entry)) continue;
      reserved.delete(entry.begin);
      reject(
        new Error(`the journal ${path} could not be written, so nothing new is begun: ${error.message}`, {
          cause: error,
        }),
      );
    }
    const results = batch.filter(({ entry }) => !("begin" in entry));
    kept.push(...results);
    try {
      if (kept.length > 0) await pages.write(kept, 0);
      kept = [];
    } catch {
      // They stay in `kept`: the next line, or the end of the run, tries again and says it.
    }
    for (const { resolve } of results) resolve();
  }

  return {
    append: (entry) =>
      new Promise((resolve, reject) => {
        waiting.push({ entry, line: `${JSON.stringify(entry)}\n`, resolve, reject });
        // Entries of one turn of the event loop share a write.
        flushing ??= new Promise((done) => setImmediate(() => flush().then(done)));
      }),
    async saved(hash) {
      await flushing;
      await pages.write([...kept, { line: lineOf({ saved: hash }) }], 0);
      kept = [];
    },
    unwritten: () => kept.map(({ entry }) => entry),
    late: () => [...late, ...kept.map(({ entry }) => entry).filter(isNews)],
    close: pages.close,
  };
}

/** A line that is no entry. */
export const lineOf = (line: Head | Saved) => `${JSON.stringify(line)}\n`;

/** The journal's file: lines, and behind them spaces that keep room. */
function openPages(files: Files, path: string, head: Head) {
  const orNothingBegun = <Done>(work: () => Done): Done => {
    try {
      return work();
    } catch (cause) {
      const { message } = cause as Error;
      throw new Error(`the journal ${path} could not be written, so nothing was begun: ${message}`, {
        cause,
      });
    }
  };
  const file: OpenFile = orNothingBegun(() => {
    makeFolders(files, dirname(path));
    return files.open(path, "new");
  });
  let end = 0;
  let size = 0;
  // After a write that failed there may be anything behind `end`.
  let dirty = false;

  function put(bytes: Buffer, reserve: number): void {
    const least = end + bytes.length + reserve;
    const upTo = least > size ? end + bytes.length + Math.max(reserve, growth) : dirty ? size : 0;
    const spaces = Math.max(0, upTo - end - bytes.length);
    try {
      writeAll(file, spaces === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(spaces, " ")]), end);
    } catch (error) {
      dirty = true;
      file.truncate(size);
      throw error;
    }
    size = Math.max(size, end + bytes.length + spaces);
  }

  orNothingBegun(() => {
    try {
      const bytes = Buffer.from(lineOf(head));
      put(bytes, growth);
      end = bytes.length;
      file.sync();
      files.syncFolder(dirname(path));
    } catch (error) {
      file.close();
      removeQuietly(files, path);
      throw error;
    }
  });

  return {
    async write(lines: readonly { readonly line: string }[], reserve: number): Promise<void> {
      const bytes = Buffer.from(lines.map(({ line }) => line).join(""));
      put(bytes, reserve);
      try {
        await file.syncData();
      } catch (error) {
        dirty = true;
        throw error;
      }
      dirty = false;
      end += bytes.length;
    },
    close: () => file.close(),
  };
}

/** A journal that a dead run left. */
export interface Left {
  /** The hash of the state file that it continues from. */
  readonly base: string;
  /** Hashes of the state files that it became, or was to become. */
  readonly saved: readonly string[];
  readonly entries: readonly Entry[];
}

/**
 * Reads the journal of a dead run, or of one that is running; a last line that was cut is no entry.
 * @throws Error naming file and line of what is damaged
 */
export function readJournal(files: Files, path: string): Left | undefined {
  if (!files.exists(path)) return undefined;
  const lines = files.read(path).toString("utf8").split("\n");
  lines.pop();
  // It was interrupted before its first line was whole: nothing was done.
  if (lines.length === 0) return undefined;
  const values = lines.map((line, index) => parsed(line, path, index + 1));
  const [head, ...rest] = values as [unknown, ...unknown[]];
  if (!isRecord(head) || head.journal !== 1 || typeof head.base !== "string")
    throw new Error(
      `the journal ${path} does not say which state file it belongs to: an older version wrote it. ` +
        `Run the same command with that version, or remove the file and run refresh`,
    );
  const saved = rest.flatMap((line) =>
    isRecord(line) && typeof line.saved === "string" ? [line.saved] : [],
  );
  const entries = rest.flatMap((line, index): readonly Entry[] => {
    if (isRecord(line) && "saved" in line) return [];
    if (!isEntry(line)) throw damaged(path, index + 2, "not an entry of a journal");
    return [line];
  });
  return { base: head.base, saved, entries };
}

/** Notes in a journal that a dead run left which state file it becomes. */
export function markSaved(files: Files, path: string, hash: string): void {
  const file = files.open(path, "keep");
  try {
    writeAll(file, Buffer.from(lineOf({ saved: hash })), files.read(path).lastIndexOf("\n") + 1);
    file.sync();
  } finally {
    file.close();
  }
}

export const removeJournal = (files: Files, path: string): void => removeWhole(files, path);

function parsed(line: string, path: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw damaged(path, number, (cause as Error).message);
  }
}

function damaged(path: string, line: number, why: string): Error {
  return new Error(
    `the journal ${path} is damaged in line ${line} (${why}). It has what an interrupted run did: restore it from a ` +
      `backup, or fix or delete the line; if you remove the file, what that run created is missing from the state`,
  );
}

const isState = (value: unknown) =>
  isRecord(value) && typeof value.urn === "string" && typeof value.type === "string";

function isEntry(line: unknown): line is Entry {
  if (!isRecord(line)) return false;
  if ("begin" in line) return typeof line.begin === "number" && isState(line.resource);
  if ("put" in line) return isState(line.put);
  return typeof line.drop === "string" || typeof line.end === "number";
}

/**
 * A snapshot and what happened since, as one snapshot; an operation without its end is pending. What was pending before
 * is so until it is begun again.
 * @param isAsked whether the program asked for a resource in this run, and got it; of a dead run's journal that is what it wrote
 */
export function fold(
  base: Snapshot,
  entries: readonly Entry[],
  isAsked?: (urn: string) => boolean,
): Snapshot {
  const standing = openStanding(base.resources);
  const pending = new Map<number, Pending>();
  const begun = new Set<string>();
  const written = new Set<string>();
  for (const entry of entries) {
    if ("begin" in entry) {
      pending.set(entry.begin, { resource: entry.resource, type: entry.type });
      begun.add(entry.resource.urn);
    } else if (entry.end !== undefined) pending.delete(entry.end);
    if ("put" in entry) {
      standing.put(entry.put, entry.over);
      written.add(entry.put.urn);
    }
    if ("drop" in entry) standing.drop(entry.drop);
  }
  const earlier = base.pending.filter(({ resource }) => !begun.has(resource.urn));
  const inOrder = ordered(standing.all(), ({ urn }) => isAsked?.(urn) ?? written.has(urn));
  return { resources: inOrder, pending: [...earlier, ...pending.values()] };
}

/** Resources, each in the place of what it was: that is close to the order of dependency. */
function openStanding(resources: readonly State[]) {
  const byKey = new Map(resources.map((state, place) => [keyOf(state), { state, place }]));
  const names = new Map<string, string>();
  let places = resources.length;
  return {
    put(state: State, over: string | undefined): void {
      const key = keyOf(state);
      const before = byKey.get(over ?? key) ?? byKey.get(key);
      if (over !== undefined) byKey.delete(over);
      if (before === undefined) places += 1;
      byKey.set(key, { state, place: before?.place ?? places });
      const name = before?.state.urn;
      if (name !== undefined && name !== state.urn) names.set(name, state.urn);
    },
    drop: (key: string) => byKey.delete(key),
    /** What is called otherwise now is called so by all that need it. */
    all: (): readonly State[] =>
      [...byKey.values()].sort((a, b) => a.place - b.place).map(({ state }) => following(state, names)),
  };
}
