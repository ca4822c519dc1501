/** The command in the process of the tests, from its sources: what `npm run mutants` changed in them is what runs. */
import { Readable } from "node:stream";
import type { Ran } from "../cli/terminal.ts";
import { takePrints } from "./printed.ts";
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
  const setEnv = (wanted: Readonly<Record<string, string | undefined>>) => {
    for (const name of Object.keys(process.env)) if (!(name in wanted)) delete process.env[name];
    Object.assign(process.env, wanted);
  };
  const print = takePrints((stream, text) => {
    printed[stream] += text;
  });
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
    print();
    Object.defineProperty(process, "stdin", { value: stdin, configurable: true });
  }
}

/** Runs the command, after those that were asked for before. @param env the whole environment */
export function runInside(...asked: Parameters<typeof run>): Promise<Ran> {
  const ran = last.then(() => run(...asked));
  last = ran.catch(() => {});
  return ran;
}
