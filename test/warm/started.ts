/** Processes of the tests' own that serve many runs: all of them end, so that nothing is left and all they used is counted. */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";

// One for a process: vitest loads what an environment loads (environment.ts) apart from what the tests load.
const key = Symbol.for("pulumi-shop/helpers");
const shared = globalThis as { [key]?: Set<ChildProcess> };
shared[key] ??= new Set();
const running = shared[key];

/** Starts a module of this repository as a process that is talked to by messages, and that ends when it is disconnected. */
export function startHelper(module: URL, output: "inherit" | "ignore" = "inherit"): ChildProcess {
  const child = fork(fileURLToPath(module), { execArgv: [], stdio: ["ignore", output, output, "ipc"] });
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

/** Ends all that were started, and waits for it. */
export async function closeHelpers(): Promise<void> {
  await Promise.all(
    [...running].map((child) => {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.ref();
      if (child.connected) child.disconnect();
      return ended;
    }),
  );
}
