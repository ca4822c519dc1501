/** The definition of a command: options, help and function. The main program parses the options and prints the help. */
import type { Options, Parsed } from "./options.ts";

/** The words typed so far, for completion. */
export interface CompletionContext {
  /** The arguments typed so far, without the one that is being typed. */
  readonly positionals: readonly string[];
  readonly stacks: () => Promise<readonly string[]>;
  /** Names of the resources in the named stack's state. */
  readonly resources: () => Promise<readonly string[]>;
  readonly keys: () => Promise<readonly string[]>;
}

export interface Spec<T extends Options> {
  /** The part after `pulumi-shop` in the first line of the help. */
  readonly usage: string;
  readonly description: string;
  readonly example: string;
  /** Text below the example in the help. */
  readonly notes?: string;
  readonly options: T;
  /** The maximum number of arguments, default 0. */
  readonly maxPositionals?: number;
  /** Suggestions for the next argument. */
  readonly completions?: (typed: CompletionContext) => readonly string[] | Promise<readonly string[]>;
  /** @returns the exit code */
  readonly run: (values: Parsed<T>, positionals: readonly string[]) => Promise<number>;
}

/** A command whose option types only its own module knows. */
export type Command = Spec<Options>;

export const defineCommand = <T extends Options>(spec: Spec<T>): Command => spec as unknown as Command;

/** All commands by name. A command's module is loaded when it is called. */
export type Commands = Readonly<
  Record<string, { readonly summary: string; readonly load: () => Promise<Command> }>
>;
