/** A plan as lines for a terminal: the impact, deletes, then kind by kind. */

import { ends, kindOf, makes, type Step } from "../../engine/index.ts";
import {
  type Conflict,
  countWord,
  failureTexts,
  hunkLine,
  type Impact,
  impactLines,
  nextSteps,
  type StepNotices,
  shownFields,
} from "../../runs/command.ts";
import { type Line, type StepOptions, stepLines } from "./step-lines.ts";

/** The impact of the plan; empty if it has none. */
export function impactSection(impact: Impact): readonly Line[] {
  const lines = impactLines(impact);
  if (lines.length === 0) return [];
  const width = Math.max(...lines.map(({ label }) => label.length));
  return [
    { text: "What it means:" },
    ...lines.map(
      ({ label, text, isLoud }): Line => ({
        text: `  ${isLoud ? "!" : " "} ${label.padEnd(width)}  ${text}`,
        colour: isLoud ? "red" : undefined,
      }),
    ),
  ];
}

/** A larger group is shortened to the second number. */
const [mostSteps, shownSteps] = [50, 10];

/** The steps of a plan; large groups are shortened unless every line is asked for. */
export function planLines(
  plan: readonly Step[],
  notices: StepNotices,
  options: StepOptions & { readonly verbose: boolean },
): readonly Line[] {
  const rank = ({ op }: Step) => (!ends(op) ? 2 : makes(op) ? 1 : 0);
  const groups = Map.groupBy(
    plan.toSorted((one, other) => rank(one) - rank(other)),
    (step) => `${rank(step)} ${kindOf(step.type)} ${step.op} ${step.changes.length === 0}`,
  );
  // Deletes and replacements first; the steps of a kind stay together.
  const ordered = [...groups.values()].toSorted(
    (one, other) => place(plan, rank, one) - place(plan, rank, other),
  );
  return ordered.flatMap((steps) => {
    const isCut = steps.length > mostSteps && !options.diff && !options.verbose;
    const shown = isCut ? steps.slice(0, shownSteps) : steps;
    const lines = shown.flatMap((step) => stepLines(step, options, notices));
    const [first] = steps;
    if (!isCut || first === undefined) return lines;
    const rest = (steps.length - shownSteps).toLocaleString("en-US");
    const what = `${kindOf(first.type)} ${countWord(first.op, first.found)}`;
    return [
      ...lines,
      { text: `    … and ${rest} more ${what}; --verbose shows each`, colour: "dim" as const },
    ];
  });
}

/** Values to check, and values that the shop keeps because the program no longer sets them. */
export const noticeLines = (
  { doubts, unstated }: StepNotices,
  options: { readonly verbose: boolean },
): readonly Line[] => [
  ...(doubts.length > 0 ? [{ text: "Values to check:" }] : []),
  ...sentenceLines(failureTexts(doubts), "values to check", options),
  ...sentenceLines(unstated, "arguments that are no longer set", options),
];

function sentenceLines(
  sentences: readonly string[],
  things: string,
  { verbose }: { readonly verbose: boolean },
): readonly Line[] {
  const isCut = sentences.length > mostSteps && !verbose;
  const shown = isCut ? sentences.slice(0, shownSteps) : sentences;
  const rest = (sentences.length - shown.length).toLocaleString("en-US");
  return [
    ...shown
      .flatMap((text) => text.split("\n"))
      .map((text): Line => ({ text: `     ${text}`, colour: "yellow" })),
    ...(isCut ? [{ text: `     … and ${rest} more ${things}; --verbose shows each` }] : []),
  ];
}

function place(plan: readonly Step[], rank: (step: Step) => number, [first]: readonly Step[]): number {
  if (first === undefined) return 0;
  const ofKind = plan.findIndex(({ type }) => type === first.type);
  return rank(first) * plan.length + ofKind;
}

/** Empty without a conflict. */
export function conflictLines(conflicts: readonly Conflict[]): readonly Line[] {
  if (conflicts.length === 0) return [];
  return [
    {
      text: "Conflicts: these values changed in the shop, too. Nothing was sent over them.",
      colour: "red",
    },
    ...conflicts.flatMap(linesOf),
    ...nextSteps(conflicts).map(({ text }) => ({ text: `     ${text.replaceAll("`", "")}` })),
  ];
}

const asksText = ({ withheld }: Conflict, asked: string) =>
  withheld === "update" ? `the program asks for ${asked}` : `not ${asked}`;

function linesOf(conflict: Conflict): readonly Line[] {
  const { kind, id, name, title, isGone, isRest } = conflict;
  const called = title.toLowerCase() === name.toLowerCase() ? "" : ` (${title})`;
  return [
    {
      text: isRest
        ? ` ! ${kind} ${name}: applied except for these values`
        : ` ! ${kind} ${name}${called}, ${kind} ${id} ${isGone ? "was deleted in the shop" : "in the shop"}`,
      colour: "red",
    },
    ...shownFields(conflict).flatMap(({ label, was, is, asked, texts }): readonly Line[] =>
      texts.length > 0
        ? texts.flatMap(({ label: what, hunks }) => [
            { text: `     ${label}: ${what}:` },
            ...hunks.map(hunkLine).map(({ sign, text }): Line => ({ text: `       ${sign} ${text}` })),
          ])
        : [
            {
              text: `     ${label}: ${was === "" ? "" : `last run ${was}, `}${isGone ? "" : `in the shop now ${is}, `}${asksText(conflict, asked)}`,
            },
          ],
    ),
  ];
}
