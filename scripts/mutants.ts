/**
 * `npm run mutants [-- GROUP|PATH... [--one-in N [--from M]] [--tests "FILE..."]]`: changes the product's code in one place
 * after another and looks whether a test fails. Every group has the tests that decide about it; a path (`provider/lifecycle/`)
 * takes its files alone. What the tests run of the product runs in their own process, commands too, but for programs.
 * `--one-in 20` tries what lies within one run of lines in twenty, the same ones each time; `--from` takes another share.
 * Everything is written to reports/mutants.json, what no test saw is printed.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Mutant, Place } from "../test/mutants/instrument.ts";
import { type Tried, tryAll, type Verdict } from "../test/mutants/trial.ts";

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
    tests: [...tests("provider", "guard", "guard-figures"), ...tests("cli", "limits")],
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
        "changes",
        "comparison",
        "creates",
        "differences",
        "door",
        "effects",
        "facts",
        "guard",
        "guard-figures",
        "json-leaves",
        "lists-of-reads",
        "merge",
        "note-file",
        "note-index",
        "notes",
        "notices",
        "plan",
        "planned-reads",
        "reads",
        "removals",
        "shops",
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
function share(paths: readonly string[], oneIn: number, from: number): readonly Place[] {
  let before = 0;
  return paths.flatMap((path) => {
    const lines = readFileSync(join(root, path), "utf8").split("\n").length;
    const first = before;
    before += lines;
    const runs = Array.from({ length: Math.ceil(before / linesOfRun) }, (_none, run) => run);
    return runs
      .filter((run) => run % oneIn === from && run * linesOfRun >= first)
      .map((run) => run * linesOfRun - first)
      .map((line): Place => ({ path, lines: [line + 1, Math.min(line + linesOfRun, lines)] }));
  });
}

/** What a command line names: a group, or the files of one by the beginning of their path. */
function asked(name: string): Group {
  const group = groups[name];
  if (group !== undefined) return group;
  const of = Object.values(groups).findLast(({ mutate }) => mutate.some((path) => path.startsWith(name)));
  if (of === undefined)
    throw new Error(`there is no group and no file ${name}; there are ${Object.keys(groups).join(", ")}`);
  return { ...of, mutate: of.mutate.filter((path) => path.startsWith(name)) };
}

function print({ verdicts, useless }: Tried): void {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const all = [...verdicts];
  for (const [{ path, line, before, after }, verdict] of all)
    if (verdict === "survived" || verdict === "not reached") {
      say(`\n${verdict}: ${path}:${line}`);
      for (const text of before.split("\n")) say(`-  ${text}`);
      for (const text of after.split("\n")) say(`+  ${text}`);
    }
  if (useless.length > 0) say("\nnothing was tried with these tests, which fail unchanged:");
  for (const why of useless) say(`  ${why}`);
  say("");
  for (const path of new Set(all.map(([mutant]) => mutant.path)))
    say(
      scoreOf(
        path,
        all.filter(([mutant]) => mutant.path === path),
      ),
    );
  say(scoreOf("all", all));
}

function scoreOf(name: string, verdicts: readonly (readonly [Mutant, Verdict])[]): string {
  const count = (wanted: Verdict) => verdicts.filter(([, verdict]) => verdict === wanted).length;
  const seen = count("seen") + count("hung");
  const of = verdicts.length - count("once");
  const share = of === 0 ? "-" : `${Math.round((100 * seen) / of)} %`;
  const rest = (["survived", "not reached", "hung", "once"] as const).map(
    (verdict) => `${verdict} ${count(verdict)}`,
  );
  return `| ${name} | ${seen} of ${of} | ${share} | ${rest.join(", ")} |`;
}

/** An integer of an option. */
function integer(name: string, text: string, least: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least) return value;
  throw new Error(`--${name} takes an integer from ${least}, not ${text}`);
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      "one-in": { type: "string", default: "1" },
      from: { type: "string", default: "0" },
      tests: { type: "string" },
      parts: { type: "string", default: String(availableParallelism()) },
      "test-ms": { type: "string", default: "600" },
      "mutant-ms": { type: "string", default: "5000" },
    },
  });
  const oneIn = integer("one-in", values["one-in"], 1);
  const from = integer("from", values.from, 0);
  const chosen = (positionals.length > 0 ? positionals : Object.keys(groups)).map(asked);
  const all: [Mutant, Verdict][] = [];
  for (const { mutate, tests } of chosen) {
    const tried = await tryAll({
      root,
      places: oneIn === 1 ? mutate.map((path) => ({ path })) : share(mutate, oneIn, from),
      tests: values.tests?.split(" ") ?? tests,
      parts: integer("parts", values.parts, 1),
      longest: integer("test-ms", values["test-ms"], 1),
      most: integer("mutant-ms", values["mutant-ms"], 1),
      env: fewDrawn,
    });
    print(tried);
    all.push(...tried.verdicts);
  }
  mkdirSync(join(root, "reports"), { recursive: true });
  const list = all.map(([mutant, verdict]) => ({ verdict, ...mutant }));
  writeFileSync(join(root, "reports/mutants.json"), `${JSON.stringify(list, null, 1)}\n`);
}

if (import.meta.main) await main();
