/** Reads and writes the files of a stack's state: the state itself, its backup, and journals of interrupted runs. */

import { type Files, readFault, removeWhole, roomAdvice, writeWhole } from "../common/disk.ts";
import { markBackend, type StackPaths } from "../project/backend.ts";
import type { Crypter } from "../project/secrets.ts";
import type { StackConfig } from "../project/stack-file.ts";
import { stateEndings } from "../pulumi/backend.ts";
import { continues, hashOf, readJournal, type UnfoldedJournal } from "../pulumi/journal.ts";
import { hasPendingMove, noteArrived, removePendingMove, withoutMoved } from "../pulumi/pending-move.ts";
import { type Entry, fold, type Journal, markSaved } from "./journal-writer.ts";
import { type Lock, LockLostError } from "./lock.ts";
import { lateEntryFiles, saveLateEntries, withLateEntries } from "./lock-loss.ts";
import { newerStatePath, restoredState } from "./restored-state.ts";
import {
  decryptedState,
  emptySnapshot,
  parseSnapshot,
  printSnapshot,
  type Snapshot,
  type State,
} from "./snapshot.ts";
import { openSnapshotManager, type SnapshotManager } from "./snapshot-manager.ts";

/** The parts of a stack that its files depend on. */
export interface Stored {
  readonly name: string;
  readonly config: StackConfig;
  readonly exists: boolean;
  readonly paths: StackPaths;
  readonly files: Files;
  readonly now: () => Date;
}

/** The state could not be written; the message says where the results are. */
export class NotSavedError extends Error {
  override readonly name = "NotSavedError";
}

interface Found {
  readonly state: Buffer | undefined;
  /** A journal that is not yet folded into the state. */
  readonly left: UnfoldedJournal<State> | undefined;
  /** Entries of runs that had lost their locks. */
  readonly asides: readonly string[];
}

/** The state file and the journal that continues from it. @throws Error if the journal continues from another state */
function find({ files, paths }: Stored): Found {
  const { state, left, asides } = readAll(files, paths);
  if (state === undefined) refuseCompressed(files, paths);
  const isLeft = left !== undefined && continues(left, state);
  if (isLeft !== undefined) return { state, left: isLeft ? left : undefined, asides };
  const backup = `${paths.state}.bak`;
  const its = files.exists(backup) && hashOf(files.read(backup)) === left?.base ? `, which is ${backup}` : "";
  throw new Error(
    `the journal ${paths.journal} continues from another state than the one in ${paths.state}: another run or another ` +
      `engine has written the state since. Nothing was changed. To keep the state as it is, remove the journal; to ` +
      `continue where the interrupted run stopped, restore the state from which the journal continues${its}`,
  );
}

/** @throws Error if the stack has a compressed state: without it, everything would be created a second time */
function refuseCompressed(files: Files, { state }: StackPaths): void {
  const [plain = "", ...others] = stateEndings;
  const packed = others
    .map((one) => `${state.slice(0, -plain.length)}${one}`)
    .find((one) => files.exists(one));
  if (packed === undefined) return;
  throw new Error(
    `the state ${packed} is compressed, which only pulumi reads: run pulumi up once without PULUMI_DIY_BACKEND_GZIP ` +
      "and PULUMI_DIY_BACKEND_ZSTD, or go on with pulumi",
  );
}

function bytesOf(files: Files, path: string): Buffer | undefined {
  try {
    return files.exists(path) ? files.read(path) : undefined;
  } catch (cause) {
    throw new Error(`${path} can't be read: ${readFault(cause)}`, { cause });
  }
}

// A preview may read while a run writes: the files belong together if the state is the same before and after.
function readAll(files: Files, paths: StackPaths): Found {
  const read = () => bytesOf(files, paths.state);
  for (let state = read(); ; ) {
    const asides = lateEntryFiles(files, paths.journal);
    const left = readJournal<State>(files, paths.journal);
    const again = read();
    const isSame =
      state === undefined || again === undefined ? state === again : Buffer.compare(state, again) === 0;
    if (isSame) return { state, left, asides };
    state = again;
  }
}

