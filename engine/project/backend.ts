/** Where states are kept: a folder, laid out as Pulumi's file backend lays it out (pkg/backend/diy). */
import { basename, join } from "node:path";
import {
  folderOf,
  homeBackend,
  namedBackend,
  type ProjectPlace,
  stackFile,
  stacksFolder,
} from "../pulumi/backend.ts";
import { type Files, writeWhole } from "../pulumi/disk.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface StackPaths {
  /** The folder that holds .pulumi. */
  readonly root: string;
  readonly state: string;
  readonly journal: string;
  readonly locks: string;
  /** The folder of its runs (engine/stack/history.ts). */
  readonly history: string;
  /** Of the stack's file: who writes it waits for others, and for no run. */
  readonly configLocks: string;
}

export interface Backend {
  /** The folder that holds .pulumi. */
  readonly root: string;
  /** Whether the folder is there; the one that nobody named, the home folder, needs not be. */
  readonly exists: boolean;
}

/**
 * The folder of a project's states: PULUMI_BACKEND_URL, the project's own backend, the last login, the home folder.
 * @throws Error naming a backend that is none of files
 */
export function backendRoot(files: Files, project: ProjectPlace, env: Env): Backend {
  const named = namedBackend(files, project, env);
  const url = named ?? homeBackend;
  const root = folderOf(url, project, env);
  if (root === undefined)
    throw new Error(
      `the backend ${url} is not supported by the embedded engine, only file://; set PULUMI_BACKEND_URL, or use --engine pulumi`,
    );
  return { root, exists: named === undefined || files.exists(root) };
}

/** Whether a project's states are in files, which this engine reads. */
export const isOfFiles = (files: Files, project: ProjectPlace, env: Env): boolean =>
  folderOf(namedBackend(files, project, env) ?? homeBackend, project, env) !== undefined;

export function pathsOf(root: string, project: string, stack: string): StackPaths {
  return {
    root,
    state: stackFile(root, { project, stack }, "json"),
    journal: stackFile(root, { project, stack }, "journal"),
    locks: join(root, ".pulumi/locks/organization", project, stack),
    history: join(root, ".pulumi/history", project, stack),
    configLocks: join(root, ".pulumi/locks/config", project, stack),
  };
}

export function stackNames(files: Files, root: string, project: string): readonly string[] {
  const folder = stacksFolder(root, project);
  if (!files.exists(folder)) return [];
  return files
    .list(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => basename(name, ".json"))
    .sort();
}

/** Names of a project's stacks that somebody has locked, or left locked: a run takes its lock before it writes anything. */
export function lockedNames(files: Files, root: string, project: string): readonly string[] {
  const folder = join(root, ".pulumi/locks/organization", project);
  if (!files.exists(folder)) return [];
  // A process that died while it wrote its lock leaves a file beside the folders.
  const isLocked = (path: string) => files.isFolder(path) && files.list(path).length > 0;
  return files.list(folder).filter((name) => isLocked(join(folder, name)));
}

/** What marks a folder as a backend of Pulumi's present layout (pkg/backend/diy/meta.go). */
export function markBackend(files: Files, root: string): void {
  const path = join(root, ".pulumi/meta.yaml");
  if (!files.exists(path)) writeWhole(files, path, "version: 1\n");
}
