/** The file of a stack's notes: beside its state; in the home folder if the state isn't in a folder. */

import { hash } from "node:crypto";
import { dirname, join } from "node:path";
import { diskFiles, type Files, makeFolders, type OpenFile, writeAll } from "../../engine/common/disk.ts";
import {
  folderOf,
  homeBackend,
  namedBackend,
  projectPlace,
  pulumiHome,
  type StackPlace,
  stackFile,
} from "../../engine/pulumi/backend.ts";
import type { Env } from "../settings/settings.ts";
import { messageOf } from "../wire/text.ts";

/** A file of lines. Tests keep one in memory. */
export interface NoteFile {
  /** Undefined if the file doesn't exist. */
  read(): string | undefined;
  /** Resolves when the text is on disk. */
  append(text: string): Promise<void>;
  /**
   * Empties the file if it has this text and no more. It stays the same file: other processes of the run (another shop's
   * provider, the other form) have it open, and their lines must not go to one that is gone.
   */
  clear(text: string): void;
}

/**
 * The folder with a backend's .pulumi; undefined if the states are kept elsewhere.
 * @param folder the program's folder
 */
export function backendFolder(folder: string, env: Env, disk = diskFiles): string | undefined {
  const project = projectPlace(disk, folder);
  return folderOf(namedBackend(disk, project, env) ?? homeBackend, project, env);
}

/** The path of a stack's notes of creates. @param folder the program's folder, absolute */
export function notesPath(place: StackPlace, folder: string, env: Env, disk = diskFiles): string {
  const beside = besideState(place, folder, env, disk);
  if (beside !== undefined) return beside;
  const url = namedBackend(disk, projectPlace(disk, folder), env);
  const name = hash("sha256", JSON.stringify([url, place.project, place.stack])).slice(0, 24);
  return join(pulumiHome(env), "pulumi-shop", `${name}.creates`);
}

/** The path beside the stack's state; undefined if the state isn't in a folder. */
export function besideState(
  place: StackPlace,
  folder: string,
  env: Env,
  disk = diskFiles,
): string | undefined {
  const root = backendFolder(folder, env, disk);
  return root === undefined ? undefined : stackFile(root, place, "creates");
}

/** A file on disk. Lines appended at the same time are written together. */
export function diskNoteFile(path: string, disk: Files = diskFiles): NoteFile {
  let file: OpenFile | undefined;
  let text = "";
  let waiting: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  let busy: Promise<void> | undefined;
  let end: number | undefined;
  const opened = () => {
    if (file !== undefined) return file;
    makeFolders(disk, dirname(path));
    const isNew = !disk.exists(path);
    file = disk.open(path, "append");
    // After a power cut a new file exists only if its folder was synced.
    if (isNew) disk.syncFolder(dirname(path));
    return file;
  };
  const write = async (lines: string) => {
    const to = opened();
    const size = disk.size(path);
    // A line after an incomplete one must begin on its own; another process may have written that.
    const isCut = size !== end && size > 0 && disk.read(path).at(-1) !== lineFeed;
    end = undefined;
    const bytes = Buffer.from(isCut ? `\n${lines}` : lines);
    writeAll(to, bytes, size);
    end = size + bytes.length;
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
  // Without lines the flush would end before `busy` is set.
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
        throw new Error(`the notes ${path} can't be read: ${messageOf(cause)}`, { cause });
      }
    },
    append: (line) =>
      new Promise((done, reject) => {
        text += line;
        waiting.push({ resolve: done, reject });
        setImmediate(start);
      }),
    clear(whole) {
      if (disk.exists(path) && disk.size(path) === Buffer.byteLength(whole)) opened().truncate(0);
    },
  };
}

const lineFeed = 10;
