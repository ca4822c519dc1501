/**
 * How a process that an engine started hears that the run is stopped. The embedded engine says so on standard input,
 * which engine/processes/preload.ts makes the event `stopRun`. Pulumi's engine calls `Cancel` of each provider; the host of dynamic
 * providers answers it and tells nobody, so that the call itself is watched for where it arrives.
 */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { fstatSync } from "node:fs";
import type { Readable } from "node:stream";
import { valuesOf } from "../wire/values.ts";
import { stopGraceMs } from "./deadline.ts";
import { systemTimer, type Timer } from "./ports.ts";

const channel = "http2.server.stream.created";
const cancelPath = "/pulumirpc.ResourceProvider/Cancel";

export interface HostStop {
  /** Aborted when the run is stopped. */
  readonly signal: AbortSignal;
  close(): void;
}

// Node knows no such event: the engine's child makes it.
const stopRun = "stopRun" as never;

/** Tells all of this thread that the run is stopped. */
export const emitStop = (): boolean => process.emit(stopRun);

/** Listens for the run's stop; one for a process is enough. */
export function openHostStop(): HostStop {
  const controller = new AbortController();
  const stop = () => controller.abort(new Error("the run was stopped"));
  const onMessage = (message: unknown) => {
    if (valuesOf(valuesOf(message).headers)[":path"] === cancelPath) stop();
  };
  process.once(stopRun, stop);
  subscribe(channel, onMessage);
  return {
    signal: controller.signal,
    close() {
      process.off(stopRun, stop);
      unsubscribe(channel, onMessage);
    },
  };
}

/** The engine's end of a pipe, and how to leave when it is closed. */
export interface EnginePipe {
  /** Standard input where an engine holds its other end; undefined where it is a terminal, a file or nothing. */
  readonly input: Readable | undefined;
  readonly exit: () => void;
  readonly timer: Timer;
}

/**
 * Ends this process when the engine that started it has ended, however that ended: nobody would hear what it does. Only
 * for the host of dynamic providers, whose standard input is the engine's; a program may read its own.
 * @param onEnd is called at once, so that what waits stops waiting
 */
export function exitWithEngine(onEnd: () => void, { input, exit, timer }: EnginePipe = theEngine()): void {
  input?.once("end", () => {
    onEnd();
    // So long a write's answer is still waited for; then the process goes.
    timer(stopGraceMs + 500, exit);
  });
  input?.resume();
  // Waiting for the end keeps no process alive.
  (input as { unref?: () => void } | undefined)?.unref?.();
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
    // Closed: there is nothing to hear.
    return false;
  }
}
