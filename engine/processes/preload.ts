/**
 * Runs before the SDK's own code in the processes of the program and of the provider host. It leaves out work of the
 * SDK that this engine doesn't use (docs/decisions/0004 has the measurements) and doesn't change what the program sees.
 */
import { readFileSync } from "node:fs";
import { createRequire, registerHooks } from "node:module";
import { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { importQuickly } from "../pulumi/own-imports.ts";
import { instrumentation, isStarted, log, partOf } from "../pulumi/sdk-internals.ts";
import { keepCompiled } from "./compile-cache.ts";
import { reportExitReason } from "./exit-reason.ts";
import { answerAlways, type Grpc } from "./host-answers.ts";
import { loadLazily } from "./lazy-modules.ts";
import { registerByPipe } from "./pipe-client.ts";
import { pipeNumber } from "./registration-pipe.ts";

// Half of a child's start is compiling the SDK.
keepCompiled();
importQuickly();

// A child ends together with the engine, whose end closes its standard input. Any input means that the run is being
// stopped: the protocol's Cancel reaches only the SDK's host, not the provider.
const { exit } = process;
process.stdin.on("end", () => exit.call(process, 1)).on("data", () => process.emit("stopRun" as never));
(process.stdin as unknown as { unref?: () => void }).unref?.();

// An error that the program awaits too late is among the run's failures; Node would also warn about it.
process.on("rejectionHandled", () => {});

interface Log {
  debug: () => Promise<void>;
}

// `npm init` declares a folder to be CommonJS, so Node would refuse a .ts program with imports. Unless a compiler is
// used, the module type follows from the text.
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
// With PULUMI_DEBUG_PROMISE_LEAKS the SDK prints a report about promises, so nothing is changed.
if (sdk !== undefined && process.env.PULUMI_DEBUG_PROMISE_LEAKS === undefined) {
  const require = createRequire(sdk);
  const isProgram = isStarted("run", sdk);
  // The SDK hides the stack of a SyntaxError, because a module's error has the position in its text; an error of
  // JSON.parse doesn't.
  if (isProgram)
    process.on("unhandledRejection", (error) => {
      if (error instanceof SyntaxError && error.stack?.startsWith(`${error.name}: `) === true)
        Object.defineProperty(error, "name", { value: "Error" });
    });
  // The SDK's tracing must be loaded before anything that loads gRPC.
  if (isProgram) partOf(require, instrumentation);
  loadLazily(require);
  if (isProgram) reportExitReason(require);
  const monitor = process.argv[process.argv.indexOf("--monitor") + 1];
  if (isProgram) registerByPipe(require, monitor, () => new Socket({ fd: pipeNumber }));
  // The SDK sends a debug line for each call, one after the other, and the engine ignores them (monitor.ts).
  partOf<Log>(require, log).debug = () => Promise.resolve();
}
if (isHost) answerAlways(createRequire(sdk)("@grpc/grpc-js") as Grpc);
