/** Ctrl-C and --timeout: the first asks for a clean end, the second doesn't wait for one. */
import { codes } from "../exit.ts";

export interface Stop {
  readonly signal: AbortSignal;
  timedOut(): boolean;
  close(): void;
}

/** What a stop needs of its process. */
export interface Surroundings {
  /** Calls `done` once, after so many milliseconds. @returns a function that takes the call back */
  readonly timer: (delayMs: number, done: () => void) => () => void;
  readonly exit: (code: number) => void;
}

const real: Surroundings = {
  timer(delayMs, done) {
    // A timer takes 24.8 days; beyond that it would ring at once.
    const timer = setTimeout(done, Math.min(delayMs, 2 ** 31 - 1));
    timer.unref();
    return () => clearTimeout(timer);
  },
  exit: (code) => process.exit(code),
};

/**
 * How long a run that timed out may take to end by itself: a write's answer is awaited for 1.5 s, then the state is
 * written. What hangs beyond that (a program that never ends) is left to the journal, as after a second Ctrl-C.
 */
const endMs = 10_000;

/** @param timeoutMs after how long the run is stopped */
export function openStop(
  timeoutMs: number | undefined,
  say: (line: string) => void,
  { timer, exit }: Surroundings = real,
): Stop {
  const controller = new AbortController();
  const cancels: (() => void)[] = [];
  let timedOut = false;
  const interrupt = () => {
    if (controller.signal.aborted) {
      say("stopped at once; the next run continues from the journal");
      exit(timedOut ? codes.timeout : codes.cancelled);
      return;
    }
    say("stopping: finishing running operations; press Ctrl-C again to stop at once");
    controller.abort();
  };
  const late = () => {
    if (controller.signal.aborted) return;
    timedOut = true;
    say(`timed out after ${(timeoutMs ?? 0) / 1000} s: finishing running operations`);
    controller.abort();
    cancels.push(
      timer(endMs, () => {
        say(`running operations didn't finish in ${endMs / 1000} s; the next run continues from the journal`);
        exit(codes.timeout);
      }),
    );
  };
  if (timeoutMs !== undefined) cancels.push(timer(timeoutMs, late));
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, interrupt);
  return {
    signal: controller.signal,
    timedOut: () => timedOut,
    close() {
      for (const cancel of cancels) cancel();
      for (const name of ["SIGINT", "SIGTERM"] as const) process.off(name, interrupt);
    },
  };
}
