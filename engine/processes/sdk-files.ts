/**
 * The files of Pulumi's SDK that the engine starts or puts something in the place of, which its documentation promises as little as the
 * protocol's messages (wire.ts). test/sdk/internals.test.ts looks for each in the SDK that is installed.
 */

/** What is started, from the package's folder. Without one the engine says that the SDK is not what it needs. */
export const startedFiles = {
  /** A program. */
  run: "cmd/run/index.js",
  /** The host of dynamic providers. */
  host: "cmd/dynamic-provider/index.js",
  /** A plugin that is a folder. */
  plugin: "cmd/run-plugin/index.js",
} as const;

/** What hardly a program needs and is loaded when it is needed, from the folder of what is started. Without one: slower. */
export const loadedLate = {
  /** Nine megabytes, to serialise closures. */
  typescript: "../../typescript-shim",
  /** To run Pulumi from a program. */
  automation: "../../automation",
  /** npm's own installer, half of all files that the SDK loads: to find what a closure that becomes a cloud function needs. */
  codePaths: "../../runtime/closure/codePaths",
  /** A debugger, to serialise closures and to say where they stand. */
  debugger: "../../runtime/closure/v8Hooks",
  /** To send spans to where --tracing says, which this engine doesn't have: two hundred files. */
  tracing: "./tracing",
} as const;

/** Wanted before anything that loads gRPC; a program's alone. Without it the program can't be started. */
export const instrumentation = "./instrumentation";
/** Its `debug` sends a line for each call. */
export const log = "../../log";
