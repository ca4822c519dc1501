/**
 * What Node compiles is kept for the next start, in a folder of the user's own: whoever can write there can have this user
 * run anything. The usual place, the folder for temporary files, is everybody's.
 */
import { lstatSync, mkdirSync } from "node:fs";
import * as nodeModule from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Keeps what is compiled from now on, where there is a place for it. Old Nodes, which the command refuses, have no such
 * cache: an import of its name would end them with a syntax error.
 */
export function keepCompiled(env: Env = process.env): void {
  const folder = cacheFolder(env);
  if (folder !== undefined && isOwn(folder)) nodeModule.enableCompileCache?.(folder);
}

/** Where a user's caches are; undefined where nobody says. */
export function cacheFolder(env: Env, platform: NodeJS.Platform = process.platform): string | undefined {
  const home = env.HOME ?? env.USERPROFILE ?? homeOf();
  const usual = {
    darwin: home && join(home, "Library/Caches"),
    win32: env.LOCALAPPDATA,
  }[platform as string] as string | undefined;
  const caches = env.XDG_CACHE_HOME || (usual ?? (home && join(home, ".cache")));
  return caches ? join(caches, "pulumi-embedded", "compiled") : undefined;
}

function homeOf(): string | undefined {
  try {
    return homedir();
  } catch {
    // A container may run under a number that has no home.
    return undefined;
  }
}

/** Makes a folder for its owner alone. @returns whether nobody else can put anything there, or anything in its place */
export function isOwn(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const me = process.getuid?.();
    // Of Windows the folder of the user's data says it.
    return me === undefined || (isOnlyMine(folder, me) && isSafe(dirname(folder), me));
  } catch {
    // Read-only, full, or somebody else's: nothing is kept.
    return false;
  }
}

const othersWrite = 0o022;
const sticky = 0o1000;

function isOnlyMine(folder: string, me: number): boolean {
  const stats = lstatSync(folder);
  return stats.isDirectory() && stats.uid === me && (stats.mode & 0o077) === 0;
}

/** Whether nobody but this user and root can take a folder away, or one above it. */
function isSafe(folder: string, me: number): boolean {
  const { uid, mode } = lstatSync(folder);
  const isGuarded = (mode & othersWrite) === 0 || (mode & sticky) !== 0;
  if (!isGuarded || (uid !== me && uid !== 0)) return false;
  const above = dirname(folder);
  return above === folder || isSafe(above, me);
}
