/**
 * Programs and providers of many runs in one process, one after the other, so that the SDK is loaded once: most of a run's
 * time is loading it. A program is run as the SDK's own inline programs are (automation/server.js) and ends as cmd/run ends
 * one: with what it threw, logged once, and a code that isn't 0.
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
// What the host of dynamic providers, and programs, load beside these.
for (const more of ["proto/provider_grpc_pb", "dynamic", ""]) require(join("@pulumi/pulumi", more));

nodeModule.flushCompileCache();

// gRPC keeps what it knows of an address for ten seconds: a port that another run's monitor had, and has no more, would
// be one that nobody listens at.
settings.grpcClientOptions["grpc.use_local_subchannel_pool"] = 1;

// What the engine calls back is of the run that made the server, whatever the SDK's store is where the call comes in.
const { invoke } = CallbackServer.prototype;
Object.defineProperty(CallbackServer.prototype, "invoke", {
  get() {
    const inRun = AsyncLocalStorage.snapshot();
    return (...call) => inRun(() => invoke.apply(this, call));
  },
});

/** Hooks that are being registered, by the SDK's store: a process of its own doesn't end before they are. */
const registeringOf = new WeakMap();
for (const name of ["registerResourceHook", "registerErrorHook"]) {
  const register = CallbackServer.prototype[name];
  CallbackServer.prototype[name] = function (hook) {
    let done;
    registeringOf.get(state.getLocalStore())?.push(new Promise((resolve) => (done = resolve)));
    return register.call(this, hook).finally(done);
  };
}

/** What to do with an error that nobody catches, by the SDK's store of the run that it is of. */
const uncaughtOf = new WeakMap();
// That of the run which came last: a call that the host answers belongs to no program.
let uncaughtOfLast = () => {};

// At once: an orderly end would compile once more, for its cache, what each run has loaded for itself.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));

// As engine/processes/preload.ts does.
process.on("rejectionHandled", () => {});

/**
 * Errors that nobody catches are the program's that they come from, whoever listened to them before: what a failed program
 * left behind may fail when the next one runs already.
 */
function takeErrors() {
  for (const event of ["uncaughtException", "unhandledRejection"]) {
    process.removeAllListeners(event);
    process.on(event, (error) => (uncaughtOf.get(state.getLocalStore()) ?? uncaughtOfLast)(error));
  }
}

function messageOf(error, file) {
  if (RunError.isInstance(error)) return error.message;
  const text =
    ResourceError.isInstance(error) && error.hideStack ? error.message : (error?.stack ?? inspect(error));
  return ResourceError.isInstance(error)
    ? text
    : `Running program '${file}' failed with an unhandled exception:\n${text}`;
}

/**
 * Runs a program.
 * @param file its path, for messages
 * @param load loads it and says what it exports
 * @returns the exit code
 */
const runProgram = (run, file, load) => state.withLocalStorage(() => runAlone(run, file, load));

/** Runs a program in a store of the SDK that is its own. */
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
      // The monitor's own errors are told by the promise that the program itself waits for.
      if (!isGrpcError(error)) log.error(messageOf(error, file), error?.resource);
      // What waits for it never settles; a process of its own would end by having nothing left to do.
      setImmediate(() => settings.waitForRPCs().then(resolve));
    };
    uncaughtOf.set(store, uncaughtOfLast);
  });
  const registering = [];
  registeringOf.set(store, registering);
  const program = runInPulumiStack(load).catch((error) => uncaughtOf.get(store)(error));
  const ended = program.then(async () => {
    await Promise.all(registering);
    // A process ends when nothing is left to do: neither a call that waits for a transform to be known, nor what it rejects.
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
