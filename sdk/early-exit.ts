/**
 * Under `pulumi`, detects a program that ends before its last line, or while resources still wait: Pulumi would delete
 * the resources that it didn't register. The embedded engine detects this itself.
 */
import { writeSync } from "node:fs";
import { createRequire } from "node:module";
import { isStarted, type ProgramState, partOf, programState } from "../engine/pulumi/sdk-internals.ts";
import { isEmbedded } from "./sdk-patches.ts";

const message = `the program ended before its last line: it called process.exit, or awaits a value that never comes. Nothing is deleted.
  In a preview, the Outputs of a new resource never arrive: use apply instead of await.
`;

function failEarlyExit(outputs: Promise<unknown>, state: Partial<ProgramState>): void {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  // A program that failed reports the reason itself.
  outputs.then(over, over);
  const isStopped = () => state.getStore?.().terminated === true;
  // Later in this event, the SDK would tell the engine that all resources are registered.
  process.prependListener("beforeExit", () => {
    if (!isStopped() && (!isOver || (state.getPendingResourceRegistrations?.().size ?? 0) > 0))
      process.exit();
  });
  process.on("exit", () => {
    // The SDK has already reported resources that still wait.
    if (isOver || isStopped() || (process.exitCode ?? 0) !== 0) return;
    writeSync(2, message);
    process.exitCode = 1;
  });
}

function watchEnd(): void {
  if (isEmbedded || !isStarted("run", process.argv[1] ?? "")) return;
  const state = partOf<ProgramState>(createRequire(import.meta.url), programState);
  const outputs = state.getStackResource?.()?.outputs?.promise?.();
  if (outputs !== undefined) failEarlyExit(outputs, state);
}

watchEnd();
