/**
 * Runs in the program's process and in the host's before their own code. The program is not changed by it, nor what it
 * sees; what the SDK does for reports that nobody reads is left out (docs/decisions/0004 has the measurements).
 */
import { readFileSync } from "node:fs";
import { createRequire, enableCompileCache, registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

// Half of a child's start is compiling the SDK, which is the same each time.
enableCompileCache();

// A child ends when the engine does, however that ends: its standard input is closed then. Anything that comes in by it
// means that the run is being stopped: the protocol's Cancel goes no further than the SDK's host.
process.stdin.on("end", () => process.exit(1)).on("data", () => process.emit("stopRun" as never));
(process.stdin as unknown as { unref?: () => void }).unref?.();

interface Debuggable {
  debuggablePromise: (promise: Promise<unknown>, context: unknown) => Promise<unknown>;
}
type Resolvers = Record<string, (...settled: unknown[]) => void>;
interface Rpc {
  transferProperties: (onto: object, label: string, props: object) => Resolvers;
}
interface Log {
  debug: () => Promise<void>;
}
interface Resources {
  readonly Resource: { callsites: () => readonly object[] };
}

// `npm init` declares a folder to be CommonJS, and a program of .ts with imports would be refused for it: where nobody
// compiles the program, it is the module that its text says it is.
if (process.env.PULUMI_NODEJS_TYPESCRIPT !== "true")
  registerHooks({
    load: (url, context, next) => {
      const own = url.startsWith("file:") && url.endsWith(".ts") && !url.includes("/node_modules/");
      if (!own || !/^(import|export)\b/m.test(readFileSync(fileURLToPath(url), "utf8")))
        return next(url, context);
      return next(url, { ...context, format: "module-typescript" });
    },
  });

const sdk = process.argv[1];
// With PULUMI_DEBUG_PROMISE_LEAKS the SDK prints a report of promises: all stays as it is then.
if (sdk !== undefined && process.env.PULUMI_DEBUG_PROMISE_LEAKS === undefined) {
  const require = createRequire(sdk);
  // The SDK wants its tracing loaded before anything that loads gRPC.
  if (/[\\/]run[\\/]/.test(sdk)) require("./instrumentation");
  withLateTypeScript(require);
  withoutTraces(require("../../runtime/debuggable") as Debuggable);
  withLateOutputs(require("../../runtime/rpc") as Rpc);
  // A line of debugging for each call, sent one after the other; the engine throws them away (monitor.ts).
  (require("../../log") as Log).debug = () => Promise.resolve();
  // Where in the program a resource was made: this engine doesn't keep it.
  (require("../../resource") as Resources).Resource.callsites = () => [];
}

/** TypeScript is nine megabytes, and the SDK needs it only to serialise closures: it is loaded when that happens. */
function withLateTypeScript(require: NodeJS.Require): void {
  const path = require.resolve("../../typescript-shim");
  let loaded: object | undefined;
  const load = () => {
    if (loaded === undefined) {
      delete require.cache[path];
      loaded = require(path) as object;
    }
    return loaded;
  };
  const exports = new Proxy(
    {},
    { get: (_target, key) => Reflect.get(load(), key), has: (_target, key) => key in load() },
  );
  require.cache[path] = { id: path, filename: path, loaded: true, exports } as NodeJS.Module;
}

/** The SDK takes a stack trace for each promise that it watches; a program's own errors keep theirs. */
function withoutTraces(debuggable: Debuggable): void {
  const original = debuggable.debuggablePromise;
  debuggable.debuggablePromise = (promise, context) => {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    try {
      return original(promise, context);
    } finally {
      Error.stackTraceLimit = limit;
    }
  };
}

type Settled = readonly unknown[];

/** What a resource's outputs need until they are looked at; one record and not closures, for there are thirty of each. */
interface Late {
  readonly label: string;
  readonly props: Readonly<Record<string, unknown>>;
  readonly settled: Map<string, Settled>;
  readonly resolvers: Map<string, (...values: unknown[]) => void>;
}

/** An output is made when it is first looked at: most of a resource's outputs never are, and each is eight promises. */
function withLateOutputs(rpc: Rpc): void {
  const original = rpc.transferProperties;
  const late = new WeakMap<object, Late>();
  const accessors = new Map<string, PropertyDescriptor>();

  function accessor(key: string): PropertyDescriptor {
    const known = accessors.get(key);
    if (known !== undefined) return known;
    const made: PropertyDescriptor & ThisType<object> = {
      get() {
        return make(this, key);
      },
      set(value: unknown) {
        Object.defineProperty(this, key, { value, writable: true, enumerable: true, configurable: true });
      },
      enumerable: true,
      configurable: true,
    };
    accessors.set(key, made);
    return made;
  }

  function make(resource: object, key: string): unknown {
    const { label, props, settled, resolvers } = late.get(resource) as Late;
    Reflect.deleteProperty(resource, key);
    const resolve = original(resource, label, { [key]: props[key] })[key];
    const values = settled.get(key);
    if (values !== undefined) resolve?.(...values);
    else if (resolve !== undefined) resolvers.set(key, resolve);
    return Reflect.get(resource, key);
  }

  rpc.transferProperties = (onto, label, props) => {
    const record: Late = { label, props: { ...props }, settled: new Map(), resolvers: new Map() };
    late.set(onto, record);
    const resolvers: Resolvers = {};
    for (const [key, prop] of Object.entries(props)) {
      if (key === "id" || key === "urn") continue;
      if (Object.hasOwn(onto, key)) {
        Object.assign(resolvers, original(onto, label, { [key]: prop }));
        continue;
      }
      resolvers[key] = (...values) => {
        record.settled.set(key, values);
        record.resolvers.get(key)?.(...values);
      };
      Object.defineProperty(onto, key, accessor(key));
      // What isn't there needs no turn of its own when the properties are serialised: it would come to nothing.
      if (prop === undefined) Reflect.deleteProperty(props, key);
    }
    return resolvers;
  };
}
