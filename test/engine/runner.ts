/** One process for all programs and providers of a test file (runner.cjs): most of a run's time is loading the SDK. */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { connectProvider } from "../../engine/host.ts";
import type { Stack } from "../../engine/index.ts";
import { serveMonitor } from "../../engine/monitor.ts";
import type { Parts } from "../../engine/run.ts";

interface Waiting {
  readonly resolve: (answer: number) => void;
  readonly reject: (error: Error) => void;
}

let child: ChildProcess | undefined;
const waiting = new Map<number, Waiting>();
let numbers = 0;

function started(): ChildProcess {
  if (child?.connected) return child;
  const made = fork(fileURLToPath(new URL("runner.cjs", import.meta.url)), {
    execArgv: [],
    // The host prints each failure that it also answers with.
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  made.on("message", ({ number, answer }: { number: number; answer: number }) => {
    waiting.get(number)?.resolve(answer);
    waiting.delete(number);
  });
  made.on("exit", (code) => {
    for (const { reject } of waiting.values())
      reject(new Error(`the runner of programs ended with code ${code}`));
    waiting.clear();
  });
  child = made;
  return made;
}

const ask = (question: Readonly<Record<string, unknown>>): Promise<number> =>
  new Promise((resolve, reject) => {
    numbers += 1;
    waiting.set(numbers, { resolve, reject });
    started().send({ ...question, number: numbers });
  });

/** A run's program and provider, in the runner. @param dryRun whether the program is only asked what it wants */
export function partsOf(stack: Stack, dryRun: boolean, parallel: number): Parts {
  const { folder } = stack.project;
  return {
    startProvider: async (options) => ({
      ...(await connectProvider(options, await ask({ ask: "provider", folder }))),
      stop: () => {},
    }),
    program: async (deployment) => {
      const server = await serveMonitor(deployment);
      try {
        const { name, project, config } = stack;
        const { values, secretKeys } = config;
        const rest = { stack: name, project: project.name, values, secretKeys, dryRun, parallel };
        return await ask({ ask: "program", folder, monitor: server.address, ...rest });
      } finally {
        server.close();
      }
    },
  };
}
