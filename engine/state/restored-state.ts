/** Detects that somebody restored an older state: each state must be newer than the backup beside it. */

import type { Files } from "../common/disk.ts";
import type { StackPaths } from "../project/backend.ts";
import { readJournal } from "../pulumi/journal.ts";
import { lateEntryFiles } from "./lock-loss.ts";

export interface RestoredState {
  /** The backup of the state before the last one. */
  readonly backup: string;
  /** When the state and the backup were written; ISO 8601. */
  readonly written: string;
  readonly before: string;
}

/** Where the newest state is kept after an older one was restored. */
export const newerStatePath = ({ state }: Pick<StackPaths, "state">): string => `${state}.newer`;

/** The evidence that an older state was restored; undefined if there is none. */
export function restoredState({
  files,
  paths,
}: {
  readonly files: Files;
  readonly paths: Pick<StackPaths, "state" | "journal" | "history">;
}): RestoredState | undefined {
  // `pulumi stack init` writes an empty state, which is younger than a state that is then imported.
  const isNew = !files.exists(paths.history);
  const backups = [newerStatePath(paths), `${paths.state}.bak`].filter(
    (path) => files.exists(path) && !(isNew && isEmpty(files.read(path))),
  );
  if (backups.length === 0 || !files.exists(paths.state)) return undefined;
  // A run that was interrupted while it wrote the state has already copied it to the backup; its results are in the
  // journal.
  if (readJournal(files, paths.journal) !== undefined || lateEntryFiles(files, paths.journal).length > 0)
    return undefined;
  const state = files.read(paths.state);
  const written = timeOf(state);
  if (written === undefined) return undefined;
  for (const backup of backups) {
    const last = files.read(backup);
    const before = timeOf(last);
    // Pulumi copies the last state to the backup before it writes the next one: if it is killed in between, the backup
    // is the younger file.
    const isCopied = () => state.equals(last) && files.modified(backup) <= files.modified(paths.state);
    if (before !== undefined && (Date.parse(written) < Date.parse(before) || isCopied()))
      return { backup, written, before };
  }
  return undefined;
}

/** An engine writes the manifest within the first bytes. */
const headBytes = 4096;

const timeOf = (bytes: Buffer): string | undefined =>
  /"manifest":\s*\{\s*"time":\s*"([^"]+)"/.exec(bytes.toString("utf8", 0, headBytes))?.[1];

const isEmpty = (bytes: Buffer): boolean => !bytes.includes('"resources"');
