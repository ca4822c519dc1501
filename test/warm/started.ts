/** The tests' own processes that serve many runs: all of them end, so that nothing is left and their usage is counted. */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";

// One per process: vitest loads an environment's modules separately (environment.ts).
const key = Symbol.for("pulumi-shop/helpers");
const shared = globalThis as { [key]?: Set<ChildProcess> };
shared[key] ??= new Set();
const running = shared[key];

/** Starts a module of this repository as a process with messages, which ends when it is disconnected. */
export function startHelper(module: URL, output: "inherit" | "ignore" = "inherit"): ChildProcess {
  const child = fork(fileURLToPath(module), { execArgv: [], stdio: ["ignore", output, output, "ipc"] });
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

/** Ends all started processes and waits for them. */
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
