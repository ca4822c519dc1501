/**
 * The engine's child processes of many runs, in one process: it receives arguments, folder and environment like a new
 * process, and answers with output and exit code. A program's own files, and modules of ours with state of a run, are
 * loaded again for each run (`?run=`), others once. Started by spawn.ts.
 */
const { AsyncLocalStorage } = require("node:async_hooks");
const { readFileSync } = require("node:fs");
const nodeModule = require("node:module");
const { isAbsolute, join } = require("node:path");
const { Duplex } = require("node:stream");
const { fileURLToPath, pathToFileURL } = require("node:url");
const { runProgram, takeErrors } = require("./inline.cjs");
const { runSdkHost } = require("./sdk-host.cjs");
require("./no-sync.ts");

process.setMaxListeners(0);
// Also if no host of dynamic resources is started.
takeErrors();

const dist = pathToFileURL(join(__dirname, "../../dist/")).href;
const provider = `${dist}provider/`;
const root = join(__dirname, "../../");
const fromSdk = nodeModule.createRequire(require.resolve("@pulumi/pulumi/cmd/run"));
const minimist = fromSdk("minimist");
const { registerByPipe } = require("../../dist/engine/processes/pipe-client.js");

/** The current run: output outside of a program is the host's. */
const turn = new AsyncLocalStorage();
let host = { say: () => {} };
let providerOfHost;

// Files that are loaded again are resolved and read once, which takes most of the time of loading.
const found = new Map();
const sources = new Map();

const sourceOf = (path) => {
  if (!sources.has(path)) sources.set(path, readFileSync(path));
  return sources.get(path);
};

