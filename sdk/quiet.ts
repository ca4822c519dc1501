/**
 * What Pulumi's SDK does for each resource and nobody reads, left out for the resources of this package
 * (docs/decisions/0004 has the measurements). A program sees no difference, resources of other packages are made as ever.
 * It is off with PULUMI_DEBUG_PROMISE_LEAKS, the SDK's own switch for the report that needs it, and with SHOP_QUIET=false.
 */
import { createRequire } from "node:module";
import { isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type Debuggable,
  type KeepAlive,
  partOf,
  quieted,
  type Registering,
  type Resources,
  type Rpc,
} from "../engine/pulumi/sdk-internals.ts";
import { type Shape, withLateOutputs } from "./late-outputs.ts";
import { withLateRegistrations } from "./late-registrations.ts";

/** Marks a class whose instances are made quietly, with their shape; subclasses inherit it. */
export const quietly = Symbol("quietly");

const shapeOf = (resource: object): Shape | undefined =>
  (resource.constructor as { readonly [quietly]?: Shape } | undefined)?.[quietly];

// Set from a constructor of ours until the SDK has asked where in the program it was called.
let isMaking = false;

/** Says that the next resource to be made is one of ours. @returns what to call when it is made, or couldn't be */
export function makingQuietly(): () => void {
  isMaking = true;
  return () => {
    isMaking = false;
  };
}

/** Whether the embedded engine has started this process. */
export const isEmbedded = process.env.PULUMI_EMBEDDED_ENGINE !== undefined;

const isOff = (env: NodeJS.ProcessEnv) =>
  env.PULUMI_DEBUG_PROMISE_LEAKS !== undefined || env.SHOP_QUIET === "false";

/**
 * Quiets the SDK of this process. What another release of it doesn't have is left as it is.
 * @returns whether registrations and outputs are late
 */
function quiet(env: NodeJS.ProcessEnv): boolean {
  if (isOff(env)) return false;
  const require = createRequire(import.meta.url);
  withoutTraces(partOf<Debuggable>(require, quieted.debuggable));
  withoutPlaces(partOf<Resources>(require, quieted.resources), isEmbedded);
  const resources = partOf<Registering>(require, quieted.registering);
  const settings = partOf<KeepAlive>(require, quieted.keepAlive);
  const rpc = partOf<Rpc>(require, quieted.rpc);
  const done =
    typeof rpc.transferProperties === "function" && withLateRegistrations({ resources, settings }, shapeOf);
  if (!done) return false;
  withLateOutputs(rpc as Required<Rpc>, shapeOf, done);
  return true;
}

/** The SDK takes a stack trace for each promise that it watches; a program's own errors keep theirs. */
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
 * Where in the program a resource was made is a quarter of its state, and points into this package. An engine that keeps it in no
 * state is told the program's own line.
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
// What stands above the program's line: this function, the SDK's, and the constructors.
const deepest = 24;
// The SDK leaves out so many frames, which it takes for its own and the class's.
const skipped: readonly object[] = Array.from({ length: 5 }, () => ({}));

/** The first line of the stack that is neither this package's nor an installed one's, as the SDK takes it. */
function ownPlace(): readonly object[] {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = deepest;
  // Who writes lines as the program has them before it is compiled takes its time for each: only this one is wanted.
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

/** Whether a resource's outputs, and the name that it has in the other form, are made late; otherwise its class makes them. */
export const isLate = quiet(process.env);
