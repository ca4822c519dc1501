/** Starts the SDK's program runner and its host of dynamic providers. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { Duplex } from "node:stream";
import type { Project } from "../project/project.ts";
import type { StackConfig } from "../project/stack-file.ts";
import { message } from "../pulumi/grpc.ts";
import { startedFiles } from "../pulumi/sdk-internals.ts";
import { dynamicPackageName } from "../pulumi/urn.ts";
import { type Properties, secret, type Value } from "../values/values.ts";
import { endChild, firstLine, type HostOptions, printLines, sdkFile, startNode } from "./child-process.ts";
import type { MonitorServer } from "./monitor.ts";
import type { Provider } from "./provider.ts";
import { clientOf, providerCalls, unary } from "./provider-client.ts";
import { pipeNumber } from "./registration-pipe.ts";
import { providerMessages, toStruct } from "./wire.ts";

// If the project has a TypeScript compiler, it compiles the program, as with Pulumi; otherwise Node strips the types.
function compiler({ programFolder, runtime }: Project): Readonly<Record<string, string>> {
  if (!runtime.typescript || !isInstalled("typescript", programFolder)) return {};
  return {
    PULUMI_NODEJS_TYPESCRIPT: "true",
    ...(runtime.tsconfig !== undefined && { PULUMI_NODEJS_TSCONFIG_PATH: runtime.tsconfig }),
  };
}

export function isInstalled(name: string, folder: string): boolean {
  try {
    createRequire(join(folder, "package.json")).resolve(name);
    return true;
  } catch {
    // The module isn't installed.
    return false;
  }
}

interface Ended {
  readonly code: number;
  /** The signal that ended the program; null if it ended by itself. */
  readonly signal: NodeJS.Signals | null;
}

export function startProgram(
  options: HostOptions,
  monitor: MonitorServer,
  run: { dryRun: boolean; parallel: number },
) {
  const { project, stack, engineAddress } = options;
  const values = {
    monitor: monitor.address,
    engine: engineAddress,
    project: project.name,
    stack,
    organization: "organization",
    pwd: project.programFolder,
    "root-directory": project.folder,
    parallel: String(run.parallel),
  };
  const args = [
    sdkFile(project, startedFiles.run),
    ...Object.entries(values).flatMap(([name, value]) => [`--${name}`, value]),
    ...(run.dryRun ? ["--dry-run"] : []),
    project.entry,
  ];
  const child = startNode(options, args, { env: compiler(project), pipes: ["pipe"] });
  printLines(child, options.print);
  const pipe = child.stdio[pipeNumber];
  if (pipe instanceof Duplex) monitor.answer(pipe);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code: code ?? 1, signal }));
  });
  return {
    /** Resolves after the program has ended. */
    ended,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
  };
}

/** Starts the host of dynamic providers and configures it; the first line that it prints is its port. */
export async function startProvider(options: HostOptions): Promise<Provider> {
  const file = sdkFile(options.project, startedFiles.host);
  const child = startNode(options, [file, options.engineAddress]);
  const port = Number(await firstLine(child, "the host of dynamic providers", options.print, isEcho));
  const { close, ...rest } = await connectProvider(options, port);
  return {
    ...rest,
    stop: () => child.stdin?.write("stop\n"),
    close: () => {
      close();
      endChild(child);
    },
  };
}

// The host prints each error that it also answers with: `Error: <message>: <stack>` (cmd/dynamic-provider/index.ts),
// then the lines of the stack.
const isEcho = (line: string) => /^(\w*Error: )|^ {4}at /.test(line) || line.trim() === ":";

/** Connects to a host of dynamic providers on a local port and configures it. */
export async function connectProvider(options: HostOptions, port: number): Promise<Omit<Provider, "stop">> {
  const client = clientOf(port);
  const args = toStruct(configArguments(options.config, dynamicPackageName));
  const request = message(providerMessages.ConfigureRequest, { args, acceptsecrets: true });
  await unary(client, "configure", request);
  const { invoke: _none, ...rest } = providerCalls(client);
  return { ...rest, close: () => client.close() };
}

/**
 * The configuration of a package's default provider: the values of its namespace; for dynamic providers all values with
 * their namespaces (pkg/resource/deploy/target.go).
 */
export function configArguments(config: StackConfig, packageName: string): Properties {
  const isDynamic = packageName === dynamicPackageName;
  const own = Object.entries(config.values).filter(([key]) => isDynamic || key.startsWith(`${packageName}:`));
  const entries = own.map(([key, value]): [string, Value] => [
    isDynamic ? key : key.slice(packageName.length + 1),
    config.secretKeys.includes(key) ? secret(value) : value,
  ]);
  return Object.fromEntries(entries);
}
