/** A comparison for the terminal, and as a pull request comment. */

import type { Change } from "../../engine/index.ts";
import {
  type Comparison,
  type Difference,
  type FieldChange,
  printableLine,
  reasonTexts,
  type Uncompared,
} from "../../provider/inventory/index.ts";
import { changeLines, code, fenced, plural } from "../../runs/command.ts";
import { type Line, signed } from "./step-lines.ts";

export interface SideNames {
  readonly a: string;
  readonly b: string;
}

export function comparisonLines(
  { a, b }: SideNames,
  { differences, notCompared }: Comparison,
): readonly Line[] {
  const left = uncomparedLines(notCompared).map((text) => ({ colour: "dim" as const, text }));
  if (differences.length === 0) {
    const within = notCompared.length === 0 ? "" : " in what was compared";
    return [{ colour: "green", text: `${a} and ${b} are equal${within}` }, ...left];
  }
  return [
    ...differences.flatMap((difference): Line[] => {
      const name = `${difference.kind.padEnd(18)} ${printableLine(difference.key)}`;
      if (difference.type === "only-in-a") return [{ colour: "red", text: ` - ${name}   only in ${a}` }];
      if (difference.type === "only-in-b") return [{ colour: "green", text: ` + ${name}   only in ${b}` }];
      return [{ colour: "yellow", text: ` ~ ${name}` }, ...changed(difference)];
    }),
    ...left,
    { text: counted({ a, b }, differences) },
  ];
}

const uncomparedLines = (notCompared: readonly Uncompared[]) =>
  notCompared.map((one) => `not compared: ${uncomparedText(one)}`);

/** `Product.images (3 objects): no argument sets it`. */
function uncomparedText({ kind, path, objects, reason }: Uncompared): string {
  return path === undefined
    ? `${kind}: ${reasonTexts[reason]}`
    : `${kind}.${path} (${plural(objects, "object")}): ${reasonTexts[reason]}`;
}

const changed = (difference: Extract<Difference, { type: "different" }>): Line[] =>
  lines(difference).map(signed);

const lines = ({ changes }: Extract<Difference, { type: "different" }>) => changes.flatMap(lineOf);

function lineOf({ units, ...change }: FieldChange): ReturnType<typeof changeLines> {
  const { kind, path } = change;
  const isNamedOnly = (change.old ?? change.new) === undefined;
  if (isNamedOnly) return [{ sign: kind === "add" ? "+" : "-", text: path }];
  return changeLines(change as Change, true, units);
}

function counted({ a, b }: SideNames, differences: readonly Difference[]): string {
  const count = (type: Difference["type"]) => differences.filter((one) => one.type === type).length;
  return `${count("different")} different, ${count("only-in-a")} only in ${a}, ${count("only-in-b")} only in ${b}`;
}

/** A GitHub comment holds 65,536 characters; a workflow adds some of its own. */
const mostCharacters = 60_000;

/** Markdown within the length of a comment; differences that don't fit are counted. */
export function comparisonMarkdown(between: SideNames, { differences, notCompared }: Comparison): string {
  const { a, b } = between;
  const head = `### \`${a}\` and \`${b}\``;
  const left = notCompared.map((one) => `- ${uncomparedText(one)}\n`).join("");
  const tail = left === "" ? "" : `\nNot compared:\n\n${left}`;
  if (differences.length === 0)
    return `${head}\n\n${left === "" ? "Equal." : "Equal in what was compared."}\n${tail}`;
  const parts = differences.map((difference) => {
    const name = `**${difference.kind}** ${code(printableLine(difference.key))}`;
    if (difference.type === "only-in-a") return `- ${name}: only in ${code(a)}\n`;
    if (difference.type === "only-in-b") return `- ${name}: only in ${code(b)}\n`;
    return `- ${name}\n\n${changeBlock(difference.changes)}`;
  });
  return `${withinLimit(`${head}\n\n${counted(between, differences)}\n\n`, parts)}${tail}`;
}

function withinLimit(head: string, parts: readonly string[]): string {
  let text = head;
  for (const [index, part] of parts.entries()) {
    if (text.length + part.length > mostCharacters) {
      return `${text}\n… and ${parts.length - index} more, which don't fit here; the command shows them at a terminal.\n`;
    }
    text += part;
  }
  return text;
}

/** GitHub colours `!` lines like our `~` lines. */
function changeBlock(changes: readonly FieldChange[]): string {
  const lines = changes.flatMap(lineOf);
  return fenced(lines.map(({ sign, text }) => `${sign === "~" ? "!" : sign} ${text}`));
}
