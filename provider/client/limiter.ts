/**
 * The one place that waits. A shop gives so many requests in a fixed window that opens with its first request
 * (platform-facts.md, section 3: 500 in 300 s); inside it we burst, at its end we wait. What the shop's header says
 * is the truth, because others spend too, and its Retry-After outranks everything.
 */

export interface Clock {
  now(): number;
  /** Resolves after so many milliseconds; rejects with the signal's reason when it is aborted. */
  wait(delayMs: number, signal?: AbortSignal): Promise<void>;
}

/** What an answer said of the window. */
export interface Heard {
  readonly used?: number | undefined;
  readonly max?: number | undefined;
  /** The request was turned away, nothing was done. */
  readonly rejected?: boolean;
  readonly retryAfterMs?: number | undefined;
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
  /** Waits for a place in the window. Each place is given back with `settle`. */
  acquire(signal?: AbortSignal): Promise<void>;
  settle(heard: Heard): void;
  usage(): Usage;
}

const windowMs = 300_000;
const defaultMax = 500;
// Answers of parallel requests arrive out of order; a count that falls by more than this is a new window.
const reorder = 64;

const margin = 48;
/** Requests at once; as many connections are kept open. */
export const mostInFlight = 16;

/** A limiter for one shop and application; share it between everything that talks to them. */
export function createLimiter(clock: Clock, capacityPercent: number, say: (line: string) => void): Limiter {
  const waiting: {
    resolve: () => void;
    reject: (reason: unknown) => void;
    signal: AbortSignal | undefined;
  }[] = [];
  const state = {
    used: 0,
    max: defaultMax,
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
    if (state.inFlight >= (state.probing ? 1 : mostInFlight)) return undefined;
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
      if (delayMs > 0) {
        sleep(delayMs);
        return;
      }
      state.inFlight += 1;
      state.sent += 1;
      waiting.shift()?.resolve();
    }
  }

  function sleep(delayMs: number): void {
    if (timer !== undefined) return;
    const until = new Date(clock.now() + delayMs).toISOString().slice(11, 19);
    say(
      `window used up (${state.used}/${state.max}): waiting ${Math.ceil(delayMs / 1000)} s, until ${until} UTC`,
    );
    timer = new AbortController();
    const done = () => {
      timer = undefined;
      pump();
    };
    clock.wait(delayMs, timer.signal).then(done, done);
  }

  function hear(heard: Heard): void {
    const now = clock.now();
    if (heard.rejected) {
      state.rejected += 1;
      state.counts = true;
      const until =
        heard.retryAfterMs === undefined ? (state.endsAt ?? now + windowMs) : now + heard.retryAfterMs;
      Object.assign(state, { closedUntil: until, endsAt: until, used: Math.max(state.used, state.max) });
      return;
    }
    if (heard.used === undefined) {
      if (state.probing) Object.assign(state, { counts: false, probing: false });
      return;
    }
    if (heard.used + reorder < state.used) startWindow();
    // The window's first answer dates it; when others opened it, it ends no later than this.
    if (state.endsAt === undefined) state.endsAt = now + windowMs;
    state.own += 1;
    Object.assign(state, {
      shared: state.shared || heard.used > state.own + state.inFlight,
      counts: true,
      probing: false,
      used: Math.max(state.used, heard.used),
      max: heard.max ?? state.max,
    });
  }

  return {
    acquire(signal) {
      if (signal?.aborted) return Promise.reject(signal.reason);
      return new Promise((resolve, reject) => {
        const entry = { resolve, reject, signal };
        waiting.push(entry);
        signal?.addEventListener("abort", () => {
          const index = waiting.indexOf(entry);
          if (index >= 0) waiting.splice(index, 1);
          reject(signal.reason);
          if (waiting.length === 0) timer?.abort();
        });
        pump();
      });
    },
    settle(heard) {
      state.inFlight -= 1;
      hear(heard);
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
