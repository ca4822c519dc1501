/** The report of a command, in the file that was named. */
import { writeFileSync } from "node:fs";
import type { Event } from "../../engine/index.ts";
import { markdownOf, type Reported, type ReportInput } from "../../runs/command.ts";

export interface Report {
  watch(event: Event): void;
  /** Adds the run to the file: a preview and what came of it are one report. */
  end(told: ReportInput): void;
}

/**
 * A report that ends up in a file; each command starts a new one.
 * @param path where to; "-" is standard output, where each run is written when it ends
 * @param finding whether the run is a refresh: it tells what was found
 */
export function openReport(path: string, finding: boolean): Report {
  const runs: Reported[] = [];
  let events: Event[] = [];
  return {
    watch: (event) => void events.push(event),
    end(told) {
      const run = { ...told, finding, events };
      runs.push(run);
      events = [];
      if (path === "-") process.stdout.write(markdownOf([run]));
      else writeFileSync(path, markdownOf(runs));
    },
  };
}
