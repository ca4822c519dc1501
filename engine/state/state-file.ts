/** The state of a stack as its files have it: read with what a dead run left, written whole or not at all. */
import { createHash } from "node:crypto";
import { type Files, writeWhole } from "../disk/files.ts";
import { markBackend, type StackPaths } from "../project/backend.ts";
import type { StackConfig } from "../project/project.ts";
import type { Crypter } from "../project/secrets.ts";
import {
  type Entry,
  fold,
  type Journal,
  type Left,
  markSaved,
  readJournal,
  removeJournal,
} from "./journal.ts";
import { type Ledger, openLedger } from "./ledger.ts";
import { emptySnapshot, opened, parseSnapshot, printSnapshot, type Snapshot } from "./snapshot.ts";

/** What of a stack its files concern. */
export interface Stored {
  readonly name: string;
  readonly config: StackConfig;
  readonly exists: boolean;
  readonly paths: StackPaths;
  readonly files: Files;
  readonly now: () => Date;
}

/** The state could not be written; the message says where what was done can still be found. */
export class NotSavedError extends Error {
  override readonly name = "NotSavedError";
}

/** The hash of a state file, as a journal notes it; of none where there is no file. */
const hashOf = (bytes: Buffer | string | undefined): string =>
  bytes === undefined ? "none" : createHash("sha256").update(bytes).digest("hex");

interface Found {
  readonly state: Buffer | undefined;
  /** The journal that is still to be folded. */
  readonly left: Left | undefined;
}

/** The state file and the journal that continues from it. @throws Error where the journal continues from another one */
function find({ files, paths }: Stored): Found {
  const { state, left } = readBoth(files, paths);
  const hash = hashOf(state);
  if (left === undefined || left.entries.length === 0 || left.saved.includes(hash))
    return { state, left: undefined };
  if (left.base === hash) return { state, left };
  const backup = `${paths.state}.bak`;
  const its = files.exists(backup) && hashOf(files.read(backup)) === left.base ? `, which is ${backup}` : "";
  throw new Error(
    `the journal ${paths.journal} was begun on another state than ${paths.state} has now: another run or another ` +
      `engine has written the state since. Nothing was changed. To keep the state as it is, remove the journal; to ` +
      `continue where the interrupted run stopped, restore the state that the journal was begun on${its}`,
  );
}

// A preview reads beside a run that writes: the two are one moment's when the state is the same before and after.
function readBoth(files: Files, paths: StackPaths): Found {
  const read = () => (files.exists(paths.state) ? files.read(paths.state) : undefined);
  for (;;) {
    const state = read();
    const left = readJournal(files, paths.journal);
    if (hashOf(read()) === hashOf(state)) return { state, left };
  }
}

/** The state as it is, with what a dead run left in its journal. @throws Error naming what is damaged */
export function load(stack: Stored): Snapshot {
  const { state, left } = find(stack);
  const { paths, config } = stack;
  const base =
    state === undefined
      ? emptySnapshot
      : parseSnapshot(state.toString("utf8"), paths.state, config.crypterOf);
  return left === undefined
    ? base
    : fold(
        base,
        left.entries.map((entry) => openedEntry(entry, config.crypter)),
      );
}

// A journal is sealed under the stack's own salt, which is the state's too unless somebody changed it since.
function openedEntry(entry: Entry, crypter: () => Crypter): Entry {
  if ("put" in entry) return { ...entry, put: opened(entry.put, crypter) };
  return "begin" in entry ? { ...entry, resource: opened(entry.resource, crypter) } : entry;
}

/**
 * Makes a dead run's journal part of the state file, before anything new happens.
 * @param base the state with the journal folded in, as `load` gives it
 * @returns the hash of the state file that a new journal continues from
 */
export function recover(stack: Stored, base: Snapshot): string {
  const { files, paths } = stack;
  const { state, left } = find(stack);
  if (left === undefined) {
    removeJournal(files, paths.journal);
    return hashOf(state);
  }
  const ledger = openLedger(base, stack.config, undefined);
  const text = textOf(stack, ledger.snapshot(false));
  try {
    markSaved(files, paths.journal, hashOf(text));
    writeState(stack, text);
  } catch (error) {
    throw notSaved(stack, error as Error, []);
  }
  removeFolded(stack);
  return hashOf(text);
}

/**
 * Ends a run: what it did becomes the state file, and its journal goes.
 * @param complete whether the run did all that it was for
 * @throws NotSavedError where the state on the disk isn't whole; the journal stays
 */
export async function finish(
  stack: Stored,
  ledger: Ledger,
  journal: Journal,
  complete: boolean,
): Promise<void> {
  const { files, paths } = stack;
  try {
    try {
      if (ledger.changed() || !files.exists(paths.state)) {
        const text = textOf(stack, ledger.snapshot(complete));
        await journal.saved(hashOf(text));
        writeState(stack, text);
      }
    } finally {
      journal.close();
    }
  } catch (error) {
    throw notSaved(stack, error as Error, journal.unwritten());
  }
  removeFolded(stack);
}

function removeFolded({ files, paths }: Stored): void {
  try {
    removeJournal(files, paths.journal);
  } catch (cause) {
    throw new Error(
      `the state is written, but its journal ${paths.journal} could not be removed: ${(cause as Error).message}. ` +
        `It does no harm to the next run`,
      { cause },
    );
  }
}

/** Writes a state outside of a run, under the caller's lock. */
export function save(stack: Stored, snapshot: Snapshot): void {
  const ledger = openLedger(snapshot, stack.config, undefined);
  writeState(stack, textOf(stack, ledger.snapshot(false)));
}

function textOf(stack: Stored, snapshot: Snapshot): string {
  return printSnapshot(stack.name, snapshot, stack.config.encryptionSalt(), stack.now());
}

// The backup is a copy and not a rename: at no moment may the state be missing. It is written as the state is: whole.
function writeState({ files, paths }: Stored, text: string): void {
  markBackend(files, paths.root);
  if (files.exists(paths.state)) writeWhole(files, `${paths.state}.bak`, files.read(paths.state));
  writeWhole(files, paths.state, text);
}

function notSaved({ paths }: Stored, error: Error, unwritten: readonly Entry[]): NotSavedError {
  const lost = unwritten.flatMap((entry) => {
    if ("put" in entry) return [`${entry.put.urn} has the id ${entry.put.id ?? "(none)"}`];
    return "drop" in entry ? [`${entry.drop} is deleted`] : [];
  });
  const noted =
    lost.length === 0
      ? `What the run did is kept in ${paths.journal}: make room or make the folder writable, then run the same command again`
      : `The journal ${paths.journal} could not be written either. Write this down, it may be nowhere else:\n  ${lost.join("\n  ")}`;
  return new NotSavedError(`the state file ${paths.state} could not be written: ${error.message}. ${noted}`, {
    cause: error,
  });
}
