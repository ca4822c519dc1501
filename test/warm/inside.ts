/** The command in the process of the tests, from its sources: what `npm run mutants` changed in them is what runs. */
import { Readable } from "node:stream";
import type { Ran } from "../cli/terminal.ts";
import { hostsEnded } from "./spawn-inside.ts";

let last: Promise<unknown> = Promise.resolve();
let numbers = 0;

async function run(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Ran> {
  const printed = { stdout: "", stderr: "" };
  const { argv, exitCode, stdin } = process;
  const before = { cwd: process.cwd(), env: { ...process.env } };
  const write = { stdout: process.stdout.write, stderr: process.stderr.write };
  const setEnv = (wanted: Readonly<Record<string, string | undefined>>) => {
    for (const name of Object.keys(process.env)) if (!(name in wanted)) delete process.env[name];
    Object.assign(process.env, wanted);
  };
  for (const name of ["stdout", "stderr"] as const)
    process[name].write = ((chunk: string | Uint8Array, encoding?: unknown, done?: () => void) => {
      printed[name] += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
      (typeof encoding === "function" ? (encoding as () => void) : done)?.();
      return true;
    }) as never;
  // Nobody types anything.
  Object.defineProperty(process, "stdin", { value: Readable.from([]), configurable: true });
  try {
    process.chdir(cwd);
    setEnv(env);
    process.argv = [process.execPath, "pulumi-shop", ...args];
    process.exitCode = undefined;
    numbers += 1;
    await import(/* @vite-ignore */ `../../cli/main.ts?run=${numbers}`);
    await new Promise((resolve) => setImmediate(resolve));
    await hostsEnded();
    return { code: Number(process.exitCode ?? 0), ...printed };
  } finally {
    process.argv = argv;
    process.exitCode = exitCode;
    setEnv(before.env);
    process.chdir(before.cwd);
    Object.assign(process.stdout, { write: write.stdout });
    Object.assign(process.stderr, { write: write.stderr });
    Object.defineProperty(process, "stdin", { value: stdin, configurable: true });
  }
}

/** Runs the command, after those that were asked for before. @param env the whole environment */
export function runInside(...asked: Parameters<typeof run>): Promise<Ran> {
  const ran = last.then(() => run(...asked));
  last = ran.catch(() => {});
  return ran;
}
