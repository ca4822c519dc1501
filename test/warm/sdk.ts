/** Loads of Pulumi's SDK what is used, as the processes that the engine starts do: most of it no test needs. */
import { createRequire, enableCompileCache } from "node:module";
import { loadLazily } from "../../engine/processes/lazy-modules.ts";

// Half of what it takes to load the SDK is compiling it, which is the same each time.
enableCompileCache();
const require = createRequire(import.meta.url);
loadLazily(createRequire(require.resolve("@pulumi/pulumi/cmd/run/index.js")));
