/**
 * A process that runs the built command many times, one after the other: each time its main module is loaded again, with
 * the folder, environment and arguments that it is told. What it prints and its exit code are its answer. The processes
 * that the engine starts run in one that is started already (spawn.ts). Started by commands.ts.
 */
import * as nodeModule from "node:module";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import "./no-sync.ts";
import { closeHelpers } from "./started.ts";

/** A run of the command. */
interface Asked {
  readonly number: number;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

const main = new URL("../../dist/cli/main.js", import.meta.url).href;
const warmSpawn = new URL("spawn.ts", import.meta.url).href;

nodeModule.enableCompileCache();
process.setMaxListeners(0);
process.stdout.setMaxListeners(0);

nodeModule.registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "node:child_process" && context.parentURL?.endsWith("/dist/engine/processes/children.js")
      ? { url: warmSpawn, format: "module-typescript", shortCircuit: true }
      : next(specifier, context),
});

let printed = { stdout: "", stderr: "" };
for (const name of ["stdout", "stderr"] as const)
  process[name].write = ((chunk: string | Uint8Array, encoding?: unknown, done?: () => void) => {
    printed[name] += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
    (typeof encoding === "function" ? (encoding as () => void) : done)?.();
    return true;
  }) as never;

async function run({ number, args, cwd, env }: Asked) {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv = [process.execPath, fileURLToPath(main), ...args];
  process.exitCode = undefined;
  // Nobody types anything.
  Object.defineProperty(process, "stdin", { value: Readable.from([]), configurable: true });
  printed = { stdout: "", stderr: "" };
  await import(`${main}?run=${number}`);
  await new Promise((resolve) => setImmediate(resolve));
  return { number, code: Number(process.exitCode ?? 0), ...printed };
}

let last: Promise<unknown> = Promise.resolve();
process.on("message", (asked: Asked) => {
  last = last.then(async () => process.send?.(await run(asked)));
});
process.on("disconnect", async () => {
  await closeHelpers();
  process.exit(0);
});
