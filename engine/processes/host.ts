/** The processes of a run: the SDK's own program runner and its own host of dynamic providers. */
import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import * as grpc from "@grpc/grpc-js";
import type { Project, StackConfig } from "../project/project.ts";
import { type Properties, secret, type Value } from "../values/values.ts";
import {
  fromStruct,
  type InitFailure,
  initFailure,
  providerMessages,
  providerServices,
  type Struct,
  toStruct,
  unary,
  words,
} from "./wire.ts";

/** A provider's verbs, as the engine needs them. */
export interface Provider {
  check(
    urn: string,
    olds: Properties,
    news: Properties,
  ): Promise<{
    inputs: Properties;
    failures: readonly { property: string; reason: string }[];
    takes?: Takes | undefined;
  }>;
  diff(urn: string, id: string, olds: Properties, news: Properties): Promise<ProviderDiff>;
  create(urn: string, inputs: Properties, timeoutMs?: number): Promise<{ id: string; outputs: Properties }>;
  read(urn: string, id: string, inputs: Properties, outputs: Properties | undefined): Promise<Read>;
  update(
    urn: string,
    id: string,
    olds: Properties,
    news: Properties,
    timeoutMs?: number,
  ): Promise<{ outputs: Properties }>;
  delete(urn: string, id: string, outputs: Properties, timeoutMs?: number): Promise<void>;
  /** Asks it to wait for nothing any more. */
  stop(): void;
  close(): void;
}

/** An object as its provider read it. */
export interface Read {
  /** Empty where there is none. */
  readonly id: string;
  readonly outputs: Properties;
  readonly inputs: Properties | undefined;
  /** Why the provider would refuse to delete it as it is, where it tells. */
  readonly keeps?: string | undefined;
}

export interface ProviderDiff {
  readonly changes: "some" | "none" | "unknown";
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
}

/** A create or update that left an object which is not as asked. */
export class InitError extends Error {
  readonly failure: InitFailure;
  constructor(failure: InitFailure) {
    super(failure.reasons.join("\n"));
    this.failure = failure;
  }
}

/** Something that the provider declined to do; nothing was done. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
}

/** An object that a create will take over, as the provider said when it checked the arguments. */
export interface Takes {
  readonly id: string;
  /** What of it will be changed, a sentence each. */
  readonly changes: readonly string[];
  /** The object as it is, where the provider says it. */
  readonly olds?: Properties;
}

export interface HostOptions {
  readonly project: Project;
  readonly stack: string;
  readonly config: StackConfig;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly engineAddress: string;
  readonly print: (line: string) => void;
}

/** The SDK's own file, as the project's folder finds it. */
function sdkFile(project: Project, path: string): string {
  try {
    return createRequire(join(project.programFolder, "package.json")).resolve(`@pulumi/pulumi/${path}`);
  } catch (cause) {
    throw new Error(
      `the project at ${project.programFolder} has no @pulumi/pulumi installed; run npm install there`,
      { cause },
    );
  }
}

function environment({ config, env, project, stack }: HostOptions): Record<string, string | undefined> {
  return {
    ...env,
    PULUMI_CONFIG: JSON.stringify(config.values),
    PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(config.secretKeys),
    PULUMI_NODEJS_PROJECT: project.name,
    PULUMI_NODEJS_STACK: stack,
  };
}

const preload = new URL(import.meta.url.endsWith(".ts") ? "./child.ts" : "./child.js", import.meta.url).href;

// A project that brings a compiler of its own has its program compiled, as Pulumi does it; otherwise Node strips the types.
function compiler({ programFolder, runtime }: Project): Readonly<Record<string, string>> {
  if (!runtime.typescript || !isInstalled("typescript", programFolder)) return {};
  return {
    PULUMI_NODEJS_TYPESCRIPT: "true",
    ...(runtime.tsconfig !== undefined && { PULUMI_NODEJS_TSCONFIG_PATH: runtime.tsconfig }),
  };
}

function isInstalled(name: string, folder: string): boolean {
  try {
    createRequire(join(folder, "package.json")).resolve(name);
    return true;
  } catch {
    // Not found is the answer.
    return false;
  }
}

/** Starts a child of its own group: Ctrl-C is ours to hand on, or an operation would be cut off half way. */
function start(options: HostOptions, args: readonly string[], more: Readonly<Record<string, string>> = {}) {
  // In one word: the SDK takes the two of `--import x` for a loader of the program's own.
  return spawn(process.execPath, [`--import=${preload}`, ...options.project.runtime.nodeargs, ...args], {
    cwd: options.project.programFolder,
    env: { ...environment(options), ...more },
    stdio: ["pipe", "pipe", "pipe"],
    detached: process.platform !== "win32",
  });
}

