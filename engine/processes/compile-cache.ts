/**
 * Keeps compiled code for the next start in a folder that only this user can write to: whoever else could write there
 * could make this user run any code. Node's default is in the shared folder for temporary files.
 */
import { lstatSync } from "node:fs";
import * as nodeModule from "node:module";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { diskFiles, makeFolders } from "../common/disk.ts";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Enables Node's compile cache if there is a suitable folder. Old versions of Node, which the command refuses, don't
 * export the function: importing it by name would be a syntax error.
 */
export function keepCompiled(env: Env = process.env): void {
  const folder = cacheFolder(env);
  if (folder !== undefined && isOwn(folder)) nodeModule.enableCompileCache?.(folder);
}

/** The cache folder of a user; undefined if unknown. */
export function cacheFolder(env: Env, platform: NodeJS.Platform = process.platform): string | undefined {
  const home = env.HOME ?? env.USERPROFILE ?? homeOf();
  const usual = {
    darwin: home && join(home, "Library/Caches"),
    win32: env.LOCALAPPDATA,
  }[platform as string] as string | undefined;
  // The XDG base directory specification ignores a relative path.
  const { XDG_CACHE_HOME: named = "" } = env;
  const caches = isAbsolute(named) ? named : (usual ?? (home && join(home, ".cache")));
  return caches ? join(caches, "pulumi-embedded", "compiled") : undefined;
}

function homeOf(): string | undefined {
  try {
    return homedir();
  } catch {
    // A user id in a container may have no home folder.
    return undefined;
  }
}

/** Creates a folder for this user alone. @returns whether nobody else can write into it or replace it */
export function isOwn(folder: string): boolean {
  try {
    makeFolders(diskFiles, folder);
    const me = process.getuid?.();
    // On Windows, the folder of the user's data is private.
    return me === undefined || (isOnlyMine(folder, me) && isSafe(dirname(folder), me));
  } catch {
    // Read-only, full, or owned by somebody else: no cache.
    return false;
  }
}

const othersWrite = 0o022;
const sticky = 0o1000;

function isOnlyMine(folder: string, me: number): boolean {
  const stats = lstatSync(folder);
  return stats.isDirectory() && stats.uid === me && (stats.mode & 0o077) === 0;
}

/** Whether only this user and root can remove or rename a folder and its parents. */
function isSafe(folder: string, me: number): boolean {
  const { uid, mode } = lstatSync(folder);
  const isGuarded = (mode & othersWrite) === 0 || (mode & sticky) !== 0;
  if (!isGuarded || (uid !== me && uid !== 0)) return false;
  const above = dirname(folder);
  return above === folder || isSafe(above, me);
}
