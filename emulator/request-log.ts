/** The log of requests: the latest in full, all of them counted, in bounded memory. */

export interface Entry {
  readonly method: string;
  /** Path and query, cut after 2,000 characters. */
  readonly path: string;
  /** Milliseconds since 1970, by the shop's clock. */
  readonly at: number;
  /** null if no answer was sent. */
  status: number | null;
  warning?: string;
}

export interface LogState {
  readonly entries: readonly Entry[];
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
  readonly rejected: number;
}

export type RequestLog = ReturnType<typeof openLog>;

const longestPath = 2_000;
// After this number of different paths, requests are counted by method only, because clients choose paths.
const mostNames = 5_000;

/** @param length minimum number of kept entries; up to a tenth more are kept */
export function openLog(length: number) {
  const entries: Entry[] = [];
  let counts = new Map<string, number>();
  let total = 0;
  let rejected = 0;
  return {
    /** The latest entries in order; always the same array. */
    entries: entries as readonly Entry[],
    add(method: string, target: string, at: number): Entry {
      const path = target.length > longestPath ? `${target.slice(0, longestPath)}...` : target;
      const entry: Entry = { method, path, at, status: null };
      entries.push(entry);
      if (entries.length > length * 1.1) entries.splice(0, entries.length - length);
      const name = `${method} ${path.split("?")[0]}`;
      const counted = counts.has(name) || counts.size < mostNames ? name : `${method} other paths`;
      counts.set(counted, (counts.get(counted) ?? 0) + 1);
      total += 1;
      return entry;
    },
    reject(): void {
      rejected += 1;
    },
    stats: () => ({ requests: Object.fromEntries(counts), rejected, total }),
    clear(): void {
      entries.length = 0;
      counts.clear();
      total = 0;
      rejected = 0;
    },
    state: (): LogState => ({
      entries: entries.map((entry) => ({ ...entry })),
      counts: new Map(counts),
      total,
      rejected,
    }),
    restore(state: LogState): void {
      entries.splice(0, entries.length, ...state.entries.map((entry) => ({ ...entry })));
      counts = new Map(state.counts);
      total = state.total;
      rejected = state.rejected;
    },
  };
}
