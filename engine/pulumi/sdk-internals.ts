/**
 * All undocumented parts of Pulumi's SDK for Node that we use, each with its purpose and with the consequence if a
 * release lacks it. test/sdk/internals.test.ts looks for each in the installed SDK, test/sdk/releases.campaign.ts in
 * the oldest and newest that package.json accepts, and in the newest release. The protocol's messages, which are
 * indispensable, are in engine/processes/wire.ts and plugin/wire.ts. This file doesn't load the SDK.
 */
import { createRequire } from "node:module";
import { join } from "node:path";

/** A resource in the SDK. */
interface Inner {
  readonly __pulumiType?: string;
  readonly __parentResource?: Inner;
}

/**
 * The type of a resource. Without it, policy packs don't know our classes, and interrupted creates don't know their
 * component.
 */
export const typeMade = (resource: unknown): string | undefined =>
  (resource as Inner | null | undefined)?.__pulumiType;

/**
 * The types of a resource's parents, outermost first. Without them, interrupted creates of the same name under
 * different parents can't be told apart.
 */
export function typesAbove(parent: object | undefined): readonly string[] {
  const above: string[] = [];
  for (let at = parent as Inner | undefined; at !== undefined; at = at.__parentResource) {
    const type = typeMade(at);
    if (type !== undefined) above.unshift(type);
  }
  return above;
}

/**
 * Whether a test replaces the engine (`pulumi.runtime.setMocks`). Without it, data sources call a shop in such tests,
 * too.
 */
export const isMocked = (runtime: { hasMonitor(): boolean; getMonitor(): unknown }): boolean =>
  runtime.hasMonitor() &&
  (runtime.getMonitor() as { readonly mocks?: unknown } | undefined)?.mocks !== undefined;

/** Marks a resource that is exported whole in a preview's outputs. Without it, previews show that output as changed. */
export const exportedWhole = "@isPulumiResource";

/** Work of the SDK for each resource that nobody uses, by the module that does it. */
export const quieted = {
  /** `debuggablePromise` records a stack trace for each promise. If it can't be replaced: slower. */
  debuggable: "@pulumi/pulumi/runtime/debuggable.js",
  /** `Resource.callsites` finds the position in the program. If it can't be replaced: states are a quarter larger. */
  resources: "@pulumi/pulumi/resource.js",
  /** `transferProperties` creates a resource's outputs, all at once. If it can't be replaced: slower. */
  rpc: "@pulumi/pulumi/runtime/rpc.js",
  /**
   * `registerResource` starts a registration. If it can't be replaced, all start at once: a program of thousands takes
   * a gigabyte more.
   */
  registering: "@pulumi/pulumi/runtime/resource.js",
  /** `rpcKeepAlive` keeps the program alive until its result is called. Without it, all registrations start at once. */
  keepAlive: "@pulumi/pulumi/runtime/settings.js",
  /** `debug` sends a line for each call, one after the other. Without it they are sent so: slower. */
  log: "@pulumi/pulumi/log/index.js",
} as const;

export interface Debuggable {
  debuggablePromise?: (promise: Promise<unknown>, context: unknown) => Promise<unknown>;
}
export interface Resources {
  readonly Resource?: { callsites?: () => readonly object[] };
}
export interface Registering {
  registerResource?: (
    ...args: [
      resource: object,
      parent: unknown,
      type: string,
      name: string,
      custom: boolean,
      remote: boolean,
      dependency: unknown,
      props: object,
      opts: object,
      ...more: unknown[],
    ]
  ) => void;
}
export interface KeepAlive {
  rpcKeepAlive?: () => () => void;
  /** The engine of the program that asks: a process may run several. */
  getEngine?: () => object | undefined;
}
export interface Log {
  debug?: (line: string, ...more: unknown[]) => Promise<void>;
}
export type Resolvers = Record<string, (...settled: unknown[]) => void>;
export type Transfer = (onto: object, label: string, props: object) => Resolvers;
export interface Rpc {
  transferProperties?: Transfer;
}

/** A module of the SDK; empty if a release doesn't have it there. */
export function partOf<T extends object>(require: NodeJS.Require, name: string): Partial<T> {
  try {
    return require(name) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    return {};
  }
}

/**
 * Files of the SDK that the engine starts. If one is missing, it reports that the project has no SDK that it can start.
 */
export const startedFiles = {
  run: "cmd/run/index.js",
  host: "cmd/dynamic-provider/index.js",
  plugin: "cmd/run-plugin/index.js",
} as const;

