/** Ctrl-C and --timeout: the first asks for a clean end, the second doesn't wait for one. */
import { codes } from "./exit.ts";

export interface Stop {
  readonly signal: AbortSignal;
  timedOut(): boolean;
  close(): void;
}

/** @param timeoutMs after how long the run is stopped */
export function openStop(timeoutMs: number | undefined, say: (line: string) => void): Stop {
  const controller = new AbortController();
  let timedOut = false;
  const interrupt = () => {
    if (controller.signal.aborted) {
      say("stopped at once; the next run goes on from the journal");
      process.exit(codes.cancelled);
    }
    say("stopping: what has begun is ended and written down; once more stops at once");
    controller.abort();
  };
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          timedOut = true;
          say(`out of time after ${timeoutMs / 1000} s: what has begun is ended and written down`);
          controller.abort();
        }, timeoutMs);
  timer?.unref();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, interrupt);
  return {
    signal: controller.signal,
    timedOut: () => timedOut,
    close() {
      if (timer !== undefined) clearTimeout(timer);
      for (const name of ["SIGINT", "SIGTERM"] as const) process.off(name, interrupt);
    },
  };
}
