/** Folders for one process in the system's temporary folder. */
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

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

/** A file as it was. */
export interface KeptFile {
  readonly path: string;
  /** Its content, in base64. */
  readonly before: string;
  readonly mode: number;
  /** Where it leads to if it is a link. */
  readonly link?: string;
}

export function keptFile(path: string): KeptFile {
  const stats = lstatSync(path);
  const link = stats.isSymbolicLink() ? { link: readlinkSync(path) } : {};
  return { path, before: readFileSync(path).toString("base64"), mode: stats.mode, ...link };
}

/** Creates a removed file again. */
export function createAgain({ path, before, mode, link }: KeptFile): void {
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
export interface TriedFile extends KeptFile {
  /** Digests of the contents that are tried; "" for no file. */
  readonly tries: readonly string[];
}

export const digestOf = (content: string | Buffer): string =>
  createHash("sha256").update(content).digest("hex");

const triedFiles = (folder: string) => join(folder, "tried-files.json");

/** Notes tried files in the folder of a process: if it is killed, the next command puts them back. */
export function noteTried(folder: string, files: readonly TriedFile[]): void {
  const place = triedFiles(folder);
  writeFileSync(`${place}.new`, JSON.stringify(files), { mode: 0o600 });
  renameSync(`${place}.new`, place);
}

/** Puts back the files that a killed process was trying, except where somebody has edited one since. */
function putBackTried(folder: string): boolean {
  if (!existsSync(triedFiles(folder))) return true;
  try {
    const files = JSON.parse(readFileSync(triedFiles(folder), "utf8")) as readonly TriedFile[];
    for (const file of files) {
      const { path, before, tries } = file;
      const isThere = existsSync(path);
      if (!tries.includes(isThere ? digestOf(readFileSync(path)) : "")) continue;
      if (isThere) writeFileSync(path, Buffer.from(before, "base64"));
      else createAgain(file);
    }
    return true;
  } catch {
    // The folder is kept for the next command: the files may be writable again then.
    return false;
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
    const isLeft = by === owner && !hasProcess(Number(pid));
    if (isLeft && putBackTried(join(root, name))) rmSync(join(root, name), { recursive: true, force: true });
  }
  return mkdtempSync(join(root, `pulumi-shop-${purpose}-${owner}-${process.pid}-`));
}
