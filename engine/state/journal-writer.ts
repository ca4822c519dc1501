/**
 * Writes a run's journal (engine/pulumi/journal.ts). The end of a run, or the start of the next one after a crash, folds
 * it into the state file.
 */

import { dirname } from "node:path";
import {
  type Files,
  makeFolders,
  type OpenFile,
  removeQuietly,
  roomAdvice,
  writeAll,
} from "../common/disk.ts";
import { type EntryOf, type Head, withEntries } from "../pulumi/journal.ts";
import { isProviderType } from "../pulumi/urn.ts";
import { sortedByDependencies, withRenamedDependencies } from "./dependency-order.ts";
import type { Lock } from "./lock.ts";
import type { Snapshot, State } from "./snapshot.ts";

export type Entry = EntryOf<State>;

/** The last line, written before the state file: the hash of the file that the journal became. */
interface Saved {
  readonly saved: string;
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
        new Error(
          `the journal ${path} could not be written, so no new operation was started: ${error.message}`,
          {
            cause: error,
          },
        ),
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
        `the journal ${path} could not be written, so nothing was started: ${message}; ${roomAdvice}`,
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
  const { resources, pending, written, renamed } = withEntries(base, entries);
  const named = resources.map((state) => withRenamedDependencies(state, renamed));
  return {
    resources: sortedByDependencies(named, ({ urn }) => isRegistered?.(urn) ?? written.has(urn)),
    pending,
  };
}
