/** The requests that a shop has had: the last ones one by one, all of them counted, in bounded memory. */

export interface Entry {
  readonly method: string;
  /** Path and query, cut after 2,000 characters. */
  readonly path: string;
  /** Milliseconds since 1970, by the shop's clock. */
  readonly at: number;
  /** null where no answer was sent. */
  status: number | null;
  /** What the answer's `warning` header said. */
  warning?: string;
}

/** What a log holds at one moment. */
export interface LogState {
  readonly entries: readonly Entry[];
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
  readonly rejected: number;
}

export type RequestLog = ReturnType<typeof openLog>;

const longestPath = 2_000;
// Beyond so many different paths, requests are counted by their method only: paths come from anybody.
const mostNames = 5_000;

/** @param length entries that are kept at least; a tenth more before the oldest are dropped */
export function openLog(length: number) {
  const entries: Entry[] = [];
  let counts = new Map<string, number>();
  let total = 0;
  let rejected = 0;
  return {
    /** The last entries in order; one array throughout, so that it can be kept. */
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
