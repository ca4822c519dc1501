/**
 * The provider in a thread: replaces Pulumi's host of dynamic providers for an engine that starts no process for it
 * (threads.ts). A thread serves one run after the other, and keeps nothing between them.
 */
import { enableCompileCache, flushCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import { importQuickly } from "../engine/pulumi/own-imports.ts";
import type { NativeHandler } from "./native.ts";
import type { Asked, FromThread, Opening, ToThread } from "./threads.ts";

const port = parentPort;
if (port === null) throw new Error("this module is a thread's");
const tell = (message: FromThread) => port.postMessage(message);
const say = (line: string) => tell({ line });

// Output in a thread is shown like a host's, in order with the answers.
for (const stream of [process.stdout, process.stderr])
  stream.write = (chunk: string | Uint8Array) => {
    say(String(chunk).replace(/\n$/, ""));
    return true;
  };

// As in the SDK's host (cmd/dynamic-provider), an uncaught error is printed and the run goes on.
for (const event of ["uncaughtException", "unhandledRejection"])
  process.on(event, (error: unknown) =>
    tell({ line: (error instanceof Error && error.stack) || String(error), isCrash: true }),
  );

const { compiled }: { readonly compiled: string | undefined } = workerData;
if (compiled !== undefined) enableCompileCache(compiled);
importQuickly();
// These modules are in the compile cache.
const { nativeHandler, closeShops, stopHere, valuesOf, workIn } = await import("./native.ts");

let handlerOf: (kind: string) => NativeHandler = () => {
  throw new Error("the provider was asked before its run was opened");
};

function open({ config, env, folder }: Opening): void {
  const handlers = new Map<string, NativeHandler>();
  workIn(folder);
  handlerOf = (kind) => {
    const handler = handlers.get(kind) ?? nativeHandler(kind, { config: (key) => config[key], env }, say);
    handlers.set(kind, handler);
    return handler;
  };
}

async function answer({ number, kind, verb, given }: Asked): Promise<FromThread> {
  try {
    const handler = handlerOf(kind);
    const answered: unknown = await Reflect.apply(
      handler[verb],
      handler,
      typeof given === "string" ? JSON.parse(given) : given,
    );
    return { number, text: JSON.stringify(answered ?? null) };
  } catch (error) {
    const { message, code, id, properties, reasons } = valuesOf(error);
    return {
      number,
      failed: String(message ?? error),
      text: JSON.stringify({ code, id, properties, reasons }),
    };
  }
}

port.on("message", (message: ToThread) => {
  if (message === "stop") stopHere();
  else if (message === "close") {
    flushCompileCache();
    void closeShops();
  } else if ("opening" in message) open(message.opening);
  else void answer(message).then(tell);
});
