/** All that is asked of a disk to keep a state, one effect a call, so that a test can be the disk: full, read-only, or cut off. */
import {
  closeSync,
  existsSync,
  fdatasync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";

/** An open file. Every call may throw the system's own error, with its `code`. */
export interface OpenFile {
  /** Writes at a place of the file, of one that is opened to append at its end. @returns how many bytes were written, which may be fewer than were given */
  write(bytes: Uint8Array, position: number): number;
  /** Resolves when the content is on the disk. */
  syncData(): Promise<void>;
  /** Returns when content and size are on the disk. */
  sync(): void;
  truncate(size: number): void;
  close(): void;
}

/** A file system; paths are absolute. Every call may throw the system's own error, with its `code`. */
export interface Files {
  exists(path: string): boolean;
  isFolder(path: string): boolean;
  /** Bytes of a file. */
  size(path: string): number;
  /** @throws ENOENT where there is no such file */
  read(path: string): Buffer;
  list(folder: string): readonly string[];
  /** Makes one folder, for the owner alone; one that is there is left as it is. */
  makeFolder(path: string): void;
  /**
   * Opens a file to write to it.
   * @param how `new` refuses a file that exists, `empty` cuts it, `keep` leaves what it has, `append` makes it where there is none
   * @param mode of a file that is made
   */
  open(path: string, how: keyof typeof flags, mode?: number): OpenFile;
  rename(from: string, to: string): void;
  /** Removes a file; none is no error. */
  remove(path: string): void;
  /** Returns when the folder's names are on the disk. */
  syncFolder(path: string): void;
  mode(path: string): number;
  /** When a file was written last; larger is later. */
  modified(path: string): number;
}

const flags = { new: "wx", empty: "w", keep: "r+", append: "a" } as const;

export const diskFiles: Files = {
  exists: existsSync,
  isFolder: (path) => statSync(path).isDirectory(),
  size: (path) => statSync(path).size,
  read: (path) => readFileSync(path),
  list: (folder) => readdirSync(folder),
  makeFolder(path) {
    try {
      mkdirSync(path, { mode: 0o700 });
    } catch (error) {
      // Somebody else may have made it at the same time.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  },
  open(path, how, mode = 0o600) {
    const file = openSync(path, flags[how], mode);
    return {
      write: (bytes, position) => writeSync(file, bytes, 0, bytes.length, how === "append" ? null : position),
      syncData: promisify(fdatasync).bind(undefined, file),
      sync: () => fsyncSync(file),
      truncate: (size) => ftruncateSync(file, size),
      close: () => closeSync(file),
    };
  },
  rename: renameSync,
  remove: (path) => rmSync(path, { force: true }),
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
  mode: (path) => statSync(path).mode & 0o777,
  modified: (path) => statSync(path).mtimeMs,
};

/** Writes all of it, however many calls that takes. @throws the system's error, ENOSPC where it takes nothing more */
export function writeAll(file: OpenFile, bytes: Uint8Array, position: number): void {
  let done = 0;
  while (done < bytes.length) {
    const count = file.write(bytes.subarray(done), position + done);
    // A disk that takes nothing and doesn't say why would be asked for ever.
    if (count <= 0)
      throw Object.assign(new Error("ENOSPC: the disk takes no more bytes, write"), { code: "ENOSPC" });
    done += count;
  }
}

/** Makes a folder and those above it; each new one is on the disk by name before anything is put in it. */
export function makeFolders(files: Files, path: string): void {
  if (files.exists(path)) return;
  makeFolders(files, dirname(path));
  files.makeFolder(path);
  files.syncFolder(dirname(path));
}

/**
 * Writes a file whole or not at all: beside, to the disk, read back, then in its place. What is read back proves what was
 * written, by us and by whoever shares the path, and not what the disk has: the system answers it from memory.
 * @throws the system's error, or one that says that something else is there than was written; the file is then as it was
 */
export function writeWhole(files: Files, path: string, content: Uint8Array | string, mode = 0o600): void {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  const folder = dirname(path);
  const beside = `${path}.tmp`;
  makeFolders(files, folder);
  try {
    const file = files.open(beside, "empty", mode);
    try {
      writeAll(file, bytes, 0);
      file.sync();
    } finally {
      file.close();
    }
    if (!files.read(beside).equals(bytes))
      throw new Error(
        `${beside} was written and reads differently: another process writes it too, or the file system is faulty`,
      );
    files.rename(beside, path);
  } catch (error) {
    removeQuietly(files, beside);
    throw error;
  }
  files.syncFolder(folder);
}

/** Removes what is half written; that it can't be removed either is no news beside the error that is on its way. */
export function removeQuietly(files: Files, path: string): void {
  try {
    files.remove(path);
  } catch {
    // The next write of this file begins with it.
  }
}

/** Removes a file for good: its name is off the disk when this returns. */
export function removeWhole(files: Files, path: string): void {
  if (!files.exists(path)) return;
  files.remove(path);
  files.syncFolder(dirname(path));
}
