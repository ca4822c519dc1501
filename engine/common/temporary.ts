/** Folders for one process in the system's temporary folder. */
import { hash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { readFault } from "./disk.ts";

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

const owner = () =>
  hash("sha256", JSON.stringify([hostname(), pidNamespace(), process.getuid?.()])).slice(0, 8);

/** The folders of killed processes of the same user and machine. @param purpose part of their names; undefined for any */
export function leftFolders(purpose?: string, place = tmpdir()): readonly string[] {
  const own = owner();
  return namesIn(place).flatMap((name) => {
    const [, what, by, pid] = /^\.?pulumi-shop-([a-z]+)-([0-9a-f]{8})-(\d+)-/.exec(name) ?? [];
    const isLeft = by === own && (purpose ?? what) === what && !hasProcess(Number(pid));
    return isLeft ? [join(place, name)] : [];
  });
}

function namesIn(place: string): readonly string[] {
  try {
    return readdirSync(place);
  } catch (cause) {
    const cure = place === tmpdir() ? "; set TMPDIR (in Windows, TEMP) to a folder for temporary files" : "";
    throw new Error(`${place} can't be read: ${readFault(cause)}${cure}`, { cause });
  }
}

/** What a killed process leaves in its folder for the next command to put right; until then, the folder stays. */
export const unfinished = "unfinished.json";

/**
 * Creates a folder for this process, and removes those of killed processes.
 * @param purpose part of its name
 * @param place a folder of the user, in which it is hidden
 */
export function temporaryFolder(purpose: string, place?: string): string {
  for (const left of leftFolders(undefined, place))
    if (!existsSync(join(left, unfinished))) rmSync(left, { recursive: true, force: true });
  const name = `pulumi-shop-${purpose}-${owner()}-${process.pid}-`;
  return mkdtempSync(place === undefined ? join(tmpdir(), name) : join(place, `.${name}`));
}