/** The state, with the journal of an interrupted run folded in. @throws Error that names the damaged file */
export function load(stack: Stored): Snapshot {
  const { state, left, asides } = find(stack);
  const { paths, config } = stack;
  const openedAll = (entries: readonly Entry[]) => entries.map((entry) => openedEntry(entry, config.crypter));
  const base =
    state === undefined
      ? emptySnapshot
      : parseSnapshot(state.toString("utf8"), paths.state, config.crypterOf);
  const known = { ...base, resources: withoutMoved(stack.files, paths.state, base.resources) };
  const folded = left === undefined ? known : fold(known, openedAll(left.entries));
  return withLateEntries(
    folded,
    asides.flatMap((path) => openedAll(readJournal<State>(stack.files, path)?.entries ?? [])),
  );
}

/** A stack whose secrets stay closed, so that it is read without its passphrase: neither names nor ids are secret. */
export function withoutSecrets<S extends Stored>(stack: S): S {
  const closed = { encrypt: () => "", decrypt: () => "null" };
  return { ...stack, config: { ...stack.config, crypter: () => closed, crypterOf: () => closed } };
}

// A journal is encrypted with the stack's own salt, which the state shares unless somebody changed it.
function openedEntry(entry: Entry, crypter: () => Crypter): Entry {
  if ("put" in entry) return { ...entry, put: decryptedState(entry.put, crypter) };
  return "begin" in entry ? { ...entry, resource: decryptedState(entry.resource, crypter) } : entry;
}

/**
 * Folds journals of interrupted runs into the state file before a new run begins. A new stack gets its state file, so
 * that every command finds it even if the run fails.
 * @param base the state from `load`
 * @returns the hash of the state file that a new journal continues from
 */
export function recover(stack: Stored, base: Snapshot, lock: Lock): string {
  const { files, paths } = stack;
  noteArrived(files, paths.state);
  const { state, left, asides } = find(stack);
  // A restored state is written again, so that it becomes the newest one.
  const isLast = left === undefined && asides.length === 0 && restoredState(stack) === undefined;
  if (state !== undefined && isLast && !hasPendingMove(stack.files, stack.paths.state)) {
    removeWhole(files, paths.journal);
    return hashOf(state);
  }
  const text = stateText(stack, base);
  try {
    if (left !== undefined) markSaved(files, paths.journal, hashOf(text));
    writeState(stack, text, lock);
  } catch (error) {
    throw notSaved(stack, error as Error, []);
  }
  removeFolded(stack);
  removePendingMove(stack.files, stack.paths.state);
  for (const path of asides) removeWhole(files, path);
  return hashOf(text);
}

export interface RunFiles {
  readonly lock: Lock;
  /** The hash of the state file that the run began with. */
  readonly base: string;
  readonly snapshots: SnapshotManager;
  readonly journal: Journal;
}

/**
 * Ends a run: writes its results to the state file and removes its journal.
 * @param complete whether the run did everything
 * @throws NotSavedError if the state could not be written, or was changed by another writer; the journal stays
 */
export async function finish(stack: Stored, held: RunFiles, complete: boolean): Promise<void> {
  const { lock, snapshots, journal } = held;
  const { files, paths } = stack;
  try {
    try {
      if (snapshots.changed() || !files.exists(paths.state)) {
        lock.check();
        if (hashOf(bytesOf(files, paths.state)) !== held.base)
          throw new NotSavedError(
            `the state file ${paths.state} is not the one that this run started from: another process has written it since, so ` +
              `this run didn't overwrite it. Its results are kept in ${paths.journal}; the next run says how to continue`,
          );
        const text = textOf(stack, snapshots.snapshot(complete));
        await journal.saved(hashOf(text));
        writeState(stack, text, lock);
      }
      lock.check();
    } finally {
      journal.close();
    }
  } catch (error) {
    if (error instanceof NotSavedError) throw error;
    if (error instanceof LockLostError) throw lockLost(stack, error, journal);
    throw notSaved(stack, error as Error, journal.unwritten());
  }
  removeFolded(stack);
}

