/**
 * `npm run mutants [-- GROUP...]`: changes the product's code in one place after another and looks whether a test fails.
 * Every group has the tests that are quick and decide about it; none of them starts a process.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
interface Group {
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
}

const files = (folder: string, ...names: readonly string[]) => names.map((name) => `${folder}/${name}.ts`);
const tests = (folder: string, ...names: readonly string[]) =>
  names.map((name) => `test/${folder}/${name}.test.ts`);
const verbs = [
  ...tests("laws", "laws"),
  ...tests("provider", "lifecycle", "kinds"),
  ...tests("walks", "findings"),
];

/** What decides comes first. */
export const groups: Readonly<Record<string, Group>> = {
  limits: {
    mutate: files("provider/client", "limiter", "retry"),
    tests: tests("client", "limiter", "limiter-window", "retry", "transport", "meter"),
  },
  codec: { mutate: files("provider/wire", "codec"), tests: tests("laws", "laws") },
  differences: {
    mutate: [...files("provider/values", "diff", "identity"), ...files("provider/lifecycle", "conflict")],
    tests: verbs,
  },
  guard: {
    mutate: files("provider/run", "guard"),
    tests: [...tests("provider", "guard"), ...tests("cli", "limits")],
  },
  plans: { mutate: files("runs/plans", "guard"), tests: tests("cli", "limits") },
  check: { mutate: files("provider/values", "check"), tests: verbs },
  merging: {
    mutate: [...files("provider/values", "merge", "sides"), ...files("provider/lifecycle", "update")],
    tests: verbs,
  },
  adoption: { mutate: files("provider/lifecycle", "adoption", "create", "lost"), tests: verbs },
  engine: {
    mutate: [
      ...files("engine/steps", "plan", "operations", "replacement", "targets", "takeovers", "interrupted"),
      ...files("engine/run", "deployment", "refresh"),
      ...files("engine/state", "snapshot"),
    ],
    tests: [...tests("engine", "chosen", "fuzz", "in-process", "places"), ...tests("walks", "findings")],
  },
};

function run(names: readonly string[]): void {
  for (const name of names) {
    const group = groups[name];
    if (group === undefined)
      throw new Error(`there is no group ${name}; there are ${Object.keys(groups).join(", ")}`);
    const { status } = spawnSync(
      process.execPath,
      ["node_modules/@stryker-mutator/core/bin/stryker.js", "run", "--mutate", group.mutate.join(",")],
      {
        cwd: root,
        stdio: "inherit",
        env: { ...process.env, PULUMI_SHOP_MUTANT_TESTS: group.tests.join(" ") },
      },
    );
    if (status !== 0) process.exitCode = 1;
  }
}

if (import.meta.main) {
  const names = process.argv.slice(2);
  run(names.length > 0 ? names : Object.keys(groups));
}
