/** Processes and their descendants, from /proc. */
import { existsSync, readdirSync, readFileSync } from "node:fs";

export function descendantsOf(pid: number): readonly number[] {
  const found = childrenOf(pid);
  for (const child of found) found.push(...childrenOf(child));
  return found;
}

const childrenOf = (parent: number) =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent);
const parentOf = (pid: number) => Number(/\) \S (\d+)/.exec(read(`/proc/${pid}/stat`))?.[1]);
/** Its command line. */
export const lineOf = (pid: number) => read(`/proc/${pid}/cmdline`);
export const isAlive = (pid: number) => existsSync(`/proc/${pid}`) && !/\) Z/.test(read(`/proc/${pid}/stat`));

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // It ended meanwhile.
    return "";
  }
}

export function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
