/** Conflicts as lines of a terminal: each value as it was, is and was asked for, and how to go on. */
import { type Conflict, hunkLine, nextSteps, shownFields } from "../../runs/command.ts";
import type { Line } from "./step-lines.ts";

/** Nothing without a conflict. */
export function conflictLines(conflicts: readonly Conflict[]): readonly Line[] {
  if (conflicts.length === 0) return [];
  return [
    {
      text: "Conflicts: somebody changed in the shop what the program changes too; nothing of it was sent.",
      colour: "red",
    },
    ...conflicts.flatMap(linesOf),
    ...nextSteps(conflicts).map(({ text }) => ({ text: `     ${text.replaceAll("`", "")}` })),
  ];
}

const asksText = ({ withheld }: Conflict, asked: string) =>
  withheld === "update" ? `the program asks ${asked}` : `not ${asked}`;

function linesOf(conflict: Conflict): readonly Line[] {
  const { kind, id, name, title, isGone, isRest } = conflict;
  const called = title.toLowerCase() === name.toLowerCase() ? "" : ` (${title})`;
  return [
    {
      text: isRest
        ? ` ! ${kind} ${name}, but for which all of it is done`
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
