/** Folders for one process in the system's temporary folder. */
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";

/** A file of the system, such as one in `/proc`; undefined if the system has no such file or hides it. */
export function fromSystem(read: () => string | undefined): string | undefined {
  try {
    return read();
  } catch {
    // Not Linux, or a container hides it.
    return undefined;
  }
}

/** The process id namespace, which each container has of its own. */
export const pidNamespace = (): string | undefined => fromSystem(() => readlinkSync("/proc/self/ns/pid"));

/** Whether a process of this machine runs. */
export function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/**
 * Creates a folder for this process, and removes those of killed processes of the same user and machine.
 * @param purpose part of its name
 */
export function temporaryFolder(purpose: string): string {
  const root = tmpdir();
  const owner = createHash("sha256")
    .update(JSON.stringify([hostname(), pidNamespace(), process.getuid?.()]))
    .digest("hex")
    .slice(0, 8);
  for (const name of readdirSync(root)) {
    const [, by, pid] = /^pulumi-shop-[a-z]+-([0-9a-f]{8})-(\d+)-/.exec(name) ?? [];
    if (by === owner && !hasProcess(Number(pid))) rmSync(join(root, name), { recursive: true, force: true });
  }
  return mkdtempSync(join(root, `pulumi-shop-${purpose}-${owner}-${process.pid}-`));
}
