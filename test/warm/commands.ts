/** The built command without a process for each run, because loading takes most of a run's time. */
import type { ChildProcess } from "node:child_process";
import type { Ran } from "../cli/terminal.ts";
import { startHelper } from "./started.ts";

interface Commands {
  readonly process: ChildProcess;
  readonly waiting: Map<number, { resolve(ran: Ran): void; reject(error: Error): void }>;
}

export type Answer = readonly [question: string, answer: string];

let current: Commands | undefined;
let numbers = 0;

function open(): Commands {
  const child = startHelper(new URL("command.ts", import.meta.url));
  const waiting: Commands["waiting"] = new Map();
  child.on("message", ({ number, ...ran }: Ran & { readonly number: number }) => {
    waiting.get(number)?.resolve(ran);
    waiting.delete(number);
  });
  child.on("exit", (code) => {
    current = undefined;
    for (const { reject } of waiting.values())
      reject(new Error(`the process of commands exited with code ${code}`));
  });
  return { process: child, waiting };
}

/**
 * Runs the command.
 * @param env the whole environment
 * @param answers input at a terminal; without it there is no terminal
 */
export function runWarm(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  answers?: readonly Answer[],
): Promise<Ran> {
  current ??= open();
  const { process: child, waiting } = current;
  numbers += 1;
  const number = numbers;
  return new Promise<Ran>((resolve, reject) => {
    waiting.set(number, { resolve, reject });
    child.send({ number, args, cwd, env, answers });
  });
}
