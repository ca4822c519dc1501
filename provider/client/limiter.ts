/**
 * Keeps the shop's rate limit, and is the only place that waits. A shop accepts a number of requests in a fixed window that
 * starts with the first request (platform-facts.md, section 3: 500 in 300 s). Requests are sent at full speed until the
 * window is used up. The shop's headers overrule the own count, because others send requests too; Retry-After overrules
 * everything.
 */
import type { RateLimitInfo } from "./headers.ts";

export interface Clock {
  now(): number;
  /** Resolves after a number of milliseconds; rejects with the signal's reason. */
  wait(delayMs: number, signal?: AbortSignal): Promise<void>;
}

/** The wait for the rate limit would be too long. */
export class WindowClosedError extends Error {
  override readonly name = "WindowClosedError";
}

export interface Usage {
  readonly used: number;
  readonly max: number;
  /** Milliseconds since 1970; undefined if no window has started. */
  readonly windowEndsAt: number | undefined;
  readonly sent: number;
  readonly rejected: number;
}

export type Limiter = ReturnType<typeof createLimiter>;

const windowMs = 300_000;
const defaultMax = 500;
// Parallel responses arrive out of order; a count that falls by more than this means a new window.
const reorder = 64;

const margin = 48;
/** Maximum number of parallel requests, and of connections. */
export const maxInFlight = 16;

