/** A plan as lines of a terminal: what it means to the shop, what is lost, then kind by kind. */

import { ends, kindOf, makes, type Step } from "../../engine/index.ts";
import { countWord, type Impact, impactLines, type StepNotices } from "../../runs/command.ts";
import { type Line, type StepOptions, stepLines } from "./step-lines.ts";

/** What the plan means to the shop; nothing where it means nothing. */
export function meaningLines(impact: Impact): readonly Line[] {
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

/** Of more steps than these of one kind, so many are shown. */
const [mostSteps, shownSteps] = [50, 10];

/** The steps of a plan; a large group is cut short, unless every line is asked for. */
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
  // What is lost comes first; a kind's own steps stay together.
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

/** What the shop keeps of arguments that the program states no longer. */
export function unstatedLines(
  { unstated }: StepNotices,
  { verbose }: { readonly verbose: boolean },
): readonly Line[] {
  const isCut = unstated.length > mostSteps && !verbose;
  const shown = isCut ? unstated.slice(0, shownSteps) : unstated;
  const rest = (unstated.length - shown.length).toLocaleString("en-US");
  return [
    ...shown.map((text): Line => ({ text: `     ${text}`, colour: "yellow" })),
    ...(isCut
      ? [{ text: `     … and ${rest} more arguments that are no longer set; --verbose shows each` }]
      : []),
  ];
}

function place(plan: readonly Step[], rank: (step: Step) => number, [first]: readonly Step[]): number {
  if (first === undefined) return 0;
  const ofKind = plan.findIndex(({ type }) => type === first.type);
  return rank(first) * plan.length + ofKind;
}
