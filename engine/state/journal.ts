/**
 * The log of steps since the state file was written. Each entry is on the disk before its step counts as done. The end
 * of a run, or the start of the next one after a crash, folds the journal into the state file. The first line has the
 * hash of the state file that the journal continues from, the last line the hash of the file that it became: a journal
 * that matches neither is never folded.
 */

import { dirname } from "node:path";
import {
  type Files,
  makeFolders,
  type OpenFile,
  removeQuietly,
  removeWhole,
  roomAdvice,
  writeAll,
} from "../pulumi/disk.ts";
import { isRecord } from "../pulumi/record.ts";
import { isProviderType } from "../pulumi/urn.ts";
import { sortedByDependencies, withRenamedDependencies } from "./dependency-order.ts";
import type { Lock } from "./lock.ts";
import type { Pending, Snapshot, State } from "./snapshot.ts";

/** An entry. Resources are named by their key: the URN, plus the id for objects that are still to be deleted. */
export type Entry =
  | {
      readonly begin: number;
      readonly type: Pending["type"];
      readonly resource: State;
      /** The id of the object that a create adopts. */
      readonly adopts?: string;
    }
  | { readonly end: number }
  /** The present state of a resource; replaces the one with the key `over`. */
  | { readonly put: State; readonly over?: string | undefined; readonly end?: number | undefined }
  | { readonly drop: string; readonly id?: string | undefined; readonly end?: number | undefined };

/** The first line: the hash of the state file that the journal continues from. */
interface Head {
  readonly journal: 1;
  readonly base: string;
}
/** The last line, written before the state file: the hash of the file that the journal became. */
interface Saved {
  readonly saved: string;
}

/** The key that identifies a resource in a snapshot. */
export function keyOf(state: State): string {
  return state.delete ? `${state.urn} ${state.id ?? ""} replaced` : state.urn;
}

export type Journal = ReturnType<typeof openJournal>;

/**
 * The file grows by this number of bytes, filled with spaces, so that a running operation has room for its result on a
 * full disk.
 */
const growth = 65_536;
/** Bytes reserved for a result beside twice the size of its inputs. */
const resultBytes = 4_096;

interface Waiting {
  readonly entry: Entry;
  readonly line: string;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Creates a journal.
 * @param base the hash of the state file that it continues from
 * @param lock the run's lock: whoever takes the next one reads the journal at that moment
 * @throws Error if it can't be written; then nothing may be changed
 */
export function openJournal(files: Files, path: string, base: string, lock: Pick<Lock, "check">) {
  const pages = openPages(files, path, { journal: 1, base });
  const reserved = new Map<number, number>();
  let waiting: Waiting[] = [];
  let kept: Pick<Waiting, "entry" | "line">[] = [];
  const late: Entry[] = [];
  // Creates and deletes, by the number of the operation. The next run can recover from other late entries: it has the
  // object or adopts it again. If an adoption ended with another id, it created an object after all.
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
        confirm(batch, written);
      } catch (error) {
        await refused(batch, error as Error);
      }
    }
    flushing = undefined;
  }

  /** Entries written before the lock is lost are read by the next run. Without the lock, no operation begins. */
  function confirm(batch: readonly Waiting[], written: readonly Pick<Waiting, "entry">[]): void {
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
      // They stay in `kept`: the next write, or the end of the run, tries again and reports the error.
    }
    for (const { resolve } of results) resolve();
  }

  return {
    /**
     * Resolves when the entry is on the disk; entries of one turn of the event loop are written together. If the disk
     * refuses the result of an operation, the entry is kept and written with the next one.
     * @throws Error for the begin of an operation if there is no room for it and its result: it must not begin
     * @throws LockLostError for the begin of an operation if the lock is gone
     */
    append: (entry: Entry) =>
      new Promise<void>((resolve, reject) => {
        waiting.push({ entry, line: `${JSON.stringify(entry)}\n`, resolve, reject });
        // Entries of one turn of the event loop share a write.
        flushing ??= new Promise((done) => setImmediate(() => flush().then(done)));
      }),
    /** Writes the hash of the state file that this journal becomes. @throws Error if not all entries could be written */
    async saved(hash: string) {
      await flushing;
      await pages.write([...kept, { line: lineOf({ saved: hash }) }], 0);
      kept = [];
    },
    unwritten: () => kept.map(({ entry }) => entry),
    /** Creates and deletes since the lock was lost, which the next run may not have read. */
    late: () => [...late, ...kept.map(({ entry }) => entry).filter(isNews)],
    close: pages.close,
  };
}

/** A first or last line. */
export const lineOf = (line: Head | Saved) => `${JSON.stringify(line)}\n`;

/** The journal's file: entries, followed by spaces as reserved room. */
function openPages(files: Files, path: string, head: Head) {
  const orNothingBegun = <Done>(work: () => Done): Done => {
    try {
      return work();
    } catch (cause) {
      const { message } = cause as Error;
      throw new Error(
        `the journal ${path} could not be written, so nothing was begun: ${message}; ${roomAdvice}`,
        {
          cause,
        },
      );
    }
  };
  const file: OpenFile = orNothingBegun(() => {
    makeFolders(files, dirname(path));
    return files.open(path, "new");
  });
  let end = 0;
  let size = 0;
  // After a failed write, the bytes after `end` are undefined.
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

/** A journal that an interrupted run left. */
export interface UnfoldedJournal {
  /** The hash of the state file that it continues from. */
  readonly base: string;
  /** Hashes of the state files that it became, or was about to become. */
  readonly saved: readonly string[];
  readonly entries: readonly Entry[];
}

/**
 * Reads a journal, also of a run in progress; an incomplete last line is ignored.
 * @throws Error with the file and line of the damage
 */
export function readJournal(files: Files, path: string): UnfoldedJournal | undefined {
  if (!files.exists(path)) return undefined;
  const lines = files.read(path).toString("utf8").split("\n");
  lines.pop();
  // The run was interrupted before the first line was complete: it did nothing.
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

/** Writes into an interrupted run's journal which state file it becomes. */
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
 * Applies entries to a snapshot. An operation without its end is pending, and stays so until a later run begins it
 * again.
 * @param isRegistered whether this run registered a resource successfully; for an interrupted run: whether it wrote the
 * resource
 */
export function fold(
  base: Snapshot,
  entries: readonly Entry[],
  isRegistered?: (urn: string) => boolean,
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
  const inOrder = sortedByDependencies(standing.all(), ({ urn }) => isRegistered?.(urn) ?? written.has(urn));
  return { resources: inOrder, pending: [...earlier, ...pending.values()] };
}

/** The present resources, each in the position of its old state, which is close to the order of dependencies. */
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
    /** Resources with the new URNs of renamed dependencies. */
    all: (): readonly State[] =>
      [...byKey.values()]
        .sort((a, b) => a.place - b.place)
        .map(({ state }) => withRenamedDependencies(state, names)),
  };
}
