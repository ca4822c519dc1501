/**
 * Runs programs and providers of many runs in one process, so that the SDK is loaded once. A program runs like the
 * SDK's inline programs (automation/server.js) and ends like cmd/run: with its error logged once, and an exit code
 * other than 0.
 */
const { AsyncLocalStorage } = require("node:async_hooks");
const nodeModule = require("node:module");
const { join } = require("node:path/posix");
const { inspect } = require("node:util");

require("./sdk.ts");

const { isGrpcError, ResourceError, RunError } = require("@pulumi/pulumi/errors");
const log = require("@pulumi/pulumi/log");
const { CallbackServer } = require("@pulumi/pulumi/runtime/callbacks");
const config = require("@pulumi/pulumi/runtime/config");
const settings = require("@pulumi/pulumi/runtime/settings");
const state = require("@pulumi/pulumi/runtime/state");
const { runInPulumiStack } = require("@pulumi/pulumi/runtime/stack");
// Loaded by the host of dynamic providers and by programs.
for (const more of ["proto/provider_grpc_pb", "dynamic", ""]) require(join("@pulumi/pulumi", more));

nodeModule.flushCompileCache();

// gRPC remembers a failed address for ten seconds, but another run's monitor may get the same port.
settings.grpcClientOptions["grpc.use_local_subchannel_pool"] = 1;

// A call back by the engine belongs to the run that created the server, regardless of the SDK's current store.
const { invoke } = CallbackServer.prototype;
Object.defineProperty(CallbackServer.prototype, "invoke", {
  get() {
    const inRun = AsyncLocalStorage.snapshot();
    return (...call) => inRun(() => invoke.apply(this, call));
  },
});

/** Hooks being registered, by the SDK's store: a process doesn't end before they are. */
const registeringOf = new WeakMap();
for (const name of ["registerResourceHook", "registerErrorHook"]) {
  const register = CallbackServer.prototype[name];
  CallbackServer.prototype[name] = function (hook) {
    let done;
    registeringOf.get(state.getLocalStore())?.push(new Promise((resolve) => (done = resolve)));
    return register.call(this, hook).finally(done);
  };
}

/** Handlers of uncaught errors, by the SDK's store of the run. */
const uncaughtOf = new WeakMap();
// The latest run's: a call that the host answers belongs to no program.
let uncaughtOfLast = () => {};

// Immediately: an orderly exit would write the compile cache again.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));

// Like engine/processes/preload.ts.
process.on("rejectionHandled", () => {});

/**
 * Uncaught errors belong to the program that caused them: a failed program may leave promises that fail during the next
 * one.
 */
function takeErrors() {
  for (const event of ["uncaughtException", "unhandledRejection"]) {
    process.removeAllListeners(event);
    process.on(event, (error) => (uncaughtOf.get(state.getLocalStore()) ?? uncaughtOfLast)(error));
  }
}

function messageOf(error, file) {
  if (!(error instanceof Error))
    return `Running program '${file}' failed with an unhandled exception:\n${error}`;
  if (RunError.isInstance(error)) return error.message;
  const text = ResourceError.isInstance(error) && error.hideStack ? error.message : inspect(error);
  return ResourceError.isInstance(error)
    ? text
    : `Running program '${file}' failed with an unhandled exception:\n${text}`;
}

/**
 * Runs a program.
 * @param file its path, for messages
 * @param load loads it and returns its exports
 * @returns the exit code
 */
const runProgram = (run, file, load) => state.withLocalStorage(() => runAlone(run, file, load));

/** Runs a program with its own store of the SDK. */
async function runAlone(run, file, load) {
  const { rootDirectory, monitor, stack, project, dryRun, parallel, values, secretKeys } = run;
  const told = new Set();
  const store = state.getLocalStore();
  store.settings.options.rootDirectory = rootDirectory;
  settings.resetOptions(project, stack, parallel, monitor, monitor, dryRun, "organization");
  config.setAllConfig(values, secretKeys);
  const failed = new Promise((resolve) => {
    uncaughtOfLast = (error) => {
      if (told.has(error)) return;
      told.add(error);
      // The monitor's errors reject the promise that the program awaits.
      if (!isGrpcError(error)) log.error(messageOf(error, file), error?.resource);
      // A promise that waits for it never settles; a process would end because nothing is left to do.
      setImmediate(() => settings.waitForRPCs().then(resolve));
    };
    uncaughtOf.set(store, uncaughtOfLast);
  });
  const registering = [];
  registeringOf.set(store, registering);
  const program = runInPulumiStack(load).catch((error) => uncaughtOf.get(store)(error));
  const ended = program.then(async () => {
    await Promise.all(registering);
    // A process ends when nothing is left to do, even with a pending call that waits for a transform.
    await settings.awaitStackRegistrations();
    await settings.waitForRPCs();
    await new Promise(setImmediate);
    return told.size > 0 ? failed : settings.disconnect(true);
  });
  await Promise.race([failed, ended]);
  await settings.waitForRPCs();
  uncaughtOf.set(store, () => {});
  settings.disconnectSync();
  return told.size > 0 || log.hasErrors() ? 1 : 0;
}

module.exports = { runProgram, takeErrors };
