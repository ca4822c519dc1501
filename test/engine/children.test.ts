// Processes that a run starts, by what they print and how they end.
import type { ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { firstLine } from "../../engine/processes/children.ts";

test("why a process ended before it was ready is told also where its last words come after its end", async () => {
  const child = Object.assign(new EventEmitter(), { stdout: new PassThrough(), stderr: new PassThrough() });
  const told = firstLine(child as unknown as ChildProcess, "the host", () => {}).catch(
    (error: Error) => error.message,
  );
  child.emit("exit", 1, null);
  child.stderr.end("no memory is left\n");
  child.stdout.end();
  await new Promise((resolve) => child.stderr.once("close", resolve));
  child.emit("close", 1, null);
  expect(await told).toBe("the host exited with code 1: no memory is left");
});
