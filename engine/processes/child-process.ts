/** Starts the processes of a run, with the run's environment; they end with the run. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Project } from "../project/project.ts";
import type { StackConfig } from "../project/stack-file.ts";
import { fileOf } from "../pulumi/sdk-internals.ts";

export interface HostOptions {
  readonly project: Project;
  readonly stack: string;
  readonly config: StackConfig;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly engineAddress: string;
  readonly print: (line: string) => void;
}

export function sdkFile(project: Project, path: string): string {
  try {
    return fileOf(project.programFolder, path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ERR_INVALID_PACKAGE_CONFIG")
      throw new Error(
        `the package.json of ${project.programFolder} is not JSON; npm install shows the place`,
        { cause },
      );
    throw new Error(
      `the project at ${project.programFolder} has no @pulumi/pulumi installed; run npm install there`,
      { cause },
    );
  }
}

export function childEnvironment({
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

/**
 * Variables of this engine for the processes of a run.
 * @param lock path of the run's lock: without the file, nothing may be written
 * @param recovered URNs of resources whose create was interrupted, and which this run has in its state
 * @param refreshes whether it reads all resources first
 */
export const runVariables = (
  dryRun: boolean,
  lock: string | undefined,
  recovered: readonly string[] = [],
  refreshes = false,
): Readonly<Record<string, string>> => ({
  // The provider may send more to this engine than Pulumi's protocol has: `Adoption`, `Read` and `isRefusal` (provider.ts,
  // provider-client.ts).
  PULUMI_EMBEDDED_ENGINE: JSON.stringify({
    lock,
    ...(recovered.length > 0 && { recovered }),
    ...(refreshes && { refreshes }),
  }),
  // The SDK's own name; its provider host gets this information in no other way.
  PULUMI_NODEJS_DRY_RUN: String(dryRun),
});

const preload = new URL(import.meta.url.endsWith(".ts") ? "./preload.ts" : "./preload.js", import.meta.url)
  .href;

/** Environment and pipes of a child in addition to the common ones. */
interface More {
  readonly env?: Readonly<Record<string, string>>;
  /** Pipes after the standard streams. */
  readonly pipes?: readonly "pipe"[];
}

/** Starts Node with the preload that all children have (preload.ts). */
export function startNode(options: HostOptions, args: readonly string[], more: More = {}): ChildProcess {
  // As one argument: the SDK takes `--import x` for a loader of the program.
  const all = [`--import=${preload}`, ...options.project.runtime.nodeargs, ...args];
  return startFile(options, process.execPath, all, more);
}

/** Starts a child in its own process group: the engine handles Ctrl-C, so that a running operation isn't interrupted. */
export function startFile(
  options: HostOptions,
  file: string,
  args: readonly string[],
  { env = {}, pipes = [] }: More = {},
): ChildProcess {
  const child = spawn(file, args, {
    cwd: options.project.programFolder,
    env: { ...childEnvironment(options), ...env },
    stdio: ["pipe", "pipe", "pipe", ...pipes],
    detached: process.platform !== "win32",
  });
  // A child that has just ended can't receive a message; its exit reports that.
  child.stdin?.on("error", () => {});
  return child;
}

export function printLines(child: ChildProcess, print: (line: string) => void): void {
  for (const stream of [child.stdout, child.stderr])
    if (stream !== null) createInterface({ input: stream }).on("line", print);
}

/** Ends a child by closing its standard input (preload.ts); kills it if it doesn't end. */
export function endChild(child: ChildProcess): void {
  child.stdin?.end();
  const timer = setTimeout(() => child.kill("SIGKILL"), 2_000);
  timer.unref();
  child.once("exit", () => clearTimeout(timer));
}

/**
 * Returns the first line that a child prints, its port, and prints all further lines.
 * @param what describes the child in the error if it ends before that
 * @param isEcho whether a line of standard error repeats an error that the child also answers with
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
    // Not `exit`: the child's last output, which has the reason, may come later.
    child.once("close", (code, signal) => {
      const how = signal === null ? `exited with code ${code}` : `was ended by ${signal}`;
      reject(new Error(`${what} ${how}: ${errors.join("\n")}`));
      if (port !== undefined && child.stdin?.writableEnded !== true) print(`${what} ${how}`);
    });
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
