/** What has been tried: written by the process of the tests as it goes, read by the next one where it has ended early. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** One line. A mutant has the number that the instrumenter gave it, a test the identifier of vitest. */
export type Line =
  | { readonly begins: string }
  /** What a test reaches. It has passed twice, unchanged. */
  | { readonly test: string; readonly reaches: readonly string[] }
  /** A test that doesn't pass unchanged, or not a second time in the same process: it can't tell anything. */
  | { readonly useless: string; readonly why: string }
  /** Reached as a module is loaded, or only the first time that a test runs. */
  | { readonly once: readonly string[] }
  | { readonly tries: string; readonly with: string }
  | { readonly passed: string; readonly with: string; readonly ms: number }
  | { readonly seen: string; readonly with: string }
  /** It never came back from this test, or the process ended. */
  | { readonly hung: string; readonly with: string }
  /** Failed, and then the test failed unchanged too: either may be a trace of another mutant. */
  | { readonly doubtful: string; readonly with: string }
  | { readonly done: string }
  | { readonly file: string };

/** What the lines so far come to. */
export interface Tried {
  readonly files: Set<string>;
  readonly done: Set<string>;
  readonly useless: Set<string>;
  readonly seen: Set<string>;
  readonly hung: Set<string>;
  readonly reached: Set<string>;
  readonly once: Set<string>;
  /** Milliseconds that a mutant was tried and not seen. */
  readonly spent: Map<string, number>;
  /** Pairs of a mutant and a test. */
  readonly passed: Set<string>;
  readonly doubtful: Set<string>;
}

export const pair = (mutant: string, test: string) => `${mutant} ${test}`;

function take(tried: Tried, line: Line): void {
  if ("test" in line) for (const mutant of line.reaches) tried.reached.add(mutant);
  else if ("useless" in line) tried.useless.add(line.why);
  else if ("once" in line) for (const mutant of line.once) tried.once.add(mutant);
  else if ("passed" in line) {
    tried.passed.add(pair(line.passed, line.with));
    tried.spent.set(line.passed, (tried.spent.get(line.passed) ?? 0) + line.ms);
  } else if ("seen" in line) tried.seen.add(line.seen);
  else if ("hung" in line) tried.hung.add(line.hung);
  else if ("doubtful" in line) tried.doubtful.add(pair(line.doubtful, line.with));
  else if ("done" in line) tried.done.add(line.done);
  else if ("file" in line) tried.files.add(line.file);
}

/** A journal at a path, and what its lines come to. */
export class Journal {
  readonly path: string;
  lines = 0;
  last: Line | undefined;
  readonly tried: Tried = {
    files: new Set(),
    done: new Set(),
    useless: new Set(),
    seen: new Set(),
    hung: new Set(),
    reached: new Set(),
    once: new Set(),
    spent: new Map(),
    passed: new Set(),
    doubtful: new Set(),
  };

  constructor(path: string) {
    this.path = path;
    if (!existsSync(path)) return;
    for (const line of readFileSync(path, "utf8").split("\n"))
      if (line !== "") this.#take(JSON.parse(line) as Line);
  }

  note(line: Line): void {
    appendFileSync(this.path, `${JSON.stringify(line)}\n`);
    this.#take(line);
  }

  #take(line: Line): void {
    this.lines += 1;
    this.last = line;
    take(this.tried, line);
  }
}
