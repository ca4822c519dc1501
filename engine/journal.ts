/**
 * What happened to a stack since its state file was written: a line each, on the disk before the step counts as done.
 * It is folded into the state file at the end of a run, and at the start of the next where the end never came.
 */
import {
  closeSync,
  existsSync,
  fdatasync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import type { Pending, Snapshot, State } from "./snapshot.ts";

/** One line. Resources are named by their key: urn, and id where several of one urn are there. */
export type Entry =
  | { readonly begin: number; readonly type: Pending["type"]; readonly resource: State }
  | { readonly end: number }
  /** A resource as it is now, in the place of the one with the key `over`. */
  | { readonly put: State; readonly over?: string; readonly end?: number }
  | { readonly drop: string; readonly end?: number };

/** What tells a resource from all others of a snapshot. */
export function keyOf(state: State): string {
  return state.delete ? `${state.urn} ${state.id ?? ""} replaced` : state.urn;
}

export interface Journal {
  /** Resolves when the line is on the disk. Lines that are written together go to the disk together. */
  append(entry: Entry): Promise<void>;
  close(): void;
}

/** Opens a journal, empty. */
export function openJournal(path: string): Journal {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, "w", 0o600);
  let waiting: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  let text = "";
  let syncing = false;

  function flush(): void {
    if (syncing || waiting.length === 0) return;
    const batch = waiting;
    const lines = text;
    waiting = [];
    text = "";
    syncing = true;
    const settle = (error: unknown) => {
      syncing = false;
      for (const { resolve, reject } of batch)
        error === null || error === undefined ? resolve() : reject(error);
      flush();
    };
    try {
      writeSync(file, lines);
      fdatasync(file, settle);
    } catch (error) {
      settle(error);
    }
  }

  return {
    append: (entry) =>
      new Promise((resolve, reject) => {
        text += `${JSON.stringify(entry)}\n`;
        waiting.push({ resolve, reject });
        // Entries of one turn of the event loop share a write.
        setImmediate(flush);
      }),
    close() {
      closeSync(file);
    },
  };
}

/** The entries of a journal that a dead run left; a last line that was cut is no entry. */
export function readJournal(path: string): readonly Entry[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n");
  lines.pop();
  return lines.map((line) => JSON.parse(line) as Entry);
}

export function removeJournal(path: string): void {
  rmSync(path, { force: true });
}

/** A snapshot and what happened since, as one snapshot; an operation without its end is pending. */
export function fold(base: Snapshot, entries: readonly Entry[]): Snapshot {
  const resources = new Map(base.resources.map((state) => [keyOf(state), state]));
  const pending = new Map<number, Pending>();
  for (const entry of entries) {
    if ("begin" in entry) pending.set(entry.begin, { resource: entry.resource, type: entry.type });
    else if (entry.end !== undefined) pending.delete(entry.end);
    if ("put" in entry) place(resources, entry.put, entry.over);
    if ("drop" in entry) resources.delete(entry.drop);
  }
  return { resources: ordered([...resources.values()]), pending: [...base.pending, ...pending.values()] };
}

// Changing a key in place keeps the order, which is close to the order of dependency.
function place(resources: Map<string, State>, state: State, over: string | undefined): void {
  if (over !== undefined && over !== keyOf(state)) resources.delete(over);
  resources.set(keyOf(state), state);
}

/** What a resource needs before it. */
export function needs(state: State): readonly string[] {
  const provider = state.provider?.split("::").slice(0, -1).join("::");
  const properties = Object.values(state.propertyDependencies ?? {}).flat();
  return [state.parent, provider, state.deletedWith, ...(state.dependencies ?? []), ...properties].filter(
    (urn): urn is string => urn !== undefined && urn !== "",
  );
}

/**
 * Resources so that each stands behind all that it needs, otherwise in their order; needs that are gone are
 * forgotten. Pulumi refuses a state in any other order (pkg/resource/deploy/snapshot.go, VerifyIntegrity).
 */
export function ordered(states: readonly State[]): readonly State[] {
  const byUrn = new Map<string, State>();
  for (const state of states) if (!state.delete || !byUrn.has(state.urn)) byUrn.set(state.urn, state);
  const placed = new Set<State>();
  const result: State[] = [];
  const visit = (state: State) => {
    if (placed.has(state)) return;
    placed.add(state);
    for (const urn of needs(state)) {
      const needed = byUrn.get(urn);
      if (needed !== undefined && needed !== state) visit(needed);
    }
    result.push(withoutGone(state, byUrn));
  };
  for (const state of states) visit(state);
  return result;
}

function withoutGone(state: State, known: ReadonlyMap<string, State>): State {
  if (needs(state).every((urn) => known.has(urn))) return state;
  const { dependencies, propertyDependencies, deletedWith, parent, ...rest } = state;
  const there = (urns: readonly string[]) => urns.filter((urn) => known.has(urn));
  const properties = Object.entries(propertyDependencies ?? {}).map(
    ([key, urns]) => [key, there(urns)] as const,
  );
  return {
    ...rest,
    ...(parent !== undefined && known.has(parent) && { parent }),
    ...(dependencies !== undefined && { dependencies: there(dependencies) }),
    ...(propertyDependencies !== undefined && { propertyDependencies: Object.fromEntries(properties) }),
    ...(deletedWith !== undefined && known.has(deletedWith) && { deletedWith }),
  };
}
