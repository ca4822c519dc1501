/**
 * The file operations needed to keep a state, one effect per call, so that tests can simulate a disk that is full,
 * read-only or cut off.
 */
import {
  closeSync,
  fdatasync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { promisify } from "node:util";

const writeWords: Readonly<Record<string, string>> = {
  ENOENT: "its folder does not exist",
  ENOTDIR: "its folder is a file",
  EISDIR: "it is a folder; name a file",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk's quota is used up",
  EFBIG: "a file may not get so large here",
};

const readWords: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  ELOOP: "its symbolic links lead in a circle",
  EACCES: "permission denied",
  EISDIR: "it is a folder",
  ENAMETOOLONG: "its name is too long",
  ERR_INVALID_ARG_VALUE: "its name has a character that no path can have",
};

function faultIn(cause: unknown, words: Readonly<Record<string, string>>): string {
  const { code = "", message = String(cause) } = cause as NodeJS.ErrnoException;
  return words[code] ?? (code || message);
}

/** Why a file can't be read, in words. */
export const readFault = (cause: unknown): string => faultIn(cause, readWords);

/** Why a file can't be written, in words. */
export const writeFault = (cause: unknown): string => faultIn(cause, { ...readWords, ...writeWords });

const readCalls = ["open", "read", "stat", "lstat", "scandir", "access", "readlink", "realpath"];

/** What the system refused, in words; undefined for other errors, and for those whose message says more. */
export function systemFault(error: unknown): string | undefined {
  const {
    code,
    syscall = "",
    path,
    dest = path,
    message,
  } = error as NodeJS.ErrnoException & { dest?: string };
  if (code === undefined || dest === undefined || !message.startsWith(`${code}: `)) return undefined;
  return readCalls.includes(syscall)
    ? `${dest} can't be opened: ${faultIn(error, { ...writeWords, ...readWords })}`
    : `${dest} can't be written: ${writeFault(error)}`;
}

/** An open file. Every call may throw the system's error with its `code`. */
export interface OpenFile {
  /**
   * Writes at a position; a file opened with `append` is written at its end. @returns the number of bytes written,
   * which may be fewer than given
   */
  write(bytes: Uint8Array, position: number): number;
  /** Resolves when the content is on the disk. */
  syncData(): Promise<void>;
  /** Returns when content and size are on the disk. */
  sync(): void;
  truncate(size: number): void;
  close(): void;
}

/** A file system with absolute paths. Every call may throw the system's error with its `code`. */
export interface Files {
  /** Whether there is a file or a folder. @throws the system's error if that can't be known */
  exists(path: string): boolean;
  isFolder(path: string): boolean;
  /** The path without symbolic links. */
  real(path: string): string;
  /** Size of a file in bytes. */
  size(path: string): number;
  /** @throws ENOENT where there is no such file */
  read(path: string): Buffer;
  list(folder: string): readonly string[];
  /** Creates one folder, by default for its owner alone; an existing one is left as it is. */
  makeFolder(path: string, mode?: number): void;
  /**
   * Opens a file for writing.
   * @param how `new` fails if the file exists, `empty` truncates it, `keep` keeps its content, `append` creates it if
   * needed
   * @param mode permissions of a new file
   */
  open(path: string, how: keyof typeof flags, mode?: number): OpenFile;
  rename(from: string, to: string): void;
  /** Removes a file if it exists. */
  remove(path: string): void;
  /** Returns when the folder's entries are on the disk. */
  syncFolder(path: string): void;
  mode(path: string): number;
  /** Modification time of a file; larger is later. */
  modified(path: string): number;
}

/** Names the file in the error of an operation on an open file, as the system does where it opens one. */
export function namingFile<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && !error.message.includes(path)) error.message += ` '${path}'`;
    throw error;
  }
}

const flags = { new: "wx", empty: "w", keep: "r+", append: "a" } as const;

/**
 * For a path that leads to nothing.
 * @returns false
 * @throws Error if a link in it leads there, such as one to a disk that isn't mounted: its content isn't known to be absent
 */
