/** The folder with a project's states, in the layout of Pulumi's file backend (pkg/backend/diy). */
import { join } from "node:path";
import { type Files, writeWhole } from "../common/disk.ts";
import {
  folderOf,
  homeBackend,
  namedBackend,
  type ProjectPlace,
  stackFile,
  stackOfState,
  stacksFolder,
} from "../pulumi/backend.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface StackPaths {
  /** The folder that contains .pulumi. */
  readonly root: string;
  readonly state: string;
  readonly journal: string;
  readonly locks: string;
  /** The folder of its runs (engine/stack/history.ts). */
  readonly history: string;
  /** Locks of the stack's configuration file, which don't wait for runs. */
  readonly configLocks: string;
}

export interface Backend {
  /** The folder that contains .pulumi. */
  readonly root: string;
  /** Whether the folder exists; the default, the home folder, always counts as existing. */
  readonly exists: boolean;
}

/**
 * The folder of a project's states: from PULUMI_BACKEND_URL, the project's backend, the last login, or the home folder.
 * @throws Error that names a backend which isn't file://
 */
export function backendRoot(files: Files, project: ProjectPlace, env: Env): Backend {
  const named = namedBackend(files, project, env);
  const url = named ?? homeBackend;
  const root = folderOf(url, project, env);
  if (root === undefined)
    throw new Error(
      `the backend ${url} is not supported by the embedded engine, only file://; set PULUMI_BACKEND_URL, or use --engine pulumi`,
    );
  const exists = files.exists(root);
  if (exists && !files.isFolder(root))
    throw new Error(
      `${root}, which should keep the states, is a file: check PULUMI_BACKEND_URL and the backend in Pulumi.yaml`,
    );
  return { root, exists: named === undefined || exists };
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
    .flatMap((name) => stackOfState(name) ?? [])
    .sort();
}

/** The names of a project's stacks that have a lock: a run takes its lock before it writes anything else. */
export function lockedNames(files: Files, root: string, project: string): readonly string[] {
  const folder = join(root, ".pulumi/locks/organization", project);
  if (!files.exists(folder)) return [];
  // A process that died while it wrote its lock leaves a file beside the folders.
  const isLocked = (path: string) => files.isFolder(path) && files.list(path).length > 0;
  return files.list(folder).filter((name) => isLocked(join(folder, name)));
}

/** Marks a folder as a backend of Pulumi's present layout (pkg/backend/diy/meta.go). */
export function markBackend(files: Files, root: string): void {
  const path = join(root, ".pulumi/meta.yaml");
  if (!files.exists(path)) writeWhole(files, path, "version: 1\n");
}
