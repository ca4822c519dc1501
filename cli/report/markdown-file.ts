/** The Markdown report of a command. */

import { accessSync, constants, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { markdownOf, type Reported } from "../../runs/command.ts";
import { usageError } from "../exit.ts";

/**
 * Opens the report of a command.
 * @param path a file, or "-" for standard output
 * @throws CommandError if the file can't be written, before a run starts
 * @returns a function that adds a run: the preview and the result share one report
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
    throw usageError(`--markdown: the folder ${folder} ${why}`);
  }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw usageError(`--markdown: ${path} is a folder; name a file`);
}
