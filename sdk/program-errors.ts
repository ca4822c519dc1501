/**
 * Under `pulumi`, the errors that end a program, as the embedded engine shows them. Pulumi itself prints an error with all
 * lines of its stack and all of its fields.
 */
import { fileURLToPath } from "node:url";
import { missingExport, mistakes } from "../engine/pulumi/missing-export.ts";
import { isStarted } from "../engine/pulumi/sdk-internals.ts";
import { isEmbedded } from "./sdk-patches.ts";

const isFrame = (line: string) => /^\s+at /.test(line);
const folders = ["sdk", "provider", "engine"].map((name) =>
  fileURLToPath(new URL(`../${name}/`, import.meta.url)),
);
const isOurs = (frame: string) => folders.some((folder) => frame.includes(folder));
const isPrograms = (frame: string) => !isOurs(frame) && !/node_modules|node:/.test(frame);

function explain(error: unknown): void {
  if (!(error instanceof Error) || error.stack === undefined) return;
  const message = missingExport(error.stack, process.cwd())?.message;
  const frames = error.stack.split("\n").filter(isFrame);
  if (message !== undefined) error.message = message;
  else if (mistakes.has(error.name) || !frames.some(isOurs)) return;
  error.stack = [`Error: ${error.message}`, ...new Set(frames.filter(isPrograms))].join("\n");
  delete error.cause;
  // The SDK adds the promise that was rejected.
  for (const name of [...Object.keys(error), "promise"])
    Object.defineProperty(error, name, {
      value: Reflect.get(error, name),
      enumerable: false,
      writable: true,
    });
}

// Before the SDK's own listeners, which print the error. Without those, Node prints it and ends the process.
const isPrinted = process.listenerCount("unhandledRejection") > 0;
if (!isEmbedded && isPrinted && isStarted("run", process.argv[1] ?? "")) {
  process.prependListener("unhandledRejection", explain);
  process.prependListener("uncaughtException", explain);
}