export interface Program {
  /** The exit code, once the program has ended. */
  readonly ended: Promise<number>;
  kill(signal: NodeJS.Signals): void;
}

/** Runs the program against a monitor. */
export function startProgram(
  options: HostOptions,
  monitorAddress: string,
  run: { dryRun: boolean; parallel: number },
): Program {
  const { project, stack, engineAddress } = options;
  const args = [
    sdkFile(project, "cmd/run/index.js"),
    ...[
      "--monitor",
      monitorAddress,
      "--engine",
      engineAddress,
      "--project",
      project.name,
      "--stack",
      stack,
      "--organization",
      "organization",
    ],
    ...[
      "--pwd",
      project.programFolder,
      "--root-directory",
      project.folder,
      "--parallel",
      String(run.parallel),
    ],
    ...(run.dryRun ? ["--dry-run"] : []),
    project.entry,
  ];
  const child = start(options, args, compiler(project));
  printLines(child, options.print);
  const ended = new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(signal === null ? (code ?? 1) : 1));
  });
  return { ended, kill: (signal) => child.kill(signal) };
}

function printLines(child: ChildProcess, print: (line: string) => void): void {
  for (const stream of [child.stdout, child.stderr])
    if (stream !== null) createInterface({ input: stream }).on("line", print);
}

/** Starts the host of dynamic providers and configures it; its first line is its port. */
export async function startProvider(options: HostOptions): Promise<Provider> {
  const file = sdkFile(options.project, "cmd/dynamic-provider/index.js");
  const child = start(options, [file, options.engineAddress]);
  const port = Number(await firstLine(child, options.print));
  const { close, ...rest } = await connectProvider(options, port);
  return {
    ...rest,
    stop: () => child.stdin?.write("stop\n"),
    close: () => {
      close();
      end(child);
    },
  };
}

/** Configures a host of dynamic providers that serves a port of this machine. */
export async function connectProvider(options: HostOptions, port: number): Promise<Omit<Provider, "stop">> {
  const client = new providerServices.ResourceProviderClient(
    `127.0.0.1:${port}`,
    grpc.credentials.createInsecure(),
    channelOptions,
  );
  const request = new providerMessages.ConfigureRequest();
  request.setArgs(toStruct(configArguments(options.config)) as never);
  request.setAcceptsecrets(true);
  await unary(client.configure.bind(client) as never, request);
  return { ...verbs(client), close: () => client.close() };
}

function end(child: ChildProcess): void {
  // It ends itself when its standard input is closed (child.ts); one that is stuck is ended.
  child.stdin?.end();
  const timer = setTimeout(() => child.kill("SIGKILL"), 2_000);
  timer.unref();
  child.once("exit", () => clearTimeout(timer));
}

function firstLine(child: ChildProcess, print: (line: string) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    let port: string | undefined;
    const errors: string[] = [];
    child.once("error", reject);
    child.once("exit", (code) =>
      reject(new Error(`the host of dynamic providers exited with code ${code}: ${errors.join("\n")}`)),
    );
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
      if (port !== undefined) return print(line);
      port = line.trim();
      resolve(port);
    });
    createInterface({ input: child.stderr as NodeJS.ReadableStream }).on("line", (line) => {
      if (port === undefined) errors.push(line);
      // The host prints each failure that it also answers with; once is enough.
      else if (!isEcho(line)) print(line);
    });
  });
}

// `Error: <message>: <stack>` of cmd/dynamic-provider/index.ts, and the stack's lines.
const isEcho = (line: string) => /^(\w*Error: )|^ {4}at /.test(line) || line.trim() === ":";

/** The whole configuration, namespaces kept: what dynamic providers are given (pkg/resource/deploy/target.go). */
export function configArguments(config: StackConfig): Properties {
  const entries = Object.entries(config.values).map(([key, value]): [string, Value] => [
    key,
    config.secretKeys.includes(key) ? secret(value) : value,
  ]);
  return Object.fromEntries(entries);
}

const channelOptions = {
  "grpc.max_receive_message_length": 400 * 1024 * 1024,
  "grpc.max_send_message_length": 400 * 1024 * 1024,
  // Books that nobody reads.
  "grpc.enable_channelz": 0,
  "grpc.enable_retries": 0,
};