function endsInLink(path: string): false {
  const above = dirname(path);
  const folder = statSync(above, { throwIfNoEntry: false });
  if (folder === undefined) return endsInLink(above);
  if (folder.isDirectory() && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new Error(
      `${path} is a link to ${readlinkSync(path)}, which does not exist: restore that, or remove the link`,
    );
  return false;
}

export const diskFiles: Files = {
  // What can't be looked up, such as in a folder of another user, isn't taken for absent.
  exists: (path) => statSync(path, { throwIfNoEntry: false }) !== undefined || endsInLink(path),
  isFolder: (path) => statSync(path).isDirectory(),
  real: (path) => realpathSync(path),
  size: (path) => statSync(path).size,
  read: (path) => readFileSync(path),
  list: (folder) => readdirSync(folder),
  makeFolder(path, mode = 0o700) {
    try {
      mkdirSync(path, { mode });
    } catch (error) {
      // Another process may have created it at the same time.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  },
  open(path, how, mode = 0o600) {
    const file = openSync(path, flags[how], mode);
    return {
      write: (bytes, position) =>
        namingFile(path, () => writeSync(file, bytes, 0, bytes.length, how === "append" ? null : position)),
      syncData: promisify(fdatasync).bind(undefined, file),
      sync: () => namingFile(path, () => fsyncSync(file)),
      truncate: (size) => namingFile(path, () => ftruncateSync(file, size)),
      close: () => closeSync(file),
    };
  },
  rename: renameSync,
  remove: (path) => rmSync(path, { force: true }),
  syncFolder(path) {
    // Windows can't sync folders.
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

/** The value in a JSON file of a user. Programs of Windows put a mark before UTF-8, which JSON doesn't know. */
export const readJson = (path: string): unknown => JSON.parse(new TextDecoder().decode(readFileSync(path)));

/** The cure for a file that can't be written. */
export const roomAdvice = "make room or make the folder writable, then run the same command again";

/** Writes all bytes, in several calls if needed. @throws the system's error, ENOSPC if no more bytes are accepted */
export function writeAll(file: OpenFile, bytes: Uint8Array, position: number): void {
  let done = 0;
  while (done < bytes.length) {
    const count = file.write(bytes.subarray(done), position + done);
    // Without this, a disk that accepts nothing would cause an endless loop.
    if (count <= 0)
      throw Object.assign(new Error("ENOSPC: the disk takes no more bytes, write"), { code: "ENOSPC" });
    done += count;
  }
}

/**
 * Creates a folder and its parents; each is on the disk before anything is put into it. Where the system lets nobody
 * create a folder, such as in `/proc`, Node's own `recursive` never ends.
 */
export function makeFolders(files: Files, path: string, mode?: number): void {
  if (files.exists(path)) return;
  makeFolders(files, dirname(path), mode);
  files.makeFolder(path, mode);
  files.syncFolder(dirname(path));
}

/** Creates a folder in a user's project and its parents, with the permissions that the user's mask leaves. */
export function makeUserFolders(path: string): void {
  makeFolders(diskFiles, resolve(path), 0o777);
  // Fails if a file has its place.
  mkdirSync(path, { recursive: true });
}

/**
 * Writes a file completely or not at all: writes and syncs a temporary file, reads it back, then renames it. Reading
 * back detects other writers of the same path, not faults of the disk, because the system answers from memory.
 * @throws the system's error, or one about unexpected content; the file is then unchanged
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
        `${beside} was written, but its content differs when it is read back: another process writes it too, or the file system is faulty`,
      );
    files.rename(beside, path);
  } catch (error) {
    removeQuietly(files, beside);
    throw error;
  }
  files.syncFolder(folder);
}

/** Removes an incomplete file. A failure is ignored, because the caller already has an error to report. */
export function removeQuietly(files: Files, path: string): void {
  try {
    files.remove(path);
  } catch {
    // The next write of this file truncates it.
  }
}

/** Removes a file; returns when its folder's entry is gone from the disk. */
export function removeWhole(files: Files, path: string): void {
  if (!files.exists(path)) return;
  files.remove(path);
  files.syncFolder(dirname(path));
}
