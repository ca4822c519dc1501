/** What a command is: its options, its help and what it does; the main program parses, and prints the help. */
import type { Options, Parsed } from "./options.ts";

/** What a person has typed of a command line, for completion. */
export interface Typed {
  /** The words that are no options, in order; the one that is being typed isn't among them. */
  readonly positionals: readonly string[];
  readonly stacks: () => Promise<readonly string[]>;
  /** Names of the resources in the state of the stack that was named. */
  readonly resources: () => Promise<readonly string[]>;
  readonly keys: () => Promise<readonly string[]>;
}

export interface Spec<T extends Options> {
  /** What follows `pulumi-shop` in the first line of the help. */
  readonly usage: string;
  readonly what: string;
  readonly example: string;
  /** What the help says below its example. */
  readonly notes?: string;
  readonly options: T;
  /** How many words it takes beside its options; none when left out. */
  readonly mostPositionals?: number;
  /** What may come next among those words. */
  readonly words?: (typed: Typed) => readonly string[] | Promise<readonly string[]>;
  /** @returns the exit code */
  readonly run: (values: Parsed<T>, positionals: readonly string[]) => Promise<number>;
}

/** A command whose options are known only to itself. */
export type Command = Spec<Options>;

export const defineCommand = <T extends Options>(spec: Spec<T>): Command => spec as unknown as Command;

/** All commands by name; each module is loaded when it is needed. */
export type Commands = Readonly<
  Record<string, { readonly summary: string; readonly load: () => Promise<Command> }>
>;
