/** Commands: their definition, options, parsing and help. */

import { parseArgs } from "node:util";
import { didYouMean } from "../engine/common/nearest.ts";
import { usageError } from "./exit.ts";

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

export interface Option {
  readonly type: "string" | "boolean";
  readonly short?: string;
  /** The placeholder for the value in the help. */
  readonly value?: string;
  readonly text: string;
  /** Allowed values, or where they come from, for completion. */
  readonly choices?: readonly string[] | "stacks" | "resources";
  /** For a boolean that is true by default: allows `--protect=false`. */
  readonly mayBeFalse?: true;
}
export type Options = Readonly<Record<string, Option>>;

export const stackOptions = {
  stack: {
    type: "string",
    short: "s",
    value: "NAME",
    choices: "stacks",
    text: "the stack; may be left out if the project has only one",
  },
  cwd: {
    type: "string",
    short: "C",
    value: "FOLDER",
    text: "the project's folder (default: the current one); paths in other options stay relative to the current one",
  },
  json: { type: "boolean", text: "print one JSON object per line, for other tools" },
  help: { type: "boolean", short: "h", text: "show this help" },
} as const satisfies Options;

export const printOptions = {
  ...stackOptions,
  "show-secrets": { type: "boolean", text: "print secrets as they are" },
} as const satisfies Options;

export type Parsed<T extends Options> = {
  readonly [K in keyof T]?: T[K]["type"] extends "boolean"
    ? boolean
    : T[K]["type"] extends "string"
      ? T[K]["choices"] extends readonly (infer C)[]
        ? C
        : string
      : string | boolean;
};

/** @throws CommandError for an unknown option or a missing value */
export function parse<T extends Options>(
  argv: readonly string[],
  options: T,
  mostPositionals = 0,
): { values: Parsed<T>; positionals: readonly string[] } {
  const { values, positionals, tokens } = parseArgs({
    args: [...argv],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  for (const token of tokens)
    if (token.kind === "option") {
      refuseSingleHyphen(argv[token.index] ?? "", token.name, options);
      checkOption(token.rawName, token.name, token.value, options);
    }
  if (positionals.length > mostPositionals)
    throw usageError(
      `unexpected argument ${JSON.stringify(positionals[mostPositionals])}; ${"stack" in options ? "a stack is named with --stack; " : ""}--help lists the options`,
    );
  // Not in strict mode, so the value of a boolean is a string.
  const said = Object.entries(values).map(([name, value]) => {
    if (typeof value !== "string") return [name, value];
    if (options[name]?.mayBeFalse === true) return [name, value === "true"];
    const given = tokens.flatMap((token) =>
      token.kind === "option" && token.name === name ? (token.value ?? []) : [],
    );
    return [name, options[name]?.value === "NAMES" ? given.join(",") : singleValue(name, given)];
  });
  return { values: Object.fromEntries(said) as Parsed<T>, positionals };
}

/**
 * @throws CommandError for an option that is given twice: otherwise the last one would win, which might name
 * another stack
 */
function singleValue(name: string, given: readonly string[]): string | undefined {
  if (given.length <= 1) return given[0];
  throw usageError(
    `option --${name} is given ${given.length === 2 ? "twice" : `${given.length} times`}: ${given.join(", ")}; it takes one value`,
  );
}

/** Options of other tools, and the hint for each. */
const foreignOptions: Readonly<Record<string, string>> = {
  "auto-approve": "use --yes",
  approve: "use --yes",
  "dry-run": "preview shows what up would change, and changes nothing",
  environment: "use --stack",
  env: "use --stack",
  stack: "name a stack as an argument, where the command takes one",
  project: "use --cwd FOLDER",
  dir: "use --cwd FOLDER",
  output: "use --json, or --markdown FILE",
  verbose: "use --diff to see every value that would change",
};

const optionHint = (name: string) => (Object.hasOwn(foreignOptions, name) ? `: ${foreignOptions[name]}` : "");

/** `--y` for `-y`, and `--pre` for the only option that begins so. */
function shortHint(name: string, options: Options): string {
  const all = Object.entries(options);
  const long = all.filter(([one]) => one.startsWith(name));
  const meant = all.find(([, { short }]) => short === name) ?? (long.length === 1 ? long[0] : undefined);
  return meant === undefined ? "" : `, did you mean --${meant[0]}?`;
}

/** Other tools write long options with one hyphen: `-auto-approve`. @throws CommandError for such an option */
function refuseSingleHyphen(typed: string, name: string, options: Options): void {
  const [, long] = /^-([a-z][a-z-]+)/.exec(typed) ?? [];
  if (long === undefined || Object.hasOwn(options, name)) return;
  const hint = Object.hasOwn(options, long) ? `, did you mean --${long}?` : optionHint(long);
  throw usageError(`unknown option -${long}${hint}; --help lists the options`);
}

function checkOption(raw: string, name: string, value: string | undefined, options: Options): void {
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (option === undefined)
    throw usageError(
      `unknown option ${raw}${
        shortHint(name, options) ||
        didYouMean(
          raw,
          Object.keys(options).map((one) => `--${one}`),
        ) ||
        optionHint(name)
      }; --help lists the options`,
    );
  if (option.mayBeFalse && value !== undefined && value !== "true" && value !== "false")
    throw usageError(`option ${raw} must be true or false, got ${value}`);
  if (option.type === "boolean" && option.mayBeFalse !== true && value !== undefined)
    throw usageError(`option ${raw} takes no value`);
  // `--stack --yes` lacks the stack's name.
  if (option.type === "string" && (value === undefined || /^--?[a-z]/i.test(value)))
    throw usageError(`option ${raw} requires a value: ${raw} ${option.value}`);
  // `--target "$NAMES"` without names would change everything.
  if (option.type === "string" && value?.trim() === "")
    throw usageError(`option ${raw} is empty: give it a value, ${raw} ${option.value}, or leave it out`);
  if (typeof option.choices === "object" && !option.choices.includes(value ?? ""))
    throw usageError(`${raw} must be ${alternatives.format(option.choices)}, got ${value}`);
}

const alternatives = new Intl.ListFormat("en-GB", { type: "disjunction" });

export function help({ usage, description, options, example, notes }: Omit<Command, "run">): string {
  const rows = Object.entries(options).map(([name, option]) => {
    const short = option.short === undefined ? "    " : `-${option.short}, `;
    return [
      `  ${short}--${name}${option.value === undefined ? "" : ` ${option.value}`}`,
      option.text,
    ] as const;
  });
  const width = Math.max(...rows.map(([left]) => left.length));
  const lines = rows.map(([left, text]) => `${left.padEnd(width)}  ${wrapped(text, width + 2)}`);
  const end = notes === undefined ? "" : `\n${wrapped(notes)}\n`;
  return `Usage: pulumi-shop ${usage}\n\n${wrapped(description)}\n\n${lines.join("\n")}\n\nExample:\n  ${example}\n${end}`;
}

const columns = 100;

/** Wraps a text for a terminal. @param indent spaces before each line except the first */
const wrapped = (text: string, indent = 0): string =>
  text.replace(
    new RegExp(`(?=.{${columns - indent + 1}})(.{1,${columns - indent}}) `, "g"),
    `$1\n${" ".repeat(indent)}`,
  );

/** What a command with verbs is to do; people know two of them from other tools by a shorter name. */
export function verbIn([typed]: readonly string[]): string | undefined {
  return typed === "ls" ? "list" : typed === "rm" ? "remove" : typed;
}
