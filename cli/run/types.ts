/** Whether a program's types are right. Node takes types away and looks at none: a preview has the project's compiler look. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Stack } from "../../engine/index.ts";

/** So long a preview waits for it at most. */
const mostMs = 30_000;
const shown = 3;

export interface Types {
  /** What is wrong, for the person who looks at the plan; undefined where nothing is, or nobody can say. */
  note(): Promise<string | undefined>;
  close(): void;
}

/** Starts the compiler that a project has, beside the run. Where the program is compiled for the run, its types are looked at already. */
export function openTypes({ programFolder, runtime }: Stack["project"]): Types {
  const compiler = runtime.typescript ? undefined : compilerOf(programFolder);
  if (compiler === undefined) return { note: async () => undefined, close() {} };
  const ended = new AbortController();
  const printed = new Promise<string>((resolve) => {
    const options = { cwd: programFolder, signal: ended.signal, timeout: mostMs, maxBuffer: 2 ** 24 };
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
    // A project without a compiler.
    return undefined;
  }
}

function noteOf(printed: string): string | undefined {
  const wrong = [...printed.matchAll(/^(.+?)\((\d+),\d+\): error TS\d+: (.+)$/gm)].map(
    ([, file, line, text]) => `  ${file}:${line}: ${text}`,
  );
  if (wrong.length === 0) return undefined;
  const more = wrong.length > shown ? [`  and ${wrong.length - shown} more`] : [];
  return [
    "warning: types are wrong, which Node doesn't look at when it runs the program; npx tsc --noEmit lists them:",
    ...wrong.slice(0, shown),
    ...more,
  ].join("\n");
}
