/**
 * A process with the engine's preload, for lazy-modules.test.ts: prints which modules of the SDK are loaded, and their
 * results when they are used.
 */
const { mkdirSync, mkdtempSync, rmSync, writeFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const inspector = require("node:inspector");

const sdk = createRequire(require.resolve("@pulumi/pulumi/cmd/run/index.js"));
require("../../engine/processes/lazy-modules.ts").loadLazily(sdk);

let isDebugged = false;
const connect = inspector.Session.prototype.connect;
inspector.Session.prototype.connect = function () {
  isDebugged = true;
  return connect.call(this);
};

/** Like cmd/run before it runs a program. */
async function begin() {
  await sdk("../../runtime/closure/v8Hooks").isInitializedAsync();
  return require("@pulumi/pulumi");
}

function loaded() {
  const has = (text) => Object.keys(require.cache).some((path) => path.replaceAll("\\", "/").includes(text));
  return [
    ...[
      "/typescript/lib/",
      "/@npmcli/arborist/",
      "/pulumi/automation/stack",
      "/@opentelemetry/sdk-trace-node/",
    ].filter(has),
    ...(isDebugged ? ["a debugger"] : []),
  ];
}

// Native functions can't be serialised.
const native = Math.max.bind(undefined, 1);

/** The origin of an error: a line of the program and the first line of the SDK. */
function places() {
  const lines = new Error("of the program").stack.split("\n").slice(1);
  return [lines[0], lines.find((line) => line.includes("@pulumi"))];
}

/** The code paths of a project with a single package. */
async function codePathsOf(pulumi) {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-late-"));
  mkdirSync(join(folder, "node_modules/left"), { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "name": "user", "dependencies": { "left": "1.0.0" } }');
  writeFileSync(join(folder, "node_modules/left/package.json"), '{ "name": "left", "version": "1.0.0" }');
  process.chdir(folder);
  const paths = await pulumi.runtime.computeCodePaths();
  process.chdir(__dirname);
  rmSync(folder, { recursive: true });
  return [...paths.keys()];
}

/** Whether a span of the SDK is recorded before and after tracing is started. */
function spans() {
  const tracing = sdk("./tracing");
  const before = tracing.newSpan("before").isRecording();
  const atStart = loaded();
  tracing.start("http://127.0.0.1:1/");
  return { atStart, recorded: [before, tracing.newSpan("after").isRecording()] };
}

async function main() {
  const pulumi = await begin();
  const { atStart, recorded } = spans();
  const { LocalWorkspace } = pulumi.automation;
  const automation = {
    names: Object.keys(pulumi.automation).includes("LocalWorkspace"),
    type: typeof LocalWorkspace,
  };
  const captured = { answer: 42 };
  const closure = (await pulumi.runtime.serializeFunction(() => captured.answer)).text;
  const unwritable = await pulumi.runtime.serializeFunction(() => native(2)).catch(({ message }) => message);
  const codePaths = await codePathsOf(pulumi);
  const stack = pulumi.output(1).apply(() => places());
  stack.apply((lines) =>
    process.stdout.write(
      JSON.stringify({
        atStart,
        atEnd: loaded(),
        recorded,
        automation,
        closure,
        unwritable,
        codePaths,
        stack: lines,
      }),
    ),
  );
}

main();
