/**
 * A process that runs the programs and the provider of many runs, one after the other, so that the SDK is loaded once.
 * It runs them as the SDK's own inline programs are run (automation/server.js) and ends a program as cmd/run does: with
 * what it threw, logged once, and a code that isn't 0. Started by runner.ts, which it talks to by messages.
 */
const { join } = require("node:path");
const { inspect } = require("node:util");
const { isGrpcError, ResourceError, RunError } = require("@pulumi/pulumi/errors");
const log = require("@pulumi/pulumi/log");
const config = require("@pulumi/pulumi/runtime/config");
const settings = require("@pulumi/pulumi/runtime/settings");
const { runInPulumiStack } = require("@pulumi/pulumi/runtime/stack");

let uncaught = () => {};
// An error rejects many promises, some of them when the next program runs already.
const known = new WeakSet();

// As the engine says it to the processes that it starts.
process.env.PULUMI_EMBEDDED_ENGINE = "true";

/** The SDK's host of dynamic providers prints its port; it serves every run, for none of its providers is configured. */
const host = new Promise((resolve) => {
  const print = console.log;
  console.log = (line) => {
    console.log = print;
    resolve(line);
  };
  process.argv[2] = "127.0.0.1:0";
  require("@pulumi/pulumi/cmd/dynamic-provider");
  for (const event of ["uncaughtException", "unhandledRejection"]) {
    process.removeAllListeners(event);
    process.on(event, (error) => uncaught(error));
  }
});

function messageOf(error, file) {
  if (RunError.isInstance(error)) return error.message;
  const text =
    ResourceError.isInstance(error) && error.hideStack ? error.message : (error?.stack ?? inspect(error));
  return ResourceError.isInstance(error)
    ? text
    : `Running program '${file}' failed with an unhandled exception:\n${text}`;
}

async function runProgram({ folder, monitor, stack, project, dryRun, parallel, values, secretKeys }) {
  process.chdir(folder);
  const file = join(folder, "index.js");
  const told = new Set();
  settings.resetOptions(project, stack, parallel, monitor, monitor, dryRun, "organization");
  config.setAllConfig(values, secretKeys);
  for (const path of Object.keys(require.cache))
    if (path === file || path === join(__dirname, "program.cjs")) delete require.cache[path];
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
  const program = runInPulumiStack(async () => require(file)).catch((error) => uncaught(error));
  await Promise.race([failed, program.then(() => (told.size > 0 ? failed : settings.disconnect(true)))]);
  await settings.waitForRPCs();
  settings.disconnectSync();
  return told.size > 0 || log.hasErrors() ? 1 : 0;
}

async function provider({ folder }) {
  process.chdir(folder);
  return Number(await host);
}

/** Each has a configuration of its own. */
function plugin({ folder }) {
  process.chdir(folder);
  return require("./plugin/server.cjs").serve();
}

const answers = { provider, plugin, program: runProgram };

process.on("message", async ({ number, ask, ...options }) => {
  process.send({ number, answer: await answers[ask](options) });
});
process.on("disconnect", () => process.exit(0));
