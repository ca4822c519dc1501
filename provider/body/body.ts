/** Reads the bodies of files and assets, and prepares them for requests. */
import { hash } from "node:crypto";
import { constants, existsSync, type Stats } from "node:fs";
import { type FileHandle, lstat, open, readdir, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { readFault } from "../../engine/common/disk.ts";
import { didYouMean } from "../../engine/common/nearest.ts";
import type { FileFact } from "../definition/define.ts";
import { forbiddenAt } from "../definition/scalars.ts";
import { flagOf, type Sources } from "../settings/settings.ts";
import { codeOf } from "../wire/text.ts";

/** A body in a request: text if the kind accepts it, otherwise base64. */
export interface Body {
  readonly bytes: Buffer;
  /** Undefined if XML can't carry the bytes as text. */
  readonly text: string | undefined;
}

/** Lowercase hex. */
export function sha256(body: string | Buffer): string {
  return hash("sha256", body);
}

/** Converts bytes to a body. Line ends become LF, so that a checkout on another system isn't a change. */
export function bodyOf(bytes: Buffer): Body {
  const text = asText(bytes)?.replaceAll("\r\n", "\n");
  return text === undefined ? { bytes, text } : { bytes: Buffer.from(text), text };
}

function asText(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return forbiddenAt(text) === undefined ? text : undefined;
  } catch {
    // It isn't UTF-8, so it isn't text.
    return undefined;
  }
}

/**
 * Reads a file of the project.
 * @param folder the project's folder; a file outside it, also behind a symbolic link, is an error
 * @param allowOutside permits files outside the folder (`allowOutsideOf`)
 * @throws Error with the path and a remedy
 */
export async function readBody(path: string, folder: string, allowOutside = false): Promise<Body> {
  return bodyOf(await readProjectFile(path, folder, allowOutside));
}

/** The size and hash of a file for the state, and its path with forward slashes. Throws as `readBody` does. */
export async function fileFact(path: string, folder: string, allowOutside = false): Promise<FileFact> {
  const body = await readBody(path, folder, allowOutside);
  const place = isAbsolute(path) ? relative(folder, path) : path;
  return {
    path: place.split(sep).join("/"),
    size: body.bytes.length,
    sha256: sha256(body.bytes),
    ...(body.text === undefined && { binary: true as const }),
    ...(body.text?.trim() === "" && { blank: true as const }),
  };
}

/** The maximum size of an upload; a request with it is a third larger. */
const largestFile = 64 * 1024 * 1024;

/**
 * Reads a file.
 * @param folder the project's folder, from which relative paths start
 * @throws Error with the path and a remedy
 */
export async function readProjectFile(path: string, folder: string, allowOutside: boolean): Promise<Buffer> {
  if (path.trim() === "") throw new Error("must not be empty; write the path of a file");
  let file: FileHandle | undefined;
  try {
    const place = await permitted(path, folder, allowOutside);
    checkRegular(await lstat(place));
    // The file may be replaced between the check and the open: don't follow a link, don't wait for a pipe.
    file = await open(place, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    checkRegular(await file.stat());
    return await bounded(file);
  } catch (cause) {
    if (cause instanceof PathError) throw new Error(`can't read ${path}: ${cause.message}`, { cause });
    const code = codeOf(cause);
    const near = code === "ENOENT" ? await missingAt(path, folder, allowOutside) : "";
    const where = near === "" ? "; write a path relative to the program's folder" : near;
    throw new Error(`can't read ${path}: ${readFault(cause)}${where}`, { cause });
  } finally {
    await file?.close();
  }
}

/** A suggestion from the files in the same folder: `, did you mean theme/page.about.liquid?`; or a hint at a broken link. */
async function missingAt(path: string, folder: string, allowOutside: boolean): Promise<string> {
  if (/^https?:\/\//i.test(path)) return "; an address belongs in src";
  if (/^~[\\/]/.test(path)) return "; ~ is no folder here: write a path relative to the program's folder";
  const slashed = path.replaceAll("\\", "/");
  if (slashed !== path && existsSync(resolve(folder, slashed))) return `, did you mean ${slashed}?`;
  const beside = dirname(resolve(folder, path));
  if (!allowOutside && beside !== resolve(folder) && !isInside(beside, resolve(folder))) return "";
  const names = await readdir(beside).catch((): readonly string[] => []);
  if (names.includes(basename(path)))
    return ": a symbolic link leads there; remove the link, or put the file back";
  const above = /^.*[\\/]/.exec(path)?.[0] ?? "";
  return didYouMean(
    path,
    names.map((name) => above + name),
  );
}

/** The reason why a file isn't read, with a remedy. */
class PathError extends Error {
  override readonly name = "PathError";
}

// Kernel files: environments with secrets, endless devices.
const unreal = /^\/(proc|sys|dev)(\/|$)/;

async function permitted(path: string, folder: string, allowOutside: boolean): Promise<string> {
  const place = resolve(folder, path);
  // Checked before links are resolved, so that the message doesn't reveal whether the file exists.
  if (!allowOutside && !isInside(place, resolve(folder))) {
    const real = await realpath(folder).catch(() => resolve(folder));
    if (!isInside(place, real)) throw outside();
  }
  const real = await realpath(place);
  if (unreal.test(real)) throw new PathError("it is not a regular file");
  if (!allowOutside && !isInside(real, await realpath(folder))) throw outside();
  return real;
}

const outside = () =>
  new PathError(
    "it is outside the project's folder; move it there, or permit it: set shop:allowOutside to true in the stack's configuration, or SHOP_ALLOW_OUTSIDE=true in the environment",
  );

function isInside(place: string, folder: string): boolean {
  const way = relative(folder, place);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function checkRegular(stats: Stats): void {
  if (stats.isDirectory()) throw new PathError("it is a folder; write the path of a file");
  if (!stats.isFile()) throw new PathError("it is not a regular file");
  if (stats.size > largestFile) throw tooLarge(stats.size);
}

const tooLarge = (size: number) =>
  new PathError(
    `it has ${Math.ceil(size / 1024 / 1024)} MB, and a file to upload may have at most ${largestFile / 1024 / 1024} MB`,
  );

// The file may grow meanwhile.
async function bounded(file: FileHandle): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let size = 0; ; ) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(1024 * 1024));
    if (bytesRead === 0) return Buffer.concat(chunks);
    size += bytesRead;
    if (size > largestFile) throw tooLarge(size);
    chunks.push(buffer.subarray(0, bytesRead));
  }
}

/**
 * Whether files outside the project's folder are permitted.
 * @throws Error if the setting is neither true nor false
 */
export const allowOutsideOf = (sources: Sources): boolean => flagOf(sources, "allowOutside");
