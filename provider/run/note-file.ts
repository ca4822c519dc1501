/** Where the notes of a stack lie: beside its state, those of creates in the home folder where no folder holds the state. */
import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fdatasync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Env } from "../settings/settings.ts";

/** A file of lines, as far as notes need it; tests hold one in memory. */
export interface NoteFile {
  /** Undefined where there is none. */
  read(): string | undefined;
  /** Resolves when the text is on the disk. */
  append(text: string): Promise<void>;
  /**
   * Puts a text in place of all that is there, whole or not at all, when the lines before it are written.
   * @param text asked for when its turn has come
   */
  replace(text: () => string): Promise<void>;
}

/**
 * The file of a stack's notes of creates.
 * @param of a resource, as the SDK names it: its stack first
 * @param folder the program's folder, absolute
 */
export function notesPath(of: string, folder: string, env: Env): string {
  const beside = besideState(of, folder, env, "creates");
  if (beside !== undefined) return beside;
  const [stack] = of.split("::");
  const { url, home } = backendOf(folder, env);
  const name = createHash("sha256")
    .update(JSON.stringify([url, projectIn(env), stack]))
    .digest("hex")
    .slice(0, 24);
  return join(home, "pulumi-shop", `${name}.creates`);
}

/**
 * The file beside a stack's state; undefined where no folder holds the state. The parameters are those of `notesPath`.
 * @param ending of its name
 */
export function besideState(of: string, folder: string, env: Env, ending: string): string | undefined {
  const [stack = ""] = of.split("::");
  const { url } = backendOf(folder, env);
  if (!url.startsWith("file://")) return undefined;
  const path = url.slice("file://".length).replace(/^\/(?=[A-Za-z]:[\\/])/, "");
  const root = /^~(\/|$)/.test(path) ? join(env.HOME ?? homedir(), path.slice(1)) : resolve(folder, path);
  return join(root, ".pulumi/stacks", projectIn(env), `${stack}.${ending}`);
}

const projectIn = (env: Env) => env.PULUMI_NODEJS_PROJECT ?? "";

function backendOf(folder: string, env: Env) {
  const home = env.PULUMI_HOME ?? join(env.HOME ?? homedir(), ".pulumi");
  return {
    home,
    url: env.PULUMI_BACKEND_URL ?? projectBackend(folder) ?? lastLogin(home) ?? "file://~",
  };
}

