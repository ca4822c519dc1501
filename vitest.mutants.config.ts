import { defineConfig } from "vitest/config";
import everything from "./vitest.config.ts";

/** What `npm run mutants` tries each mutant with: the tests of its group (scripts/mutants.ts), in one process. */
export default defineConfig({
  ...everything,
  test: {
    ...everything.test,
    isolate: false,
    include: (process.env.PULUMI_SHOP_MUTANT_TESTS ?? "test/laws/*.test.ts").split(" "),
  },
});
