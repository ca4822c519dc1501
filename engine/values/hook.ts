/** What a program asks to be called for, while its resources are changed (pulumirpc.RegisterResourceHookRequest). */
import type { Properties } from "./values.ts";

/** When a hook runs, as the state names it (sdk/go/common/resource/resource_hooks.go). */
export type HookType =
  | "BeforeCreate"
  | "AfterCreate"
  | "BeforeUpdate"
  | "AfterUpdate"
  | "BeforeDelete"
  | "AfterDelete"
  | "OnError";

/** The names of a resource's hooks. */
export type HookNames = Readonly<Partial<Record<HookType, readonly string[]>>>;

/** What a hook is told; what there isn't is left out. */
export interface HookArguments {
  readonly urn: string;
  /** Empty of what isn't there yet. */
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly newInputs?: Properties | undefined;
  readonly oldInputs?: Properties | undefined;
  readonly newOutputs?: Properties | undefined;
  readonly oldOutputs?: Properties | undefined;
}

export interface Hook {
  readonly name: string;
  /** Whether it runs in a preview too. */
  readonly onDryRun: boolean;
  /** Whether its errors are only warnings. */
  readonly ignoreErrors: boolean;
  /** @throws Error with the program's own words */
  call(told: HookArguments): Promise<void>;
}

/** What a hook of an error is told beside. */
export interface FailedArguments extends HookArguments {
  readonly operation: string;
  /** What failed, the last try first. */
  readonly errors: readonly string[];
}

export interface ErrorHook {
  readonly name: string;
  /** Whether to try again. @throws Error with the program's own words */
  call(told: FailedArguments): Promise<boolean>;
}
