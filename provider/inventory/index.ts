/**
 * The command's entrance to the provider: reading a whole shop, comparing, counting requests, checking limits. The engine,
 * the client and the definitions have entrances of their own.
 */
export {
  argumentPath,
  bodyArguments,
  bodyAsArgument,
  bodyPath,
  fileArgument,
  fileArgumentValue,
  fileIn,
  filePath,
  hashIn,
  isBodyName,
  isBodyPath,
  isFileFact,
  isLeafPath,
  leafOf,
  leafPath,
  lineHashesIn,
  shownText,
  sourceArgument,
  sourceIn,
  textIn,
  textOf,
  themeFileOf,
  wantedBodyHash,
  wantedFileName,
} from "../body/arguments.ts";
export { bodyOf, fileFact, readBody } from "../body/body.ts";
export { idsOf, leafChanges, mergedText } from "../body/json.ts";
export * from "../body/lines.ts";
export { baseIn, withBodyBase } from "../body/state.ts";
export { acceptEdits, acceptedBase, acceptedStaffChanges } from "../change/accepted.ts";
export { staffChanges } from "../change/base.ts";
export { reasonOfAll, splitReason } from "../change/check.ts";
export { itemName, keepsOthers, pairItems } from "../change/compare.ts";
export * from "../change/conflict.ts";
export { acceptedText } from "../change/field-change.ts";
export {
  hasKey,
  isSameShop,
  type Key,
  keyOf,
  keysOf,
  keyText,
  ownId,
  parentNames,
  parseShopMark,
  pickOne,
  shopMarkIn,
  shopText,
} from "../change/identity.ts";
export { asLists } from "../change/keyed-lists.ts";
export * from "../change/planned-fields.ts";
export * from "../change/remade.ts";
export * from "../change/value-text.ts";
export * from "../client/connection.ts";
export { exchangeTimeoutMs } from "../client/deadline.ts";
export { CancelledError } from "../client/errors.ts";
export { saysWait } from "../client/limiter.ts";
export { systemTimer, type Timer } from "../client/ports.ts";
export { type LogLine, parseLogLine } from "../client/request-log.ts";
export { titlesIn } from "../client/titled-amounts.ts";
export { createTransport, type Transport } from "../client/transport.ts";
export {
  isSentTo,
  type Note,
  type Notes,
  openNotes,
  pendingCreates,
  unconfirmed,
} from "../context/create-notes.ts";
export * from "../context/effects.ts";
export { OtherShopError, openIdentity, otherShopText } from "../context/identity.ts";
export * from "../context/limits.ts";
export { besideState, diskNoteFile, notesPath } from "../context/note-file.ts";
export { type Notice, readNotices } from "../context/notices.ts";
export {
  type Approved,
  defaultPatience,
  digestUnder,
  driftOf,
  printApproved,
} from "../context/plan.ts";
export * from "../context/renamed-notes.ts";
export { heldElsewhere, strayNotes } from "../context/states.ts";
export type { FileFact } from "../definition/define.ts";
export { objectKey, ownerOf, readOwner } from "../names/owner.ts";
export { amountLike, amountOf } from "../prices/amount.ts";
export { isRestored } from "../prices/rows.ts";
export { textIn as sheetText } from "../prices/sheet.ts";
export { shopSheet } from "../prices/shop-sheet.ts";
export * from "../prices/write-cells.ts";
export * from "../settings/protocol.ts";
export {
  checkSetting,
  type Env,
  type SettingName,
  settingNames,
  settings,
  settingsEnv,
  stated,
} from "../settings/settings.ts";
export { checkTheme } from "../theme/check.ts";
export { pathOf, type ThemeFile } from "../theme/files.ts";
export { type Finding, findingOf, findingText } from "../theme/finding.ts";
export { hyphenated, type Values } from "../wire/codec.ts";
export {
  hidden,
  printable,
  printableJson,
  printableLine,
  unknownValue,
  withLineFeeds,
} from "../wire/text.ts";
export { isTimestamp, timestampForm } from "../wire/timestamps.ts";
export { isBlank } from "../wire/values.ts";
export * from "./comparable.ts";
export * from "./comparison.ts";
export {
  hasNoArgument,
  lookupOf,
  nameOf,
  pathsNotPulled,
  programArguments,
  titleOf,
} from "./program-arguments.ts";
export * from "./read-objects.ts";
export { costOf, type PlannedStep } from "./request-cost.ts";
