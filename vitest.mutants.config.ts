import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import everything from "./vitest.config.ts";

const spawnInside = fileURLToPath(new URL("test/warm/spawn-inside.ts", import.meta.url));

/**
 * What `npm run mutants` tries each mutant with: the tests of its group (scripts/mutants.ts), in one process, commands
 * and hosts of providers included (test/warm/inside.ts).
 */
export default defineConfig({
  ...everything,
  plugins: [
    {
      name: "what the engine starts runs in a process that is started already",
      enforce: "pre",
      // In the text: what Node has built in is taken from Node before a plugin is asked where it is.
      transform: (code, id) =>
        id.endsWith("/engine/processes/children.ts")
          ? code.replace('"node:child_process"', JSON.stringify(spawnInside))
          : undefined,
    },
  ],
  test: {
    ...everything.test,
    isolate: false,
    include: (process.env.PULUMI_SHOP_MUTANT_TESTS ?? "test/laws/*.test.ts").split(" "),
    env: { PULUMI_SHOP_INSIDE: "1" },
  },
});
