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
export * from "../client/connection.ts";
export { exchangeTimeoutMs } from "../client/deadline.ts";
export { CancelledError } from "../client/errors.ts";
export { saysWait } from "../client/limiter.ts";
export { systemTimer, type Timer } from "../client/ports.ts";
export { type LogLine, parseLogLine } from "../client/request-log.ts";
export { titlesIn } from "../client/titled-amounts.ts";
export { createTransport, type Transport } from "../client/transport.ts";
export type { FileFact } from "../definition/define.ts";
export { objectKey, ownerOf } from "../names/owner.ts";
export { amountLike, amountOf } from "../prices/amount.ts";
export { isRestored } from "../prices/rows.ts";
export { textIn as sheetText } from "../prices/sheet.ts";
export { shopSheet } from "../prices/shop-sheet.ts";
export * from "../prices/write-cells.ts";
export {
  isSentTo,
  type Note,
  type Notes,
  openNotes,
  pendingCreates,
  unconfirmed,
} from "../run/create-notes.ts";
export * from "../run/effects.ts";
export { OtherShopError, openIdentity, otherShopText } from "../run/identity.ts";
export * from "../run/limits.ts";
export { besideState, diskNoteFile, notesPath } from "../run/note-file.ts";
export { type Notice, readNotices } from "../run/notices.ts";
export {
  type Approved,
  defaultPatience,
  digestUnder,
  printApproved,
} from "../run/plan.ts";
export * from "../run/renamed-notes.ts";
export { heldElsewhere, strayNotes } from "../run/states.ts";
export * from "../settings/protocol.ts";
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
export { acceptEdits, acceptedBase, acceptedStaffChanges } from "../values/accepted.ts";
export { staffChanges } from "../values/base.ts";
export { splitReason } from "../values/check.ts";
export { itemName, keepsOthers, pairItems } from "../values/compare.ts";
export * from "../values/conflict.ts";
export { acceptedText } from "../values/field-change.ts";
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
} from "../values/identity.ts";
export { asLists } from "../values/keyed-lists.ts";

export * from "../values/planned-fields.ts";

export * from "../values/remade.ts";
export * from "../values/value-text.ts";
export { hyphenated, type Values } from "../wire/codec.ts";
export { hidden, printable, printableJson, unknownValue, withLineFeeds } from "../wire/text.ts";
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
