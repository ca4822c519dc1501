/**
 * The SDK's host of dynamic providers in the process of the tests, loaded again for each that the engine starts, with the
 * provider's sources, which are loaded again too: the host keeps its providers, and they what they have read. Where
 * `npm run mutants` changed a source, that is what runs. Started by inside.ts.
 */
const { Console } = require("node:console");
const { readFileSync } = require("node:fs");
const nodeModule = require("node:module");
const { join } = require("node:path");
const { PassThrough, Writable } = require("node:stream");
const { fileURLToPath, pathToFileURL } = require("node:url");
const { runSdkHost } = require("./sdk-host.cjs");

// Each host listens for its run's stop, and none takes that back.
process.setMaxListeners(0);

const root = pathToFileURL(join(__dirname, "../../")).href;
const provider = `${root}provider/`;

const sources = new Map();
let hosts = 0;
let providerOfHost;

nodeModule.registerHooks({
  resolve(specifier, context, next) {
    const run = /\?host=\d+$/.exec(context.parentURL ?? "")?.[0];
    if (run === undefined || !context.conditions.includes("import")) return next(specifier, context);
    const { url, ...rest } = next(specifier, {
      ...context,
      parentURL: context.parentURL.slice(0, -run.length),
    });
    const isOurs = url.startsWith("file:") && !/\/node_modules\/|\?/.test(url);
    return { ...rest, url: isOurs ? `${url}${run}` : url, shortCircuit: true };
  },
  load(url, context, next) {
    if (!url.startsWith(root) || !/\.ts\?host=\d+$/.test(url)) return next(url, context);
    const path = fileURLToPath(url.slice(0, url.indexOf("?")));
    if (!sources.has(path)) sources.set(path, nodeModule.stripTypeScriptTypes(readFileSync(path, "utf8")));
    return { format: "module", source: sources.get(path), shortCircuit: true };
  },
});

// The host finds the provider of a kind by a line that requires it.
const load = nodeModule._load;
nodeModule._load = function (name, ...rest) {
  return name === "pulumi-shop/provider" ? providerOfHost : load.call(this, name, ...rest);
};

/** What of the process is a host's while one runs, as it was before the first. */
let own;
let running = 0;

/** Makes the process a host's: its folder, environment, console and standard input. */
function become({ cwd, env }, say) {
  running += 1;
  own ??= {
    cwd: process.cwd(),
    env: { ...process.env },
    stdin: Object.getOwnPropertyDescriptor(process, "stdin"),
    console: globalThis.console,
  };
  process.chdir(cwd);
  Object.assign(process.env, env);
  // The command prints by the process's streams, the host by its console.
  const streams = ["stdout", "stderr"].map(
    (name) =>
      new Writable({
        write(chunk, _encoding, done) {
          say(name, String(chunk));
          done();
        },
      }),
  );
  globalThis.console = new Console(...streams);
  // The engine's end of it, which is open until the host ends.
  Object.defineProperty(process, "stdin", { value: new PassThrough(), configurable: true });
}

/** Gives the process back when the last host has ended. */
function leave() {
  running -= 1;
  if (running > 0) return;
  process.chdir(own.cwd);
  for (const name of Object.keys(process.env)) if (!(name in own.env)) delete process.env[name];
  Object.assign(process.env, own.env);
  globalThis.console = own.console;
  Object.defineProperty(process, "stdin", own.stdin);
  own = undefined;
}

/** Loads what changes the process for itself, without that. @returns what the loading does */
function unchanged(load) {
  const { argv } = process;
  const { prepareStackTrace } = Error;
  const listeners = ["uncaughtException", "unhandledRejection", "exit"].map((event) => [
    event,
    process.listeners(event),
  ]);
  const loaded = load();
  process.argv = argv;
  Error.prepareStackTrace = prepareStackTrace;
  for (const [event, before] of listeners)
    for (const listener of process.listeners(event))
      if (!before.includes(listener)) process.off(event, listener);
  return loaded;
}

/**
 * Starts a host.
 * @param options its folder and whole environment, which are the process's until the last host ends
 * @param say takes what it prints: the stream's name and a text
 * @returns how to end it
 */
async function startHost(options, say) {
  become(options, say);
  hosts += 1;
  const run = `?host=${hosts}`;
  providerOfHost = await import(`${provider}index.ts${run}`);
  const server = unchanged(runSdkHost);
  return async () => {
    server.forceShutdown();
    leave();
    await (await import(`${provider}run/open.ts${run}`)).closeShops();
  };
}

module.exports = { startHost };
