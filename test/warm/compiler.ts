/** `execFile` for a project's compiler: sources that it has checked in this process aren't compiled again. */
import { type ExecFileException, type ExecFileOptions, execFile as start } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const printed = new Map<string, string>();

/** Everything in a folder that a compiler may read, but for packages. */
const sourcesIn = (folder: string): readonly unknown[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith("."))
    .map((entry): readonly unknown[] => {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && entry.name !== "node_modules") return [entry.name, sourcesIn(path)];
      return /\.([cm]?tsx?|json)$/.test(entry.name) ? [entry.name, readFileSync(path, "utf8")] : [entry.name];
    });

/** Like node:child_process, for cli/deploy/run-commands.ts. */
export function execFile(
  file: string,
  args: readonly string[],
  options: ExecFileOptions & { readonly cwd: string },
  done: (error: ExecFileException | null, stdout: string) => void,
): void {
  const key = JSON.stringify([args, sourcesIn(options.cwd)]);
  const known = printed.get(key);
  if (known !== undefined) return void setImmediate(done, null, known);
  start(file, args, { ...options, encoding: "utf8" }, (error, stdout) => {
    // A compiler that was ended has printed a part.
    if (error === null || typeof error.code === "number") printed.set(key, stdout);
    done(error, stdout);
  });
}
