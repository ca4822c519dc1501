/**
 * `npm run mutants [-- GROUP...]`: changes the product's code in one place after another and looks whether a test fails.
 * Every group has the tests that are quick and decide about it; none of them starts a process.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const provider = ["test/laws/*.test.ts", "test/provider/{lifecycle,kinds}.test.ts", "test/walks/findings.test.ts"];

interface Group {
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
}

const groups: Readonly<Record<string, Group>> = {
  differences: {
    mutate: ["diff", "conflict", "guard", "identity", "check"].map((name) => `provider/${name}.ts`),
    tests: provider,
  },
  merging: { mutate: ["provider/merge.ts", "provider/update.ts", "provider/body-merge.ts"], tests: provider },
};

const names = process.argv.slice(2);
for (const name of names.length > 0 ? names : Object.keys(groups)) {
  const group = groups[name];
  if (group === undefined) throw new Error(`there is no group ${name}; there are ${Object.keys(groups).join(", ")}`);
  const { status } = spawnSync(
    process.execPath,
    [
      "node_modules/@stryker-mutator/core/bin/stryker.js",
      "run",
      "--mutate",
      group.mutate.join(","),
    ],
    { cwd: root, stdio: "inherit", env: { ...process.env, PULUMI_SHOP_MUTANT_TESTS: group.tests.join(" ") } },
  );
  if (status !== 0) process.exitCode = 1;
}
