/**
 * `npm run mutants [-- GROUP... [--one-in N [--from M]]]`: changes the product's code in one place after another and looks
 * whether a test fails. Every group has the tests that decide about it; what they run of the product runs in their own
 * process, commands too, but for programs and hosts of providers. `--one-in 20` tries what lies within one run of lines in
 * twenty, the same ones each time: a share of a room that takes days as a whole; `--from` takes another share.
 */
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

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

/** Commands, which run in the process of the tests here, from the sources (vitest.mutants.config.ts). */
const commands = tests(
  "cli",
  "chosen",
  "comment",
  "commands",
  "compare",
  "conflicts",
  "display",
  "failures",
  "guard",
  "impact",
  "import",
  "limits",
  "places",
  "printed",
  "pull",
  "pull-code",
  "refresh",
  "request-cost",
  "saved-plans",
  "stack-reference",
  "state-copy",
);

/** All of a room but the definitions of the kinds. */
const room = (name: string) =>
  globSync(`${name}/**/*.ts`, { cwd: root })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !path.startsWith("provider/resources/"))
    .toSorted();

/** What decides comes first. */
export const groups: Readonly<Record<string, Group>> = {
  limits: {
    mutate: files("provider/client", "limiter", "retry"),
    tests: tests("client", "limiter", "limiter-window", "retry", "transport", "meter"),
  },
  codec: { mutate: files("provider/wire", "codec"), tests: tests("laws", "laws") },
  differences: {
    mutate: [...files("provider/values", "diff", "identity"), ...files("provider/lifecycle", "conflict")],
    tests: [...verbs, ...tests("provider", "differences")],
  },
  guard: {
    mutate: files("provider/run", "guard"),
    tests: [...tests("provider", "guard"), ...tests("cli", "limits")],
  },
  plans: { mutate: files("runs/plans", "guard"), tests: tests("cli", "limits") },
  check: { mutate: files("provider/values", "check"), tests: verbs },
  merging: {
    mutate: [
      ...files("provider/values", "merge", "body-merge", "sides"),
      ...files("provider/body", "json-leaves"),
      ...files("provider/lifecycle", "update"),
    ],
    tests: [...verbs, ...tests("provider", "merge", "json-leaves")],
  },
  adoption: { mutate: files("provider/lifecycle", "adoption", "create", "lost"), tests: verbs },
  provider: {
    mutate: room("provider"),
    tests: [
      ...verbs,
      ...tests(
        "provider",
        "approved",
        "bound",
        "change-notes",
        "comparison",
        "creates",
        "differences",
        "effects",
        "facts",
        "guard",
        "json-leaves",
        "merge",
        "note-file",
        "notes",
        "planned-reads",
        "reads",
        "removals",
        "stack-notes",
        "told",
      ),
      ...tests("walks", "announced", "changes", "crashes-found", "numbered", "plans", "secrets", "walks"),
      ...tests(
        "client",
        "answers",
        "clock",
        "connection",
        "delta",
        "download",
        "errors",
        "exchange",
        "host-stop",
        "limiter",
      ),
      ...tests("client", "limiter-window", "lists", "meter", "operations", "project-file", "retry"),
      ...tests("client", "transport", "xml"),
      ...tests("plugin", "embedded", "plugin"),
      ...tests("faults", "input", "secrets-mask", "verbs"),
      ...commands,
    ],
  },
  engine: {
    mutate: [
      ...room("engine/steps"),
      ...room("engine/run"),
      ...room("engine/state"),
      ...room("engine/values"),
    ],
    tests: [
      ...tests(
        "engine",
        "adoption",
        "called-hooks",
        "chosen",
        "drawn",
        "durable",
        "failure",
        "found-by-refresh",
        "fuzz",
        "gets",
        "hooks",
        "hooks-of-steps",
        "imported",
        "in-process",
        "journal",
        "ledger",
        "lifecycle",
        "looked-at",
        "making-room",
        "more-options",
        "old-names",
        "options",
        "places",
        "plan",
        "plugin-versions",
        "plugins",
        "property-values",
        "provider-options",
        "refresh",
        "replace",
        "replace-with",
        "resource-states",
        "state",
        "state-order",
        "storage",
        "targets",
        "told",
        "values",
      ),
      ...tests("walks", "findings", "plans"),
      ...tests("faults", "disk"),
      ...commands,
    ],
  },
};

/** Few drawn cases: what they show is shown by the first of them, and every mutant waits for all. */
const fewDrawn = {
  PULUMI_SHOP_WALKS: "12",
  PULUMI_SHOP_INTERLEAVINGS: "1",
  PULUMI_SHOP_PLANS: "20",
  PULUMI_SHOP_FUZZ: "60",
};

// Long enough for what spans a few lines, short enough to be spread over all files.
const linesOfRun = 5;

/** One run of lines in so many, counted through all files, as Stryker names it. */
function share(paths: readonly string[], oneIn: number, from: number): readonly string[] {
  let before = 0;
  return paths.flatMap((path) => {
    const lines = readFileSync(join(root, path), "utf8").split("\n").length;
    const first = before;
    before += lines;
    const runs = Array.from({ length: Math.ceil(before / linesOfRun) }, (_none, run) => run);
    return runs
      .filter((run) => run % oneIn === from && run * linesOfRun >= first)
      .map((run) => run * linesOfRun - first)
      .map((line) => `${path}:${line + 1}-${Math.min(line + linesOfRun, lines)}`);
  });
}

function run(names: readonly string[], oneIn: number, from: number): void {
  for (const name of names) {
    const group = groups[name];
    if (group === undefined)
      throw new Error(`there is no group ${name}; there are ${Object.keys(groups).join(", ")}`);
    const mutate = oneIn === 1 ? group.mutate : share(group.mutate, oneIn, from);
    const { status } = spawnSync(
      process.execPath,
      ["node_modules/@stryker-mutator/core/bin/stryker.js", "run", "--mutate", mutate.join(",")],
      {
        cwd: root,
        stdio: "inherit",
        env: { ...fewDrawn, ...process.env, PULUMI_SHOP_MUTANT_TESTS: group.tests.join(" ") },
      },
    );
    if (status !== 0) process.exitCode = 1;
  }
}

if (import.meta.main) {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { "one-in": { type: "string", default: "1" }, from: { type: "string", default: "0" } },
  });
  const oneIn = Number(values["one-in"]);
  if (!Number.isInteger(oneIn) || oneIn < 1) throw new Error("--one-in takes an integer from 1");
  const from = Number(values.from);
  if (!Number.isInteger(from) || from < 0 || from >= oneIn)
    throw new Error("--from takes an integer from 0, less than that of --one-in");
  run(positionals.length > 0 ? positionals : Object.keys(groups), oneIn, from);
}
