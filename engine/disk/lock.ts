/**
 * One writer at a time, with the locks of Pulumi's file backend (pkg/backend/diy/lock.go), so that the two engines
 * keep each other out: a file of one's own in the stack's folder of locks, then a look whether others are there.
 */
import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { basename, dirname, join } from "node:path";
import { type Files, makeFolders, removeQuietly, writeAll } from "./files.ts";

/** Who holds a lock: Pulumi's own four, and ours that tell machines and containers of one name apart. */
export interface Holder {
  readonly pid: number;
  readonly username: string;
  readonly hostname: string;
  /** ISO 8601. */
  readonly timestamp: string;
  /** What the machine calls its present boot. */
  readonly boot?: string | undefined;
  /** The namespace of its process ids: a container has its own. */
  readonly container?: string | undefined;
}

/** The process that takes locks, and what it knows of others on its machine. */
export interface Machine extends Omit<Holder, "timestamp"> {
  isAlive(pid: number): boolean;
}

export interface Lock {
  release(): void;
}

/** A lock that is there; `holder` is undefined where its file can't be read. */
export interface Held {
  readonly path: string;
  readonly holder: Holder | undefined;
}

/** This process on this machine. */
export function thisMachine(): Machine {
  return {
    pid: process.pid,
    username: user(),
    hostname: hostname(),
    boot: fromSystem(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    container: fromSystem(() => readlinkSync("/proc/self/ns/pid")),
    isAlive(pid) {
      try {
        process.kill(pid, 0);
        return true;
      } catch (error) {
        return (error as NodeJS.ErrnoException).code !== "ESRCH";
      }
    },
  };
}

function fromSystem(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    // Not Linux, or a container that hides it.
    return undefined;
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

/** @throws Error naming who holds the lock and since when, or why none could be written */
export function takeLock(files: Files, folder: string, machine: Machine, now: Date): Lock {
  const own = join(folder, `${randomUUID()}.json`);
  write(files, own, { ...machine, timestamp: now.toISOString() });
  const release = () => files.remove(own);
  for (const held of locksIn(files, folder)) {
    if (held.path === own) continue;
    if (held.holder !== undefined && isDead(held.holder, machine)) {
      files.remove(held.path);
      continue;
    }
    release();
    throw new Error(
      `the stack is currently locked by ${holderText(held, machine)}. Wait for that run to end; if it is dead, ` +
        `the command unlock removes its lock`,
    );
  }
  return { release };
}

/** Does some work as the only writer. @throws Error where another one is there, and what the work throws */
export async function underLock<T>(
  files: Files,
  folder: string,
  machine: Machine,
  now: Date,
  work: () => Promise<T>,
): Promise<T> {
  const lock = takeLock(files, folder, machine, now);
  let result: T;
  try {
    result = await work();
  } catch (error) {
    try {
      lock.release();
    } catch {
      // Why the work failed matters more; the lock of a process that has ended keeps nobody out.
    }
    throw error;
  }
  lock.release();
  return result;
}

/** Who holds a lock, in words. */
export function holderText({ path, holder }: Held, machine: Machine): string {
  if (holder === undefined) return `an unknown process: the lock ${path} can't be read`;
  const elsewhere = holder.container !== undefined && holder.container !== machine.container;
  const container = elsewhere ? ` in another container, ${holder.container}` : "";
  return `${holder.username}@${holder.hostname} (pid ${holder.pid}${container}) since ${holder.timestamp}`;
}

// A lock is there with all that it says, or it is not: it is written where nobody looks for locks, then renamed.
function write(files: Files, path: string, { pid, username, ...rest }: Holder): void {
  const { hostname: host, timestamp, boot, container } = rest;
  const text = JSON.stringify({ pid, username, hostname: host, timestamp, boot, container });
  const folder = dirname(path);
  const beside = join(dirname(folder), `${basename(path)}.tmp`);
  try {
    makeFolders(files, folder);
    const file = files.open(beside, "new");
    try {
      writeAll(file, Buffer.from(text), 0);
      // After a power cut it still says whose it was.
      file.sync();
    } finally {
      file.close();
    }
    files.rename(beside, path);
  } catch (error) {
    removeQuietly(files, beside);
    throw new Error(
      `the lock ${path} could not be written, so nothing was begun: ${(error as Error).message}`,
      {
        cause: error,
      },
    );
  }
}

/** Removes all locks of a stack, whoever holds them. @returns what was removed */
export function removeLocks(files: Files, folder: string): readonly Held[] {
  const found = locksIn(files, folder);
  for (const { path } of found) files.remove(path);
  return found;
}

/** The locks of a stack, of live and of dead processes. */
export function locksIn(files: Files, folder: string): readonly Held[] {
  if (!files.exists(folder)) return [];
  return files
    .list(folder)
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => {
      const path = join(folder, name);
      const text = textOf(files, path);
      return text === undefined ? [] : [{ path, holder: holderOf(text) }];
    });
}

/** The lock of a process that may still run, if there is one. */
export const liveLock = (files: Files, folder: string, machine: Machine): Held | undefined =>
  locksIn(files, folder).find(({ holder }) => holder === undefined || !isDead(holder, machine));

function textOf(files: Files, path: string): string | undefined {
  try {
    return files.read(path).toString("utf8");
  } catch (error) {
    // Released since it was listed.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function holderOf(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Holder | null;
    return typeof holder?.pid === "number" && typeof holder.hostname === "string" ? holder : undefined;
  } catch {
    // Still being written, or damaged: its writer, if it lives, sees our lock.
    return undefined;
  }
}

/** A process id says something on its own machine, in its own boot and its own container only. */
const isHere = (holder: Holder, machine: Machine) =>
  holder.hostname === machine.hostname &&
  holder.boot === machine.boot &&
  holder.container === machine.container &&
  holder.pid > 0;

/** Whether a holder has certainly ended. */
const isDead = (holder: Holder, machine: Machine) => isHere(holder, machine) && !machine.isAlive(holder.pid);

/** Whether a holder certainly runs. */
export const isRunning = ({ holder }: Held, machine: Machine): boolean =>
  holder !== undefined && isHere(holder, machine) && machine.isAlive(holder.pid);
