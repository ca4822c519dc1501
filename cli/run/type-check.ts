/** Type-checks the program during a preview. Node removes types without checking them. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Stack } from "../../engine/index.ts";

/** The maximum time that a preview waits for the compiler. */
const maxMs = 30_000;
const maxShown = 3;

export interface TypeCheck {
  /** A warning with the first type errors; undefined without errors or without a compiler. */
  note(): Promise<string | undefined>;
  close(): void;
}

/** Starts the project's compiler in parallel to the run, unless the program is compiled for the run anyway. */
export function openTypeCheck({ programFolder, runtime }: Stack["project"]): TypeCheck {
  const compiler = runtime.typescript ? undefined : compilerOf(programFolder);
  if (compiler === undefined) return { note: async () => undefined, close() {} };
  const ended = new AbortController();
  const printed = new Promise<string>((resolve) => {
    const options = { cwd: programFolder, signal: ended.signal, timeout: maxMs, maxBuffer: 2 ** 24 };
    execFile(process.execPath, [compiler, "--noEmit", "--pretty", "false"], options, (_error, stdout) =>
      resolve(stdout),
    );
  });
  return { note: async () => noteOf(await printed), close: () => ended.abort() };
}

function compilerOf(folder: string): string | undefined {
  if (!existsSync(join(folder, "tsconfig.json"))) return undefined;
  try {
    const require = createRequire(join(folder, "package.json"));
    return join(require.resolve("typescript/package.json"), "../bin/tsc");
  } catch {
    // The project has no compiler.
    return undefined;
  }
}

function noteOf(printed: string): string | undefined {
  const wrong = [...printed.matchAll(/^(.+?)\((\d+),\d+\): error TS\d+: (.+)$/gm)].map(
    ([, file, line, text]) => `  ${file}:${line}: ${text}`,
  );
  if (wrong.length === 0) return undefined;
  const more = wrong.length > maxShown ? [`  and ${wrong.length - maxShown} more`] : [];
  return [
    "warning: the program has type errors, which Node ignores when it runs the program; npx tsc --noEmit lists them:",
    ...wrong.slice(0, maxShown),
    ...more,
  ].join("\n");
}
