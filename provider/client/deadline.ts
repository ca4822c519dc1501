/** Ends an exchange when its time is over or the run is stopped. */
import type { Ports } from "./ports.ts";
import { systemTimer } from "./ports.ts";

/** From the request to the last byte of the response. The platform gives up after 50 s (platform-facts.md, section 3). */
export const exchangeTimeoutMs = 90_000;
/** After this time without a complete response, the user is told. */
export const silenceMs = 15_000;
/** How long a write's response is awaited after the run was stopped. */
export const stopGraceMs = 1_500;

export interface Deadline {
  readonly signal: AbortSignal;
  /** Why it ended; undefined while it is running. */
  ended(): "stopped" | "late" | undefined;
  close(): void;
}

/**
 * Starts the deadline of an exchange.
 * @param stops signals that end it after `waits` milliseconds; `onSilence` is called if it takes long
 */
export function openDeadline(
  { timer = systemTimer }: Pick<Ports, "timer">,
  stops: readonly (AbortSignal | undefined)[],
  { mostMs, waits, onSilence }: { mostMs: number; waits: number; onSilence?: () => void },
): Deadline {
  const controller = new AbortController();
  let ended: "stopped" | "late" | undefined;
  const end = (why: "stopped" | "late", message: string) => {
    ended ??= why;
    controller.abort(new Error(message));
  };
  const cancels = [timer(mostMs, () => end("late", `it was not complete after ${mostMs / 1000} s`))];
  if (onSilence !== undefined) cancels.push(timer(silenceMs, onSilence));
  const stopped = () => end("stopped", "the run was stopped before it was complete");
  const stop = () => {
    if (waits === 0) stopped();
    else cancels.push(timer(waits, stopped));
  };
  for (const signal of stops) {
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop);
  }
  return {
    signal: controller.signal,
    ended: () => ended,
    close() {
      for (const cancel of cancels) cancel();
      for (const signal of stops) signal?.removeEventListener("abort", stop);
    },
  };
}
