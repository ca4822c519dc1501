/**
 * Under `pulumi`, an error for a class or function that a module doesn't have names the nearest one. The embedded engine
 * shows such errors itself.
 */
import { missingExport } from "../engine/pulumi/missing-export.ts";
import { isStarted } from "../engine/pulumi/sdk-internals.ts";
import { isEmbedded } from "./sdk-patches.ts";

function explain(error: unknown): void {
  if (!(error instanceof TypeError) || error.stack === undefined) return;
  const message = missingExport(error.stack, process.cwd())?.message;
  if (message === undefined) return;
  error.stack = error.stack.replace(`TypeError: ${error.message}`, () => `Error: ${message}`);
  error.message = message;
}

// Before the SDK's own listeners, which print the error. Without those, Node prints it and ends the process.
const isPrinted = process.listenerCount("unhandledRejection") > 0;
if (!isEmbedded && isPrinted && isStarted("run", process.argv[1] ?? "")) {
  process.prependListener("unhandledRejection", explain);
  process.prependListener("uncaughtException", explain);
}