/** Keeps the entries that another run may not have read, for the run after it. */
function lockLost({ files, paths }: Stored, cause: Error, journal: Journal): NotSavedError {
  const late = journal.late();
  const ended = `${cause.message}. This run has stopped, and has not written the state file ${paths.state}`;
  if (late.length === 0)
    return new NotSavedError(
      `${ended}. Its journal already had everything that it created or deleted when the lock was removed, and the next run's state has it too`,
      { cause },
    );
  const done = doneIn(late).join("\n  ");
  try {
    const path = saveLateEntries(files, paths.journal, late);
    return new NotSavedError(
      `${ended}. The next run reads its earlier results from its journal. Its results after the lock was removed are kept in ${path}: the ` +
        `next run adds these objects to the state, and deletes duplicates:\n  ${done}`,
      { cause },
    );
  } catch (error) {
    return new NotSavedError(
      `${ended}. Its results after the lock was removed could not be kept (${(error as Error).message}). Write them down; they may be ` +
        `nowhere else:\n  ${done}`,
      { cause },
    );
  }
}

function removeFolded({ files, paths }: Stored): void {
  try {
    removeWhole(files, paths.journal);
  } catch (cause) {
    throw new Error(
      `the state is written, but its journal ${paths.journal} could not be removed: ${(cause as Error).message}. ` +
        `The next run ignores it`,
      { cause },
    );
  }
}

/** Writes a state outside of a run, under the caller's lock. */
export function save(stack: Stored, snapshot: Snapshot, lock: Lock): void {
  writeState(stack, stateText(stack, snapshot), lock);
}

/** The text of a state file, with secrets encrypted. */
export const stateText = (stack: Stored, snapshot: Snapshot): string =>
  textOf(stack, openSnapshotManager(snapshot, stack.config, undefined).snapshot(false));

function textOf(stack: Stored, snapshot: Snapshot): string {
  return printSnapshot(stack.name, snapshot, stack.config.encryptionSalt(), stack.now());
}

// The backup is a copy, not a rename: the state file must exist at every moment. If an older state was restored, the
// newer one is kept: it has resources that the restored one lacks, and lets the next restore be detected.
function writeState({ files, paths }: Stored, text: string, lock: Lock): void {
  lock.check();
  markBackend(files, paths.root);
  const last = bytesOf(files, paths.state);
  // A backup equal to the state would look like a restored state.
  if (last?.equals(Buffer.from(text))) return;
  const newer = restoredState({ files, paths })?.backup;
  if (newer !== undefined && newer !== newerStatePath(paths))
    writeWhole(files, newerStatePath(paths), files.read(newer));
  if (last !== undefined) writeWhole(files, `${paths.state}.bak`, last);
  writeWhole(files, paths.state, text);
}

/** The results of a run, one line each. */
const doneIn = (entries: readonly Entry[]): readonly string[] =>
  entries.flatMap((entry) => {
    if ("put" in entry) return [`${entry.put.urn} has the id ${entry.put.id ?? "(none)"}`];
    return "drop" in entry ? [`${entry.drop} is deleted`] : [];
  });

function notSaved({ paths }: Stored, error: Error, unwritten: readonly Entry[]): NotSavedError {
  const lost = doneIn(unwritten);
  const noted =
    lost.length === 0
      ? `The run's results are kept in ${paths.journal}: ${roomAdvice}`
      : `The journal ${paths.journal} could not be written either. Write these results down; they may be nowhere else:\n  ${lost.join("\n  ")}`;
  return new NotSavedError(`the state file ${paths.state} could not be written: ${error.message}. ${noted}`, {
    cause: error,
  });
}
