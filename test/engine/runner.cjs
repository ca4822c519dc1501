/** A process that runs the programs and the provider of many scenarios. Started by runner.ts, which it talks to by messages. */
const { join } = require("node:path");
const { runProgram, takeErrors } = require("../warm/inline.cjs");

// As the engine says it to the processes that it starts.
process.env.PULUMI_EMBEDDED_ENGINE = "{}";

/** The SDK's host of dynamic providers prints its port; it serves every run, for none of its providers is configured. */
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

/** Each has a configuration of its own. */
function plugin({ folder, env }) {
  process.chdir(folder);
  return require("./plugin/server.cjs").serve(env);
}

const answers = { provider, plugin, program };

process.on("message", async ({ number, ask, ...options }) => {
  process.send({ number, answer: await answers[ask](options) });
});
