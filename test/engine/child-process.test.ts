// Output and end of the processes of a run.
import type { ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import { tmpdir } from "node:os";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { firstLine, type HostOptions, startFile } from "../../engine/processes/child-process.ts";

test("the error of a process that ends before it is ready includes its last output", async () => {
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

test("a child process that closes its input doesn't end the run", async () => {
  const options = { project: { name: "deaf", programFolder: tmpdir() }, config: {}, env: {}, stack: "dev" };
  const deaf = "require('node:fs').closeSync(0); console.log('deaf'); setInterval(() => {}, 1_000)";
  const child = startFile(options as unknown as HostOptions, process.execPath, ["--eval", deaf]);
  expect(await firstLine(child, "it", () => {})).toBe("deaf");
  const closed = new Promise((resolve) => child.stdin?.once("close", resolve));
  child.stdin?.write("stop\n");
  await closed;
  const ended = new Promise((resolve) => child.once("exit", (_code, signal) => resolve(signal)));
  child.kill("SIGKILL");
  expect(await ended).toBe("SIGKILL");
});
