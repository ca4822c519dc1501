/** compare: two stacks, two shops, or a shop and a program, by natural key. */

import { compareSides, printable, printableJson, reasonTexts } from "../../provider/inventory/index.ts";
import { readSides } from "../compare/sides.ts";
import { checkWritable, writeReport } from "../deploy/session.ts";
import { codes, usageError } from "../exit.ts";
import { defineCommand, type Parsed, stackOptions } from "../options.ts";
import { comparisonLines, comparisonMarkdown } from "../terminal/comparison.ts";
import { openTerminal, printLines, printNote } from "../terminal/terminal.ts";

const options = {
  cwd: stackOptions.cwd,
  markdown: {
    type: "string",
    value: "FILE",
    text: "also write the differences as Markdown for a comment; - prints it instead",
  },
  json: { type: "boolean", text: "print one JSON object, for other tools" },
  help: stackOptions.help,
} as const;

const what = `Matches objects by natural key, such as a SKU or a code, and shows their differences. Ignores ids and timestamps, and lists data that can't be compared. Each of A and B is one of
  STACK           the objects that the stack manages, as its shop has them now
  shop:STACK      the whole shop of the stack
  program:STACK   the objects as the program asks for them in the stack
The exit code is ${codes.changes} if they differ.`;

export const compare = defineCommand({
  usage: "compare A B [options]",
  description: what,
  example: "pulumi-shop compare staging live",
  options,
  maxPositionals: 2,
  completions: async ({ positionals, stacks }) => {
    if (positionals.length >= 2) return [];
    return (await stacks()).flatMap((name) => [name, `shop:${name}`, `program:${name}`]);
  },
  run,
});

async function run(values: Parsed<typeof options>, positionals: readonly string[]): Promise<number> {
  const [a, b] = positionals;
  if (a === undefined || b === undefined)
    throw usageError("compare takes two sides, such as: compare staging live; --help lists more");
  if (values.markdown !== undefined && values.markdown !== "-") checkWritable(values.markdown);
  const folder = values.cwd ?? process.cwd();
  const note = (line: string) => printNote(printable(line));
  const comparison = compareSides(...(await readSides([a, b], folder, note)));
  const isEqual = comparison.differences.length === 0;
  const between = { a, b };
  if (values.json) {
    const notCompared = comparison.notCompared.map((one) => ({ ...one, reason: reasonTexts[one.reason] }));
    const { differences } = comparison;
    const whole = JSON.stringify({ ...between, equal: isEqual, differences, notCompared });
    process.stdout.write(`${printableJson(whole)}\n`);
  } else if (values.markdown !== "-") {
    const terminal = openTerminal(process.stdout, process.env);
    printLines(terminal, comparisonLines(between, comparison));
  }
  const markdown = () => printable(comparisonMarkdown(between, comparison));
  if (values.markdown === "-") process.stdout.write(markdown());
  else if (values.markdown !== undefined) writeReport(values.markdown, markdown());
  return isEqual ? codes.success : codes.changes;
}
