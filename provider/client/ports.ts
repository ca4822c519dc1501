/** The transport's dependencies on the outside world. */
import type { LookupFunction } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { Connection } from "./connection.ts";
import type { Clock } from "./limiter.ts";
import type { Dispatcher } from "./pools.ts";
import type { LogEntry } from "./request-log.ts";

/** Adds the access token to a request. interface.md doesn't show how (Authentication 3), so it can be replaced. */
export type Attach = (connection: Connection) => Readonly<Record<string, string>>;

/** Calls `done` once after a number of milliseconds. @returns a function that cancels it */
export type Timer = (delayMs: number, done: () => void) => () => void;

export interface Ports {
  readonly clock: Clock;
  readonly random: () => number;
  readonly say: (line: string) => void;
  /** Logs a request. If it throws, a warning is shown once and logging stops. */
  readonly journal?: ((entry: LogEntry) => void) | undefined;
  /** Sends requests; default: a connection pool. */
  readonly dispatcher?: Dispatcher;
  /** Ends all waiting and all reads. Running writes get a little more time, so that their results are known. */
  readonly stop?: AbortSignal;
  /** Whether the run may still write; called before each write. */
  readonly mayWrite?: () => boolean;
  /** Whether to send no more requests after the shop has rejected the credentials. */
  readonly asksOnce?: boolean;
  readonly attach?: Attach;
  /** The timer of exchanges; default: Node's. */
  readonly timer?: Timer;
  /** Resolves the hosts of downloads; default: the system's resolver. */
  readonly lookup?: LookupFunction;
}

/** Node's timer; it doesn't keep the process alive. */
export const systemTimer: Timer = (delayMs, done) => {
  // Node's timers hold at most 24.8 days; a longer delay would fire at once.
  const timer = setTimeout(done, Math.min(delayMs, 2 ** 31 - 1));
  timer.unref();
  return () => clearTimeout(timer);
};

const beganAt = Date.now() - performance.now();

/** Milliseconds since 1970. Unlike Date.now, they aren't affected when the machine's clock is set. */
export const systemClock: Clock = {
  now: () => Math.floor(beganAt + performance.now()),
  wait: (delayMs, signal) => wait(delayMs, undefined, { signal }),
};
