/**
 * Allows one writer at a time, with the locks of Pulumi's file backend (pkg/backend/diy/lock.go), so that both engines
 * exclude each other. A process writes its own file into the stack's lock folder, then lists the folder. If it sees
 * another lock, it removes its own and tries again; a lock that is still there afterwards is held. If several start
 * together, at least one gets the lock: the last to give up saw one that didn't.
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type Files, makeFolders, removeQuietly, roomAdvice, writeAll } from "../common/disk.ts";
import { fromSystem, hasProcess, pidNamespace } from "../common/temporary.ts";

/**
 * The holder of a lock. The first four fields are Pulumi's; the others tell apart machines, containers and processes of
 * the same name or number.
 */
export interface Holder {
  readonly pid: number;
  readonly username: string;
  readonly hostname: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly boot?: string | undefined;
  /** The process id namespace, which each container has of its own. */
  readonly container?: string | undefined;
  /** The start time of the process in ticks since boot: process ids are reused. */
  readonly started?: string | undefined;
}

/** The process that takes locks, and its knowledge of other processes on the machine. */
export interface Machine extends Omit<Holder, "timestamp"> {
  /** Whether a process runs, and has the given start time if both are known. */
  isAlive(pid: number, started: string | undefined): boolean;
  /** Waits a random time, so that others can withdraw. */
  pause(): Promise<void>;
}

/** The lock folder, and the process that takes a lock. */
export interface Locks {
  readonly files: Files;
  readonly folder: string;
  readonly machine: Machine;
  readonly now: Date;
}

export interface Lock {
  readonly path: string;
  /** @throws LockLostError if somebody has removed the lock, so that another process may be writing */
  check(): void;
  release(): void;
}

/** Somebody removed the lock of a running process. */
export class LockLostError extends Error {
  override readonly name = "LockLostError";
}

/** An existing lock; `holder` is undefined if its file can't be read. */
export interface HeldLock {
  readonly path: string;
  readonly holder: Holder | undefined;
}

export function thisMachine(): Machine {
  return {
    pid: process.pid,
    username: user(),
    hostname: hostname(),
    boot: fromSystem(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    container: pidNamespace(),
    started: startOf(process.pid),
    isAlive(pid, started) {
      if (!hasProcess(pid)) return false;
      const since = started && startOf(pid);
      return since === undefined || since === started;
    },
    pause: () => setTimeout(20 + Math.random() * 180),
  };
}

/** The start time of a process: field 22 of its stat, counted after its name, which may contain anything. */
const startOf = (pid: number): string | undefined =>
  fromSystem(
    () =>
      readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ")[19],
  );

function user(): string {
  try {
    return userInfo().username;
  } catch {
    // A user id in a container may have no name.
    return String(process.getuid?.() ?? "unknown");
  }
}

/**
 * Takes the lock.
 * @param looks how often another lock is checked, with a pause before each time, before it counts as held
 * @throws Error that names the holder of the lock, or why no lock could be written
 */
export async function takeLock(locks: Locks, looks = 1): Promise<Lock> {
  const { files, folder, machine, now } = locks;
  let seen: Readonly<Record<string, number>> = {};
  for (;;) {
    let others = othersIn(locks);
    const held = others.find(({ path }) => (seen[path] ?? 0) >= looks);
    if (held !== undefined)
      throw new Error(
        `the stack is currently locked by ${holderText(held, machine)}. Wait for that run to end; if its process has ended, ` +
          `remove its lock with the command unlock`,
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

/** Locks of other processes that may run; locks of ended ones are removed. */
function othersIn({ files, folder, machine }: Locks, own?: string): readonly HeldLock[] {
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
      `the lock ${path} is gone: somebody removed it while this run was paused or working, and another run may have started`,
    );
  },
  release: () => files.remove(path),
});

/** Runs work under the lock. @throws Error if another process holds it; errors of the work */
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
      // The error of the work matters more; the lock of an ended process excludes nobody.
    }
    throw error;
  }
  lock.release();
  return result;
}

export function holderText({ path, holder }: HeldLock, machine: Machine): string {
  if (holder === undefined) return `an unknown process: the lock ${path} can't be read`;
  const elsewhere = holder.container !== undefined && holder.container !== machine.container;
  const container = elsewhere ? ` in another container, ${holder.container}` : "";
  return `${holder.username}@${holder.hostname} (pid ${holder.pid}${container}) since ${holder.timestamp}`;
}

// A lock must never be seen incomplete: it is written elsewhere and then renamed.
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
      // After a power cut, the lock still names its holder.
      file.sync();
    } finally {
      file.close();
    }
    files.rename(beside, path);
  } catch (error) {
    removeQuietly(files, beside);
    throw new Error(
      `the lock ${path} could not be written, so nothing was started: ${(error as Error).message}; ${roomAdvice}`,
      {
        cause: error,
      },
    );
  }
}

export function removeLocks(files: Files, folder: string): readonly HeldLock[] {
  const found = locksIn(files, folder);
  for (const { path } of found) files.remove(path);
  return found;
}

export function locksIn(files: Files, folder: string): readonly HeldLock[] {
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

/** A lock whose process may still run, if there is one. */
export const liveLock = (files: Files, folder: string, machine: Machine): HeldLock | undefined =>
  locksIn(files, folder).find(({ holder }) => holder === undefined || !isDead(holder, machine));

function textOf(files: Files, path: string): string | undefined {
  try {
    return files.read(path).toString("utf8");
  } catch (error) {
    // It was released since the folder was listed.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function holderOf(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Holder | null;
    return typeof holder?.pid === "number" && typeof holder.hostname === "string" ? holder : undefined;
  } catch {
    // Still being written, or damaged: if its writer lives, it will see our lock.
    return undefined;
  }
}

/** A process id is meaningful only on its own machine, in its own boot and container. */
const isHere = (holder: Holder, machine: Machine) =>
  holder.hostname === machine.hostname &&
  holder.boot === machine.boot &&
  holder.container === machine.container &&
  holder.pid > 0;

/** Whether a holder has certainly ended. */
const isDead = (holder: Holder, machine: Machine) =>
  isHere(holder, machine) && !machine.isAlive(holder.pid, holder.started);

/** Whether a holder certainly runs. */
export const isRunning = ({ holder }: HeldLock, machine: Machine): boolean =>
  holder !== undefined && isHere(holder, machine) && machine.isAlive(holder.pid, holder.started);
