/**
 * The one place that waits. A shop gives so many requests in a fixed window that opens with its first request
 * (platform-facts.md, section 3: 500 in 300 s); inside it we burst, at its end we wait. What the shop's header says
 * is the truth, because others spend too, and its Retry-After outranks everything.
 */
import type { RateLimitInfo } from "./headers.ts";

export interface Clock {
  now(): number;
  /** Resolves after so many milliseconds; rejects with the signal's reason when it is aborted. */
  wait(delayMs: number, signal?: AbortSignal): Promise<void>;
}

/** The window stays closed for longer than we may wait. */
export class WindowClosedError extends Error {
  override readonly name = "WindowClosedError";
}

export interface Usage {
  readonly used: number;
  readonly max: number;
  /** Milliseconds since 1970; undefined while no window is known to be open. */
  readonly windowEndsAt: number | undefined;
  readonly sent: number;
  readonly rejected: number;
}

export interface Limiter {
  /**
   * Waits for a place in the window. Each place is given back with `settle`.
   * @throws WindowClosedError where it would wait longer than `maxWaitMs`; the signal's reason when it is aborted
   */
  acquire(signal?: AbortSignal): Promise<void>;
  release(info: RateLimitInfo): void;
  usage(): Usage;
}

const windowMs = 300_000;
const defaultMax = 500;
// Answers of parallel requests arrive out of order; a count that falls by more than this is a new window.
const reorder = 64;

const margin = 48;
/** Requests at once; as many connections are kept open. */
export const maxInFlight = 16;

interface Entry {
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** What a limiter keeps to. */
export interface LimiterOptions {
  /** How much of the window may be used, 1 to 100. */
  readonly capacityPercent: number;
  /** The longest wait for the window; longer than a timer takes (24.8 days) it can't be. */
  readonly maxWaitMs: number;
}

/** A limiter for one shop and application; share it between everything that talks to them. */
export function createLimiter(
  clock: Clock,
  { capacityPercent, maxWaitMs }: LimiterOptions,
  say: (line: string) => void,
): Limiter {
  const waiting: Entry[] = [];
  const state = {
    used: 0,
    max: defaultMax,
    // The window as the last answer named it; `max` may be our guess.
    said: undefined as { readonly used: number; readonly max: number } | undefined,
    endsAt: undefined as number | undefined,
    closedUntil: 0,
    inFlight: 0,
    // Answers of our own in this window; when the shop counts more, others spend too.
    own: 0,
    shared: false,
    // Until an answer was heard in this window one request goes alone: others may have used it up.
    probing: true,
    // A shop that never names its limit doesn't count.
    counts: true,
    sent: 0,
    rejected: 0,
  };
  let timer: AbortController | undefined;

  const startWindow = () =>
    Object.assign(state, { used: 0, endsAt: undefined, probing: true, own: 0, shared: false });
  const allowed = () => Math.max(1, Math.floor((state.max * capacityPercent) / 100));

  /** Milliseconds until the next request may go; 0 is now, undefined is when an answer arrives. */
  function delay(): number | undefined {
    const now = clock.now();
    if (now < state.closedUntil) return state.closedUntil - now;
    if (state.endsAt !== undefined && now >= state.endsAt) startWindow();
    if (state.inFlight >= (state.probing ? 1 : maxInFlight)) return undefined;
    // Near the end of a shared window one goes at a time: what others take meanwhile costs one rejection, not many.
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
      `the window is closed ${untilText(clock.now() + delayMs)}, longer than the ${maxWaitMs / 1000} s that shop:maxWait permits`,
    );
    for (const { reject } of waiting.splice(0)) reject(error);
  }

  function sleep(delayMs: number): void {
    if (timer !== undefined) return;
    const until = new Date(clock.now() + delayMs).toISOString().slice(11, 19);
    say(`${closedText(state.said, allowed())}: waiting ${Math.ceil(delayMs / 1000)} s, until ${until} UTC`);
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
    // The window's first answer dates it; when others opened it, it ends no later than this.
    if (state.endsAt === undefined) state.endsAt = now + windowMs;
    // A shop may say of the window's last answer when the next one opens: never later than it was thought.
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
    acquire(signal) {
      if (signal?.aborted) return Promise.reject(signal.reason);
      return new Promise((resolve, reject) => {
        const cancel = () => {
          waiting.splice(waiting.indexOf(entry), 1);
          reject(signal?.reason);
          if (waiting.length === 0) timer?.abort();
        };
        // A run's signal outlives thousands of requests: none leaves its listener there.
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
    release(info) {
      state.inFlight -= 1;
      apply(info);
      pump();
    },
    usage: () => ({
      used: state.used,
      max: state.max,
      windowEndsAt: state.endsAt,
      sent: state.sent,
      rejected: state.rejected,
    }),
  };
}

// What a calendar holds and a person reads; a hostile number is larger than both.
const lastDay = Date.UTC(9999, 11, 31);

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
  return used >= allowed ? `window used up (${used}/${max})` : `the shop rejects requests (${used}/${max})`;
}
