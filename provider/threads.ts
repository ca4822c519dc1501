/**
 * The provider in a thread of an engine's process: it has a heap, a loop, an environment and errors of its own, so that what would end
 * or stop a process of the provider's ends or stops the thread. A run after another takes the thread that is there: loading is most of
 * what one costs.
 */
import * as nodeModule from "node:module";
import { Worker } from "node:worker_threads";

/** The verbs that the SDK's host knows. */
export type Verb = "check" | "diff" | "create" | "read" | "update" | "delete";

/** What the provider of a run is told; of this process's own environment and folder it knows nothing. */
export interface Opening {
  /** The stack's configuration, secrets decrypted. */
  readonly config: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The program's. */
  readonly folder: string;
}

export interface Asked {
  readonly number: number;
  readonly kind: string;
  readonly verb: Verb;
  /** JSON: copying a text is a tenth of the work of copying what it says. What JSON has no word for is copied as it is. */
  readonly given: string | readonly unknown[];
}

/** What a thread is told. */
export type ToThread = Asked | { readonly opening: Opening } | "stop" | "close";

/** What a thread says: an answer, or the error that is one, with what a dynamic provider adds to its message; or a line to print. */
export type FromThread =
  | { readonly number: number; readonly text: string; readonly failed?: string }
  | { readonly line: string; readonly isCrash?: boolean };

/** The provider of one run. */
export interface RunThread {
  /** @throws Error with what a dynamic provider adds to one: `id`, `properties`, `reasons`, `code` */
  ask(kind: string, verb: Verb, ...given: readonly unknown[]): Promise<unknown>;
  /** Asks it to wait for nothing any more. */
  stop(): void;
  close(): void;
}

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

interface Thread {
  readonly worker: Worker;
  readonly waiting: Map<number, Waiting>;
  print: (line: string) => void;
  /** Why it can't go on. */
  ended?: Error;
  /** Whether an error in it was caught by nobody: it serves no other run. */
  isWorn?: boolean;
}

/** Whether Node itself goes by a variable, for most of them from its start. */
const isNodes = (name: string) => /^(NODE|SSL|TZ$|LC_|LANG$)/.test(name);

/** Whether a process with this environment would be as a thread of this one is. */
export const isAsProcess = (env: Opening["env"]): boolean =>
  Object.keys({ ...process.env, ...env })
    .filter(isNodes)
    .every((name) => env[name] === process.env[name]);

/** Whether all numbers are some that JSON has: a program's mistake may be none. */
function isJson(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value !== "object" || value === null || Object.values(value).every(isJson);
}

const file = new URL(import.meta.url.endsWith(".ts") ? "./thread.ts" : "./thread.js", import.meta.url);
const nobody = () => {};

/** One that has closed its last run, for the next: a command's preview and its run are two. */
let idle: Thread | undefined;
let numbers = 0;

function start(): Thread {
  const compiled = nodeModule.getCompileCacheDir?.();
  // What Node itself goes by counts for a thread, too: modules to load first, which certificates are believed.
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

/** @param print takes the lines that the provider says, or that anything prints in its thread */
export function openThread(opening: Opening, print: (line: string) => void): RunThread {
  const thread = idle?.ended === undefined ? (idle ?? start()) : start();
  idle = undefined;
  const { worker, waiting } = thread;
  const tell = (message: ToThread) => worker.postMessage(message);
  thread.print = print;
  worker.ref();
  tell({ opening });
  return {
    ask: (kind, verb, ...given) =>
      new Promise((resolve, reject) => {
        if (thread.ended !== undefined) return reject(thread.ended);
        numbers += 1;
        waiting.set(numbers, { resolve, reject });
        tell({ number: numbers, kind, verb, given: isJson(given) ? JSON.stringify(given) : given });
      }),
    stop: () => tell("stop"),
    close() {
      thread.print = nobody;
      worker.unref();
      // Who has something under way still is ended with it, as a process would be.
      if (idle !== undefined || thread.isWorn === true || waiting.size > 0) return void worker.terminate();
      tell("close");
      idle = thread;
    },
  };
}
