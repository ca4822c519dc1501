/** Delays loading modules of the SDK that few programs need until they are used. */
import type { Session } from "node:inspector";
import { loadedLate, partOf, sourceMaps } from "../pulumi/sdk-internals.ts";

type Loaded = Readonly<Record<string, unknown>>;

/** @param require the SDK's own, from its cmd/ folder; modules that another release lacks are skipped */
export function loadLazily(require: NodeJS.Require): void {
  put(require, loadedLate.typescript, whenLookedAt);
  put(require, loadedLate.automation, whenLookedAt);
  put(require, loadedLate.codePaths, (load) => ({
    computeCodePaths: (...given: readonly unknown[]) =>
      (load().computeCodePaths as (...given: readonly unknown[]) => unknown)(...given),
  }));
  put(require, loadedLate.debugger, debuggerWhenAsked);
  put(require, loadedLate.tracing, (load) => tracingWhenStarted(load, require));
  withoutMaps(require);
}

/** Replaces a module of the SDK before anything loads it. */
function put(require: NodeJS.Require, name: string, instead: (load: () => Loaded) => object): void {
  let path: string;
  try {
    path = require.resolve(name);
  } catch {
    // Another release has no such module.
    return;
  }
  const load = () => {
    delete require.cache[path];
    return require(path) as Loaded;
  };
  require.cache[path] = { id: path, filename: path, loaded: true, exports: instead(load) } as NodeJS.Module;
}

interface Tracing {
  start(url: string): void;
  stop(): void;
  newSpan(name: string): unknown;
}
interface Tracers {
  readonly trace: { getTracer(name: string): { startSpan(name: string): unknown } };
}

/** Like the SDK's module: until it is started, spans go to the process's own tracer provider. */
function tracingWhenStarted(load: () => Loaded, require: NodeJS.Require): Tracing {
  let started: Tracing | undefined;
  return {
    start: (url) => {
      started = load() as unknown as Tracing;
      started.start(url);
    },
    stop: () => started?.stop(),
    newSpan: (name) =>
      started === undefined
        ? (require("@opentelemetry/api") as Tracers).trace.getTracer("nodejs-runtime").startSpan(name)
        : started.newSpan(name),
  };
}

/** A module that loads when one of its exports is read. */
function whenLookedAt(load: () => Loaded): object {
  let loaded: Loaded | undefined;
  const target: Loaded = {};
  const filled = () => {
    if (loaded === undefined) {
      loaded = load();
      Object.defineProperties(target, Object.getOwnPropertyDescriptors(loaded));
    }
    return target;
  };
  return new Proxy(target, {
    // Importers read this before any export.
    get: (_target, key) => (key === "__esModule" ? true : Reflect.get(filled(), key)),
    has: (_target, key) => Reflect.has(filled(), key),
    ownKeys: () => Reflect.ownKeys(filled()),
    getOwnPropertyDescriptor: (_target, key) => Reflect.getOwnPropertyDescriptor(filled(), key),
  });
}

/** Like the SDK's module, which connects immediately; the inspector also reports scripts that were parsed before. */
function debuggerWhenAsked(): object {
  const urls = new Map<string, string>();
  const connect = async (): Promise<Session> => {
    const { Session } = await import("node:inspector");
    const session = new Session();
    session.connect();
    session.on("Debugger.scriptParsed", ({ params }) => urls.set(params.scriptId, params.url));
    return new Promise((resolve, reject) => {
      session.post("Debugger.enable", (error) => (error === null ? resolve(session) : reject(error)));
    });
  };
  let session: Promise<Session> | undefined;
  return {
    isInitializedAsync: async () => {},
    getSessionAsync: () => {
      session ??= connect();
      return session;
    },
    getScriptUrl: (id: string) => urls.get(id),
  };
}

interface MapSupport {
  install(options: { readonly retrieveSourceMap: (path: string) => object | null }): void;
}

// Source maps of the SDK lead to sources that aren't installed, and reading them for the first error takes megabytes.
function withoutMaps(require: NodeJS.Require): void {
  const map = { version: 3, sources: [], names: [], mappings: "" };
  partOf<MapSupport>(require, sourceMaps).install?.({
    retrieveSourceMap: (path) =>
      /[\\/]node_modules[\\/](@pulumi[\\/]pulumi|@grpc[\\/]grpc-js)[\\/]/.test(path)
        ? { url: path, map }
        : null,
  });
}
