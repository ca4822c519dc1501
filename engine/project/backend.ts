/** Where states are kept: a folder, laid out as Pulumi's file backend lays it out (pkg/backend/diy). */
import { homedir } from "node:os";
import { basename, join, resolve } from "node:path";
import { type Files, writeWhole } from "../disk/files.ts";
import type { Project } from "./project.ts";

export interface StackPaths {
  /** The folder that holds .pulumi. */
  readonly root: string;
  readonly state: string;
  readonly journal: string;
  readonly locks: string;
  /** Of the stack's file: who writes it waits for others, and for no run. */
  readonly configLocks: string;
}

type Env = Readonly<Record<string, string | undefined>>;

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
export function backendRoot(files: Files, project: Project, env: Env): Backend {
  const named = namedUrl(files, project, env);
  const url = named ?? homeUrl;
  if (!url.startsWith("file://"))
    throw new Error(
      `the backend ${url} is not supported by the embedded engine, only file://; set PULUMI_BACKEND_URL, or use --engine pulumi`,
    );
  const path = folderIn(url);
  const home = env.HOME ?? env.USERPROFILE ?? homedir();
  const isHome = path === "~" || path.startsWith("~/");
  const root = isHome ? join(home, path.slice(1)) : resolve(project.folder, path === "" ? "." : path);
  return { root, exists: named === undefined || files.exists(root) };
}

/** Whether a project's states are in files, which this engine reads. */
export const isOfFiles = (files: Files, project: Project, env: Env): boolean =>
  (namedUrl(files, project, env) ?? homeUrl).startsWith("file://");

const homeUrl = "file://~";

const namedUrl = (files: Files, project: Project, env: Env) =>
  env.PULUMI_BACKEND_URL ?? project.backendUrl ?? lastLogin(files, env);

/** The folder that a file:// address of Pulumi's means: a path as it stands, not an encoded one; Windows' have a drive. */
export function folderIn(url: string): string {
  return url.slice("file://".length).replace(/^\/(?=[A-Za-z]:[\\/])/, "");
}

function lastLogin(files: Files, env: Env): string | undefined {
  const path = join(env.PULUMI_HOME ?? join(env.HOME ?? homedir(), ".pulumi"), "credentials.json");
  if (!files.exists(path)) return undefined;
  try {
    return (JSON.parse(files.read(path).toString("utf8")) as { current?: string }).current || undefined;
  } catch (cause) {
    throw new Error(`${path} is damaged: ${(cause as Error).message}; remove it, or set PULUMI_BACKEND_URL`, {
      cause,
    });
  }
}

/** The files of one stack. */
export function pathsOf(root: string, project: string, stack: string): StackPaths {
  const folder = join(root, ".pulumi/stacks", project);
  return {
    root,
    state: join(folder, `${stack}.json`),
    journal: join(folder, `${stack}.journal`),
    locks: join(root, ".pulumi/locks/organization", project, stack),
    configLocks: join(root, ".pulumi/locks/config", project, stack),
  };
}

/** Names of a project's stacks. */
export function stackNames(files: Files, root: string, project: string): readonly string[] {
  const folder = join(root, ".pulumi/stacks", project);
  if (!files.exists(folder)) return [];
  return files
    .list(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => basename(name, ".json"))
    .sort();
}

/** What marks a folder as a backend of Pulumi's present layout (pkg/backend/diy/meta.go). */
export function markBackend(files: Files, root: string): void {
  const path = join(root, ".pulumi/meta.yaml");
  if (!files.exists(path)) writeWhole(files, path, "version: 1\n");
}
