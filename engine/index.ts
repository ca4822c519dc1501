/**
 * The embedded engine: runs an unmodified Pulumi program without the pulumi command. Terms, files and results are Pulumi's,
 * so that either engine can continue the other's work. It knows nothing about the resources themselves.
 */

import { execute, type Result, type RunOptions } from "./deployment/run.ts";
import { parseUrn, stackType } from "./pulumi/urn.ts";
import type { Stack } from "./stack/stack.ts";
import { masked } from "./state/masking.ts";
import { load, withoutSecrets } from "./state/state-file.ts";
import type { Import } from "./steps/import-deployment.ts";
import type { Event, Watch } from "./values/events.ts";
import { bareProperties, type Properties } from "./values/values.ts";

export type { Parts, Result, RunOptions } from "./deployment/run.ts";
export { fullKey, openProject } from "./project/project.ts";
export { PassphraseError, SecretsProviderError } from "./project/secrets.ts";
export { commentOn, configFile } from "./project/stack-file.ts";
export { typeOf } from "./pulumi/urn.ts";
export { type Copy, copyTo } from "./stack/copy.ts";
export {
  changeConfig,
  editResources,
  holders,
  keepState,
  removeResource,
  removeStack,
  renameResource,
  unlock,
} from "./stack/edit.ts";
export {
  type About,
  foundGone,
  type HistoryEntry,
  history,
  otherFolder,
  type Past,
  type Touched,
} from "./stack/history.ts";
export { moveResources } from "./stack/move.ts";
export {
  keepsFiles,
  NoStackError,
  openStack,
  type Stack,
  type StackOptions,
  stacks,
} from "./stack/stack.ts";
export type { SecretDigest } from "./state/masking.ts";
export { type RestoredState, restoredState } from "./state/restored-state.ts";
export type { State } from "./state/snapshot.ts";
export { load, NotSavedError, withoutSecrets } from "./state/state-file.ts";
export { AbsentError, type Import, urnOfImport } from "./steps/import-deployment.ts";
export type {
  Counts,
  Ended,
  Event,
  Failure,
  Op,
  Severity,
  Step,
  Unfinished,
  Watch,
  WrongArgument,
} from "./values/events.ts";
export {
  countsWithout,
  endedIn,
  ends,
  inProgramOrder,
  isGone,
  makes,
  wholeOf,
  writes,
  wrongText,
} from "./values/events.ts";
export { inputsDigest } from "./values/inputs-digest.ts";
export type { Change, Properties, Value } from "./values/values.ts";
export {
  bareProperties,
  changeBetween,
  changes,
  hasUnknown,
  isSecret,
  joinPath,
  touches,
  unknownText,
} from "./values/values.ts";

/** Shows what `up` would do; changes nothing. */
export const preview = (stack: Stack, options: RunOptions): Promise<Result> =>
  execute(stack, options, { dryRun: true, program: true });
/** Applies the program. */
export const up = (stack: Stack, options: RunOptions): Promise<Result> =>
  execute(stack, options, { dryRun: false, program: true });

interface StateOptions extends RunOptions {
  /** Leaves the state unchanged. */
  readonly previewOnly?: boolean;
}

/** Reads every resource into the state. */
export const refresh = (stack: Stack, options: StateOptions): Promise<Result> =>
  execute(stack, { ...options, refresh: true }, { dryRun: options.previewOnly === true, program: false });
/** Deletes all resources of the state. */
export const destroy = (stack: Stack, options: StateOptions): Promise<Result> =>
  execute(stack, options, { dryRun: options.previewOnly === true, program: false, destroy: true });

/**
 * Imports existing objects into the stack, without the program.
 * @param imports parents before their children
 */
export const importAll = (stack: Stack, imports: readonly Import[], options: StateOptions): Promise<Result> =>
  execute(stack, options, { dryRun: options.previewOnly === true, program: false, imports });

export function outputs(stack: Stack, options: { readonly showSecrets?: boolean } = {}): Properties {
  const read = options.showSecrets ? stack : withoutSecrets(stack);
  const root = load(read).resources.find((state) => state.type === stackType);
  const found = root?.outputs ?? {};
  return options.showSecrets ? bareProperties(found) : masked(found);
}

/** Collects a run's events. */
export function recorder(): { readonly events: readonly Event[]; readonly watch: Watch } {
  const events: Event[] = [];
  return { events, watch: (event) => events.push(event) };
}

export const nameOf = (urn: string): string => parseUrn(urn).name;
/** The last part of a type, the class name in a program. */
export const kindOf = (type: string): string => type.split(":").at(-1) ?? type;
