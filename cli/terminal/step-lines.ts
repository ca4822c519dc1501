/** One step as lines for a terminal. */

import { kindOf, type Step } from "../../engine/index.ts";
import { firstLines, withUnit } from "../../provider/inventory/index.ts";
import {
  type Colour,
  changeLines,
  hunkLine,
  objectName,
  opWords,
  type ShownChange,
  type StepNotices,
  shownChanges,
  shownPath,
  stepWord,
  textHunks,
  unitsAt,
  valueText,
} from "../../runs/command.ts";

export interface Line {
  readonly text: string;
  readonly colour?: Colour | undefined;
}

export interface StepOptions {
  readonly isPreview: boolean;
  /** Whether to show every value in full, and texts as hunks. */
  readonly diff: boolean;
}

/** `Product            mug`, in columns. */
export const labelOf = ({ type, name }: Step): string => `${kindOf(type).padEnd(18)} ${name.padEnd(34)}`;

const tints = { "+": "green", "-": "red", "~": "yellow", " ": "dim" } as const;

/** @param notices of the plan */
export function stepLines(step: Step, options: StepOptions, notices?: StepNotices): readonly Line[] {
  const text = notices?.of(step);
  const { op, replaces, from } = step;
  const { sign, colour } = opWords[op];
  const changes = changesShown(step, notices);
  const paths = [...new Set(changes.map(({ path }) => path))];
  const about = opWords[op].showsChanges && !options.diff && paths.length > 0 ? ` [${paths.join(", ")}]` : "";
  const because = replaces.length > 0 ? `, because of ${replaces.join(", ")}` : "";
  const takes = from === undefined ? "" : `, takes over from ${from}`;
  const leaves = notices?.leaves(step) ?? step.stays === true;
  const kept = leaves ? `, ${op === "delete" ? "" : "the old one "}stays in the shop` : "";
  const instead = notices?.instead(step);
  const missing = instead === undefined ? "" : ` instead of ${instead}, which the shop doesn't have`;
  const taken = op === "adopt" && options.isPreview ? ` ${step.id}${missing}` : "";
  const head = `${sign.padStart(2)} ${labelOf(step)} ${stepWord(step, options.isPreview)}${taken}${about}${because}${takes}${kept}${titleText(step, options)}`;
  return [
    { text: head.trimEnd(), colour },
    ...(options.diff && (op === "create" || op === "create-replacement") ? inputLines(step) : []),
    ...changes
      .filter(({ becomes }) => opWords[op].showsChanges || becomes !== undefined)
      .flatMap((change) => changedLines(step, change, options)),
    ...(step.missing ?? []).map((text) => ({
      text: `       ~ left by the last run: ${text}`,
      colour: "yellow" as const,
    })),
    ...(text === undefined ? [] : text.split("\n").map(hunkLine).map(signed)),
  ];
}

// A longer name is cut.
const longestTitle = 60;

// A plan shows the shop's name of an object, too.
function titleText(step: Step, { isPreview }: StepOptions): string {
  const { title, name } = objectName(step);
  const shown = title.length > longestTitle ? `${title.slice(0, longestTitle - 1)}…` : title;
  return isPreview && title.toLowerCase() !== name.toLowerCase() ? `  (${shown})` : "";
}

const changesShown = (step: Step, notices: StepNotices | undefined) =>
  shownChanges(step, notices).map((change) => ({ ...change, path: shownPath(change.path) }));

const inputLines = (step: Step): readonly Line[] =>
  Object.entries(step.inputs).flatMap(([key, value]): readonly Line[] =>
    value === null
      ? []
      : [
          {
            text: `       + ${key}: ${withUnit(value, valueText(value, 400), unitsAt(step, key).new)}`,
            colour: "green",
          },
        ],
  );

export const signed = ({
  sign,
  text,
}: {
  readonly sign: keyof typeof tints;
  readonly text: string;
}): Line => ({
  text: `       ${sign} ${text}`,
  colour: tints[sign],
});

function changedLines(step: Step, change: ShownChange, { diff }: StepOptions): readonly Line[] {
  const { found } = step;
  const { path, becomes, note } = change;
  // The hunks of a refresh are always shown: nothing else shows them.
  const text = diff || found ? (textHunks(change) ?? []) : [];
  const shown = diff ? text : firstLines(text);
  const head = becomes === undefined ? ":" : ` ${becomes}`;
  if (becomes !== undefined || text.length > 0) {
    const noted = note === undefined ? "" : ` (${note})`;
    return [{ sign: "~", text: `${path}${head}${noted}` } as const, ...shown.map(hunkLine)].map(signed);
  }
  const lines = changeLines(change, diff, unitsAt(step, path));
  const [first, ...rest] = lines;
  if (first === undefined || note === undefined) return lines.map(signed);
  return [{ ...first, text: `${first.text} (${note})` }, ...rest].map(signed);
}
