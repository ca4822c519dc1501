/** The command's door: what it takes to ask, to draw and to print what a run comes to. */

export { withChannel } from "./plans/channel.ts";
export { type Choices, namesIn } from "./plans/choices.ts";
export { checkChosen, chosenOf } from "./plans/chosen.ts";
export { leftBehind } from "./plans/cut-off.ts";
export { mayBeRefused, refuseMistyped } from "./plans/guard.ts";
export { approvedOf, savedPlan } from "./plans/saved.ts";
export { type Difference, differences, differenceText, withoutMoved } from "./plans/stale.ts";
export { type ShownChange, shownChanges, shownPath } from "./report/changes.ts";
export { shownFields, waysOn } from "./report/conflict-fields.ts";
export { type Conflict, otherFailures } from "./report/conflicts.ts";
export { changeLines, hunkLine, valueText } from "./report/difference.ts";
export { code, fenced } from "./report/escape.ts";
export { failureTexts } from "./report/failures.ts";
export { type Impact, impactOf } from "./report/impact.ts";
export { impactLines } from "./report/impact-lines.ts";
export { markdownOf, type Pictures, type Reported, type ReportInput } from "./report/markdown.ts";
export { type Colour, countWord, opOrder, titles, type Verb, wordOf, words } from "./report/op-words.ts";
export {
  agoText,
  lastRunOf,
  type Origin,
  outcomeOf,
  type Past,
  pastOf,
  verbOf,
  whenceOf,
  whoOf,
} from "./report/past.ts";
export { type Refusal, refusalLines, refusalText } from "./report/refusals.ts";
export type { RequestCost } from "./report/request-cost.ts";
export { sendsNothing, type Texts, textsIn } from "./report/texts.ts";
export { manyText, namedIn } from "./report/titles.ts";
export { deletesText, isUnchanged, unchangedText } from "./report/unchanged.ts";
export { isWhole, reportedOf } from "./run.ts";
export { checkConnection } from "./stack/connection.ts";
export { RunError, type RunErrorCode } from "./stack/errors.ts";
export { type Held, heldBy } from "./stack/held.ts";
export { type Meter, openMeter, type Spent, spentText } from "./stack/meter.ts";
export { compareShop, otherShopOf, stateText } from "./stack/shop.ts";
export {
  atShop,
  checkLatest,
  isFailed,
  isRefusedInPart,
  openRun,
  type Run,
  type Staged,
  spentSince,
  stackForRun,
  stage,
} from "./stage.ts";