/** Whether a module of ours keeps state of a run, or imports one that does. */
const keeping = new Map();
function keepsState(url) {
  if (keeping.has(url)) return keeping.get(url);
  keeping.set(url, false);
  const text = String(sourceOf(fileURLToPath(url)));
  // Only a thread gets its folder, and the last sheet that was parsed is found by its text: no state of a run.
  if (/\/provider\/(settings\/folder|prices\/rows)\.js$/.test(url)) return false;
  // A module variable, a map, or a result of a function; weak maps go with their objects.
  const isKept = /^(export )?(let |const [^=\n]+ = (new (Map|Set|AbortController)\(\)|\w+\(\));)/m.test(text);
  const imported = [
    ...text.matchAll(/^(?:import|export|\} from)[^"\n]*"(\.[^"]+\.js)"|\bimport\("(\.[^"]+\.js)"\)/gm),
  ];
  const keeps = isKept || imported.some(([, path, later]) => keepsState(new URL(path ?? later, url).href));
  keeping.set(url, keeps);
  return keeps;
}

/** Modules with connections to shops, of runs that have loaded their own. */
const shops = `${provider}context/open-shop.js`;
// Fails here if the module has moved, not as a run that keeps the connections of the one before it.
sourceOf(fileURLToPath(shops));
const opened = new Set();

nodeModule.registerHooks({
  resolve(specifier, context, next) {
    const run = /\?run=(\w+)$/.exec(context.parentURL ?? "")?.[0];
    if (run === undefined || !context.conditions.includes("import")) return next(specifier, context);
    const parent = context.parentURL.slice(0, -run.length);
    const key = `${parent} ${specifier}`;
    const { url, ...rest } = found.get(key) ?? next(specifier, context);
    // A program's own files may change.
    if (parent.startsWith(dist)) found.set(key, { url, ...rest });
    const isOurs = url.startsWith("file:") && !/\/node_modules\/|\?/.test(url);
    if (isOurs && url.startsWith(dist) && !keepsState(url)) return { ...rest, url, shortCircuit: true };
    return { ...rest, url: isOurs ? `${url}${run}` : url, shortCircuit: true };
  },
  load(url, context, next) {
    if (!url.startsWith(dist) || !/\.js\?run=\w+$/.test(url)) return next(url, context);
    const path = fileURLToPath(url.slice(0, url.indexOf("?")));
    if (url.startsWith(shops)) opened.add(url);
    return { format: "module", source: sourceOf(path), shortCircuit: true };
  },
});

// The host loads the provider of a kind with a line that requires it.
const load = nodeModule._load;
nodeModule._load = function (name, ...rest) {
  return name === "pulumi-shop/provider" ? providerOfHost : load.call(this, name, ...rest);
};

for (const name of ["stdout", "stderr"])
  process[name].write = (chunk, encoding, done) => {
    (turn.getStore() ?? host).say(name, String(chunk));
    (typeof encoding === "function" ? encoding : done)?.();
    return true;
  };

// A program's patches of the SDK (sdk/sdk-patches.ts) end with it.
const changed = [
  require("@pulumi/pulumi/runtime/debuggable"),
  require("@pulumi/pulumi/runtime/resource"),
  require("@pulumi/pulumi/runtime/rpc"),
  require("@pulumi/pulumi/resource").Resource,
  require("@pulumi/pulumi/proto/resource_grpc_pb").ResourceMonitorClient.prototype,
].map((part) => ({
  part,
  before: Object.fromEntries(Object.getOwnPropertyNames(part).map((name) => [name, part[name]])),
}));

function restore() {
  for (const { part, before } of changed)
    for (const [name, value] of Object.entries(before)) if (part[name] !== value) part[name] = value;
}

function enter({ cwd, env }) {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name];
  Object.assign(process.env, env);
}

async function closeShops(run) {
  const url = `${shops}?run=${run}`;
  if (opened.has(url)) await (await import(url)).closeShops();
}

/** The program's end of its pipe to the engine, by its number. */
const pipes = new Map();

/** Registers as in the program's own process (engine/processes/preload.ts). */
function openPipe(number, say) {
  const pipe = new Duplex({
    read() {},
    write(chunk, _encoding, done) {
      say("pipe", String(chunk));
      done();
    },
  });
  pipes.set(number, pipe);
  return Object.assign(pipe, { ref() {}, unref() {} });
}

async function program(number, { args, cwd, env }, say) {
  enter({ cwd, env });
  const argv = minimist(args, {
    boolean: ["dry-run"],
    string: ["stack", "parallel", "monitor", "project"],
    stopEarly: true,
  });
  const [entry] = argv._;
  const file = isAbsolute(entry) ? entry : join(argv.pwd, entry);
  const run = {
    rootDirectory: argv["root-directory"],
    monitor: argv.monitor,
    stack: argv.stack,
    project: argv.project,
    dryRun: argv["dry-run"],
    parallel: Number(argv.parallel),
    values: JSON.parse(env.PULUMI_CONFIG),
    secretKeys: JSON.parse(env.PULUMI_CONFIG_SECRET_KEYS),
  };
  registerByPipe(fromSdk, argv.monitor, () => openPipe(number, say));
  const code = await turn.run({ say }, () =>
    runProgram(run, file, async () => {
      const { default: main, ...named } = await import(`${pathToFileURL(file).href}?run=p${number}`);
      return main === undefined ? named : typeof main === "function" ? main() : main;
    }),
  );
  restore();
  // A program's modules of CommonJS may change, too.
  for (const path of Object.keys(require.cache))
    if (!path.startsWith(root) && !path.includes("node_modules")) delete require.cache[path];
  pipes.delete(number);
  await closeShops(`p${number}`);
  // The SDK reports a failure to the engine; this code means that it was reported.
  return code === 0 ? 0 : 32;
}

/** Loads the SDK's own host again, because it keeps its providers. @returns ends it */
async function startHost(number, { cwd, env }, say) {
  enter({ cwd, env });
  host = { say };
  providerOfHost = await import(`${provider}index.js?run=h${number}`);
  const server = runSdkHost();
  takeErrors();
  return async () => {
    server.forceShutdown();
    await closeShops(`h${number}`);
  };
}

/** Copies of the plugin's modules whose run has ended: the next run takes one, as it takes a thread (provider/threads.ts). */
const idle = [];

/** This package's plugin; its output is its host's. @returns ends it */
async function startPlugin(number, { args: [engine], cwd, env }, say) {
  enter({ cwd, env });
  host = { say };
  const copy = idle.pop() ?? `g${number}`;
  const { serve } = await import(`${dist}plugin/server.js?run=${copy}`);
  const { port, close } = await serve(engine);
  say("stdout", `${port}\n`);
  return async () => {
    close();
    await closeShops(copy);
    idle.push(copy);
  };
}

const starts = { host: startHost, plugin: startPlugin };
const ends = new Map();

process.on("message", async ({ number, ask, ...options }) => {
  if (ask === "pipe") pipes.get(number)?.push(options.text);
  const say = (stream, text) => process.send({ number, stream, text });
  if (ask === "program") process.send({ number, code: await program(number, options, say) });
  if (ask in starts) ends.set(number, await starts[ask](number, options, say));
  if (ask === "stop") process.emit("stopRun");
  if (ask === "end") {
    await ends.get(number)();
    process.send({ number, code: 0 });
  }
});
