/**
 * The journal of a run of the embedded engine, which lies beside the state, and the state that both make together. Each
 * entry is on the disk before its step counts as done. The first line has the hash of the state file that the journal
 * continues from, the last line the hash of the file that it became: a journal that matches neither is never folded.
 * Used by both engine and provider.
 */
import { hash } from "node:crypto";
import type { Files } from "../common/disk.ts";
import { isRecord } from "../common/record.ts";

/** The parts of a resource that determine its key. */
interface Keyed {
  readonly urn: string;
  readonly id?: string;
  readonly delete?: boolean;
}

export interface PendingOf<State extends Keyed> {
  readonly resource: State;
  readonly type: "creating" | "updating" | "deleting" | "reading";
}

/** An entry. Resources are named by their key: the URN, plus the id for objects that are still to be deleted. */
export type EntryOf<State extends Keyed> =
  | (PendingOf<State> & {
      readonly begin: number;
      /** The id of the object that a create adopts. */
      readonly adopts?: string;
    })
  | { readonly end: number }
  /** The present state of a resource; replaces the one with the key `over`. */
  | { readonly put: State; readonly over?: string | undefined; readonly end?: number | undefined }
  | { readonly drop: string; readonly id?: string | undefined; readonly end?: number | undefined };

/** The first line: the hash of the state file that the journal continues from. */
export interface Head {
  readonly journal: 1;
  readonly base: string;
}

/** The key that identifies a resource in a snapshot. */
export const keyOf = (state: Keyed): string =>
  state.delete ? `${state.urn} ${state.id ?? ""} replaced` : state.urn;

/** The hash of a state file as a journal has it; `none` without a file. */
export const hashOf = (bytes: Buffer | string | undefined): string =>
  bytes === undefined ? "none" : hash("sha256", bytes);

/** A journal that an interrupted run left. */
export interface UnfoldedJournal<State extends Keyed> {
  readonly base: string;
  /** Hashes of the state files that it became, or was about to become. */
  readonly saved: readonly string[];
  readonly entries: readonly EntryOf<State>[];
}

/**
 * Reads a journal, also of a run in progress; an incomplete last line is ignored.
 * @throws Error with the file and line of the damage
 */
export function readJournal<State extends Keyed>(
  files: Pick<Files, "exists" | "read">,
  path: string,
): UnfoldedJournal<State> | undefined {
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
  const entries = rest.flatMap((line, index): readonly EntryOf<State>[] => {
    if (isRecord(line) && "saved" in line) return [];
    if (!isEntry<State>(line)) throw damaged(path, index + 2, "not an entry of a journal");
    return [line];
  });
  return { base: head.base, saved, entries };
}

function parsed(line: string, path: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw damaged(path, number, (cause as Error).message);
  }
}

function damaged(path: string, line: number, why: string): Error {
  return new Error(
    `the journal ${path} is damaged in line ${line} (${why}). It has the results of an interrupted run: restore it from a ` +
      `backup, or fix or delete the line; if you remove the file, the objects that the run created are missing from the state`,
  );
}

const isState = (value: unknown) =>
  isRecord(value) && typeof value.urn === "string" && typeof value.type === "string";

function isEntry<State extends Keyed>(line: unknown): line is EntryOf<State> {
  if (!isRecord(line)) return false;
  if ("begin" in line) return typeof line.begin === "number" && isState(line.resource);
  if ("put" in line) return isState(line.put);
  return typeof line.drop === "string" || typeof line.end === "number";
}

/** Whether a journal has steps that this state file lacks, `undefined` if it belongs to another file. */
export function continues(
  { base, saved, entries }: UnfoldedJournal<Keyed>,
  state: Buffer | undefined,
): boolean | undefined {
  if (entries.length === 0) return false;
  const hash = hashOf(state);
  if (saved.includes(hash)) return false;
  return base === hash || undefined;
}

export interface Standing<State extends Keyed> {
  readonly resources: readonly State[];
  readonly pending: readonly PendingOf<State>[];
}

/**
 * A state with the entries of its journal. Each resource is in the position of its old state, and an operation without
 * its end is pending.
 * @returns also the resources that the entries wrote, and the new URNs of renamed ones
 */
export function withEntries<State extends Keyed>(
  base: Standing<State>,
  entries: readonly EntryOf<State>[],
): Standing<State> & {
  readonly written: ReadonlySet<string>;
  readonly renamed: ReadonlyMap<string, string>;
} {
  const byKey = new Map(base.resources.map((state, place) => [keyOf(state), { state, place }]));
  const pending = new Map<number, PendingOf<State>>();
  const [begun, written] = [new Set<string>(), new Set<string>()];
  const renamed = new Map<string, string>();
  let places = base.resources.length;
  const put = (state: State, over: string | undefined) => {
    const key = keyOf(state);
    const before = byKey.get(over ?? key) ?? byKey.get(key);
    if (over !== undefined) byKey.delete(over);
    if (before === undefined) places += 1;
    byKey.set(key, { state, place: before?.place ?? places });
    const name = before?.state.urn;
    if (name !== undefined && name !== state.urn) renamed.set(name, state.urn);
    written.add(state.urn);
  };
  for (const entry of entries) {
    if ("begin" in entry) {
      pending.set(entry.begin, { resource: entry.resource, type: entry.type });
      begun.add(entry.resource.urn);
    } else if (entry.end !== undefined) pending.delete(entry.end);
    if ("put" in entry) put(entry.put, entry.over);
    if ("drop" in entry) byKey.delete(entry.drop);
  }
  const earlier = base.pending.filter(({ resource }) => !begun.has(resource.urn));
  const inOrder = [...byKey.values()].sort((a, b) => a.place - b.place).map(({ state }) => state);
  return { resources: inOrder, pending: [...earlier, ...pending.values()], written, renamed };
}
