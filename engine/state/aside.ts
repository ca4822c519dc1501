/** What a run did after its lock was gone: kept beside the journal of whoever came after, and taken in by the next run. */
import { randomUUID } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { isProviderType, referenceParts } from "../../pulumi/urn.ts";
import { type Files, writeWhole } from "../disk/files.ts";
import { type Entry, fold, keyOf, lineOf } from "./journal.ts";
import type { Snapshot, State } from "./snapshot.ts";

/** @returns where it is kept */
export function keepAside(files: Files, journal: string, entries: readonly Entry[]): string {
  const path = `${journal}.${randomUUID()}`;
  const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`);
  writeWhole(files, path, [lineOf({ journal: 1, base: "none" }), ...lines].join(""));
  return path;
}

const aside = /^\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Where runs kept what they did after their locks were gone. */
export function asidesOf(files: Files, journal: string): readonly string[] {
  const [folder, name] = [dirname(journal), basename(journal)];
  if (!files.exists(folder)) return [];
  return files
    .list(folder)
    .filter((one) => one.startsWith(name) && aside.test(one.slice(name.length)))
    .sort()
    .map((one) => join(folder, one));
}

/**
 * A snapshot with the objects that were made after a lock was gone, and without those that were deleted. One that has
 * another object in its place by now is a second copy: it is to be deleted, as what a replacement leaves behind.
 */
export function withLate(base: Snapshot, entries: readonly Entry[]): Snapshot {
  const objectOf = ({ type, id }: State) => `${type} ${id}`;
  const known = new Set(base.resources.map(objectOf));
  const gone = new Set(base.resources.map((state) => `${keyOf(state)} ${state.id}`));
  const standing = new Map(base.resources.map((state) => [state.urn, state]));
  // Each run gives a provider that it makes an id of its own.
  const provided = (state: State): State => {
    const own = standing.get(referenceParts(state.provider ?? "").urn);
    return own === undefined ? state : { ...state, provider: `${own.urn}::${own.id}` };
  };
  const done = entries.flatMap((entry): readonly Entry[] => {
    if ("drop" in entry) return gone.has(`${entry.drop} ${entry.id}`) ? [{ drop: entry.drop }] : [];
    if (!("put" in entry) || entry.put.id === undefined || known.has(objectOf(entry.put))) return [];
    const isThere = standing.has(entry.put.urn);
    if (isThere && isProviderType(entry.put.type)) return [];
    known.add(objectOf(entry.put));
    const put = provided(entry.put);
    return [{ put: isThere ? { ...put, delete: true } : put }];
  });
  return done.length === 0 ? base : { ...fold(base, done), pending: base.pending };
}
