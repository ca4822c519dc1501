/** A run as Markdown: what a pull request's comment shows. Short enough for one, whatever the run did. */
import { writeFileSync } from "node:fs";
import type { Event, Op, Result, Step } from "../../engine/index.ts";
import { kindOf } from "../../engine/index.ts";
import { printable } from "../../provider/inventory/index.ts";
import { bounded, changeBlock, code, fenced } from "./comparison.ts";
import { countWord, showsChanges, wordOf } from "./display.ts";
import { pathText } from "./paths.ts";

export interface Report {
  watch(event: Event): void;
  /** Adds the run to the file: a preview and what came of it are one report. */
  end(title: string, result: Result, refused: readonly string[], cost: string | undefined): void;
}

/**
 * A report that ends up in a file; each command starts a new one.
 * @param path where to; "-" is standard output, where each run is written when it ends
 * @param finding whether the run is a refresh: it tells what was found
 */
export function openReport(path: string, finding: boolean): Report {
  let steps: Step[] = [];
  let said: string[] = [];
  let text = "";
  return {
    watch(event) {
      if (
        event.type === "done" &&
        event.step.op !== "same" &&
        event.step.partOf === undefined &&
        !event.step.type.startsWith("pulumi:")
      )
        steps.push(event.step);
      if (event.type === "printed") said.push(event.text);
    },
    end(title, result, refused, cost) {
      const part = printable(reportText(title, finding, steps, said, result, refused, cost));
      [steps, said] = [[], []];
      text += part;
      if (path === "-") process.stdout.write(part);
      else writeFileSync(path, text);
    },
  };
}

const order: readonly Op[] = ["create", "update", "replace", "delete", "adopt", "rename", "read", "refresh"];

function reportText(
  title: string,
  finding: boolean,
  steps: readonly Step[],
  said: readonly string[],
  { counts, failures, outcome }: Result,
  refused: readonly string[],
  cost: string | undefined,
): string {
  const counted = order
    .filter((op) => (counts[op] ?? 0) > 0)
    .map((op) => `${counts[op]} ${countWord(op, finding)}`);
  const head = [
    `### ${title}`,
    "",
    outcome === "failed"
      ? "**It failed.**"
      : counted.length === 0
        ? "Nothing to change."
        : `${counted.join(", ")}; ${counts.same ?? 0} unchanged.`,
    ...(cost === undefined ? [] : [`API requests needed: ${cost}`]),
    "",
    "",
  ].join("\n");
  const problems = [...refused, ...failures.map(({ message }) => message)].map((line) => `- ${code(line)}\n`);
  const parts = steps.map((step) => {
    const name = `- ${wordOf(step)} **${kindOf(step.type)}** ${code(step.name)}\n`;
    const isChange = showsChanges.has(step.op) && step.op !== "adopt" && step.changes.length > 0;
    const changes = step.changes.map((change) => ({ ...change, path: pathText(step.type, change.path) }));
    return isChange ? `${name}\n${changeBlock(changes)}\n` : name;
  });
  const lines = said.length === 0 ? [] : [`\n${fenced(said)}`];
  return bounded(head, [...problems, ...parts, ...lines]);
}
