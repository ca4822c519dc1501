/** A theme's folder: scans, reads and watches its files. */
import { hash } from "node:crypto";
import { type FSWatcher, readFileSync, realpathSync, statSync, watch } from "node:fs";
import { join } from "node:path";
import {
  bodyOf,
  type Finding,
  pathOf,
  readBody,
  type ThemeFile,
  withLineFeeds,
} from "../../provider/inventory/index.ts";
import {
  filesBeside,
  folders,
  themeFilesIn,
  whereFiles,
  withoutLiquid,
} from "../../provider/names/theme-folder.ts";
import { writeFiles } from "../stack/write-files.ts";

export interface Content {
  /** Undefined for a binary file. */
  readonly text: string | undefined;
  readonly bytes: Buffer;
  readonly hash: string;
}

export interface LocalFile extends ThemeFile, Content {
  /** From the theme's folder. */
  readonly place: string;
  /** Changes whenever the file is saved. */
  readonly stamp: string;
}

export const contentOf = (bytes: Buffer): Content => {
  const body = bodyOf(bytes);
  return { ...body, hash: hash("sha256", body.bytes) };
};

/** The same key for the folder's and the shop's file: snippets may have an ending or not. */
export const keyOf = ({ type, name }: Pick<ThemeFile, "type" | "name">): string =>
  `${type} ${type === "Asset::Media" ? name : withoutLiquid(name)}`;

export type Local = ReadonlyMap<string, LocalFile>;

export type Folder = ReturnType<typeof openFolder>;

/** Files beside a theme's folders. @param called formats a path for messages */
export const misplacedIn = (
  folder: string,
  ignore: readonly string[],
  called: (path: string) => string,
): readonly Finding[] =>
  filesBeside(folder, ignore).map((path) => ({
    rule: "wrong-folder",
    severity: "warning",
    path: called(path),
    ...{ line: 1, column: 1, source: "" },
    message: "the file is not part of the theme",
    fix: `move it into one of ${whereFiles}`,
  }));

/** @param from the folder's path from the working directory, for editors */
export function openFolder(path: string, from: string, ignore: readonly string[]) {
  let known: Local = new Map();
  const called = (place: string) => (from === "" ? place : `${from}/${place}`);
  const read = async (found: ReturnType<typeof themeFilesIn>[number]): Promise<LocalFile | undefined> => {
    const { type, name, path: place } = found;
    const before = known.get(keyOf(found));
    try {
      const stamp = stampOf(join(path, place));
      if (before?.stamp === stamp && before.place === place) return before;
      const { bytes } = await readBody(join(path, place), path);
      const content = contentOf(bytes);
      return { type, name, place, stamp, path: called(place), size: bytes.length, ...content };
    } catch (error) {
      // The file was deleted during the scan.
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  };
  return {
    path,
    /** A path of the folder in messages. */
    called,
    /** Files beside the theme's folders. */
    misplaced: () => misplacedIn(path, ignore, called),
    /** Undefined while the folder has no theme. */
    async scan() {
      let found: ReturnType<typeof themeFilesIn>;
      try {
        found = themeFilesIn(path, ignore);
      } catch {
        return undefined;
      }
      const files = await Promise.all(found.map(read));
      known = new Map(files.flatMap((file) => (file === undefined ? [] : [[keyOf(file), file] as const])));
      return known;
    },
    /** Writes the shop's content, unless the file was changed meanwhile. @returns whether it was written */
    writeFromShop(
      file: Pick<ThemeFile, "type" | "name">,
      { text, bytes }: Content,
      before: LocalFile | undefined,
    ) {
      const place = before?.place ?? pathOf({ type: file.type, name: file.name });
      const there = textAt(join(path, place));
      if ((before === undefined) !== (there === undefined)) return false;
      if (there !== undefined && contentOf(there).hash !== before?.hash) return false;
      const ends = there?.includes("\r\n") ? "\r\n" : "\n";
      const written = text === undefined ? bytes : withLineFeeds(text).replaceAll("\n", ends);
      writeFiles(path, new Map([[place, written]]));
      return true;
    },
  };
}

function textAt(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

function stampOf(path: string): string {
  const { mtimeMs, ctimeMs, size, ino } = statSync(path);
  return `${mtimeMs} ${ctimeMs} ${size} ${ino}`;
}

/** A burst of saves ends after this quiet time, or after the longest one. */
const quietMs = 25;
const longestMs = 250;

/** Calls back after changes in a theme's folder. Each folder is watched by itself, and again if it is replaced. */
export function watchFolder(path: string, changed: () => void): { close(): void } {
  const watchers = new Map<string, { readonly ino: number; readonly watcher: FSWatcher }>();
  let timer: NodeJS.Timeout | undefined;
  let since: number | undefined;
  const noticed = () => {
    open();
    since ??= performance.now();
    clearTimeout(timer);
    const left = since + longestMs - performance.now();
    timer = setTimeout(
      () => {
        since = undefined;
        changed();
      },
      Math.max(0, Math.min(quietMs, left)),
    );
  };
  const open = () => {
    for (const place of [path, ...Object.keys(folders).map((one) => join(path, one))]) {
      const ino = statSync(place, { throwIfNoEntry: false })?.ino;
      if (watchers.get(place)?.ino === ino) continue;
      watchers.get(place)?.watcher.close();
      watchers.delete(place);
      if (ino === undefined) continue;
      const watcher = watch(realpathSync(place), noticed);
      watcher.on("error", noticed);
      watchers.set(place, { ino, watcher });
    }
  };
  open();
  return {
    close() {
      clearTimeout(timer);
      for (const { watcher } of watchers.values()) watcher.close();
    },
  };
}