/** A file of the SDK installed in a folder. @throws Error if there is none */
export const fileOf = (folder: string, file: string): string =>
  createRequire(join(folder, "package.json")).resolve(`@pulumi/pulumi/${file}`);

/** Whether a process was started with one of these files. */
export const isStarted = (what: "run" | "host", file: string): boolean =>
  file.replaceAll("\\", "/").includes(startedFiles[what].replace("/index.js", "/"));

/**
 * Runs a program in the same process (Automation API). Without it, or without the project's folder, its resources are
 * dynamic.
 */
export const inlineServer = "@pulumi/pulumi/automation/server.js";
export interface InlineServer {
  readonly LanguageServer?: { readonly prototype: { run?: RunInline } };
}
export type RunInline = (
  call: { readonly request: { getInfo?(): { getRootDirectory(): string } | undefined } },
  answer: unknown,
) => unknown;

/**
 * Modules that few programs need, loaded on first use. Paths are relative to the started file. If one can't be
 * replaced: slower.
 */
export const loadedLate = {
  /** TypeScript, nine megabytes, to serialise closures. */
  typescript: "../../typescript-shim",
  /** The Automation API. */
  automation: "../../automation",
  /** npm's installer, half of all files that the SDK loads, to find the packages of a closure. */
  codePaths: "../../runtime/closure/codePaths",
  /** A debugger, to serialise closures and to name their position. */
  debugger: "../../runtime/closure/v8Hooks",
  /** Tracing for --tracing, which this engine doesn't have: two hundred files. */
  tracing: "./tracing",
} as const;

/** Must be loaded before anything that loads gRPC, in the program's process. Without it, nothing is loaded early. */
export const instrumentation = "./instrumentation";
/** `ResourceMonitorClient.registerResource` calls the engine. Without it, registrations use gRPC: slower. */
export const monitorClient = "../../proto/resource_grpc_pb";
/** `RegisterResourceResponse`, created from its fields. Without it, registrations use gRPC: slower. */
export const registrations = "../../proto/resource_pb";
/**
 * The resources that a program still waits for when it ends, and where it creates them. Without it, the SDK's own
 * message is printed.
 */
export const waitingParts = { registering: "../../runtime/resource", state: "../../runtime/state" } as const;
export interface Pending {
  getPendingResourceRegistrations?: () => ReadonlyMap<
    object,
    {
      readonly name?: string;
      readonly type?: string;
      readonly phase?: string;
      readonly inputProperty?: string;
    }
  >;
}

/**
 * The SDK's knowledge of the running program: what its outputs wait for, which registrations are pending, and whether
 * the engine has stopped. Without it, a program that ends early isn't detected under `pulumi`.
 */
export const programState = "@pulumi/pulumi/runtime/state.js";
export interface ProgramState extends Pending {
  getStackResource?: () => { readonly outputs?: { promise?(): Promise<unknown> } } | undefined;
  getStore?: () => { readonly terminated?: boolean };
}

/** `debug` sends a line for each call. Without it, they are sent and ignored: slower. */
export const log = "../../log";
export interface KeptLog {
  hasErrors?: () => boolean;
}
/** Maps lines of the SDK to lines of its sources. Without it, source maps aren't read at all. */
export const sourceMaps = "source-map-support";

/**
 * The beginning of the SDK's message about a failed program. Without it, the whole stack is shown instead of the
 * message.
 */
export const programFailed = /^(?:error: )?Running program [^\n]* failed with an unhandled exception:\n/;

/** The same message. @param text the error as Node shows it, or the value that was thrown */
export const programFailedText = (program: string, text: string): string =>
  `Running program '${program}' failed with an unhandled exception:\n${text}`;

/**
 * An error that the SDK's host of dynamic providers answers with but doesn't print. For most operations the host prints
 * `${error}: ${error.stack}` before it answers, and an engine shows that as a message of the stack, in addition to the
 * resource's error. If another release does that differently, the message appears twice, or with an empty one.
 */
export function silently(message: string): Error {
  const error = Object.assign(new Error(message), { toString: () => "" });
  return Object.defineProperty(error, "stack", {
    configurable: true,
    get() {
      // The host reads the stack immediately before it prints, so the next write in the same turn is that line.
      const { stderr } = process;
      const { write } = stderr;
      const restore = () => {
        stderr.write = write;
      };
      stderr.write = () => {
        restore();
        return true;
      };
      queueMicrotask(restore);
      return "";
    },
  });
}
