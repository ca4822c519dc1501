/**
 * `npm run mutants [-- GROUP|PATH... [--one-in N [--from M]] [--tests "FILE..."]]`: changes the product's code in one place
 * after another and looks whether a test fails. Every group has the tests that decide about it; a path (`provider/lifecycle/`)
 * takes its files alone. What the tests run of the product runs in their own process, commands too, but for programs.
 * `--one-in 20` tries what lies within one run of lines in twenty, the same ones each time; `--from` takes another share.
 * A mutant is tried for `--mutant-ms` at most, with tests that take `--test-ms` at most, in `--parts` processes. Ctrl-C ends it
 * with what is known so far. What no test saw is printed, everything is in reports/mutants.json; PULUMI_SHOP_TABLES=docs
 * writes a page for each group to docs/mutants.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Mutant, Place } from "../test/mutants/instrument.ts";
import { pageOf, textOf } from "../test/mutants/report.ts";
import { tryAll, type Verdict } from "../test/mutants/trial.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
interface Group {
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
}

/** The tests of a folder, in the order of their names; these last, which take longest. */
const inFolder = (folder: string, ...last: readonly string[]) => {
  const found = globSync(`test/${folder}/*.test.ts`, { cwd: root }).map((path) => path.replaceAll("\\", "/"));
  const isLast = (path: string) => last.some((name) => path.endsWith(`/${name}.test.ts`));
  return found.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)) || a.localeCompare(b));
};
const tests = (folder: string, ...names: readonly string[]) =>
  names.map((name) => `test/${folder}/${name}.test.ts`);

/** Commands, which run in the process of the tests here, from the sources (vitest.mutants.config.ts). */
const commands = tests(
  "cli",
  "request-cost",
  "guard",
  "printed",
  "chosen",
  "comment",
  "commands",
  "compare",
  "conflicts",
  "display",
  "failures",
  "impact",
  "import",
  "limits",
  "places",
  "pull",
  "pull-code",
  "refresh",
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

/** Of the tests that are quick those come first: what they see isn't tried again. */
export const groups: Readonly<Record<string, Group>> = {
  provider: {
    mutate: room("provider"),
    tests: [
      ...inFolder("provider", "kinds", "lifecycle", "reads"),
      ...inFolder("client", "delta", "xml"),
      ...tests("laws", "laws"),
      ...tests("faults", "input", "secrets-mask"),
      ...tests("walks", "findings", "changes", "announced", "numbered", "secrets", "walks", "plans"),
      ...tests("faults", "verbs"),
      ...tests("plugin", "plugin", "embedded"),
      ...commands,
    ],
  },
  engine: {
    mutate: ["engine/steps", "engine/run", "engine/state", "engine/values"].flatMap(room),
    // The last ones run programs.
    tests: [
      ...inFolder(
        "engine",
        "storage",
        "old-states",
        "options",
        "hooks",
        "more-options",
        "values",
        "adoption",
        "refresh",
        "replace",
        "replace-with",
        "targets",
        "provider-options",
        "plugins",
        "transforms",
        "state",
        "fuzz",
        "late",
        "oracle",
      ),
      ...tests("walks", "findings", "plans"),
      ...tests("faults", "disk"),
      ...commands,
    ],
  },
  plans: { mutate: room("runs/plans"), tests: commands },
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
  const chosen = (positionals.length > 0 ? positionals : Object.keys(groups)).map((name) => ({
    name,
    ...asked(name),
  }));
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  const all: [Mutant, Verdict][] = [];
  for (const { name, mutate, tests } of chosen) {
    const tried = await tryAll({
      root,
      places: oneIn === 1 ? mutate.map((path) => ({ path })) : share(mutate, oneIn, from),
      tests: values.tests?.split(/\s+/).filter((path) => path !== "") ?? tests,
      parts: integer("parts", values.parts, 1),
      longest: integer("test-ms", values["test-ms"], 1),
      most: integer("mutant-ms", values["mutant-ms"], 1),
      env: fewDrawn,
      stop: stop.signal,
    });
    process.stdout.write(textOf(tried));
    const { PULUMI_SHOP_TABLES: tables } = process.env;
    // Of a part of a group a page would say less than the one that is there.
    if (tables !== undefined && name in groups && oneIn === 1) {
      const folder = resolve(root, tables, "mutants");
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `${name}.md`), pageOf(name, tried));
    }
    all.push(...tried.verdicts);
  }
  mkdirSync(join(root, "reports"), { recursive: true });
  const list = all.map(([mutant, verdict]) => ({ verdict, ...mutant }));
  writeFileSync(join(root, "reports/mutants.json"), `${JSON.stringify(list, null, 1)}\n`);
}

if (import.meta.main) await main();
