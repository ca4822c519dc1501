/** The plugin's process: its first line of output is its port, its first argument the engine's address. */
import { serve } from "./server.ts";

// No await at the top: Pulumi's starter requires this file.
serve(process.argv[2]).then(
  ({ port }) => process.stdout.write(`${port}\n`),
  (error: Error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exitCode = 1;
  },
);
