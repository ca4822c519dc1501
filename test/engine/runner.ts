/**
 * One process for all programs and providers of a test file (runner.cjs), because loading the SDK takes most of a run.
 */
import type { ChildProcess } from "node:child_process";
import type { Parts } from "../../engine/deployment/run.ts";
import type { Stack } from "../../engine/index.ts";
import { connectProvider } from "../../engine/processes/host.ts";
import { serveMonitor } from "../../engine/processes/monitor.ts";
import { connectPlugin } from "../../engine/processes/plugin.ts";
import { startHelper } from "../warm/started.ts";

interface Waiting {
  readonly resolve: (answer: number) => void;
  readonly reject: (error: Error) => void;
}

interface Runner {
  readonly child: ChildProcess;
  readonly waiting: Map<number, Waiting>;
}

let current: Runner | undefined;
let numbers = 0;

function start(): Runner {
  // The host prints each error that it also answers with.
  const child = startHelper(new URL("runner.cjs", import.meta.url), "ignore");
  const waiting = new Map<number, Waiting>();
  child.on("message", ({ number, answer }: { number: number; answer: number }) => {
    waiting.get(number)?.resolve(answer);
    waiting.delete(number);
  });
  child.on("exit", (code) => {
    for (const { reject } of waiting.values())
      reject(new Error(`the runner of programs exited with code ${code}`));
  });
  return { child, waiting };
}

const ask = ({ child, waiting }: Runner, question: Readonly<Record<string, unknown>>): Promise<number> =>
  new Promise((resolve, reject) => {
    numbers += 1;
    waiting.set(numbers, { resolve, reject });
    child.send({ ...question, number: numbers });
  });

/** A run's program and provider in the runner. @param dryRun whether it is a preview */
export function partsOf(stack: Stack, dryRun: boolean, parallel: number): Parts {
  const { folder } = stack.project;
  if (!current?.child.connected) current = start();
  const runner = current;
  return {
    startProvider: async (options) => ({
      ...(await connectProvider(options, await ask(runner, { ask: "provider", folder }))),
      stop: () => {},
    }),
    startPlugin: async (options, name) =>
      connectPlugin(options, name, await ask(runner, { ask: "plugin", folder, env: options.env })),
    program: async (deployment) => {
      const server = await serveMonitor(deployment);
      try {
        const { name, project, config } = stack;
        const { values, secretKeys } = config;
        const rest = { stack: name, project: project.name, values, secretKeys, dryRun, parallel };
        return await ask(runner, { ask: "program", folder, monitor: server.address, ...rest });
      } finally {
        server.close();
      }
    },
  };
}
