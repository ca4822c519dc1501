/** `spawn` for the engine's processes where commands run in the process of the tests: hosts of providers do too. */
import type { ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import { createRequire } from "node:module";
import { PassThrough, Writable } from "node:stream";
import { spawn as spawnWarm } from "./spawn.ts";

type Say = (stream: "stdout" | "stderr", text: string) => void;
interface Host {
  startHost(options: Parameters<typeof spawnWarm>[2], say: Say): Promise<() => Promise<void>>;
}

// Node loads it, not vitest: what it loads is loaded again for each host.
const { startHost } = createRequire(import.meta.url)("./host.cjs") as Host;

let ending: Promise<void>[] = [];

/** Resolves when the hosts have ended that were told to: the process is the command's own again. */
export async function hostsEnded(): Promise<void> {
  await Promise.all(ending);
  ending = [];
}

/** As node:child_process has it, for what engine/processes/children.ts starts. */
export function spawn(...call: Parameters<typeof spawnWarm>): ChildProcess {
  const [, args, options] = call;
  if (!/[\\/]cmd[\\/]dynamic-provider[\\/]index\.js$/.test(args[1] ?? ""))
    return spawnWarm(...call) as ChildProcess;
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const streams = { stdout, stderr };
  const started = startHost(options, (stream, text) => streams[stream].write(text));
  const end = async (code: number | null, signal: string | null = null) => {
    child.emit("exit", code, signal);
    for (const stream of [stdout, stderr]) stream.end();
    child.emit("close", code, signal);
  };
  const stop = (code: number | null, signal: string | null = null) =>
    started.then(
      async (close) => {
        await close();
        await end(code, signal);
      },
      async (error: Error) => {
        stderr.write(`${error.stack}\n`);
        await end(1);
      },
    );
  const child = Object.assign(new EventEmitter(), {
    stdout,
    stderr,
    stdin: new Writable({
      write(_chunk, _encoding, done) {
        process.emit("stopRun" as never);
        done();
      },
      final(done) {
        ending.push(stop(0));
        done();
      },
    }),
    kill: (signal: string) => ending.push(stop(null, signal)),
  });
  started.catch(() => ending.push(stop(1)));
  return child as unknown as ChildProcess;
}
