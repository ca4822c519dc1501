/** Writes files of a project. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { makeUserFolders, namingFile, roomAdvice } from "../../engine/common/disk.ts";
import { temporaryFolder } from "../../engine/common/temporary.ts";

export type Files = ReadonlyMap<string, string | Buffer>;

/** The files that exist with other content. */
export function changedFiles(folder: string, files: Files): readonly string[] {
  return [...files].flatMap(([path, content]) => {
    const place = join(folder, path);
    return existsSync(place) && !readFileSync(place).equals(Buffer.from(content)) ? [path] : [];
  });
}

const git = (folder: string, ...args: readonly string[]) =>
  spawnSync("git", ["-C", folder, ...args], { encoding: "utf8", maxBuffer: 1 << 28 });

export const isUnderGit = (folder: string): boolean =>
  git(folder, "rev-parse", "--is-inside-work-tree").stdout?.trim() === "true";

/** Files with changes that git couldn't restore: uncommitted, untracked, or in no checkout. */
export function uncommitted(folder: string, paths: readonly string[]): readonly string[] {
  // Git tracks the file that a link leads to. A program may import files from beside its folder, also of a submodule.
  const places = new Map(
    paths.map((path) => {
      const place = resolve(folder, path);
      return [path, existsSync(place) ? realpathSync(place) : place];
    }),
  );
  const unchanged = new Set(
    [...new Set([...places.values()].map(dirname))].flatMap((own) => {
      const changed = new Set(names(git(own, "ls-files", "-z", "--modified").stdout));
      const tracked = names(git(own, "ls-files", "-z").stdout);
      return tracked.filter((name) => !changed.has(name)).map((name) => join(own, name));
    }),
  );
  return paths.filter((path) => !unchanged.has(places.get(path) ?? path));
}

const names = (output: string | null) => (output ?? "").split("\0").filter((name) => name !== "");

/**
 * Writes all files or none: into a temporary folder beside them first, then moves them.
 * @param removed files to delete afterwards
 */
export function writeFiles(folder: string, files: Files, removed: readonly string[] = []): void {
  const isNew = !existsSync(folder);
  makeUserFolders(folder);
  const beside = temporaryFolder("files", folder);
  try {
    const moves = [...files].map(([path, content], index) => {
      const place = join(folder, path);
      const written = join(beside, String(index));
      namingFile(place, () => writeFileSync(written, content));
      if (existsSync(place)) chmodSync(written, statSync(place).mode);
      return [written, place] as const;
    });
    for (const [, place] of moves) makeUserFolders(dirname(place));
    // Pulumi.yaml comes last: a project without its program couldn't be opened.
    for (const [from, to] of moves.toSorted(([, one], [, other]) => rank(one) - rank(other)))
      moveFile(from, existsSync(to) ? realpathSync(to) : to);
    for (const path of removed) rmSync(join(folder, path));
  } catch (error) {
    if (isNew) rmSync(folder, { recursive: true, force: true });
    throw new Error(
      `the files of ${folder} could not be written: ${(error as Error).message}; ${roomAdvice}`,
      {
        cause: error,
      },
    );
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
}

/** A link may lead to another file system: there the file is copied first. */
function moveFile(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    const beside = `${to}.${basename(dirname(from))}`;
    copyFileSync(from, beside);
    renameSync(beside, to);
  }
}

const rank = (path: string) => (basename(path) === "Pulumi.yaml" ? 1 : 0);

export function missingFiles(folder: string, files: Files): Files {
  return new Map([...files].filter(([path]) => !existsSync(join(folder, path))));
}

export const packageFolder = (): string =>
  dirname(createRequire(import.meta.url).resolve("pulumi-shop/package.json"));

/** Ends the name of a template's file that npm doesn't pack under its own name. `pulumi new` removes it from the name. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: Pulumi's placeholder, which is empty in names
export const packedEnding = "${DESCRIPTION}";

export const templateText = (path: string): string =>
  readFileSync(join(packageFolder(), "examples/template", path), "utf8");
