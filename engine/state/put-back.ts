/** Whether somebody put an older state in the place of the last one: each state is newer than the one kept beside it. */

import type { StackPaths } from "../project/backend.ts";
import type { Files } from "../pulumi/disk.ts";
import { asidesOf } from "./aside.ts";
import { readJournal } from "./journal.ts";

export interface PutBack {
  /** The file of the state before the last one. */
  readonly backup: string;
  /** When the state was written, and when the one before it was; ISO 8601. */
  readonly written: string;
  readonly before: string;
}

/** Where the newest state is kept while one that was put back in its place is the last one. */
export const newerPath = ({ state }: Pick<StackPaths, "state">): string => `${state}.newer`;

/** What tells that a state was put back; undefined where it is the last one, as far as anybody can see. */
export function putBack({
  files,
  paths,
}: {
  readonly files: Files;
  readonly paths: Pick<StackPaths, "state" | "journal" | "history">;
}): PutBack | undefined {
  // A stack that `pulumi stack init` made has an empty state, younger than the one that is imported into it.
  const isNew = !files.exists(paths.history);
  const backups = [newerPath(paths), `${paths.state}.bak`].filter(
    (path) => files.exists(path) && !(isNew && isEmpty(files.read(path))),
  );
  if (backups.length === 0 || !files.exists(paths.state)) return undefined;
  // A run that was interrupted while it wrote the state has kept the last one beside it already; what it did is in its journal.
  if (readJournal(files, paths.journal) !== undefined || asidesOf(files, paths.journal).length > 0)
    return undefined;
  const state = files.read(paths.state);
  const written = timeOf(state);
  if (written === undefined) return undefined;
  for (const backup of backups) {
    const last = files.read(backup);
    const before = timeOf(last);
    // Pulumi keeps the last state beside it before it writes the next one: killed in between, it leaves a backup that is the younger file.
    const isCopied = () => state.equals(last) && files.modified(backup) <= files.modified(paths.state);
    if (before !== undefined && (Date.parse(written) < Date.parse(before) || isCopied()))
      return { backup, written, before };
  }
  return undefined;
}

/** As far as an engine writes before the first resource. */
const headBytes = 4096;

const timeOf = (bytes: Buffer): string | undefined =>
  /"manifest":\s*\{\s*"time":\s*"([^"]+)"/.exec(bytes.toString("utf8", 0, headBytes))?.[1];

const isEmpty = (bytes: Buffer): boolean => !bytes.includes('"resources"');
