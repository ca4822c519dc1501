/**
 * All that is reached of Pulumi's SDK for Node without its documentation's promise, each with what it is for and with what becomes of
 * us in a release that hasn't it. test/sdk/internals.test.ts looks for each in the SDK that is installed,
 * test/sdk/releases.campaign.ts in the oldest and the newest that package.json takes, and in the newest there is. The
 * messages of the protocol, without which nothing works, are in engine/processes/wire.ts and plugin/wire.ts. Nothing here
 * loads the SDK.
 */
import { createRequire } from "node:module";
import { join } from "node:path";

/** A resource as the SDK makes it. */
interface Inner {
  readonly __pulumiType?: string;
  readonly __parentResource?: Inner;
}

/** The type that a resource was made with. Without it policy packs don't know our classes, and a create is of no component. */
export const typeMade = (resource: unknown): string | undefined =>
  (resource as Inner | null | undefined)?.__pulumiType;

/** The types of the components above a resource, the outermost first. Without parents there are none: two of one name are one. */
export function typesAbove(parent: object | undefined): readonly string[] {
  const above: string[] = [];
  for (let at = parent as Inner | undefined; at !== undefined; at = at.__parentResource) {
    const type = typeMade(at);
    if (type !== undefined) above.unshift(type);
  }
  return above;
}

/** Whether a test stands in for the engine (`pulumi.runtime.setMocks`). Without it data sources ask a shop in such tests too. */
export const isMocked = (runtime: { hasMonitor(): boolean; getMonitor(): unknown }): boolean =>
  runtime.hasMonitor() &&
  (runtime.getMonitor() as { readonly mocks?: unknown } | undefined)?.mocks !== undefined;

/** What a preview's outputs say of a resource that is exported whole. Without it, or under another name, previews show it as changed. */
export const exportedWhole = "@isPulumiResource";

/** What the SDK does for each resource and nobody reads, by the part that does it. */
export const quieted = {
  /** `debuggablePromise` takes a stack trace for each promise that is watched. Without it that is done: slower. */
  debuggable: "@pulumi/pulumi/runtime/debuggable.js",
  /** `Resource.callsites` finds where in the program a resource was made. Without it states are a quarter larger. */
  resources: "@pulumi/pulumi/resource.js",
  /** `transferProperties` makes a resource's outputs, all at once. Without it they are: slower. */
  rpc: "@pulumi/pulumi/runtime/rpc.js",
  /** `registerResource` begins a registration. Without it all begin at once: a program of thousands takes a gigabyte more. */
  registering: "@pulumi/pulumi/runtime/resource.js",
  /** `rpcKeepAlive` holds a program until what it returns is called. Without it all registrations begin at once. */
  keepAlive: "@pulumi/pulumi/runtime/settings.js",
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
}
export type Resolvers = Record<string, (...settled: unknown[]) => void>;
export type Transfer = (onto: object, label: string, props: object) => Resolvers;
export interface Rpc {
  transferProperties?: Transfer;
}

/** A part of the SDK; empty where another release keeps it elsewhere. */
export function partOf<T extends object>(require: NodeJS.Require, name: string): Partial<T> {
  try {
    return require(name) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    return {};
  }
}

/** What the engine starts, from the SDK's folder. Without one it says that the project has no SDK which it can start. */
export const startedFiles = {
  /** A program. */
  run: "cmd/run/index.js",
  /** The host of dynamic providers. */
  host: "cmd/dynamic-provider/index.js",
  /** A plugin that is a folder. */
  plugin: "cmd/run-plugin/index.js",
} as const;

/** A file of the SDK that a folder has. @throws Error where it has none */
export const fileOf = (folder: string, file: string): string =>
  createRequire(join(folder, "package.json")).resolve(`@pulumi/pulumi/${file}`);

/** Whether a process runs what is started so. */
export const isStarted = (what: "run" | "host", file: string): boolean =>
  file.replaceAll("\\", "/").includes(startedFiles[what].replace("/index.js", "/"));

/** Runs a program of the process' own (Automation API). Without it, or without the folder, its resources are dynamic ones. */
export const inlineServer = "@pulumi/pulumi/automation/server.js";
export interface InlineServer {
  readonly LanguageServer?: { readonly prototype: { run?: RunInline } };
}
export type RunInline = (
  call: { readonly request: { getInfo?(): { getRootDirectory(): string } | undefined } },
  answer: unknown,
) => unknown;

/** What hardly a program needs and is loaded when it is needed, from the folder of what is started. Without one: slower. */
export const loadedLate = {
  /** Nine megabytes, to serialise closures. */
  typescript: "../../typescript-shim",
  /** To run Pulumi from a program. */
  automation: "../../automation",
  /** npm's own installer, half of all files that the SDK loads: to find what a closure that becomes a cloud function needs. */
  codePaths: "../../runtime/closure/codePaths",
  /** A debugger, to serialise closures and to say where they stand. */
  debugger: "../../runtime/closure/v8Hooks",
  /** To send spans to where --tracing says, which this engine doesn't have: two hundred files. */
  tracing: "./tracing",
} as const;

/** Wanted before anything that loads gRPC; a program's alone. Without it nothing is loaded before. */
export const instrumentation = "./instrumentation";
/** `ResourceMonitorClient.registerResource` asks the engine. Without it registrations go by gRPC: slower. */
export const monitorClient = "../../proto/resource_grpc_pb";
/** `RegisterResourceResponse`, made of its fields. Without it registrations go by gRPC: slower. */
export const registrations = "../../proto/resource_pb";
/** The resources that a program still waits for as it ends, and where each was made. Without it the SDK's own words are printed. */
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
 * What the SDK knows of the program that runs: what its outputs wait for, what is not registered yet, and whether the engine has
 * stopped. Without it a program that ends early isn't noticed under `pulumi`.
 */
export const programState = "@pulumi/pulumi/runtime/state.js";
export interface ProgramState extends Pending {
  getStackResource?: () => { readonly outputs?: { promise?(): Promise<unknown> } } | undefined;
  getStore?: () => { readonly terminated?: boolean };
}

/** Its `debug` sends a line for each call. Without it they are sent, and thrown away: slower. */
export const log = "../../log";
export interface KeptLog {
  hasErrors?: () => boolean;
}
/** Says which line of a source a line of the SDK came from. Without it nothing has to be kept from reading those. */
export const sourceMaps = "source-map-support";

/** How the SDK begins what it logs of a program that failed. Without it the whole stack is shown instead of the message. */
export const programFailed = /^(?:error: )?Running program [^\n]* failed with an unhandled exception:\n/;

/**
 * An error that the SDK's host of dynamic providers answers with and prints nothing of. Of most verbs it prints `${error}: ${error.stack}`
 * before it answers, which an engine shows as a message of the stack's, beside the error at its resource. Where another release does
 * otherwise, a message is shown twice, or an empty one beside it.
 */
export function silently(message: string): Error {
  const error = Object.assign(new Error(message), { toString: () => "" });
  return Object.defineProperty(error, "stack", {
    configurable: true,
    get() {
      // The host reads the stack last before it prints: what is written in the same turn is that line.
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
