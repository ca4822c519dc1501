/**
 * A process that runs the built command many times: it loads the main module again with new folder, environment and
 * arguments, and answers with output and exit code. The engine's child processes run in an existing process (spawn.ts), and
 * a project's compiler runs once for the same sources (compiler.ts).
 * Started by commands.ts.
 */
import { readFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { PassThrough, Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import "./no-sync.ts";
import type { Answer } from "./commands.ts";
import { closeHelpers } from "./started.ts";

/** A run of the command. */
interface Asked {
  readonly number: number;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Input at a terminal, each after its question; without it there is no terminal. */
  readonly answers?: readonly Answer[];
}

const dist = new URL("../../dist/", import.meta.url);
const main = new URL("cli/main.js", dist).href;
/** Modules of the command that get a node:child_process of the tests'. */
const warmed = new Map(
  [
    { path: "engine/processes/child-process.js", own: new URL("spawn.ts", import.meta.url) },
    { path: "cli/deploy/run-commands.js", own: new URL("compiler.ts", import.meta.url) },
  ].map(({ path, own }) => {
    const parent = new URL(path, dist);
    // Fails here if the module has moved, not as a run that starts processes.
    if (!readFileSync(parent, "utf8").includes('"node:child_process"'))
      throw new Error(`${path} starts no processes`);
    return [parent.href, own.href];
  }),
);

nodeModule.enableCompileCache();
process.setMaxListeners(0);
process.stdout.setMaxListeners(0);
process.stderr.setMaxListeners(0);

nodeModule.registerHooks({
  resolve(specifier, context, next) {
    const url = warmed.get(context.parentURL?.replace(/\?.*/, "") ?? "");
    return specifier === "node:child_process" && url !== undefined
      ? { url, format: "module-typescript", shortCircuit: true }
      : next(specifier, context);
  },
});

// A project is checked with the fast compiler (cli/deploy/types.ts); commands in their own process use the other.
const files = nodeModule.Module as unknown as { _resolveFilename(name: string, ...from: unknown[]): string };
const { _resolveFilename: find } = files;
files._resolveFilename = (name, ...from) =>
  find.call(files, name.replace(/^typescript\/package\.json$/, "typescript-7/package.json"), ...from);

let printed = { stdout: "", stderr: "" };
for (const name of ["stdout", "stderr"] as const)
  process[name].write = ((chunk: string | Uint8Array, encoding?: unknown, done?: () => void) => {
    printed[name] += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
    if (name === "stderr") typeNext();
    (typeof encoding === "function" ? (encoding as () => void) : done)?.();
    return true;
  }) as never;

let typed: { left: readonly Answer[]; from: number; readonly input: PassThrough } | undefined;

/** Types each answer after its question, and ends the input after the last one. */
function typeNext(): void {
  if (typed === undefined) return;
  const { left, from, input } = typed;
  const [next, ...others] = left;
  if (next === undefined) input.end();
  else if (printed.stderr.indexOf(next[0], from) >= 0) {
    typed = { input, left: others, from: printed.stderr.length };
    // The command listens when the question is written.
    setImmediate(() => input.write(`${next[1]}\n`));
  }
}

async function run({ number, args, cwd, env, answers }: Asked) {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv = [process.execPath, fileURLToPath(main), ...args];
  process.exitCode = undefined;
  const input = answers === undefined ? Readable.from([]) : Object.assign(new PassThrough(), { isTTY: true });
  Object.defineProperty(process, "stdin", { value: input, configurable: true });
  printed = { stdout: "", stderr: "" };
  typed = answers && { left: answers, from: 0, input: input as PassThrough };
  await import(`${main}?run=${number}`);
  await new Promise((resolve) => setImmediate(resolve));
  return { number, code: Number(process.exitCode ?? 0), ...printed };
}

let last: Promise<unknown> = Promise.resolve();
process.on("message", (asked: Asked) => {
  last = last.then(async () => {
    process.send?.(await run(asked));
    // The first run's compiled code is cached for the next process.
    if (asked.number === 1) nodeModule.flushCompileCache();
  });
});
process.on("disconnect", async () => {
  await closeHelpers();
  // Immediately: an orderly exit would write the compile cache again.
  process.kill(process.pid, "SIGKILL");
});
