/**
 * Detects in an engine's child process that the run was stopped. The embedded engine writes to standard input, and
 * engine/processes/preload.ts emits the event `stopRun`. Pulumi's engine calls `Cancel` of each provider. The host of dynamic
 * providers answers it without passing it on, so the call itself is watched.
 */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { fstatSync } from "node:fs";
import type { Readable } from "node:stream";
import { valuesOf } from "../wire/values.ts";
import { stopGraceMs } from "./deadline.ts";
import { systemTimer, type Timer } from "./ports.ts";

const channel = "http2.server.stream.created";
const cancelPath = "/pulumirpc.ResourceProvider/Cancel";

// Not one of Node's events: the engine's child process emits it.
const stopRun = "stopRun" as never;

export const emitStop = (): boolean => process.emit(stopRun);

/** Listens for the stop; once per process is enough. */
export function openHostStop() {
  const controller = new AbortController();
  const signal: AbortSignal = controller.signal;
  const stop = () => controller.abort(new Error("the run was stopped"));
  const onMessage = (message: unknown) => {
    if (valuesOf(valuesOf(message).headers)[":path"] === cancelPath) stop();
  };
  process.once(stopRun, stop);
  subscribe(channel, onMessage);
  return {
    /** Aborted when the run is stopped. */
    signal,
    close() {
      process.off(stopRun, stop);
      unsubscribe(channel, onMessage);
    },
  };
}

/** The pipe from the engine, and the way to exit when it is closed. */
export interface EnginePipe {
  /** Standard input if it is a pipe; undefined for a terminal or a file. */
  readonly input: (Readable & { readonly unref?: () => void }) | undefined;
  readonly exit: () => void;
  readonly timer: Timer;
}

/**
 * Exits this process when the engine has ended, for whatever reason. Only for the host of dynamic providers: a program may
 * read its own standard input.
 * @param onEnd called at once, to end all waiting
 */
export function exitWithEngine(onEnd: () => void, { input, exit, timer }: EnginePipe = theEngine()): void {
  input?.once("end", () => {
    onEnd();
    // Wait for the responses of running writes, then exit.
    timer(stopGraceMs + 500, exit);
  });
  input?.resume();
  // Don't keep the process alive for this.
  input?.unref?.();
}

function theEngine(): EnginePipe {
  const input = isPipe() ? process.stdin : undefined;
  return { input, exit: () => process.exit(1), timer: systemTimer };
}

function isPipe(): boolean {
  try {
    const stats = fstatSync(0);
    return stats.isFIFO() || stats.isSocket();
  } catch {
    // Standard input is closed.
    return false;
  }
}
