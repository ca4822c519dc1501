import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import everything from "./vitest.config.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const root = here(".");
const spawnInside = fileURLToPath(new URL("test/warm/spawn-inside.ts", import.meta.url));
const { PULUMI_SHOP_MUTANTS: changed = "", PULUMI_SHOP_MUTANT_TESTS: given = "test/laws/*.test.ts" } =
  process.env;
const tests = given.split(" ").filter((path) => path !== "");

/** In the order in which they are given: what sees most in the shortest time comes first. */
class AsGiven extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => tests.findIndex((path) => moduleId.endsWith(path));
    return files.toSorted((a, b) => place(a) - place(b));
  }
}

/**
 * What `npm run mutants` tries each mutant with: the tests of its group (scripts/mutants.ts), in one process, commands
 * and hosts of providers included (test/warm/inside.ts).
 */
export default defineConfig({
  ...everything,
  plugins: [
    {
      name: "mutants",
      enforce: "pre",
      load: (id) => {
        const path = join(changed, relative(root, id.replace(/\?.*/, "")));
        return changed !== "" && existsSync(path) ? readFileSync(path, "utf8") : undefined;
      },
      // In the text: what Node has built in is taken from Node before a plugin is asked where it is.
      transform: (code, id) =>
        id.endsWith("/engine/processes/children.ts")
          ? code.replace('"node:child_process"', JSON.stringify(spawnInside))
          : undefined,
    },
  ],
  test: {
    ...everything.test,
    // Its key is the text on the disk, not what is loaded in its place.
    fsModuleCache: false,
    isolate: false,
    include: tests,
    sequence: { sequencer: AsGiven },
    ...(changed === "" ? {} : { runner: here("test/mutants/runner.ts") }),
    maxWorkers: 1,
    env: { PULUMI_SHOP_INSIDE: "1" },
  },
});
