/** A stack: its project, configuration, state files and lock. */

import { diskFiles, type Files } from "../common/disk.ts";
import { nearest } from "../common/nearest.ts";
import { backendRoot, isOfFiles, lockedNames, pathsOf, stackNames } from "../project/backend.ts";
import { openProject, type Project } from "../project/project.ts";
import { passphraseOf } from "../project/secrets.ts";
import { openConfig, refuseOtherEnding, type StackConfig, stackOfFile } from "../project/stack-file.ts";
import { urlOfFolder } from "../pulumi/backend.ts";
import { type Locks, type Machine, thisMachine } from "../state/lock.ts";
import { saltOf } from "../state/snapshot.ts";
import type { Stored } from "../state/state-file.ts";

export interface StackOptions {
  readonly folder: string;
  /** The stack's name; may be left out if the project has only one. */
  readonly stack?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now?: () => Date;
  /**
   * Whether a missing stack or backend folder is created; otherwise it is an error. Undefined if the caller has no such
   * option.
   */
  readonly create?: boolean;
  /** The file system; by default this machine's disk. */
  readonly files?: Files;
  /** The process that takes the lock; by default this one. */
  readonly machine?: Machine;
}

/** An opened stack: its project, configuration and state files. */
export interface Stack extends Stored {
  readonly project: Project;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly machine: Machine;
}

export const locksOf = ({ files, paths, machine, now }: Stack): Locks => ({
  files,
  folder: paths.locks,
  machine,
  now: now(),
});

/** The stack doesn't exist, or none was named. */
export class NoStackError extends Error {
  override readonly name = "NoStackError";
  readonly choices: readonly string[];
  constructor(message: string, choices: readonly string[] = []) {
    super(message);
    this.choices = choices;
  }
}

/**
 * Opens a stack.
 * @throws NoStackError if the stack or its backend doesn't exist and `create` is not set, or if a stack must be named
 * @throws Error if there is no project, or a file can't be read
 */
export function openStack(options: StackOptions): Stack {
  const files = options.files ?? diskFiles;
  const project = openProject(options.folder, files);
  const { root, exists: hasBackend } = backendRoot(files, project, options.env);
  const names = stackNames(files, root, project.name);
  const name = options.stack ?? only(existing(files, root, project), names, project);
  if (!/^[A-Za-z0-9_.-]{1,100}$/.test(name))
    throw new Error(
      `${JSON.stringify(name)} is not a valid stack name: letters, digits, hyphens, underscores and periods only`,
    );
  refuseOtherEnding(files, project, name);
  if (options.create !== true) {
    if (!hasBackend)
      throw new NoStackError(
        `the folder ${root}, which should keep the states, does not exist: check PULUMI_BACKEND_URL and the backend in ` +
          `Pulumi.yaml, or create it with --create`,
      );
    const there = existing(files, root, project);
    const near = nearest(name, there);
    if (!there.includes(name))
      throw new NoStackError(
        `the stack ${name} does not exist${near === undefined ? "" : ` (did you mean ${near}?)`}; the project ` +
          `${project.name} has ${there.join(", ") || "none"}${options.create === undefined ? "" : "; for a new stack, add --create"}`,
      );
  }
  const paths = pathsOf(root, project.name, name);
  return {
    name,
    project,
    config: configOf({ name, project, paths, files, env: options.env }),
    exists: names.includes(name),
    paths,
    // Child processes get an absolute address: each would resolve a relative one from its own folder.
    env: { ...options.env, PULUMI_BACKEND_URL: urlOfFolder(root) },
    now: options.now ?? (() => new Date()),
    files,
    machine: options.machine ?? thisMachine(),
  };
}

export const configOf = ({
  name,
  project,
  paths,
  files,
  env,
}: Pick<Stack, "name" | "project" | "paths" | "files" | "env">): StackConfig =>
  openConfig(project, name, passphraseOf(env, files), {
    files,
    stateSalt: () =>
      files.exists(paths.state) ? saltOf(files.read(paths.state).toString("utf8"), paths.state) : undefined,
  });

/** The project's only stack. @param begun stacks that have a state: one that was never run isn't chosen by default */
function only(names: readonly string[], begun: readonly string[], project: Project): string {
  const [first, ...others] = names;
  if (first !== undefined && others.length === 0 && begun.length === 1) return first;
  if (others.length > 0)
    throw new NoStackError(
      `the project ${project.name} has several stacks (${names.join(", ")}): name one with --stack`,
      names,
    );
  const has = first === undefined ? "" : `; it has the configuration of ${first}`;
  throw new NoStackError(
    `the project ${project.name} has no state of any stack yet${has}: name one with --stack`,
    names,
  );
}

function configuredStacks(files: Files, project: Project): readonly string[] {
  if (!files.exists(project.stackFolder)) return [];
  return files
    .list(project.stackFolder)
    .flatMap((name) => stackOfFile(project, name) ?? [])
    .sort();
}

/** Stacks with a state, a configuration file, or a lock. */
const existing = (files: Files, root: string, project: Project): readonly string[] =>
  [
    ...new Set([
      ...stackNames(files, root, project.name),
      ...configuredStacks(files, project),
      ...lockedNames(files, root, project.name),
    ]),
  ].sort();

/** Whether a project's states are in files. Only Pulumi's own engine reads other backends. */
export function keepsFiles(options: Pick<StackOptions, "folder" | "env" | "files">): boolean {
  const files = options.files ?? diskFiles;
  return isOfFiles(files, openProject(options.folder, files), options.env);
}

/** The names of a project's stacks: those with a state, a configuration file, or a lock. */
export function stacks(options: Omit<StackOptions, "stack" | "create">): readonly string[] {
  const files = options.files ?? diskFiles;
  const project = openProject(options.folder, files);
  return existing(files, backendRoot(files, project, options.env).root, project);
}
