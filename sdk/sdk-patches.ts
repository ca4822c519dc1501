/**
 * Leaves out work that Pulumi's SDK does for each resource and nobody uses, for the resources of this package
 * (docs/decisions/0004 has the measurements). Programs see no difference, and resources of other packages are
 * unaffected. It is off with PULUMI_DEBUG_PROMISE_LEAKS, because that report needs this work, and with
 * SHOP_QUIET=false.
 */
import { createRequire } from "node:module";
import { isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type Debuggable,
  type KeepAlive,
  type Log,
  partOf,
  quieted,
  type Registering,
  type Resources,
  type Rpc,
} from "../engine/pulumi/sdk-internals.ts";
import { type Shape, withLazyOutputs } from "./lazy-outputs.ts";
import { withQueuedRegistrations } from "./queued-registrations.ts";

/** Marks a class whose resources are created this way, with their shape; subclasses inherit it. */
export const patchedShape = Symbol("patchedShape");

const shapeOf = (resource: object): Shape | undefined =>
  (resource.constructor as { readonly [patchedShape]?: Shape } | undefined)?.[patchedShape];

// True from a constructor of ours until the SDK has asked for the position in the program.
let isMaking = false;

/** Announces that the next resource is one of ours. @returns the function to call after its constructor */
export function markOwnResource(): () => void {
  isMaking = true;
  return () => {
    isMaking = false;
  };
}

/** Whether the embedded engine started this process. */
export const isEmbedded = process.env.PULUMI_EMBEDDED_ENGINE !== undefined;

/**
 * Patches the SDK of this process; functions that another release lacks are skipped.
 * @returns whether registrations and outputs are delayed
 */
function quiet(env: NodeJS.ProcessEnv): boolean {
  if (env.PULUMI_DEBUG_PROMISE_LEAKS !== undefined || env.SHOP_QUIET === "false") return false;
  const require = createRequire(import.meta.url);
  withoutTraces(partOf<Debuggable>(require, quieted.debuggable));
  withoutPlaces(partOf<Resources>(require, quieted.resources), isEmbedded);
  const resources = partOf<Registering>(require, quieted.registering);
  const settings = partOf<KeepAlive>(require, quieted.keepAlive);
  const rpc = partOf<Rpc>(require, quieted.rpc);
  if (!isEmbedded) withFewerLines(partOf<Log>(require, quieted.log), settings);
  const done =
    typeof rpc.transferProperties === "function" && withQueuedRegistrations({ resources, settings }, shapeOf);
  if (!done) return false;
  withLazyOutputs(rpc as Required<Rpc>, shapeOf, done);
  return true;
}

/** Sends the SDK's debug lines together: the SDK sends each when the engine has answered the one before. */
function withFewerLines(log: Log, { rpcKeepAlive, getEngine }: KeepAlive): void {
  const { debug: original } = log;
  if (original === undefined || rpcKeepAlive === undefined || getEngine === undefined) return;
  const waiting = new WeakMap<object, string[]>();
  let answered = Promise.resolve();
  log.debug = (line, ...more) => {
    const engine = getEngine();
    // A line of the program's own may stand beside a resource.
    if (engine === undefined || more.length > 0) return original(line, ...more);
    const lines = waiting.get(engine);
    if (lines !== undefined) {
      lines.push(line);
      return answered;
    }
    const fresh = [line];
    waiting.set(engine, fresh);
    const done = rpcKeepAlive();
    answered = answered.then(() => {
      waiting.delete(engine);
      const sent = original(fresh.join("\n"));
      done();
      return sent;
    });
    return answered;
  };
}

/** Skips the stack trace that the SDK records for each promise; the program's own errors keep theirs. */
function withoutTraces(debuggable: Debuggable): void {
  const original = debuggable.debuggablePromise;
  if (typeof original !== "function") return;
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

/**
 * Leaves out the resource's position, which takes a quarter of the state and points into this package. The embedded
 * engine doesn't store it, and gets the program's own line.
 */
function withoutPlaces({ Resource }: Resources, tells: boolean): void {
  const original = Resource?.callsites;
  if (Resource === undefined || typeof original !== "function") return;
  Resource.callsites = () => {
    const ours = isMaking;
    isMaking = false;
    if (!ours) return original.call(Resource);
    return tells ? ownPlace() : [];
  };
}

const inPackage = fileURLToPath(new URL("..", import.meta.url));
// Depth of the program's line below this function, the SDK and the constructors.
const deepest = 24;
// The SDK skips this number of frames, which it takes for its own and the class's.
const skipped: readonly object[] = Array.from({ length: 5 }, () => ({}));

/** The first stack frame outside of this package and of node_modules. */
function ownPlace(): readonly object[] {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = deepest;
  // A source map library in prepareStackTrace takes time for each frame, and only this one is needed.
  if (prepareStackTrace !== undefined)
    Error.prepareStackTrace = (error, sites) =>
      prepareStackTrace(
        error,
        sites.filter((site) => isOwn(site.getFileName() ?? "")),
      );
  const { stack = "" } = new Error();
  Object.assign(Error, { stackTraceLimit, prepareStackTrace });
  for (const frame of stack.split("\n").slice(1)) {
    const [, at = "", line, column] = /(?:\(|at )([^()]*):(\d+):(\d+)\)?$/.exec(frame) ?? [];
    if (isOwn(at)) return [...skipped, { file: pathOf(at), line: Number(line), column: Number(column) }];
  }
  return [];
}

const pathOf = (at: string) => (at.startsWith("file:") ? fileURLToPath(at) : at);

function isOwn(at: string): boolean {
  const file = pathOf(at);
  return isAbsolute(file) && !/[\\/]node_modules[\\/]/.test(file) && !file.startsWith(inPackage);
}

/** Whether registrations and outputs are delayed; otherwise the class creates outputs and aliases. */
export const isLazy = quiet(process.env);