// The SDK's host hands on the code of an error of some verbs, and the details of others.
function isRefusal(error: unknown, failure: InitFailure | undefined): boolean {
  const { code } = error as grpc.ServiceError;
  return code === grpc.status.FAILED_PRECONDITION || failure?.properties.__refused === true;
}

type Client = InstanceType<typeof providerServices.ResourceProviderClient>;

function verbs(client: Client): Omit<Provider, "close" | "stop"> {
  const ask = async <Response>(
    method: "check" | "diff" | "create" | "read" | "update" | "delete",
    request: unknown,
    timeoutMs?: number,
  ): Promise<Response> => {
    const options = timeoutMs === undefined ? {} : { deadline: new Date(Date.now() + timeoutMs) };
    const call = (one: unknown, callback: never) =>
      (client[method] as never as (...args: unknown[]) => unknown).call(
        client,
        one,
        new grpc.Metadata(),
        options,
        callback,
      );
    try {
      return (await unary(call as never, request)) as Response;
    } catch (error) {
      const failure = initFailure(error);
      if (isRefusal(error, failure)) throw new RefusedError(words(error), { cause: error });
      if (failure !== undefined) throw new InitError(failure);
      throw new Error(words(error), { cause: error });
    }
  };
  return {
    async check(urn, olds, news) {
      const request = new providerMessages.CheckRequest();
      request.setUrn(urn);
      request.setOlds(toStruct(olds) as never);
      request.setNews(toStruct(news) as never);
      const response = await ask<InstanceType<typeof providerMessages.CheckResponse>>("check", request);
      const failures = response
        .getFailuresList()
        .map((failure) => ({ property: failure.getProperty(), reason: failure.getReason() }));
      const { __takes, ...inputs } = fromStruct(response.getInputs() as Struct | undefined);
      return { inputs, failures, takes: __takes as unknown as Takes | undefined };
    },
    async diff(urn, id, olds, news) {
      const request = new providerMessages.DiffRequest();
      request.setUrn(urn);
      request.setId(id);
      request.setOlds(toStruct(olds) as never);
      request.setNews(toStruct(news) as never);
      const response = await ask<InstanceType<typeof providerMessages.DiffResponse>>("diff", request);
      const { DIFF_NONE, DIFF_SOME } = providerMessages.DiffResponse.DiffChanges;
      const changes =
        response.getChanges() === DIFF_NONE
          ? "none"
          : response.getChanges() === DIFF_SOME
            ? "some"
            : "unknown";
      return {
        changes,
        replaces: response.getReplacesList(),
        deleteBeforeReplace: response.getDeletebeforereplace(),
      };
    },
    async create(urn, inputs, timeoutMs) {
      const request = new providerMessages.CreateRequest();
      request.setUrn(urn);
      request.setProperties(toStruct(inputs) as never);
      const response = await ask<InstanceType<typeof providerMessages.CreateResponse>>(
        "create",
        request,
        timeoutMs,
      );
      return { id: response.getId(), outputs: fromStruct(response.getProperties() as Struct | undefined) };
    },
    async read(urn, id, inputs, outputs) {
      const request = new providerMessages.ReadRequest();
      request.setUrn(urn);
      request.setId(id);
      request.setInputs(toStruct(inputs) as never);
      if (outputs !== undefined) request.setProperties(toStruct(outputs) as never);
      const response = await ask<InstanceType<typeof providerMessages.ReadResponse>>("read", request);
      const refreshed = response.hasInputs()
        ? fromStruct(response.getInputs() as Struct | undefined)
        : undefined;
      const { __keeps: keeps, ...found } = fromStruct(response.getProperties() as Struct | undefined);
      return {
        id: response.getId(),
        outputs: found,
        inputs: refreshed,
        ...(typeof keeps === "string" && { keeps }),
      };
    },
    async update(urn, id, olds, news, timeoutMs) {
      const request = new providerMessages.UpdateRequest();
      request.setUrn(urn);
      request.setId(id);
      request.setOlds(toStruct(olds) as never);
      request.setNews(toStruct(news) as never);
      const response = await ask<InstanceType<typeof providerMessages.UpdateResponse>>(
        "update",
        request,
        timeoutMs,
      );
      return { outputs: fromStruct(response.getProperties() as Struct | undefined) };
    },
    async delete(urn, id, outputs, timeoutMs) {
      const request = new providerMessages.DeleteRequest();
      request.setUrn(urn);
      request.setId(id);
      request.setProperties(toStruct(outputs) as never);
      await ask("delete", request, timeoutMs);
    },
  };
}
