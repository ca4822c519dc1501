/** Ctrl-C and --timeout. The first Ctrl-C stops the run cleanly, the second at once. */
import { systemTimer, type Timer } from "../../provider/inventory/index.ts";
import { codes } from "../exit.ts";

export type Cancellation = ReturnType<typeof openCancellation>;

export interface ProcessPorts {
  readonly timer: Timer;
  readonly exit: (code: number) => void;
}

const real: ProcessPorts = {
  timer: systemTimer,
  exit: (code) => process.exit(code),
};

/**
 * The time that running operations get after a timeout: 1.5 s for the response to a write, the rest for the
 * state. After that the process exits; the next run continues from the journal.
 */
const endMs = 10_000;

/** @param timeoutMs the time after which the run is stopped */
export function openCancellation(
  timeoutMs: number | undefined,
  say: (line: string) => void,
  { timer, exit }: ProcessPorts = real,
) {
  const controller = new AbortController();
  const signal: AbortSignal = controller.signal;
  const cancels: (() => void)[] = [];
  let timedOut = false;
  const interrupt = () => {
    if (signal.aborted) {
      say("stopped at once; the next run continues from the journal");
      exit(timedOut ? codes.timeout : codes.cancelled);
      return;
    }
    say("stopping: finishing running operations; press Ctrl-C again to stop at once");
    controller.abort();
  };
  const late = () => {
    if (signal.aborted) return;
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
    signal,
    timedOut: () => timedOut,
    close() {
      for (const cancel of cancels) cancel();
      for (const name of ["SIGINT", "SIGTERM"] as const) process.off(name, interrupt);
    },
  };
}

/** Does work that Ctrl-C ends at once, with a sentence about the state of things. A synchronous end of the work can't be interrupted. */
export async function endingWith<T>(stopped: string, work: () => Promise<T>): Promise<T> {
  const end = () => {
    process.stderr.write(`${stopped}\n`);
    process.exit(codes.cancelled);
  };
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, end);
  try {
    return await work();
  } finally {
    for (const name of ["SIGINT", "SIGTERM"] as const) process.off(name, end);
  }
}
