/**
 * Programs and providers of many runs in one process, one after the other, so that the SDK is loaded once: most of a run's
 * time is loading it. A program is run as the SDK's own inline programs are (automation/server.js) and ends as cmd/run ends
 * one: with what it threw, logged once, and a code that isn't 0.
 */
const nodeModule = require("node:module");
const { join } = require("node:path/posix");
const { inspect } = require("node:util");

require("./sdk.ts");

const { isGrpcError, ResourceError, RunError } = require("@pulumi/pulumi/errors");
const log = require("@pulumi/pulumi/log");
const config = require("@pulumi/pulumi/runtime/config");
const settings = require("@pulumi/pulumi/runtime/settings");
const { runInPulumiStack } = require("@pulumi/pulumi/runtime/stack");
// What the host of dynamic providers, and programs, load beside these.
for (const more of ["proto/provider_grpc_pb", "dynamic", ""]) require(join("@pulumi/pulumi", more));

nodeModule.flushCompileCache();

let uncaught = () => {};
// An error rejects many promises, some of them when the next program runs already.
const known = new WeakSet();

// At once: an orderly end would compile once more, for its cache, what each run has loaded for itself.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));

/** Errors that nobody catches are the program's, whoever listened to them before. */
function takeErrors() {
  for (const event of ["uncaughtException", "unhandledRejection"]) {
    process.removeAllListeners(event);
    process.on(event, (error) => uncaught(error));
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
async function runProgram(run, file, load) {
  const { monitor, stack, project, dryRun, parallel, values, secretKeys } = run;
  const told = new Set();
  settings.resetOptions(project, stack, parallel, monitor, monitor, dryRun, "organization");
  config.setAllConfig(values, secretKeys);
  const failed = new Promise((resolve) => {
    uncaught = (error) => {
      if (known.has(error)) return;
      if (typeof error === "object" && error !== null) known.add(error);
      told.add(error);
      // The monitor's own errors are told by the promise that the program itself waits for.
      if (!isGrpcError(error)) log.error(messageOf(error, file), error?.resource);
      // What waits for it never settles; a process of its own would end by having nothing left to do.
      setImmediate(() => settings.waitForRPCs().then(resolve));
    };
  });
  const program = runInPulumiStack(load).catch((error) => uncaught(error));
  await Promise.race([failed, program.then(() => (told.size > 0 ? failed : settings.disconnect(true)))]);
  await settings.waitForRPCs();
  settings.disconnectSync();
  return told.size > 0 || log.hasErrors() ? 1 : 0;
}

module.exports = { runProgram, takeErrors };
