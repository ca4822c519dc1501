/** Keeps journal entries of a run that lost its lock, beside the journal of the next run, which merges them. */
import { randomUUID } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { type Files, writeWhole } from "../common/disk.ts";
import { keyOf } from "../pulumi/journal.ts";
import { isProviderType, kindOf, referenceParts } from "../pulumi/urn.ts";
import { type Entry, fold, lineOf } from "./journal-writer.ts";
import type { Snapshot, State } from "./snapshot.ts";

export function saveLateEntries(files: Files, journal: string, entries: readonly Entry[]): string {
  const path = `${journal}.${randomUUID()}`;
  const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`);
  writeWhole(files, path, [lineOf({ journal: 1, base: "none" }), ...lines].join(""));
  return path;
}

const aside = /^\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Files with entries that runs wrote after they lost their locks. */
export function lateEntryFiles(files: Files, journal: string): readonly string[] {
  const [folder, name] = [dirname(journal), basename(journal)];
  if (!files.exists(folder)) return [];
  return files
    .list(folder)
    .filter((one) => one.startsWith(name) && aside.test(one.slice(name.length)))
    .sort()
    .map((one) => join(folder, one));
}

// A resource that was deleted to be replaced is gone, even if another run has created its replacement.
const asDeleted = (entry: Entry): Entry =>
  "put" in entry && entry.put.pendingReplacement === true ? { drop: entry.put.urn, id: entry.put.id } : entry;

/**
 * Merges entries of runs that had lost their locks. If another run has created the resource meanwhile, the late object
 * is a duplicate and is marked for deletion.
 */
export function withLateEntries(base: Snapshot, entries: readonly Entry[]): Snapshot {
  // Another run may have moved the resource between a dynamic type and the plugin's, which share their last part.
  const objectOf = (urn: string, id: string | undefined) => `${kindOf(urn)} ${id}`;
  const known = new Set(base.resources.map(({ urn, id }) => objectOf(urn, id)));
  const standing = new Map(base.resources.map((state) => [state.urn, state]));
  // Each run gives the providers that it creates ids of its own.
  const provided = (state: State): State => {
    const own = standing.get(referenceParts(state.provider ?? "").urn);
    return own === undefined ? state : { ...state, provider: `${own.urn}::${own.id}` };
  };
  const done = entries.map(asDeleted).flatMap((entry): readonly Entry[] => {
    if ("drop" in entry) {
      const object = objectOf(entry.drop, entry.id);
      const same = base.resources.filter(({ urn, id }) => objectOf(urn, id) === object).map(keyOf);
      const key = same.includes(entry.drop) ? entry.drop : same[0];
      return key === undefined ? [] : [{ drop: key }];
    }
    if (!("put" in entry) || entry.put.id === undefined || known.has(objectOf(entry.put.urn, entry.put.id)))
      return [];
    const isThere = standing.has(entry.put.urn);
    if (isThere && isProviderType(entry.put.type)) return [];
    known.add(objectOf(entry.put.urn, entry.put.id));
    const put = provided(entry.put);
    return [{ put: isThere ? { ...put, delete: true } : put }];
  });
  return done.length === 0 ? base : { ...fold(base, done), pending: base.pending };
}
