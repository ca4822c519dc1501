/**
 * The provider in a thread of the engine's process. A thread has its own heap, event loop and environment, so that an
 * error that would end the provider's process ends only the thread. The next run reuses it, because loading takes most
 * of the time.
 */
import * as nodeModule from "node:module";
import { Worker } from "node:worker_threads";

/** The verbs of the SDK's host, and the preview of a create or an update. */
export type Verb = "check" | "diff" | "preview" | "create" | "read" | "update" | "delete";

/** The data that a run's provider gets. It sees neither environment nor folder of this process. */
export interface Opening {
  /** The stack's configuration, with secrets decrypted. */
  readonly config: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The program's. */
  readonly folder: string;
}

export interface Asked {
  readonly number: number;
  readonly kind: string;
  readonly verb: Verb;
  /**
   * JSON, because copying a text is ten times faster than copying objects. Values that JSON can't express are copied as
   * they are.
   */
  readonly given: string | readonly unknown[];
}

export type ToThread = Asked | { readonly opening: Opening } | "stop" | "close";

/** The messages from a thread: an answer, an error with a dynamic provider's additions, or a line to print. */
export type FromThread =
  | { readonly number: number; readonly text: string; readonly failed?: string }
  | { readonly line: string; readonly isCrash?: boolean };

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

interface Thread {
  readonly worker: Worker;
  readonly waiting: Map<number, Waiting>;
  print: (line: string) => void;
  ended?: Error;
  /** Whether it had an uncaught error: then it serves no other run. */
  isWorn?: boolean;
}

/** Whether Node itself uses a variable, mostly at its start. */
const isNodes = (name: string) => /^(NODE|SSL|TZ$|LC_|LANG$)/.test(name);

/** Whether a process with this environment would behave like a thread of this one. */
export const isAsProcess = (env: Opening["env"]): boolean =>
  Object.keys({ ...process.env, ...env })
    .filter(isNodes)
    .every((name) => env[name] === process.env[name]);

/** Whether JSON can express all numbers: a program may pass NaN. */
function isJson(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value !== "object" || value === null || Object.values(value).every(isJson);
}

const file = new URL(import.meta.url.endsWith(".ts") ? "./thread.ts" : "./thread.js", import.meta.url);
const nobody = () => {};

/** A thread that has finished its run, for the next: preview and run of a command are two. */
let idle: Thread | undefined;
let numbers = 0;

function start(): Thread {
  const compiled = nodeModule.getCompileCacheDir?.();
  // Threads use Node's variables too: modules to preload, certificates.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => isNodes(name)));
  const worker = new Worker(file, { env, workerData: { compiled } });
  const thread: Thread = { worker, waiting: new Map(), print: nobody };
  const { waiting } = thread;
  const end = (why: string) => {
    thread.ended ??= new Error(`the provider's thread ended: ${why}`);
    for (const { reject } of waiting.values()) reject(thread.ended);
    waiting.clear();
  };
  worker
    .on("message", (said: FromThread) => {
      if ("line" in said) {
        thread.isWorn ||= said.isCrash === true;
        for (const line of said.line.split("\n")) thread.print(line);
        return;
      }
      const { number, text, failed } = said;
      const asked = waiting.get(number);
      waiting.delete(number);
      if (failed === undefined) asked?.resolve(JSON.parse(text));
      else asked?.reject(Object.assign(new Error(failed), JSON.parse(text)));
    })
    .on("error", ({ message }) => end(message))
    .on("exit", (code) => end(`its exit code is ${code}`));
  return thread;
}

/** @param print prints a line of the provider, or of anything in its thread */
export function openThread(opening: Opening, print: (line: string) => void) {
  const thread = idle?.ended === undefined ? (idle ?? start()) : start();
  idle = undefined;
  const { worker, waiting } = thread;
  const tell = (message: ToThread) => worker.postMessage(message);
  thread.print = print;
  worker.ref();
  tell({ opening });
  return {
    /** @throws Error with the additions of a dynamic provider: `id`, `properties`, `reasons`, `code` */
    ask: (kind: string, verb: Verb, ...given: readonly unknown[]) =>
      new Promise<unknown>((resolve, reject) => {
        if (thread.ended !== undefined) return reject(thread.ended);
        numbers += 1;
        waiting.set(numbers, { resolve, reject });
        tell({ number: numbers, kind, verb, given: isJson(given) ? JSON.stringify(given) : given });
      }),
    /** Stops all waiting in the thread. */
    stop: () => tell("stop"),
    close() {
      thread.print = nobody;
      worker.unref();
      // A thread with pending calls is ended, as a process would be.
      if (idle !== undefined || thread.isWorn === true || waiting.size > 0) return void worker.terminate();
      tell("close");
      idle = thread;
    },
  };
}
