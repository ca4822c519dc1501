/**
 * Merges the body of an object. Texts are compared by hash and merged line by line. A theme's JSON settings are compared
 * value by value, so that the back office and the program can each change their own. A body without text (a picture)
 * counts as changed when its address changes.
 */
import {
  bodyDiffers,
  bodyPath,
  hashIn,
  isBodyUnknown,
  leafPath,
  lineHashesIn,
  shownText,
  sourceIn,
  textOf,
  wantedHash,
  withoutBody,
  withText,
} from "../body/arguments.ts";
import { sha256 } from "../body/body.ts";
import { isSameValues, type LeafVerdict, leafSides } from "../body/json.ts";
import { mergedLines, printLineHashes } from "../body/lines.ts";
import { acceptedIn, baseIn, bodyAsWritten, bodyInState, withBodyBase } from "../body/state.ts";
import type { Definition } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { unknownValue } from "../wire/text.ts";
import type { FieldChange, MergeOptions, Sides, Verdict } from "./field-change.ts";

export interface BodyChange {
  readonly fields: readonly FieldChange[];
  readonly isSent: boolean;
  readonly wanted: (args: Values) => Values;
  readonly known: (state: Values) => Values;
}

const nothing: BodyChange = {
  fields: [],
  isSent: false,
  wanted: (args) => args,
  known: (state) => state,
};

/** Without a body among the arguments, it only reports the edits of staff. */
export function bodyChange(
  definition: Definition,
  { known, seen, asked }: Sides,
  { folder, keeps = false }: MergeOptions,
): BodyChange {
  if (definition.body === undefined) return nothing;
  const shown = shownText(seen);
  const is = shown === undefined ? undefined : sha256(shown);
  const { address } = definition.body;
  // The shop gives a body that isn't text a new address with each edit (platform-facts.md, section 8: asset_url).
  const isReaddressed =
    shown === undefined &&
    typeof known[address] === "string" &&
    typeof seen[address] === "string" &&
    known[address] !== seen[address];
  const moved = (is !== undefined && hashIn(known) !== undefined && is !== hashIn(known)) || isReaddressed;
  const differs = bodyDiffers(definition, known, asked);
  if (!differs && !moved) return nothing;
  const text = textOf(asked, folder);
  // Keeps the state's hashes of the program's body, so that the next refresh finds the edit of staff.
  const asKnown = (state: Values): Values => ({ ...state, ...bodyInState(known) });
  // Compares with the base: an edit that a refresh has read isn't a change by the program.
  const before = withBodyBase(known, baseIn(known));
  const isRead = hashIn(before) !== hashIn(known);
  const whole = (verdict: Verdict): FieldChange => ({
    path: [bodyPath],
    was: hashIn(before),
    is: is ?? seen[address],
    asked: isBodyUnknown(asked) ? unknownValue : (wantedHash(asked) ?? sourceIn(asked)),
    verdict,
    texts: { is: shown ?? seen[address], asked: text },
  });
  const left: BodyChange = { ...nothing, wanted: withoutBody };
  if (!differs) return { ...left, fields: [whole("kept")], known: asKnown };
  // Staff saved the same settings in another layout: the program's is its own, and says nothing else.
  const isLayout =
    isRead && wantedHash(asked) === hashIn(before) && isSameValues(before.__leaves, known.__leaves);
  if (isLayout && !moved) return { ...left, known: asKnown };
  const leaves = leafSides(before.__leaves, shown, text);
  const own = leaves?.byProgram.map(leafChange) ?? [];
  const side = whole("send");
  const sent: FieldChange =
    side.is !== undefined && side.is === side.asked ? { ...side, verdict: "done" } : side;
  if (is !== undefined && is === wantedHash(asked)) return { ...left, fields: [whole("done"), ...own] };
  if (!moved && !isRead) return { ...nothing, fields: [sent, ...own], isSent: true };
  if (isRead && wantedHash(asked) === hashIn(before)) {
    if (keeps || moved)
      return { ...left, fields: [{ ...whole("kept"), ...(!moved && { isRead }) }], known: asKnown };
    const back = leaves?.byStaff.map(leafChange);
    return { ...nothing, fields: back === undefined ? [whole("put back")] : [sent, ...back], isSent: true };
  }
  if (leaves === undefined) {
    const sides = { text, before: lineHashesIn(before), shown };
    // The program has the accepted lines of staff and has changed others.
    const isAccepted = isRead && acceptedIn(known).some((one) => hashIn(one) === hashIn(before));
    if (isAccepted && text !== undefined && mergedOf(sides) === text)
      return { ...nothing, fields: [sent], isSent: true };
    return mergeLines(asked, { ...sides, ...(isRead && !keeps && { text: undefined }) }, whole);
  }
  const putsBack = isRead && !keeps && !moved;
  const merged = leaves.merge(putsBack);
  const fields = [sent, ...merged.changes.map(leafChange)];
  if (putsBack) return { ...nothing, fields, isSent: true };
  return {
    fields,
    isSent: merged.text !== shown,
    wanted: (args) => withText(args, merged.text),
    known: (state) => ({ ...state, ...bodyAsWritten(asked), __leaves: merged.hashes }),
  };
}

const leafChange = ({ path, ...sides }: LeafVerdict): FieldChange => ({
  path: [leafPath(path)],
  was: undefined,
  ...sides,
});

/** A text in the program, by its lines after the last run, and in the shop; undefined if it isn't known. */
interface TextSides {
  readonly text: string | undefined;
  readonly before: string | undefined;
  readonly shown: string | undefined;
}

const mergedOf = ({ text, before, shown }: TextSides): string | undefined =>
  text === undefined || before === undefined || shown === undefined
    ? undefined
    : mergedLines(text, before, shown);

/** Merges the lines of both sides. It is a conflict if both changed the same lines, or if a text isn't known. */
function mergeLines(
  asked: Values,
  { text, ...others }: TextSides,
  whole: (verdict: Verdict) => FieldChange,
): BodyChange {
  const { shown } = others;
  const merged = mergedOf({ text, ...others });
  if (text === undefined || merged === undefined)
    return { ...nothing, fields: [whole("conflict")], isSent: true };
  const { texts: _texts, ...kept } = whole("kept");
  return {
    fields: [{ ...whole(merged === shown ? "done" : "send"), texts: { is: shown, asked: merged } }, kept],
    isSent: merged !== shown,
    wanted: (args) => withText(args, merged),
    // The lines of staff stay out of the state.
    known: (state) => ({ ...state, ...bodyAsWritten(asked), __lines: printLineHashes(text) }),
  };
}
