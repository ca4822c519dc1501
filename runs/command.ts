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
export { type Difference, differenceText } from "./plans/plan-differences.ts";
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
export * from "./report/run-history.ts";
export { type StepNotices, sendsNothing, stepNotices } from "./report/step-notices.ts";
export * from "./report/step-words.ts";
export {
  carryOut,
  orphansAfter,
  type Preview,
  previewRun,
  reportInput,
  runDirectly,
  withFindings,
} from "./run.ts";
export {
  checkConnection,
  checkShop,
  renamedProjectText,
  settingMeant,
  shopMismatch,
  stateLocationText,
} from "./stack/connection.ts";
export * from "./stack/errors.ts";
export * from "./stack/managed-objects.ts";
export { elsewhereIn } from "./stack/other-shops.ts";
export { parts } from "./stack/ports.ts";
export * from "./stack/request-counter.ts";