// `backend: { url: ... }` of the project (pkg/workspace/project.go); one line is all that is read of it.
function projectBackend(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const path = ["Pulumi.yaml", "Pulumi.yml"].map((name) => join(at, name)).find((one) => existsSync(one));
    if (path !== undefined)
      return /^backend:\s*(?:\{\s*|\n\s+)url:\s*["']?([^\s"'}]+)/m.exec(readFileSync(path, "utf8"))?.[1];
    if (dirname(at) === at) return undefined;
  }
}

function lastLogin(home: string): string | undefined {
  try {
    const { current } = JSON.parse(readFileSync(join(home, "credentials.json"), "utf8")) as {
      current?: string;
    };
    return current === "" ? undefined : current;
  } catch {
    // Nobody has logged in, or the file is damaged: then the engine says so, or has no use for it.
    return undefined;
  }
}

/** An open file of notes. Every call may throw the system's own error. */
interface OpenNoteFile {
  /** Writes at a place of the file, in one that is kept always at its end. @returns how many bytes were taken */
  write(bytes: Uint8Array, position: number): number;
  syncData(): Promise<void>;
  sync(): void;
  close(): void;
}

/** All that a file of notes asks of a disk, one effect a call, so that a test can be a disk that fails. */
export interface NoteDisk {
  exists(path: string): boolean;
  size(path: string): number;
  read(path: string): Buffer;
  /** Makes one folder; one that is there is left as it is. */
  makeFolder(path: string): void;
  /** @param how `new` refuses a file that exists, `empty` cuts it, `keep` leaves what it has */
  open(path: string, how: "new" | "empty" | "keep"): OpenNoteFile;
  rename(from: string, to: string): void;
  /** Returns when the folder's names are on the disk. */
  syncFolder(path: string): void;
}

const flags = { new: "ax", empty: "w", keep: "a" } as const;

const thisDisk: NoteDisk = {
  exists: existsSync,
  size: (path) => statSync(path).size,
  read: (path) => readFileSync(path),
  makeFolder: (path) => void mkdirSync(path, { recursive: true, mode: 0o700 }),
  open(path, how) {
    const file = openSync(path, flags[how], 0o600);
    return {
      write: (bytes) => writeSync(file, bytes),
      syncData: () =>
        new Promise((done, reject) => fdatasync(file, (error) => (error ? reject(error) : done()))),
      sync: () => fsyncSync(file),
      close: () => closeSync(file),
    };
  },
  rename: renameSync,
  syncFolder(path) {
    // Windows has no such thing for folders.
    if (process.platform === "win32") return;
    const folder = openSync(path, "r");
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  },
};

/** A file of a disk. Lines that are appended together reach the disk together. */
export function diskNoteFile(path: string, disk: NoteDisk = thisDisk): NoteFile {
  let file: OpenNoteFile | undefined;
  let text = "";
  let waiting: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  let busy: Promise<void> | undefined;
  let isWhole = false;
  const opened = () => {
    if (file !== undefined) return file;
    makeFolders(disk, dirname(path));
    const isNew = !disk.exists(path);
    file = disk.open(path, isNew ? "new" : "keep");
    // A file whose name a power cut takes away has noted nothing.
    if (isNew) disk.syncFolder(dirname(path));
    return file;
  };
  const write = async (lines: string) => {
    const to = opened();
    const size = disk.size(path);
    // What was cut off while it was written must not take the next line with it.
    const isCut = !isWhole && size > 0 && disk.read(path).at(-1) !== lineFeed;
    isWhole = false;
    writeAll(to, isCut ? `\n${lines}` : lines, size);
    isWhole = true;
    await to.syncData();
  };
  const flush = async () => {
    while (waiting.length > 0) {
      const [lines, batch] = [text, waiting];
      [text, waiting] = ["", []];
      try {
        await write(lines);
        for (const { resolve: done } of batch) done();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
  };
  // One that has nothing to write would be over before it is known to be under way.
  const start = () => {
    if (busy !== undefined || waiting.length === 0) return;
    busy = flush().finally(() => {
      busy = undefined;
    });
  };
  return {
    read() {
      if (!disk.exists(path)) return undefined;
      try {
        return disk.read(path).toString("utf8");
      } catch (cause) {
        throw new Error(`the notes ${path} can't be read: ${(cause as Error).message}`, { cause });
      }
    },
    append: (line) =>
      new Promise((done, reject) => {
        text += line;
        waiting.push({ resolve: done, reject });
        setImmediate(start);
      }),
    async replace(whole) {
      // A file that is being synced is not closed.
      while (busy !== undefined) await busy;
      makeFolders(disk, dirname(path));
      const beside = disk.open(`${path}.new`, "empty");
      try {
        writeAll(beside, whole(), 0);
        beside.sync();
      } finally {
        beside.close();
      }
      disk.rename(`${path}.new`, path);
      disk.syncFolder(dirname(path));
      file?.close();
      file = undefined;
    },
  };
}

const lineFeed = 10;

// Each new folder is on the disk by name before anything is put in it.
function makeFolders(disk: NoteDisk, path: string): void {
  if (disk.exists(path)) return;
  makeFolders(disk, dirname(path));
  disk.makeFolder(path);
  disk.syncFolder(dirname(path));
}

// A disk that is nearly full takes a part of a write and says so; one that takes nothing would be asked for ever.
function writeAll(file: OpenNoteFile, text: string, position: number): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    const count = file.write(bytes.subarray(at), position + at);
    if (count <= 0)
      throw Object.assign(new Error("ENOSPC: the disk takes no more bytes, write"), { code: "ENOSPC" });
    at += count;
  }
}
