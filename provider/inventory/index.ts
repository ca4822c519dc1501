/**
 * The command's door: what it needs of the provider to read a whole shop, to compare, to count requests, to guard.
 * Nothing else of the provider is imported from outside, but the engine's door, the client's, and the definitions.
 */
export {
  argumentPath,
  askedMark,
  askedName,
  bodyArguments,
  bodyPath,
  fileArgument,
  fileIn,
  hashIn,
  isBodyName,
  isBodyPath,
  isFileFact,
  isLeafPath,
  leafOf,
  leafPath,
  linesIn,
  ofFile,
  ofSource,
  shownText,
  sourceIn,
  statedBody,
  textIn,
  textOf,
  themeFileOf,
} from "../body/arguments.ts";
export { bodyOf, fileFact, readBody } from "../body/body.ts";
export { type LeafChange, leafChanges, mergedText } from "../body/json-leaves.ts";
export { idsOf } from "../body/json-lists.ts";
export { conflictLine, mergedLines, printLines } from "../body/lines.ts";
export { lastBody } from "../body/state.ts";
export { exchangeMs } from "../client/bounds.ts";
export {
  addressOf,
  type Connection,
  ConnectionError,
  defaultMaxWait,
  isOnThisMachine,
  resolveConnection,
} from "../client/connection.ts";
export { CancelledError } from "../client/errors.ts";
export { type JournalLine, journalLine } from "../client/journal.ts";
export { titlesIn } from "../client/named.ts";
export { createTransport, type Transport } from "../client/transport.ts";
export type { FileFact } from "../definition/define.ts";
export { isRestored } from "../prices/rows.ts";
export { textIn as sheetText } from "../prices/sheet.ts";
export { shopSheet } from "../prices/shop-sheet.ts";
export {
  type CellDone,
  cellsIn,
  goneRows,
  isSheet,
  rowPath,
  sheetCalled,
  sheetChanges,
  sheetFile,
  withCells,
} from "../prices/write-cells.ts";
export { isMeant, wholeOf } from "../run/allowed.ts";
export { type Approved, printApproved } from "../run/approved.ts";
export { type Effect, effectsOf, type Offer, offerOf } from "../run/effects.ts";
export {
  allowance,
  guardChange,
  guardCreate,
  guardDelete,
  guardEffects,
  guardOf,
  isAllowed,
  ProtectedError,
  percentOf,
} from "../run/guard.ts";
export { OtherShopError, openIdentity, otherShopText } from "../run/identity.ts";
export type { Guard } from "../run/limits.ts";
export { besideState, diskNoteFile, notesPath } from "../run/note-file.ts";
export { type Notes, openNotes, pendingCreates, unsettled } from "../run/notes.ts";
export { type Notice, readNotices } from "../run/notices.ts";
export { sealOf, usualPatience } from "../run/plan.ts";
export {
  chosenEnv,
  chosenIn,
  journalEnv,
  journalIn,
  type Message,
  messageEnv,
  messageIn,
  namesIn,
  type PlannedReads,
} from "../settings/protocol.ts";
export {
  checkSetting,
  type Env,
  type SettingName,
  settingNames,
  settings,
  settingsEnv,
  stated,
  wordOf,
} from "../settings/settings.ts";
export { checkTheme } from "../theme/check.ts";
export { pathOf, type ThemeFile } from "../theme/files.ts";
export { type Finding, findingOf, findingText } from "../theme/finding.ts";
export { askedIn } from "../values/asked.ts";
export { staffChanges, withoutAsked } from "../values/base.ts";
export { agrees, type Bound, type Moved, movedSince } from "../values/bound.ts";
export {
  adoptsInstead,
  type Conflict,
  type ConflictField,
  restText,
  type Withheld,
} from "../values/conflict.ts";
export { differences, itemName, pair, statedDifferences } from "../values/diff.ts";
export { excerptsOf, quotedApart } from "../values/excerpt.ts";
export { withoutGiven } from "../values/given.ts";
export { firstLines, hunks } from "../values/hunks.ts";
export { hasKey, type Key, keyOf, keyText, ownId } from "../values/identity.ts";
export { isMoment, momentShape } from "../values/moments.ts";
export { keepsOthers } from "../values/part.ts";
export { asLists } from "../values/shapes.ts";
export { isSameShop, markIn, markOf, shopText } from "../values/shop-mark.ts";
export { signOf, withSign } from "../values/units.ts";
export type { Diff } from "../values/verdict.ts";
export { hyphenated, type Values } from "../wire/codec.ts";
export { printable, printableJson } from "../wire/printable.ts";
export { hidden, lineFeeds, unknownValue } from "../wire/text.ts";
export {
  type Comparison,
  compareSides,
  type Difference,
  type FieldChange,
  type Side,
  type Uncompared,
} from "./comparison.ts";
export {
  type ComparedObject,
  comparedObject,
  type Known,
  type Reason,
  type Referred,
  reasonTexts,
} from "./facts.ts";
export { leftBehind, lookupOf, nameOf, programArguments, stays, titleOf } from "./program-arguments.ts";
export { costOf, type Planned } from "./request-cost.ts";
export {
  HiddenKindError,
  readAddresses,
  readReferred,
  type Surveyed,
  survey,
  withBody,
} from "./survey.ts";
