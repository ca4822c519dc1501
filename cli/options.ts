/** Commands: their definition, options, parsing and help. */

import { parseArgs } from "node:util";
import { didYouMean } from "../engine/pulumi/nearest.ts";
import type { Verb } from "../runs/command.ts";
import { codes, usageError } from "./exit.ts";

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

/** Options of the commands that print a stack's values. */
export const printOptions = {
  ...stackOptions,
  "show-secrets": { type: "boolean", text: "print secrets as they are" },
} as const satisfies Options;

/** The options of all commands that run a program; `runOptionsOf` selects those of one command. */
export const runOptions = {
  ...stackOptions,
  yes: { type: "boolean", short: "y", text: "continue without asking" },
  "skip-preview": { type: "boolean", short: "f", text: "run without a preview and without asking" },
  "preview-only": { type: "boolean", text: "show the preview only; nothing is changed" },
  "save-plan": {
    type: "string",
    value: "FILE",
    text: "save the preview as a plan; up --plan FILE applies it after a review",
  },
  plan: {
    type: "string",
    value: "FILE",
    text: "apply a saved plan, or the rest of one that was interrupted; refused if the shop or the program has changed since",
  },
  partial: {
    type: "boolean",
    text: "with --plan: skip the resources that have changed since, list them, and exit with 1",
  },
  diff: { type: "boolean", text: "show every changed and new value, and changed lines of texts" },
  verbose: { type: "boolean", short: "v", text: "show every line of a large plan" },
  markdown: {
    type: "string",
    value: "FILE",
    text: "also write the output as Markdown for a pull request comment; - prints it instead",
  },
  pictures: {
    type: "string",
    value: "FOLDER",
    text: "save PNG pictures of the pages that change, before and after; index.html shows them side by side",
  },
  github: {
    type: "boolean",
    text: "print mistakes in a theme as annotations, which GitHub shows beside the lines",
  },
  at: {
    type: "string",
    value: "TIME",
    text: "show the preview for another time, such as 2026-11-27T00:00 in the shop's time zone",
  },
  refresh: { type: "boolean", short: "r", text: "read the shop into the state first" },
  parallel: { type: "string", short: "p", value: "N", text: "number of operations at once (default 16)" },
  "expect-no-changes": { type: "boolean", text: `exit with ${codes.changes} if anything changes` },
  allow: {
    type: "string",
    value: "NAMES",
    choices: "resources",
    text: "permit changes that the limits of the stack refuse: resource names, kinds, patterns with *, and rows of a sheet in brackets, separated by commas",
  },
  create: { type: "boolean", text: "create the stack if it does not exist" },
  overwrite: {
    type: "string",
    value: "NAMES",
    choices: "resources",
    text: "end the conflicts of these resources with the program's value, or with its delete: names, separated by commas",
  },
  keep: {
    type: "string",
    value: "NAMES",
    choices: "resources",
    text: "keep the edits of staff that a refresh has read, deletes included: resource names or kinds, separated by commas",
  },
  resend: {
    type: "string",
    value: "NAMES",
    choices: "resources",
    text: "create these charges again although the answer to their first create was lost: resource names, separated by commas",
  },
  target: {
    type: "string",
    value: "NAMES",
    choices: "resources",
    text: "change only these resources: names or URNs, separated by commas",
  },
  "target-dependents": { type: "boolean", text: "with --target: also the resources that depend on them" },
  exclude: {
    type: "string",
    value: "NAMES",
    choices: "resources",
    text: "leave these resources out: names or URNs, separated by commas",
  },
  replace: {
    type: "string",
    value: "NAMES",
    choices: "resources",
    text: "replace these resources, even if they haven't changed: names or URNs, separated by commas",
  },
  "new-shop": {
    type: "boolean",
    text: "move the stack to another shop: the state forgets the old shop's objects, which stay there",
  },
  "all-gone": {
    type: "boolean",
    text: "continue although the shop has none of the state's objects any more",
  },
  timeout: { type: "string", value: "TIME", text: "stop cleanly after this time: 90s, 10m, 1h" },
  engine: {
    type: "string",
    value: "ENGINE",
    choices: ["embedded", "pulumi"],
    text: "embedded (default), or pulumi if it is installed",
  },
} as const satisfies Options;

const commonNames = [
  "stack",
  "cwd",
  "json",
  "diff",
  "verbose",
  "markdown",
  "parallel",
  "timeout",
  "engine",
  "help",
] as const;
const confirmNames = ["yes", "skip-preview", "preview-only"] as const;
const shopNames = ["new-shop", "all-gone"] as const;
const changeNames = ["refresh", "allow", "overwrite", ...shopNames] as const;
const selectNames = ["target", "target-dependents", "exclude"] as const;
const programNames = ["replace", "create", "keep", "resend", "expect-no-changes"] as const;

export type RunVerb = Exclude<Verb, "import">;

const runOptionNames = {
  preview: [
    ...commonNames,
    ...changeNames,
    ...selectNames,
    ...programNames,
    "save-plan",
    "pictures",
    "github",
    "at",
  ],
  up: [
    ...commonNames,
    ...confirmNames,
    ...changeNames,
    ...selectNames,
    ...programNames,
    "save-plan",
    "plan",
    "partial",
  ],
  refresh: [...commonNames, ...confirmNames, ...shopNames, ...selectNames, "expect-no-changes"],
  destroy: [...commonNames, ...confirmNames, ...changeNames, ...selectNames, "save-plan", "plan"],
} as const satisfies Record<RunVerb, readonly (keyof typeof runOptions)[]>;

export type RunValues = Parsed<typeof runOptions>;

/** The options of one command that runs a program, in the order of the help. */
export function runOptionsOf(verb: RunVerb): typeof runOptions {
  const names: readonly string[] = runOptionNames[verb];
  const own = Object.entries(runOptions).filter(([name]) => names.includes(name));
  return Object.fromEntries(own) as typeof runOptions;
}

/** Moves the command to the front: options may stand before it. */
export function commandFirst(words: readonly string[]): readonly string[] {
  const takesValue = (word: string) =>
    Object.entries(runOptions as Options).some(
      ([name, { type, short }]) => type === "string" && (word === `--${name}` || word === `-${short}`),
    );
  const at = words.findIndex(
    (word, index) => !word.startsWith("-") && !takesValue(index === 0 ? "" : (words[index - 1] ?? "")),
  );
  return at <= 0 ? words : [words[at] ?? "", ...words.slice(0, at), ...words.slice(at + 1)];
}

export type Parsed<T extends Options> = {
  readonly [K in keyof T]?: T[K]["type"] extends "boolean"
    ? boolean
    : T[K]["type"] extends "string"
      ? string
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
    if (token.kind === "option") checkOption(token.rawName, token.name, token.value, options);
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
}

export function help({ usage, description, options, example, notes }: Help): string {
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

interface Help {
  readonly usage: string;
  readonly description: string;
  readonly options: Options;
  readonly example: string;
  readonly notes?: string;
}

/** @throws CommandError unless it is an integer of at least 1 */
export function parallelOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1) return number;
  throw usageError(`--parallel must be an integer of at least 1, got ${text}`);
}

/** In milliseconds. @throws CommandError for an invalid time */
export function timeoutOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const match = /^(\d+(?:\.\d+)?)(s|m|h)$/.exec(text);
  if (match === null || Number(match[1]) === 0)
    throw usageError(`--timeout must be a time such as 90s, 10m or 1h, got ${text}`);
  return Number(match[1]) * { s: 1_000, m: 60_000, h: 3_600_000 }[match[2] as "s" | "m" | "h"];
}
