/**
 * A process that runs programs and provider of many scenarios; started by runner.ts, with which it exchanges messages.
 */
const { join } = require("node:path");
const { runProgram, takeErrors } = require("../warm/inline.cjs");

// As the engine sets it for its processes.
process.env.PULUMI_EMBEDDED_ENGINE = "{}";

/**
 * The SDK's host of dynamic providers prints its port; it serves all runs, because its providers need no configuration.
 */
const host = new Promise((resolve) => {
  const print = console.log;
  console.log = (line) => {
    console.log = print;
    resolve(line);
  };
  process.argv[2] = "127.0.0.1:0";
  require("@pulumi/pulumi/cmd/dynamic-provider");
  takeErrors();
});

async function program({ folder, ...run }) {
  process.chdir(folder);
  const file = join(folder, "index.js");
  for (const path of Object.keys(require.cache))
    if (path === file || path === join(__dirname, "program.cjs")) delete require.cache[path];
  return runProgram({ ...run, rootDirectory: folder }, file, async () => require(file));
}

async function provider({ folder }) {
  process.chdir(folder);
  return Number(await host);
}

/** Each program has its own configuration. */
function plugin({ folder, env }) {
  process.chdir(folder);
  return require("./plugin/server.cjs").serve(env);
}

const answers = { provider, plugin, program };

process.on("message", async ({ number, ask, ...options }) => {
  process.send({ number, answer: await answers[ask](options) });
});
