/** One step as lines of a terminal: the resource as the program calls it, and what changes of it. */

import { kindOf, type Step } from "../../engine/index.ts";
import { firstLines, withSign } from "../../provider/inventory/index.ts";
import {
  type Colour,
  changeLines,
  hunkLine,
  namedIn,
  type ShownChange,
  shownChanges,
  shownPath,
  signsAt,
  type Texts,
  textHunks,
  valueText,
  wordOf,
  words,
} from "../../runs/command.ts";

export interface Line {
  readonly text: string;
  readonly colour?: Colour | undefined;
}

export interface StepOptions {
  readonly planned: boolean;
  /** Every value, long ones in full, texts as hunks. */
  readonly diff: boolean;
}

/** `Product            mug`, in columns. */
export const labelOf = ({ type, name }: Step): string => `${kindOf(type).padEnd(18)} ${name.padEnd(34)}`;

const tints = { "+": "green", "-": "red", "~": "yellow", " ": "dim" } as const;

/** @param texts what the provider told while it planned */
export function stepLines(step: Step, options: StepOptions, texts?: Texts): readonly Line[] {
  const text = texts?.of(step);
  const { op, replaces, from } = step;
  const { sign, colour } = words[op];
  const changes = changesShown(step, texts);
  const paths = [...new Set(changes.map(({ path }) => path))];
  const about =
    words[op].showsChanges && op !== "adopt" && !options.diff && paths.length > 0
      ? ` [${paths.join(", ")}]`
      : "";
  const because = replaces.length > 0 ? `, because of ${replaces.join(", ")}` : "";
  const takes = from === undefined ? "" : `, takes over from ${from}`;
  const leaves = texts?.leaves(step) ?? step.stays === true;
  const kept = leaves ? `, ${op === "delete" ? "" : "the old one "}stays in the shop` : "";
  const instead = texts?.instead(step);
  const missing = instead === undefined ? "" : ` instead of ${instead}, which the shop doesn't have`;
  const taken = op === "adopt" && options.planned ? ` ${step.id}${missing}` : "";
  const head = `${sign.padStart(2)} ${labelOf(step)} ${wordOf(step, options.planned)}${taken}${about}${because}${takes}${kept}${titleText(step, options)}`;
  return [
    { text: head.trimEnd(), colour },
    ...(options.diff && (op === "create" || op === "create-replacement") ? inputLines(step) : []),
    ...changes
      .filter(({ becomes }) => words[op].showsChanges || becomes !== undefined)
      .flatMap((change) => changedLines(step, change, options)),
    ...(step.missing ?? []).map((text) => ({
      text: `       ~ left by the last run: ${text}`,
      colour: "yellow" as const,
    })),
    ...(text === undefined ? [] : text.split("\n").map(hunkLine).map(signed)),
  ];
}

// A plan is read by people who know the shop; what is done is told as the program calls it.
function titleText(step: Step, { planned }: StepOptions): string {
  const { title, name } = namedIn(step);
  return planned && title.toLowerCase() !== name.toLowerCase() ? `  (${title})` : "";
}

const changesShown = (step: Step, texts: Texts | undefined) =>
  shownChanges(step, texts).map((change) =>
    step.op === "adopt" ? change : { ...change, path: shownPath(change.path) },
  );

const inputLines = (step: Step): readonly Line[] =>
  Object.entries(step.inputs).flatMap(([key, value]): readonly Line[] =>
    value === null
      ? []
      : [
          {
            text: `       + ${key}: ${withSign(value, valueText(value, 400), signsAt(step, key).new)}`,
            colour: "green",
          },
        ],
  );

const signed = ({ sign, text }: { readonly sign: keyof typeof tints; readonly text: string }): Line => ({
  text: `       ${sign} ${text}`,
  colour: tints[sign],
});

function changedLines(step: Step, change: ShownChange, { diff }: StepOptions): readonly Line[] {
  const { op, found } = step;
  const { path, becomes, note } = change;
  if (op === "adopt" && becomes === undefined) return [{ text: `       ~ ${path}`, colour: "yellow" }];
  // What was done to a text is seen in its lines alone: of what a refresh found they are shown in any case.
  const text = diff || found ? (textHunks(change) ?? []) : [];
  const shown = diff ? text : firstLines(text);
  const head = becomes === undefined ? ":" : ` ${becomes}`;
  if (becomes !== undefined || text.length > 0) {
    const noted = note === undefined ? "" : ` (${note})`;
    return [{ sign: "~", text: `${path}${head}${noted}` } as const, ...shown.map(hunkLine)].map(signed);
  }
  const lines = changeLines(change, diff, signsAt(step, path));
  const [first, ...rest] = lines;
  if (first === undefined || note === undefined) return lines.map(signed);
  return [{ ...first, text: `${first.text} (${note})` }, ...rest].map(signed);
}
