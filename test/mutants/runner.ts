/**
 * How vitest runs a test where mutants are tried: unchanged, unchanged once more, and then with each mutant in its way, all
 * in one process and with the modules it has loaded. After a failure it runs unchanged again: where that fails too, the
 * failure may be a trace of what was tried before; the process ends, and the next one tries that mutant first.
 */
import { type RunnerTestCase, type RunnerTestFile, TestRunner } from "vitest";
import { Journal, pair } from "./journal.ts";

/** What the instrumented code reads and writes (`INSTRUMENTER_CONSTANTS` of `@stryker-mutator/api`). */
interface Switches {
  activeMutant?: string | undefined;
  currentTestId?: string;
  hitCount?: number | undefined;
  hitLimit?: number;
  readonly mutantCoverage: {
    readonly static: Readonly<Record<string, number>>;
    readonly perTest: Record<string, Readonly<Record<string, number>>>;
  };
}

interface Outcome {
  readonly passed: boolean;
  readonly ms: number;
  readonly message: string;
}

/** One run of a test: with this mutant, or unchanged. */
interface Turn {
  readonly mutant?: string;
  /** The name under which it is counted what is reached. */
  readonly counted?: string;
  /** How often the mutant is reached unchanged. */
  readonly reached?: number;
  /** Milliseconds after which it hangs. */
  readonly patience: number;
}

const { setTimeout: later, clearTimeout: never } = globalThis;
const {
  PULUMI_SHOP_MUTANTS_JOURNAL: journal = "",
  PULUMI_SHOP_MUTANTS_PART: part = "0/1",
  PULUMI_SHOP_MUTANTS_TEST_MS: longest = "0",
  PULUMI_SHOP_MUTANTS_MS: most = "0",
} = process.env;
const [own = 0, parts = 1] = part.split("/").map(Number);
const isOwn = (mutant: string) => Number(mutant) % parts === own;
const hour = 3_600_000;

// There before any changed module is loaded: each keeps the counters that it finds.
const switches: Switches = { mutantCoverage: { static: {}, perTest: {} } };
Object.assign(globalThis, { __stryker__: switches });

/** Ends its process group: vitest, and what the tests have started. */
const endAll = () => process.kill(0, "SIGKILL");

export default class extends TestRunner {
  readonly #journal = new Journal(journal);
  readonly #told = new Set<string>();
  #turns: Generator<Turn, void, Outcome> | undefined;
  #turn: Turn | undefined;

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    await super.onBeforeRunTask(test);
    if (test.mode !== "run" && test.mode !== "queued") return;
    if (this.#journal.tried.done.has(test.id)) {
      test.mode = "skip";
      return;
    }
    // It goes on until it is skipped.
    test.repeats = Number.MAX_SAFE_INTEGER;
    this.#turns = this.#turnsOf(test);
  }

  override onBeforeTryTask(test: RunnerTestCase, options: { retry: number; repeats: number }): void {
    const { result } = test;
    const last = result?.attempts?.at(-1);
    const message = result?.errors?.at(-1)?.message ?? "";
    if (result !== undefined) Object.assign(result, { attempts: [], errors: [] });
    const next = this.#turns?.next({ passed: last?.state === "pass", ms: last?.duration ?? 0, message });
    const turn = next?.value ?? { patience: hour };
    this.#turn = turn;
    switches.activeMutant = turn.mutant;
    switches.currentTestId = turn.counted ?? "not counted";
    switches.hitCount = turn.mutant === undefined ? undefined : 0;
    switches.hitLimit = Math.max(1_000, 100 * (turn.reached ?? 0));
    super.onBeforeTryTask(test, options);
    if (next?.done !== false) test.context.skip();
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    const { mutant, patience } = this.#turn ?? { patience: hour };
    const timer = later(() => {
      // What it waits for would be waited for by what cleans up after it too.
      if (mutant !== undefined) this.#journal.note({ hung: mutant, with: test.id });
      endAll();
    }, patience);
    try {
      await TestRunner.getTestFn(test)();
    } finally {
      never(timer);
    }
  }

  override onAfterRunFiles(files: RunnerTestFile[]): void {
    super.onAfterRunFiles(files);
    for (const { name } of files) this.#journal.note({ file: name });
  }

  *#turnsOf(test: RunnerTestCase): Generator<Turn, void, Outcome> {
    this.#journal.note({ begins: test.id });
    const [first, second] = [`${test.id} 1`, `${test.id} 2`];
    const once = yield { counted: first, patience: hour };
    const twice = once.passed ? yield { counted: second, patience: hour } : once;
    this.#noteOnce(first);
    if (twice.passed) {
      const reached = switches.mutantCoverage.perTest[second] ?? {};
      const reaches = Object.keys(reached).filter(isOwn);
      this.#journal.note({ test: test.id, reaches });
      // Those first that the process before this one ended with.
      if (twice.ms <= Number(longest))
        for (const mutant of reaches.toSorted((a, b) => this.#doubt(b, test) - this.#doubt(a, test)))
          if (!this.#isSettled(mutant, test))
            yield* this.#try(mutant, test, reached[mutant] ?? 0, 2_000 + 20 * twice.ms);
    } else {
      const why = `${test.file.name} > ${test.name}: ${once.passed ? "the second time " : ""}${twice.message}`;
      this.#journal.note({ useless: test.id, why });
    }
    this.#journal.note({ done: test.id });
  }

  *#try(
    mutant: string,
    { id }: RunnerTestCase,
    reached: number,
    patience: number,
  ): Generator<Turn, void, Outcome> {
    const { tried } = this.#journal;
    this.#journal.note({ tries: mutant, with: id });
    const { passed, ms } = yield { mutant, reached, patience };
    if (passed) {
      this.#journal.note({ passed: mutant, with: id, ms: Math.ceil(ms) });
      return;
    }
    const unchanged = yield { patience };
    const isSeen = unchanged.passed || tried.doubtful.has(pair(mutant, id));
    this.#journal.note(isSeen ? { seen: mutant, with: id } : { doubtful: mutant, with: id });
    if (!unchanged.passed) endAll();
  }

  #doubt(mutant: string, { id }: RunnerTestCase): number {
    return Number(this.#journal.tried.doubtful.has(pair(mutant, id)));
  }

  #isSettled(mutant: string, { id }: RunnerTestCase): boolean {
    const { seen, hung, passed, spent } = this.#journal.tried;
    if (seen.has(mutant) || hung.has(mutant) || passed.has(pair(mutant, id))) return true;
    return (spent.get(mutant) ?? 0) > Number(most);
  }

  #noteOnce(first: string): void {
    const { perTest, static: loaded } = switches.mutantCoverage;
    const found = [...Object.keys(loaded), ...Object.keys(perTest[first] ?? {})].filter(
      (mutant) => isOwn(mutant) && !this.#told.has(mutant),
    );
    for (const mutant of found) this.#told.add(mutant);
    if (found.length > 0) this.#journal.note({ once: found });
  }
}
