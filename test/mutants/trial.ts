/** Tries the mutants of some files with some tests, and tells which of them no test sees. */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { instrument, type Mutant, type Place } from "./instrument.ts";
import { Journal } from "./journal.ts";

export interface Trial {
  readonly root: string;
  readonly places: readonly Place[];
  /** Files of tests from the root, in the order in which they are tried. */
  readonly tests: readonly string[];
  /** How many processes share the mutants. */
  readonly parts: number;
  /** A test that takes longer, in milliseconds, isn't run once for each mutant. */
  readonly longest: number;
  /** So many milliseconds are spent on a mutant at most: what isn't seen by then counts as not seen. */
  readonly most: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Ends the trial: what it comes to so far is told. */
  readonly stop?: AbortSignal;
}

/** `once`: reached only as a module is loaded, or the first time that a test runs. */
export type Verdict = "seen" | "hung" | "survived" | "not reached" | "once";

export interface Tried {
  /** Whether all tests were tried: else a mutant that survived may be seen by one that wasn't. */
  readonly isWhole: boolean;
  readonly verdicts: ReadonlyMap<Mutant, Verdict>;
  /** Tests that can't tell anything, and why. */
  readonly useless: readonly string[];
}

/** What is silent for so long, in milliseconds, hangs; before the first line everything is loaded. */
const silence = { atFirst: 600_000, after: 30_000 };

export async function tryAll(trial: Trial): Promise<Tried> {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-mutants-"));
  mkdirSync(join(folder, "sources"));
  const mutants = await instrument(trial.root, trial.places, join(folder, "sources"));
  const parts = Array.from({ length: trial.parts }, (_none, part) => tryPart(trial, folder, part));
  const journals = await Promise.all(parts);
  rmSync(folder, { recursive: true });
  return {
    isWhole: trial.stop?.aborted !== true,
    verdicts: new Map(mutants.map((mutant) => [mutant, verdictOf(mutant, journals)])),
    useless: [...new Set(journals.flatMap(({ tried }) => [...tried.useless]))],
  };
}

/** One process after the other, until all files of tests have been tried. */
async function tryPart(trial: Trial, folder: string, part: number): Promise<Journal> {
  const path = join(folder, `journal-${part}.jsonl`);
  const output = join(folder, `output-${part}.txt`);
  for (;;) {
    const before = new Journal(path);
    const hung = await runOnce(trial, folder, part, before, output);
    const journal = new Journal(path);
    const { last } = journal;
    if (trial.stop?.aborted || trial.tests.every((file) => journal.tried.files.has(file))) return journal;
    if (last !== undefined && "tries" in last) journal.note({ hung: last.tries, with: last.with });
    // Without a mutant, in a process that has tried none; after some the next process may come further.
    else if (hung && last !== undefined && "begins" in last && journal.lines === before.lines + 1) {
      journal.note({ useless: last.begins, why: `${last.begins}: it takes too long` });
      journal.note({ done: last.begins });
    } else if (journal.lines === before.lines)
      throw new Error(`the tests end before they begin; what they printed is in ${output}`);
  }
}

/** @returns whether it had to be ended */
async function runOnce(
  { root, tests, parts, longest, most, env, stop }: Trial,
  folder: string,
  part: number,
  { path, tried }: Journal,
  output: string,
): Promise<boolean> {
  const sink = openSync(output, "w");
  const child = spawn(
    process.execPath,
    ["node_modules/vitest/vitest.mjs", "run", "--config", "vitest.mutants.config.ts", "--reporter=dot"],
    {
      cwd: root,
      stdio: ["ignore", sink, sink],
      detached: true,
      env: {
        ...env,
        ...process.env,
        PULUMI_SHOP_MUTANTS: join(folder, "sources"),
        PULUMI_SHOP_MUTANTS_JOURNAL: path,
        PULUMI_SHOP_MUTANTS_PART: `${part}/${parts}`,
        PULUMI_SHOP_MUTANTS_TEST_MS: String(longest),
        PULUMI_SHOP_MUTANTS_MS: String(most),
        PULUMI_SHOP_MUTANT_TESTS: tests.filter((file) => !tried.files.has(file)).join(" "),
      },
    },
  );
  const unwatch = watch(child, path);
  stop?.addEventListener("abort", () => endGroup(child), { once: true });
  try {
    await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  } finally {
    closeSync(sink);
  }
  return unwatch();
}

/** Ends a process whose journal doesn't grow any more. @returns ends the watching, and says whether it had to */
function watch(child: ChildProcess, path: string): () => boolean {
  let hung = false;
  const sizeNow = () => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const atFirst = sizeNow();
  let size = atFirst;
  let since = performance.now();
  const timer = setInterval(() => {
    if (sizeNow() !== size) since = performance.now();
    size = sizeNow();
    if (performance.now() - since < (size === atFirst ? silence.atFirst : silence.after)) return;
    hung = true;
    endGroup(child);
  }, 1_000);
  return () => {
    clearInterval(timer);
    return hung;
  };
}

/** Ends a process with all that it has started. */
function endGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, "SIGKILL");
}

function verdictOf({ id }: Mutant, journals: readonly Journal[]): Verdict {
  const some = (has: "seen" | "hung" | "reached" | "once") =>
    journals.some(({ tried }) => tried[has].has(id));
  if (some("seen")) return "seen";
  if (some("hung")) return "hung";
  if (some("reached")) return "survived";
  return some("once") ? "once" : "not reached";
}
