/** The plugin's process: prints its port as the first line; the first argument is the engine's address. */
import { serve } from "./server.ts";

// No top-level await: Pulumi's starter requires this file as CommonJS.
serve(process.argv[2]).then(
  ({ port }) => process.stdout.write(`${port}\n`),
  (error: Error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exitCode = 1;
  },
);
