/** The program's files while accept tries contents in them: they are put back if it fails, or by the next command if it is killed. */
import { hash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { leftFolders, unfinished } from "../../engine/common/temporary.ts";
import { changedFiles, type Files, writeFiles } from "../stack/write-files.ts";

/** The purpose of the folder in which accept notes the files that it tries. */
export const purpose = "accept";

/** A file as it was. */
interface KeptFile {
  readonly path: string;
  /** Its content, in base64. */
  readonly before: string;
  readonly mode: number;
  /** Where it leads to if it is a link. */
  readonly link?: string;
}

function keptFile(path: string): KeptFile {
  const stats = lstatSync(path);
  const link = stats.isSymbolicLink() ? { link: readlinkSync(path) } : {};
  return { path, before: readFileSync(path).toString("base64"), mode: stats.mode, ...link };
}

/** Creates a removed file again. */
function createAgain({ path, before, mode, link }: KeptFile): void {
  if (link !== undefined) {
    symlinkSync(link, path);
    return;
  }
  // A kill must not leave half of it.
  const beside = join(dirname(path), `.pulumi-shop-${basename(path)}`);
  writeFileSync(beside, Buffer.from(before, "base64"));
  chmodSync(beside, mode);
  renameSync(beside, path);
}

/** A file of a user that a process tries other contents in. */
interface TriedFile extends KeptFile {
  /** Digests of the contents that are tried; "" for no file. */
  readonly tries: readonly string[];
}

/** Notes tried files in the folder of a process: if it is killed, the next command puts them back. */
function noteTried(folder: string, files: readonly TriedFile[]): void {
  const place = join(folder, unfinished);
  if (files.length === 0) {
    rmSync(place, { force: true });
    return;
  }
  writeFileSync(`${place}.new`, JSON.stringify(files), { mode: 0o600 });
  renameSync(`${place}.new`, place);
}

/** Puts back what killed commands were trying, except where somebody has edited a file since. */
export function putBackTried(): void {
  for (const folder of leftFolders(purpose)) {
    const place = join(folder, unfinished);
    if (!existsSync(place)) continue;
    try {
      const files = JSON.parse(readFileSync(place, "utf8")) as readonly TriedFile[];
      for (const file of files) putBack(file);
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // The folder is kept for the next command: the files may be writable again then.
    }
  }
}

function putBack(file: TriedFile): void {
  const { path, before, tries } = file;
  const isThere = existsSync(path);
  if (!tries.includes(isThere ? hash("sha256", readFileSync(path)) : "")) return;
  if (isThere) writeFileSync(path, Buffer.from(before, "base64"));
  else createAgain(file);
}

/** Writes the contents that are tried. */
export type Put = (files: Files, removed: readonly string[]) => void;

/** Existing files by their paths from a folder, and the process's own folder (`temporaryFolder`). */
export interface Tried {
  readonly folder: string;
  readonly paths: readonly string[];
  readonly noted: string;
}

/** Puts files back as they were if the work fails, or if it is killed. */
export async function restoringFiles(tried: Tried, work: (put: Put) => Promise<unknown>): Promise<void> {
  const { put, restore, end } = openTrial(tried);
  try {
    await work(put);
  } catch (error) {
    restore();
    throw error;
  } finally {
    end();
  }
}

/** Puts files back as they were when the work is done. */
export function tryingFiles<T>(tried: Tried, work: (put: Put) => Promise<T>): Promise<T> {
  const { put, restore, end } = openTrial(tried);
  return work(put).finally(() => {
    restore();
    end();
  });
}

function openTrial({ folder, paths, noted }: Tried) {
  const kept = paths.map((path) => ({ name: path, ...keptFile(join(folder, path)) }));
  const tries = new Map(paths.map((path) => [path, new Set<string>()]));
  return {
    put(files: Files, removed: readonly string[]) {
      for (const [path, content] of files) tries.get(path)?.add(hash("sha256", content));
      for (const path of removed) tries.get(path)?.add("");
      noteTried(
        noted,
        kept.map(({ name, ...file }) => ({ ...file, tries: [...(tries.get(name) ?? [])] })),
      );
      writeFiles(folder, files, removed);
    },
    restore() {
      for (const file of kept) if (!existsSync(file.path)) createAgain(file);
      const before = new Map(kept.map((file) => [file.name, Buffer.from(file.before, "base64")]));
      const changed = new Set(changedFiles(folder, before));
      if (changed.size > 0) writeFiles(folder, new Map([...before].filter(([path]) => changed.has(path))));
    },
    end: () => noteTried(noted, []),
  };
}
