/** Mutants of files, as Stryker's instrumenter makes them: all at once in the text, each behind a switch. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Instrumenter } from "@stryker-mutator/instrumenter";

/** A change of the code in one place. */
export interface Mutant {
  readonly id: string;
  /** From the repository's root. */
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/** Which lines of a file are changed, from and to which (both counted from 1 and included); none: all. */
export interface Place {
  readonly path: string;
  readonly lines?: readonly [number, number];
}

const silent = () => undefined;
const log = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  fatal: silent,
};

/** Writes the changed files below a folder, under their own paths. */
export async function instrument(
  root: string,
  places: readonly Place[],
  folder: string,
): Promise<readonly Mutant[]> {
  const paths = [...new Set(places.map(({ path }) => path))];
  const texts = new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
  const { files, mutants } = await new Instrumenter(log).instrument(
    paths.map((path) => ({ name: path, content: texts.get(path) ?? "", mutate: linesOf(path, places) })),
    // Texts of messages are what people read, not what the code decides.
    { plugins: null, ignorers: [], excludedMutations: ["StringLiteral"] },
  );
  for (const { name, content } of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return mutants
    .filter(({ status }) => status === undefined)
    .map(({ id, fileName, location: { start, end }, replacement }) => ({
      id,
      path: fileName,
      line: start.line + 1,
      before: between(texts.get(fileName) ?? "", start, end),
      after: replacement ?? "",
    }));
}

function linesOf(path: string, places: readonly Place[]) {
  const ranges = places.filter((place) => place.path === path).map(({ lines }) => lines);
  if (ranges.includes(undefined)) return true;
  return ranges.flatMap((lines) =>
    lines === undefined
      ? []
      : [{ start: { line: lines[0] - 1, column: 0 }, end: { line: lines[1], column: 0 } }],
  );
}

interface Position {
  readonly line: number;
  readonly column: number;
}

function between(text: string, start: Position, end: Position): string {
  const lines = text.split("\n").slice(start.line, end.line + 1);
  const last = lines.length - 1;
  lines[last] = (lines[last] ?? "").slice(0, end.column);
  lines[0] = (lines[0] ?? "").slice(start.column);
  return lines.join("\n");
}
