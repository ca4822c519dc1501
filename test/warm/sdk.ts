/** Loads the SDK's modules lazily, like the engine's processes, because tests need few of them. */
import { createRequire, enableCompileCache } from "node:module";
import { loadLazily } from "../../engine/processes/lazy-modules.ts";

// Half of the SDK's loading time is compiling.
enableCompileCache();
const require = createRequire(import.meta.url);
loadLazily(createRequire(require.resolve("@pulumi/pulumi/cmd/run/index.js")));
