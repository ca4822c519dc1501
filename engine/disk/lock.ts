/**
 * One writer at a time, with the locks of Pulumi's file backend (pkg/backend/diy/lock.go), so that the two engines
 * keep each other out: a file of one's own in the stack's folder of locks, then a look whether others are there. Whoever
 * sees another one withdraws and looks again: only a lock that is still there then is somebody's. So of those that begin
 * together one gets it, for the last one that gives up has seen one that had not.
 */
import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type Files, makeFolders, removeQuietly, writeAll } from "../pulumi/disk.ts";

/** Who holds a lock: Pulumi's own four, and ours that tell machines, containers and processes of one name apart. */
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
  /** When the process began, as the machine counts since its boot: a process id is given to another process later. */
  readonly started?: string | undefined;
}

/** The process that takes locks, and what it knows of others on its machine. */
export interface Machine extends Omit<Holder, "timestamp"> {
  /** Whether a process runs, and began then where that is known. */
  isAlive(pid: number, started: string | undefined): boolean;
  /** Gives others who take the same lock the time to withdraw; another time for each. */
  pause(): Promise<void>;
}

/** Where the locks are that keep others out, and who takes one. */
export interface Locks {
  readonly files: Files;
  readonly folder: string;
  readonly machine: Machine;
  readonly now: Date;
}

export interface Lock {
  readonly path: string;
  /** @throws LockLostError where somebody has removed the lock: another one may be at work */
  check(): void;
  release(): void;
}

/** The lock of whoever is at work was removed by somebody else. */
export class LockLostError extends Error {
  override readonly name = "LockLostError";
}

/** A lock that is there; `holder` is undefined where its file can't be read. */
export interface Held {
  readonly path: string;
  readonly holder: Holder | undefined;
}

export function thisMachine(): Machine {
  return {
    pid: process.pid,
    username: user(),
    hostname: hostname(),
    boot: fromSystem(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    container: fromSystem(() => readlinkSync("/proc/self/ns/pid")),
    started: startOf(process.pid),
    isAlive(pid, started) {
      try {
        process.kill(pid, 0);
      } catch (error) {
        return (error as NodeJS.ErrnoException).code !== "ESRCH";
      }
      const since = started && startOf(pid);
      return since === undefined || since === started;
    },
    pause: () => setTimeout(20 + Math.random() * 180),
  };
}

/** When a process began, in ticks since the boot: the 22nd field, counted behind its name, which may hold anything. */
const startOf = (pid: number): string | undefined =>
  fromSystem(
    () =>
      readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ")[19],
  );

function fromSystem(read: () => string | undefined): string | undefined {
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

/**
 * Takes the lock.
 * @param looks how often another one's lock is looked at, with a pause before each, before it counts as held
 * @throws Error naming who holds the lock and since when, or why none could be written
 */
export async function takeLock(locks: Locks, looks = 1): Promise<Lock> {
  const { files, folder, machine, now } = locks;
  let seen: Readonly<Record<string, number>> = {};
  for (;;) {
    let others = othersIn(locks);
    const held = others.find(({ path }) => (seen[path] ?? 0) >= looks);
    if (held !== undefined)
      throw new Error(
        `the stack is currently locked by ${holderText(held, machine)}. Wait for that run to end; if it is dead, ` +
          `the command unlock removes its lock`,
      );
    if (others.length === 0) {
      const own = join(folder, `${randomUUID()}.json`);
      write(files, own, { ...machine, timestamp: now.toISOString() });
      others = othersIn(locks, own);
      if (others.length === 0) return lockOf(files, own);
      files.remove(own);
    }
    seen = Object.fromEntries(others.map(({ path }) => [path, (seen[path] ?? 0) + 1]));
    await machine.pause();
  }
}

/** Locks of others that may be at work; those of dead ones are removed. */
function othersIn({ files, folder, machine }: Locks, own?: string): readonly Held[] {
  return locksIn(files, folder).filter(({ path, holder }) => {
    if (path === own) return false;
    if (holder === undefined || !isDead(holder, machine)) return true;
    files.remove(path);
    return false;
  });
}

const lockOf = (files: Files, path: string): Lock => ({
  path,
  check() {
    if (files.exists(path)) return;
    throw new LockLostError(
      `the lock ${path} is gone: somebody removed it while this run was paused or at work, and another run may have begun`,
    );
  },
  release: () => files.remove(path),
});

/** Does some work as the only writer. @throws Error where another one is there, and what the work throws */
export async function underLock<T>(
  locks: Locks,
  work: (lock: Lock) => T | Promise<T>,
  looks?: number,
): Promise<T> {
  const lock = await takeLock(locks, looks);
  let result: T;
  try {
    result = await work(lock);
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

export function holderText({ path, holder }: Held, machine: Machine): string {
  if (holder === undefined) return `an unknown process: the lock ${path} can't be read`;
  const elsewhere = holder.container !== undefined && holder.container !== machine.container;
  const container = elsewhere ? ` in another container, ${holder.container}` : "";
  return `${holder.username}@${holder.hostname} (pid ${holder.pid}${container}) since ${holder.timestamp}`;
}

// A lock is there with all that it says, or it is not: it is written where nobody looks for locks, then renamed.
function write(files: Files, path: string, { pid, username, ...rest }: Holder): void {
  const { hostname: host, timestamp, boot, container, started } = rest;
  const text = JSON.stringify({ pid, username, hostname: host, timestamp, boot, container, started });
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
const isDead = (holder: Holder, machine: Machine) =>
  isHere(holder, machine) && !machine.isAlive(holder.pid, holder.started);

/** Whether a holder certainly runs. */
export const isRunning = ({ holder }: Held, machine: Machine): boolean =>
  holder !== undefined && isHere(holder, machine) && machine.isAlive(holder.pid, holder.started);
