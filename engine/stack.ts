/** A stack: where it is, what it is configured with, who works on it. */
import { backendRoot, type Places, placesOf, stackNames } from "./backend.ts";
import { diskFiles, type Files } from "./files.ts";
import { type Machine, thisMachine } from "./lock.ts";
import { openConfig, openProject, type Project, passphraseOf, type StackConfig } from "./project.ts";

export interface StackOptions {
  /** A folder of the project. */
  readonly folder: string;
  /** The stack's name; the only one there is when left out. */
  readonly stack?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now?: () => Date;
  /** Where everything is read and written; this machine's disk when left out. */
  readonly files?: Files;
  /** Who takes the lock; this process when left out. */
  readonly machine?: Machine;
}

/** A stack, opened: its project, configuration and state. */
export interface Stack {
  readonly name: string;
  readonly project: Project;
  readonly config: StackConfig;
  readonly exists: boolean;
  readonly places: Places;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => Date;
  readonly files: Files;
  readonly machine: Machine;
}

/** There is no such stack, or nobody said which. */
export class NoStackError extends Error {
  override readonly name = "NoStackError";
}

/**
 * Opens a stack.
 * @throws Error where there is no project, no such stack, or a choice is needed
 */
export function openStack(options: StackOptions): Stack {
  const files = options.files ?? diskFiles;
  const project = openProject(options.folder, files);
  const root = backendRoot(files, project, options.env);
  const names = stackNames(files, root, project.name);
  const name = options.stack ?? only(names, project);
  if (!/^[A-Za-z0-9_.-]{1,100}$/.test(name))
    throw new Error(
      `${JSON.stringify(name)} is no name of a stack: letters, digits, hyphens, underscores and periods only`,
    );
  const config = openConfig(project, name, passphraseOf(options.env, files), files);
  return {
    name,
    project,
    config,
    exists: names.includes(name),
    places: placesOf(root, project.name, name),
    env: options.env,
    now: options.now ?? (() => new Date()),
    files,
    machine: options.machine ?? thisMachine(),
  };
}

function only(names: readonly string[], project: Project): string {
  const [first, ...others] = names;
  if (first !== undefined && others.length === 0) return first;
  if (first === undefined)
    throw new NoStackError(`the project ${project.name} has no stack yet: name one with --stack`);
  throw new NoStackError(
    `the project ${project.name} has several stacks (${names.join(", ")}): name one with --stack`,
  );
}

/** The stacks of a project, by name. */
export function stacks(options: Omit<StackOptions, "stack">): readonly string[] {
  const files = options.files ?? diskFiles;
  const project = openProject(options.folder, files);
  return stackNames(files, backendRoot(files, project, options.env), project.name);
}
