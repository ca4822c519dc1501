/**
 * The embedded shop: the whole interface as a function from request to answer. Sockets are in server.ts; clock,
 * randomness and downloads are passed in.
 */
import { openAccess } from "./access.ts";
import type { ShopAnswer, ShopRequest } from "./answers.ts";
import { addFault } from "./control.ts";
import { hex, keepCredentials } from "./credentials.ts";
import type { Fault, FaultRequest } from "./faults.ts";
import { openRateLimit, type WindowState } from "./rate-limit.ts";
import { type LogState, openLog } from "./request-log.ts";
import { handle, renderSite } from "./requests.ts";
import { vocabulary } from "./routes/index.ts";
import { openRuns } from "./runs.ts";
import { addRows, fillNewShop } from "./seed.ts";
import type { ShopOptions, ShopState } from "./shop-state.ts";
import type { SiteAnswer } from "./site/index.ts";
import { editByStaff } from "./staff-edits.ts";
import { openStore, type StoreSnapshot } from "./store.ts";

export type Shop = ReturnType<typeof createShop>;

/** A snapshot of a shop: its rows, uploaded bodies and sequences, its clock, request window, log, and pending faults. */
export interface ShopSnapshot {
  readonly tables: StoreSnapshot;
  readonly offsetMs: number;
  readonly window: WindowState;
  readonly log: LogState;
  readonly faults: readonly Fault[];
}

/**
 * Opens a shop; a new one gets its initial content, an existing database is kept. With the same options, clock and
 * randomness, the same requests get identical answers.
 * @throws if the database can't be opened
 */
export function createShop(options: ShopOptions) {
  // Two shops never share ids.
  const store = openStore(
    options.database ?? ":memory:",
    () => 1001 + Math.floor(options.random() * 1_000_000),
    vocabulary,
  );
  const clock = { offsetMs: 0 };
  const now = () => options.now() + clock.offsetMs;
  const credentials = keepCredentials(options, store);
  const fill = (fixture = options.fixture ?? {}) =>
    options.isBare ? addRows(store, fixture, now()) : fillNewShop(store, options.origin, now(), fixture);
  if (store.count("account") === 0) store.transaction(() => fill());
  const limit = options.limit === "off" ? undefined : (options.limit ?? { max: 500, windowMs: 300_000 });
  const said = new Set<string>();
  const runs = openRuns();
  const inner: ShopState = {
    options,
    store,
    now,
    clock,
    credentials,
    access: openAccess(options.origin, hex(options.random)),
    window: openRateLimit(limit),
    faults: [],
    log: openLog(options.logLength ?? 10_000),
    runs,
    sayOnce(what) {
      if (!said.has(what)) options.onMissing?.(what);
      said.add(what);
    },
    edit: (patch) => store.transaction(() => editByStaff(store, patch, now()), runs.ofStaff(now())),
    reset: (fixture) =>
      store.transaction(() => {
        runs.clear();
        store.clear();
        fill(fixture);
      }),
  };
  return { credentials, store, ...shopFunctions(inner), close: () => store.close() };
}

function shopFunctions(inner: ShopState) {
  const { store, clock, window, log, faults } = inner;
  return {
    /** The value of `x-control-token` for control requests that change something. */
    control: inner.access.token,
    /** The latest requests in order; older ones than `logLength` are dropped. */
    log: log.entries,
    /** Counts of all requests: by method and path, rejected by the limit, in total. */
    stats: log.stats,
    handle: (request: ShopRequest): Promise<ShopAnswer> => handle(inner, request),
    /** The page that shoppers see at a path; undefined if there is none. */
    look: (path: string): Promise<SiteAnswer | undefined> =>
      renderSite(inner, new URL(path, inner.options.origin), { overview: false }),
    /**
     * An edit by staff. @returns the new object, or undefined if it was deleted
     * @throws InvalidControl unless exactly one object matches
     */
    edit: inner.edit,
    faults: {
      /** @throws InvalidControl if there is no such fault */
      add: (fault: FaultRequest): void => addFault(faults, fault),
      clear: (): void => {
        faults.length = 0;
      },
    },
    advance: (seconds: number): void => {
      clock.offsetMs += seconds * 1000;
    },
    /** A snapshot of the shop: a plain value, which may also be restored in another shop. */
    snapshot: (): ShopSnapshot => ({
      tables: store.snapshot(),
      offsetMs: clock.offsetMs,
      window: window.state(),
      log: log.state(),
      faults: faults.map((fault) => ({ ...fault })),
    }),
    /** Restores a snapshot. Credentials and the control token don't change. */
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
