/** The report of a command, in the file that was named. */
import { accessSync, constants, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { markdownOf, type Reported } from "../../runs/command.ts";
import { CommandError, codes } from "../exit.ts";

/**
 * A report that ends up in a file; each command starts a new one.
 * @param path where to; "-" is standard output, where each run is written when it ends
 * @throws CommandError where it can't be written, before a run begins
 * @returns what adds a run: a preview and what came of it are one report
 */
export function openReport(path: string): (run: Reported) => void {
  if (path !== "-") checkWritable(path);
  const runs: Reported[] = [];
  return (run) => {
    runs.push(run);
    if (path === "-") process.stdout.write(markdownOf([run]));
    else writeFileSync(path, markdownOf(runs));
  };
}

function checkWritable(path: string): void {
  const folder = dirname(resolve(path));
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const why =
      (error as NodeJS.ErrnoException).code === "ENOENT" ? "does not exist" : "may not be written to";
    throw new CommandError(`--markdown: the folder ${folder} ${why}`, codes.configuration);
  }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new CommandError(`--markdown: ${path} is a folder; name a file`, codes.configuration);
}
