/** The world outside, as a transport needs it. */
import type { LookupFunction } from "node:net";
import type { Connection } from "./connection.ts";
import type { Clock } from "./limiter.ts";
import type { Dispatcher } from "./pools.ts";
import type { LogEntry } from "./request-log.ts";

/** How the access token is attached; interface.md doesn't show it (Authentication 3), so it can be replaced. */
export type Attach = (connection: Connection) => Readonly<Record<string, string>>;

/** Calls `done` once, after so many milliseconds. @returns a function that takes the call back */
export type Timer = (delayMs: number, done: () => void) => () => void;

export interface Ports {
  readonly clock: Clock;
  readonly random: () => number;
  /** A line for the person who watches. */
  readonly say: (line: string) => void;
  /** Takes a note of each request; when it throws, that is said once, and no more notes are taken. */
  readonly journal?: ((entry: LogEntry) => void) | undefined;
  /** What sends to the shop; a pool of its own when left out. */
  readonly dispatcher?: Dispatcher;
  /**
   * Ends all waiting and all reads at once. A write that was sent is waited for a little longer, so that a run that is
   * stopped ends soon and knows what it did.
   */
  readonly stop?: AbortSignal;
  /** Whether the run that this is of may still write; asked before each write. */
  readonly mayWrite?: () => boolean;
  /** Whether a shop that doesn't know the credentials is asked nothing more: all that a run would ask has one answer. */
  readonly asksOnce?: boolean;
  readonly attach?: Attach;
  /** Bounds exchanges in time; Node's own when left out. */
  readonly timer?: Timer;
  /** Finds the addresses of hosts that bodies are downloaded from; the system's own when left out. */
  readonly lookup?: LookupFunction;
}

/** Node's timer; it keeps no process alive. */
export const systemTimer: Timer = (delayMs, done) => {
  const timer = setTimeout(done, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
};
