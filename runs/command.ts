/** The exports of runs that the command uses. */

export { checkTarget, openRun, type Run, type RunRequest } from "./open.ts";
export {
  isFailed,
  isPartlyApplied,
  isRefusedInPart,
  type PassResult,
  usageSince,
  withProviderMessage,
} from "./pass.ts";
export {
  canBeRefused,
  checkSettingName,
  checkSettingValue,
} from "./plans/limits.ts";
export type { UpdateOptions } from "./plans/options.ts";
export { checkOptions, nameOptions, selectionOf } from "./plans/options.ts";
export { differenceText } from "./plans/plan-differences.ts";
export { savedPlanText } from "./plans/saved-plan.ts";
export { isCell, isRow } from "./report/cell-changes.ts";
export { anotherContent, changeLines, hunkLine, textHunks, valueText } from "./report/change-lines.ts";
export { type ShownChange, shownChanges, shownPath } from "./report/changes.ts";
export { nextSteps, shownFields } from "./report/conflict-texts.ts";
export { type Conflict, otherFailures } from "./report/conflicts.ts";
export { failureTexts } from "./report/failures.ts";
export type { Impact } from "./report/impact.ts";
export { impactLines } from "./report/impact-lines.ts";
export { keyedPath, unitsAt } from "./report/labels.ts";
export { markdownOf, type Pictures, type Reported } from "./report/markdown.ts";
export { code, fenced } from "./report/markdown-text.ts";
export { objectName, plural } from "./report/object-names.ts";
export {
  agoText,
  commandOf,
  commitText,
  lastRunOf,
  type Origin,
  outcomeOf,
  previousRuns,
  userText,
} from "./report/run-history.ts";
export { type StepNotices, sendsNothing, stepNotices } from "./report/step-notices.ts";
export {
  type Colour,
  countWord,
  deletesText,
  isPlan,
  opOrder,
  opWords,
  type Refusal,
  refusalLines,
  refusalText,
  runTitle,
  sentNoWrites,
  stepWord,
  unchangedText,
  type Verb,
} from "./report/step-words.ts";
export {
  carryOut,
  orphansAfter,
  type Preview,
  previewRun,
  reportInput,
  runDirectly,
  withFindings,
} from "./run.ts";
export { checkConnection, checkShop, shopMismatch, stateLocationText } from "./stack/connection.ts";
export { RunError, type RunErrorCode } from "./stack/errors.ts";
export { type ManagedObject, managedObjects } from "./stack/managed-objects.ts";
export { parts } from "./stack/ports.ts";
export {
  openRequestCounter,
  type RequestCounter,
  type RequestUsage,
  usageText,
} from "./stack/request-counter.ts";
