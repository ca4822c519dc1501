/** The report of a command, in the file that was named. */
import { writeFileSync } from "node:fs";
import { markdownOf, type Reported } from "../../runs/command.ts";

/**
 * A report that ends up in a file; each command starts a new one.
 * @param path where to; "-" is standard output, where each run is written when it ends
 * @returns what adds a run: a preview and what came of it are one report
 */
export function openReport(path: string): (run: Reported) => void {
  const runs: Reported[] = [];
  return (run) => {
    runs.push(run);
    if (path === "-") process.stdout.write(markdownOf([run]));
    else writeFileSync(path, markdownOf(runs));
  };
}
