/** The command's door: what it takes to ask, to draw and to print what a run comes to. */

export { type Asked, atShop, openRun, type Run } from "./open.ts";
export type { Choices } from "./plans/choices.ts";
export { checkChosen, chosenOf } from "./plans/chosen.ts";
export { mayBeRefused, refuseMistyped, refuseWrong } from "./plans/guard.ts";
export { judgeFindings } from "./plans/missing.ts";
export { savedPlan } from "./plans/saved.ts";
export { differenceText } from "./plans/stale.ts";
export { type ShownChange, shownChanges, shownPath } from "./report/changes.ts";
export { shownFields, waysOn } from "./report/conflict-fields.ts";
export { type Conflict, otherFailures } from "./report/conflicts.ts";
export { changeLines, hunkLine, textHunks, valueText } from "./report/difference.ts";
export { code, fenced } from "./report/escape.ts";
export { failureTexts } from "./report/failures.ts";
export type { Impact } from "./report/impact.ts";
export { impactLines } from "./report/impact-lines.ts";
export { markdownOf, type Pictures, type Reported } from "./report/markdown.ts";
export {
  type Colour,
  countWord,
  isPlan,
  opOrder,
  titles,
  type Verb,
  wordOf,
  words,
} from "./report/op-words.ts";
export {
  agoText,
  lastRunOf,
  type Origin,
  outcomeOf,
  pastOf,
  verbOf,
  whenceOf,
  whoOf,
} from "./report/past.ts";
export { type Refusal, refusalLines, refusalText } from "./report/refusals.ts";

export { sendsNothing, type Texts, textsIn } from "./report/texts.ts";
export { manyText, namedIn } from "./report/titles.ts";
export { deletesText, isUnchanged, unchangedText } from "./report/unchanged.ts";
export { signsAt } from "./report/units.ts";
export { carryOut, leftAfter, type Planned, planned, play, reportedOf } from "./run.ts";
export { checkConnection } from "./stack/connection.ts";
export { RunError, type RunErrorCode } from "./stack/errors.ts";
export { type Held, heldBy } from "./stack/held.ts";
export { type Meter, openMeter, type Spent, spentText } from "./stack/meter.ts";
export { parts } from "./stack/own-provider.ts";
export { compareShop, otherShopOf, stateText } from "./stack/shop.ts";
export { isFailed, isRefusedInPart, type Staged, spentSince, withMessage } from "./stage.ts";