interface Entry {
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

export interface LimiterOptions {
  /** The part of the rate limit to use, 1 to 100. */
  readonly capacityPercent: number;
  /** The longest wait, at most what a timer takes (24.8 days). */
  readonly maxWaitMs: number;
}

/** Creates the limiter of a shop and an application; everything that talks to them must share it. */
export function createLimiter(
  clock: Clock,
  { capacityPercent, maxWaitMs }: LimiterOptions,
  say: (line: string) => void,
) {
  const waiting: Entry[] = [];
  const state = {
    used: 0,
    max: defaultMax,
    // The window in the last response; `max` may be a guess.
    said: undefined as { readonly used: number; readonly max: number } | undefined,
    endsAt: undefined as number | undefined,
    closedUntil: 0,
    inFlight: 0,
    // Responses in this window. If the shop counts more, others send requests too.
    own: 0,
    shared: false,
    // Until the window's first response, send one request at a time: others may have used it up.
    probing: true,
    // A shop that never reports its limit has none.
    counts: true,
    sent: 0,
    rejected: 0,
  };
  let timer: AbortController | undefined;

  const startWindow = () =>
    Object.assign(state, { used: 0, endsAt: undefined, probing: true, own: 0, shared: false });
  const allowed = () => Math.max(1, Math.floor((state.max * capacityPercent) / 100));

  /** Milliseconds until the next request; 0 is now, undefined is after the next response. */
  function delay(): number | undefined {
    const now = clock.now();
    if (now < state.closedUntil) return state.closedUntil - now;
    if (state.endsAt !== undefined && now >= state.endsAt) startWindow();
    if (state.inFlight >= (state.probing ? 1 : maxInFlight)) return undefined;
    // Near the end of a shared window, send one request at a time, so that others' requests cause one rejection at most.
    if (state.shared && state.inFlight > 0 && allowed() - state.used - state.inFlight < margin)
      return undefined;
    if (!state.counts || state.used + state.inFlight < allowed()) return 0;
    if (state.used < allowed()) return undefined;
    return state.endsAt === undefined ? 0 : state.endsAt - now;
  }

  function pump(): void {
    while (waiting.length > 0) {
      const delayMs = delay();
      if (delayMs === undefined) return;
      if (delayMs > maxWaitMs) {
        giveUp(delayMs);
        return;
      }
      if (delayMs > 0) {
        sleep(delayMs);
        return;
      }
      state.inFlight += 1;
      state.sent += 1;
      waiting.shift()?.resolve();
    }
  }

  function giveUp(delayMs: number): void {
    const error = new WindowClosedError(
      `the shop's rate limit is used up ${untilText(clock.now() + delayMs)}, longer than the ${maxWaitMs / 1000} s that shop:maxWait permits`,
    );
    for (const { reject } of waiting.splice(0)) reject(error);
  }

  function sleep(delayMs: number): void {
    if (timer !== undefined) return;
    const time = `${Math.ceil(delayMs / 1000)} s, `;
    say(waitText(closedText(state.said, allowed()), clock.now() + delayMs, time));
    timer = new AbortController();
    const done = () => {
      timer = undefined;
      pump();
    };
    clock.wait(delayMs, timer.signal).then(done, done);
  }

  function apply(info: RateLimitInfo): void {
    const now = clock.now();
    if (info.rejected) {
      state.rejected += 1;
      const until =
        info.retryAfterMs === undefined ? (state.endsAt ?? now + windowMs) : now + info.retryAfterMs;
      const { used, max = state.max } = info;
      const said = used === undefined || info.max === undefined ? undefined : { used, max };
      Object.assign(state, { closedUntil: until, endsAt: until, used: Math.max(used ?? 0, max), max, said });
      return;
    }
    if (info.used === undefined) {
      if (state.probing) Object.assign(state, { counts: false, probing: false });
      return;
    }
    if (info.used + reorder < state.used) startWindow();
    // The first response starts the window. If others started it, it ends earlier.
    if (state.endsAt === undefined) state.endsAt = now + windowMs;
    // The last response of a window may tell when the next one starts; never assume a later time.
    const max = info.max ?? state.max;
    if (info.retryAfterMs !== undefined && info.used >= max)
      state.endsAt = Math.min(state.endsAt, now + info.retryAfterMs);
    state.own += 1;
    const used = Math.max(state.used, info.used);
    Object.assign(state, {
      shared: state.shared || info.used > state.own + state.inFlight,
      counts: true,
      probing: false,
      used,
      max,
      said: { used, max },
    });
  }

  return {
    /**
     * Waits for a place in the window; call `release` afterwards.
     * @throws WindowClosedError if the wait would be longer than `maxWaitMs`; the signal's reason if it is aborted
     */
    acquire(signal?: AbortSignal): Promise<void> {
      if (signal?.aborted) return Promise.reject(signal.reason);
      return new Promise((resolve, reject) => {
        const cancel = () => {
          waiting.splice(waiting.indexOf(entry), 1);
          reject(signal?.reason);
          if (waiting.length === 0) timer?.abort();
        };
        // A run's signal outlives thousands of requests, so remove the listener.
        const settled =
          <T extends readonly unknown[]>(settle: (...values: T) => void) =>
          (...values: T) => {
            signal?.removeEventListener("abort", cancel);
            settle(...values);
          };
        const entry: Entry = { resolve: settled(resolve), reject: settled(reject) };
        waiting.push(entry);
        signal?.addEventListener("abort", cancel);
        pump();
      });
    },
    release(info: RateLimitInfo) {
      state.inFlight -= 1;
      apply(info);
      pump();
    },
    usage: (): Usage => ({
      used: state.used,
      max: state.max,
      windowEndsAt: state.endsAt,
      sent: state.sent,
      rejected: state.rejected,
    }),
  };
}

// The last date that is worth showing.
const lastDay = Date.UTC(9999, 11, 31);

/** `12:00:10 UTC`. */
const timeOfDay = (moment: number): string => `${new Date(moment).toISOString().slice(11, 19)} UTC`;

/** The line about a wait. */
export const waitText = (why: string, until: number, time = ""): string =>
  `${why}: waiting ${time}until ${timeOfDay(until)}`;

/** Whether a line is about a wait: only who watches the run needs it. */
export const saysWait = (line: string): boolean => /: waiting (\d+ s, )?until \d\d:\d\d:\d\d UTC$/.test(line);

function untilText(moment: number): string {
  if (moment >= lastDay) return "for ever";
  return `until ${new Date(moment).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

function closedText(
  said: { readonly used: number; readonly max: number } | undefined,
  allowed: number,
): string {
  if (said === undefined) return "the shop rejects requests for a time";
  const { used, max } = said;
  return used >= allowed
    ? `rate limit used up (${used}/${max})`
    : `the shop rejects requests (${used}/${max})`;
}
