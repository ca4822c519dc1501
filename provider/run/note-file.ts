/** Where the notes of a stack lie: beside its state, those of creates in the home folder where no folder holds the state. */

import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import {
  folderOf,
  homeBackend,
  namedBackend,
  type ProjectPlace,
  projectPlace,
  pulumiHome,
  type StackPlace,
  stackFile,
} from "../../engine/pulumi/backend.ts";
import {
  diskFiles,
  type Files,
  makeFolders,
  type OpenFile,
  writeAll,
  writeWhole,
} from "../../engine/pulumi/disk.ts";
import type { Env } from "../settings/settings.ts";
import { messageOf } from "../wire/text.ts";

/** A file of lines, as far as notes need it; tests hold one in memory. */
export interface NoteFile {
  /** Undefined where there is none. */
  read(): string | undefined;
  /** Resolves when the text is on the disk. */
  append(text: string): Promise<void>;
  /**
   * Puts a text in place of all that is there, whole or not at all, when the lines before it are written.
   * @param text asked for when its turn has come
   */
  replace(text: () => string): Promise<void>;
}

const projectOf = (folder: string): ProjectPlace => projectPlace(diskFiles, folder);

/** The folder that holds a backend's .pulumi; undefined where states are kept elsewhere. @param folder the program's folder */
export function backendFolder(folder: string, env: Env): string | undefined {
  const project = projectOf(folder);
  return folderOf(namedBackend(diskFiles, project, env) ?? homeBackend, project, env);
}

/**
 * The file of a stack's notes of creates.
 * @param folder the program's folder, absolute
 */
export function notesPath(place: StackPlace, folder: string, env: Env): string {
  const beside = besideState(place, folder, env);
  if (beside !== undefined) return beside;
  const url = namedBackend(diskFiles, projectOf(folder), env);
  const name = createHash("sha256")
    .update(JSON.stringify([url, place.project, place.stack]))
    .digest("hex")
    .slice(0, 24);
  return join(pulumiHome(env), "pulumi-shop", `${name}.creates`);
}

/** The notes beside a stack's state; undefined where no folder holds the state. */
export function besideState(place: StackPlace, folder: string, env: Env): string | undefined {
  const root = backendFolder(folder, env);
  return root === undefined ? undefined : stackFile(root, place, "creates");
}

/** A file of a disk. Lines that are appended together reach the disk together. */
export function diskNoteFile(path: string, disk: Files = diskFiles): NoteFile {
  let file: OpenFile | undefined;
  let text = "";
  let waiting: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  let busy: Promise<void> | undefined;
  let isWhole = false;
  const opened = () => {
    if (file !== undefined) return file;
    makeFolders(disk, dirname(path));
    const isNew = !disk.exists(path);
    file = disk.open(path, "append");
    // A file whose name a power cut takes away has noted nothing.
    if (isNew) disk.syncFolder(dirname(path));
    return file;
  };
  const write = async (lines: string) => {
    const to = opened();
    const size = disk.size(path);
    // What was interrupted while it was written must not take the next line with it.
    const isCut = !isWhole && size > 0 && disk.read(path).at(-1) !== lineFeed;
    isWhole = false;
    writeAll(to, Buffer.from(isCut ? `\n${lines}` : lines), size);
    isWhole = true;
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
  // One that has nothing to write would be over before it is known to be under way.
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
    async replace(whole) {
      // A file that is being synced is not closed.
      while (busy !== undefined) await busy;
      writeWhole(disk, path, whole());
      file?.close();
      file = undefined;
    },
  };
}

const lineFeed = 10;
