/**
 * The embedded engine: runs an unmodified Pulumi program with dynamic resources where there is no pulumi. Nouns,
 * files and answers are Pulumi's own, so that the real one continues where this one stopped. Knows nothing of what the resources are.
 */
import type { Event, Watch } from "./events.ts";
import { execute, type Result, type RunOptions } from "./run.ts";
import type { Stack } from "./stack.ts";
import { load } from "./state-file.ts";
import { parseUrn, stackType } from "./urn.ts";
import { bareProperties, type Properties } from "./values.ts";
import { visible } from "./visible.ts";

export { holders, removeResource, removeStack, renameResource, unlock } from "./edit.ts";
export type { Counts, Event, Failure, Op, Severity, Step, Watch } from "./events.ts";
export { openProject } from "./project.ts";
export type { Parts, Result, RunOptions } from "./run.ts";
export { SecretsProviderError } from "./secrets.ts";
export type { State } from "./snapshot.ts";
export { keepsFiles, NoStackError, openStack, type Stack, type StackOptions, stacks } from "./stack.ts";
export { load, NotSavedError } from "./state-file.ts";
export { typeOf } from "./urn.ts";
export type { Change, Properties, Value } from "./values.ts";
export { bareProperties, changes, hasUnknown, isSecret, touches, unknownText } from "./values.ts";
export type { Seal } from "./visible.ts";

/** Shows what `up` would do; changes nothing. */
export const preview = (stack: Stack, options: RunOptions): Promise<Result> =>
  execute(stack, options, { dryRun: true, program: true });
/** Converges what the provider manages to the program. */
export const up = (stack: Stack, options: RunOptions): Promise<Result> =>
  execute(stack, options, { dryRun: false, program: true });
/** Reads every resource into the state; `previewOnly` leaves the state as it is. */
export const refresh = (
  stack: Stack,
  options: RunOptions & { readonly previewOnly?: boolean },
): Promise<Result> =>
  execute(stack, { ...options, refresh: true }, { dryRun: options.previewOnly === true, program: false });
/** Deletes everything that the state has; `previewOnly` only shows it. */
export const destroy = (
  stack: Stack,
  options: RunOptions & { readonly previewOnly?: boolean },
): Promise<Result> =>
  execute(stack, options, { dryRun: options.previewOnly === true, program: false, destroy: true });

/** The outputs of a stack as its state has them. */
export function outputs(stack: Stack, options: { readonly showSecrets?: boolean } = {}): Properties {
  const root = load(stack).resources.find((state) => state.type === stackType);
  const found = root?.outputs ?? {};
  return options.showSecrets ? bareProperties(found) : visible(found);
}

/** A run's events, gathered; for tests and for machines. */
export function recorder(): { readonly events: readonly Event[]; readonly watch: Watch } {
  const events: Event[] = [];
  return { events, watch: (event) => events.push(event) };
}

/** The name that a person knows a resource by. */
export const nameOf = (urn: string): string => parseUrn(urn).name;
/** The last part of a type: what a program calls the class. */
export const kindOf = (type: string): string => type.split(":").at(-1) ?? type;
