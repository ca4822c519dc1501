/** Processes that a run starts: each with the run's environment, ended with the run. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Project, StackConfig } from "../project/project.ts";
import { fileOf } from "../pulumi/sdk-internals.ts";

export interface HostOptions {
  readonly project: Project;
  readonly stack: string;
  readonly config: StackConfig;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly engineAddress: string;
  readonly print: (line: string) => void;
}

/** The SDK's own file, as the project's folder finds it. */
export function sdkFile(project: Project, path: string): string {
  try {
    return fileOf(project.programFolder, path);
  } catch (cause) {
    throw new Error(
      `the project at ${project.programFolder} has no @pulumi/pulumi installed; run npm install there`,
      { cause },
    );
  }
}

export function environment({
  config,
  env,
  project,
  stack,
}: HostOptions): Record<string, string | undefined> {
  return {
    ...env,
    PULUMI_CONFIG: JSON.stringify(config.values),
    PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(config.secretKeys),
    PULUMI_NODEJS_PROJECT: project.name,
    PULUMI_NODEJS_STACK: stack,
  };
}

const preload = new URL(import.meta.url.endsWith(".ts") ? "./child.ts" : "./child.js", import.meta.url).href;

/** What a child has beside what all have. */
interface More {
  readonly env?: Readonly<Record<string, string>>;
  /** After its standard streams. */
  readonly pipes?: readonly "pipe"[];
}

/** Starts Node with what the engine's children have in common (child.ts). */
export function start(options: HostOptions, args: readonly string[], more: More = {}): ChildProcess {
  // In one word: the SDK takes the two of `--import x` for a loader of the program's own.
  const all = [`--import=${preload}`, ...options.project.runtime.nodeargs, ...args];
  return startFile(options, process.execPath, all, more);
}

/** Starts a child of its own group: Ctrl-C is ours to hand on, or an operation would be cut off half way. */
export function startFile(
  options: HostOptions,
  file: string,
  args: readonly string[],
  { env = {}, pipes = [] }: More = {},
): ChildProcess {
  const child = spawn(file, args, {
    cwd: options.project.programFolder,
    env: { ...environment(options), ...env },
    stdio: ["pipe", "pipe", "pipe", ...pipes],
    detached: process.platform !== "win32",
  });
  // Who has just ended can't be told to stop, and is told of by its exit.
  child.stdin?.on("error", () => {});
  return child;
}

export function printLines(child: ChildProcess, print: (line: string) => void): void {
  for (const stream of [child.stdout, child.stderr])
    if (stream !== null) createInterface({ input: stream }).on("line", print);
}

/** Ends a child: it ends itself when its standard input is closed (child.ts); one that is stuck is ended. */
export function end(child: ChildProcess): void {
  child.stdin?.end();
  const timer = setTimeout(() => child.kill("SIGKILL"), 2_000);
  timer.unref();
  child.once("exit", () => clearTimeout(timer));
}

/**
 * The first line that a child prints, which is its port; the others are printed.
 * @param what the child, for the error of one that ends before that
 * @param isEcho lines of its standard error that say again what it answers with
 */
export function firstLine(
  child: ChildProcess,
  what: string,
  print: (line: string) => void,
  isEcho: (line: string) => boolean = () => false,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let port: string | undefined;
    const errors: string[] = [];
    child.once("error", (cause) =>
      reject(new Error(`${what} could not be started: ${cause.message}`, { cause })),
    );
    // Not its exit: what it printed last, which says why, may come after that.
    child.once("close", (code) =>
      reject(new Error(`${what} exited with code ${code}: ${errors.join("\n")}`)),
    );
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
      if (port !== undefined) return print(line);
      port = line.trim();
      resolve(port);
    });
    createInterface({ input: child.stderr as NodeJS.ReadableStream }).on("line", (line) => {
      if (port === undefined) errors.push(line);
      else if (!isEcho(line)) print(line);
    });
  });
}
