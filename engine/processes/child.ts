/**
 * Runs in the program's process and in the host's before their own code. The program is not changed by it, nor what it
 * sees; what the SDK does for this engine in vain is left out (docs/decisions/0004 has the measurements).
 */
import { readFileSync } from "node:fs";
import { createRequire, registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { instrumentation, isStarted, log, partOf } from "../pulumi/sdk-internals.ts";
import { answerAlways, type Grpc } from "./answers.ts";
import { keepCompiled } from "./compile-cache.ts";
import { tellEnding } from "./ending.ts";
import { loadLate } from "./late.ts";
import { registerByPipe } from "./registering.ts";

// Half of a child's start is compiling the SDK, which is the same each time.
keepCompiled();

// A child ends when the engine does, however that ends: its standard input is closed then. Anything that comes in by it
// means that the run is being stopped: the protocol's Cancel goes no further than the SDK's host.
const { exit } = process;
process.stdin.on("end", () => exit.call(process, 1)).on("data", () => process.emit("stopRun" as never));
(process.stdin as unknown as { unref?: () => void }).unref?.();

// A promise that failed before the program waited for it is told with the run's failures; Node would warn of it beside that.
process.on("rejectionHandled", () => {});

interface Log {
  debug: () => Promise<void>;
}

// `npm init` declares a folder to be CommonJS, and a program of .ts with imports would be refused for it: where nobody
// compiles the program, it is the module that its text says it is.
if (process.env.PULUMI_NODEJS_TYPESCRIPT !== "true")
  registerHooks({
    load: (url, context, next) => {
      const own = url.startsWith("file:") && url.endsWith(".ts") && !url.includes("/node_modules/");
      if (!own || !/^(import|export)\b/m.test(readFileSync(fileURLToPath(url), "utf8")))
        return next(url, context);
      return next(url, { ...context, format: "module-typescript" });
    },
  });

const sdk = process.argv[1];
const isHost = sdk !== undefined && isStarted("host", sdk);
// With PULUMI_DEBUG_PROMISE_LEAKS the SDK prints a report of promises: all stays as it is then.
if (sdk !== undefined && process.env.PULUMI_DEBUG_PROMISE_LEAKS === undefined) {
  const require = createRequire(sdk);
  const isProgram = isStarted("run", sdk);
  // The SDK shows no stack of a SyntaxError, since that of a module says in its text where it is. That of JSON.parse doesn't.
  if (isProgram)
    process.on("unhandledRejection", (error) => {
      if (error instanceof SyntaxError && error.stack?.startsWith(`${error.name}: `) === true)
        Object.defineProperty(error, "name", { value: "Error" });
    });
  // The SDK wants its tracing loaded before anything that loads gRPC.
  if (isProgram) partOf(require, instrumentation);
  loadLate(require);
  if (isProgram) tellEnding(require);
  if (isProgram) registerByPipe(require, process.argv[process.argv.indexOf("--monitor") + 1]);
  // A line of debugging for each call, sent one after the other; the engine throws them away (monitor.ts).
  partOf<Log>(require, log).debug = () => Promise.resolve();
}
if (isHost) answerAlways(createRequire(sdk)("@grpc/grpc-js") as Grpc);
