/**
 * The embedded shop: the whole interface as a function from request to answer over a store. Sockets are in
 * server.ts; clock, randomness and downloads come from outside.
 */
import { openAccess } from "./access.ts";
import { addFault } from "./control.ts";
import { hex, keepCredentials } from "./credentials.ts";
import { editObject } from "./edits.ts";
import type { ShopAnswer, ShopRequest } from "./exchange.ts";
import type { Fault, FaultRequest } from "./faults.ts";
import type { Inner, ShopOptions } from "./inner.ts";
import { type LogState, openLog } from "./request-log.ts";
import { handle, see } from "./requests.ts";
import { vocabulary } from "./routes/index.ts";
import { openRuns } from "./runs.ts";
import { addRows, furnish } from "./seed.ts";
import type { SiteAnswer } from "./site/index.ts";
import { openStore, type StoreSnapshot } from "./store.ts";
import { openWindow, type WindowState } from "./window.ts";

export type Shop = ReturnType<typeof createShop>;

/** A shop at one moment: its rows, bodies and sequences, its clock, its window, its log, the faults that wait. */
export interface ShopSnapshot {
  readonly tables: StoreSnapshot;
  readonly offsetMs: number;
  readonly window: WindowState;
  readonly log: LogState;
  readonly faults: readonly Fault[];
}

/**
 * Opens a shop; a new one is furnished, an old database goes on as it was. With the same options, clock and randomness
 * it answers the same requests with the same bytes.
 * @throws where the database can't be opened
 */
export function createShop(options: ShopOptions) {
  // The ids of two shops differ throughout.
  const store = openStore(
    options.database ?? ":memory:",
    () => 1001 + Math.floor(options.random() * 1_000_000),
    vocabulary,
  );
  const clock = { offsetMs: 0 };
  const now = () => options.now() + clock.offsetMs;
  const credentials = keepCredentials(options, store);
  const fill = (fixture = options.fixture ?? {}) =>
    options.isBare ? addRows(store, fixture, now()) : furnish(store, options.origin, now(), fixture);
  if (store.count("account") === 0) store.transaction(() => fill());
  const limit = options.limit === "off" ? undefined : (options.limit ?? { max: 500, windowMs: 300_000 });
  const said = new Set<string>();
  const runs = openRuns();
  const inner: Inner = {
    options,
    store,
    now,
    clock,
    credentials,
    access: openAccess(options.origin, hex(options.random)),
    window: openWindow(limit),
    faults: [],
    log: openLog(options.logLength ?? 10_000),
    runs,
    sayOnce(what) {
      if (!said.has(what)) options.onMissing?.(what);
      said.add(what);
    },
    edit: (patch) => store.transaction(() => editObject(store, patch, now()), runs.ofStaff(now())),
    reset: (fixture) =>
      store.transaction(() => {
        runs.clear();
        store.clear();
        fill(fixture);
      }),
  };
  return { credentials, store, ...hands(inner), close: () => store.close() };
}

/** What the program that opened a shop may do to it. */
function hands(inner: Inner) {
  const { store, clock, window, log, faults } = inner;
  return {
    /** What `x-control-token` has to be for control requests that change something. */
    control: inner.access.token,
    /** The last requests, in order; the oldest are dropped beyond `logLength`. */
    log: log.entries,
    /** Counts of all requests: by method and path, rejected by the window, in total. */
    stats: log.stats,
    handle: (request: ShopRequest): Promise<ShopAnswer> => handle(inner, request),
    /** What shoppers see at a path of the shop; undefined where there is nothing. */
    look: (path: string): Promise<SiteAnswer | undefined> =>
      see(inner, new URL(path, inner.options.origin), { overview: false }),
    /**
     * An edit by staff, past the interface. @returns the object as it is now, undefined where it was deleted
     * @throws InvalidControl where not exactly one object is meant
     */
    edit: inner.edit,
    faults: {
      /** @throws InvalidControl where there is no such fault */
      add: (fault: FaultRequest): void => addFault(faults, fault),
      clear: (): void => {
        faults.length = 0;
      },
    },
    /** Moves the shop's clock. */
    advance: (seconds: number): void => {
      clock.offsetMs += seconds * 1000;
    },
    /** The shop as it is; snapshots are plain values and may be restored in another shop as well. */
    snapshot: (): ShopSnapshot => ({
      tables: store.snapshot(),
      offsetMs: clock.offsetMs,
      window: window.state(),
      log: log.state(),
      faults: faults.map((fault) => ({ ...fault })),
    }),
    /** Sets the shop to a snapshot. Its credentials and its control token stay those it was opened with. */
    restore: (snapshot: ShopSnapshot): void => {
      store.restore(snapshot.tables);
      inner.runs.clear();
      clock.offsetMs = snapshot.offsetMs;
      window.restore(snapshot.window);
      log.restore(snapshot.log);
      faults.splice(0, faults.length, ...snapshot.faults.map((fault) => ({ ...fault })));
    },
  };
}
