/** `spawn` for the engine's child processes without new processes: they run in an existing one (children.cjs). */
import { type ChildProcess, type StdioOptions, spawn as start } from "node:child_process";
import { EventEmitter } from "node:events";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { Duplex, PassThrough, Writable } from "node:stream";
import { startHelper } from "./started.ts";

interface Runner {
  readonly process: ChildProcess;
  readonly children: Map<number, Child>;
}

interface Child extends EventEmitter {
  /** Passes the child to another runner if this one ended before accepting it; undefined afterwards. */
  again: (() => void) | undefined;
  readonly stdout: PassThrough;
  readonly stderr: PassThrough;
  /** The program's registrations. */
  readonly pipe: Duplex;
}

/** A runner's message about a child: its output or exit code. */
interface Said {
  readonly number: number;
  readonly stream?: "stdout" | "stderr" | "pipe";
  readonly text?: string;
  readonly code?: number;
}

const root = realpathSync(new URL("../..", import.meta.url));
const ownPlugin = join(root, "dist/plugin/main.js");

/** The function of children.cjs, by the SDK's file. */
const asked = { run: "program", "dynamic-provider": "host" } as const;

let current: Runner | undefined;
let numbers = 0;

function openRunner(): Runner {
  const child = startHelper(new URL("children.cjs", import.meta.url));
  const runner: Runner = { process: child, children: new Map() };
  child.on("message", ({ number, stream, text, code }: Said) => {
    const told = runner.children.get(number);
    if (stream === "pipe") told?.pipe.push(text);
    else if (stream !== undefined) told?.[stream].write(text);
    if (code !== undefined && told !== undefined) end(runner, number, told, code);
  });
  child.on("exit", (code, signal) => {
    for (const [number, one] of runner.children)
      if (one.again === undefined) end(runner, number, one, code, signal);
      else one.again();
  });
  return runner;
}

function end(
  runner: Runner,
  number: number,
  child: Child,
  code: number | null,
  signal: string | null = null,
) {
  runner.children.delete(number);
  child.emit("exit", code, signal);
  // A process is closed when all its output was read.
  let open = 2;
  for (const stream of [child.stdout, child.stderr])
    stream.once("close", () => {
      open -= 1;
      if (open === 0) child.emit("close", code, signal);
    });
  for (const stream of [child.stdout, child.stderr]) stream.end();
}

/** Like node:child_process, for engine/processes/child-process.ts. */
export function spawn(
  file: string,
  args: readonly string[],
  options: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly stdio: StdioOptions;
  },
): unknown {
  const [, script = "", ...rest] = args;
  const sdk = /[\\/]cmd[\\/](run|dynamic-provider)[\\/]index\.js$/.exec(script)?.[1];
  const kind = script === ownPlugin ? "plugin" : sdk && asked[sdk as keyof typeof asked];
  // Options of Node, a compiler of the project, or a foreign plugin need a real process.
  if (kind === undefined || options.env.PULUMI_NODEJS_TYPESCRIPT === "true")
    return start(file, args, options);
  numbers += 1;
  const number = numbers;
  let runner: Runner;
  const ask = (question: string, more = {}, sent: (error: Error | null) => void = () => {}) => {
    // A runner that has just ended still looks connected; only the callback reports it.
    if (runner.process.connected) runner.process.send({ number, ask: question, ...more }, sent);
  };
  const pipe = new Duplex({
    read() {},
    write(chunk, _encoding, done) {
      ask("pipe", { text: String(chunk) });
      done();
    },
  });
  const child = Object.assign(new EventEmitter(), {
    again: undefined as Child["again"],
    pipe,
    stdio: [null, null, null, pipe],
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    stdin: new Writable({
      write(_chunk, _encoding, done) {
        ask("stop");
        done();
      },
      final(done) {
        ask("end");
        done();
      },
    }),
    kill: (signal: NodeJS.Signals) => runner.process.kill(signal),
  });
  const begin = () => {
    if (!current?.process.connected) current = openRunner();
    const taker = current;
    runner = taker;
    runner.children.set(number, child);
    child.again = () => {
      child.again = undefined;
      taker.children.delete(number);
      if (current === taker) current = undefined;
      begin();
    };
    ask(kind, { args: rest, cwd: options.cwd, env: { ...options.env } }, (error) => {
      if (runner !== taker) return;
      if (error === null) child.again = undefined;
      else child.again?.();
    });
  };
  begin();
  return child;
}
