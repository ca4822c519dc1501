/**
 * One writer at a time, with the locks of Pulumi's file backend (pkg/backend/diy/lock.go), so that the two engines
 * keep each other out: a file of one's own in the stack's folder of locks, then a look whether others are there.
 */
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { join } from "node:path";

interface Holder {
  readonly pid: number;
  readonly username: string;
  readonly hostname: string;
  readonly timestamp: string;
}

export interface Lock {
  release(): void;
}

/** @throws Error naming who holds the lock and since when */
export function takeLock(folder: string, now: Date): Lock {
  mkdirSync(folder, { recursive: true });
  const own = join(folder, `${randomUUID()}.json`);
  writeFileSync(
    own,
    JSON.stringify({
      pid: process.pid,
      username: user(),
      hostname: hostname(),
      timestamp: now.toISOString(),
    } satisfies Holder),
  );
  const release = () => rmSync(own, { force: true });
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (path === own || !name.endsWith(".json")) continue;
    const holder = read(path);
    if (holder === undefined) continue;
    if (isDead(holder)) {
      rmSync(path, { force: true });
      continue;
    }
    release();
    throw new Error(
      `the stack is currently locked by ${holder.username}@${holder.hostname} (pid ${holder.pid}) since ${holder.timestamp}; ` +
        `wait for that run to end. If it is dead, remove ${path}`,
    );
  }
  return { release };
}

function read(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Holder;
  } catch {
    // Gone since it was listed, or still being written: in the second case its writer will see our lock.
    return existsSync(path)
      ? { pid: 0, username: "somebody", hostname: "?", timestamp: "a moment ago" }
      : undefined;
  }
}

function isDead({ hostname: host, pid }: Holder): boolean {
  if (host !== hostname() || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

function user(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number that has no name.
    return String(process.getuid?.() ?? "unknown");
  }
}
