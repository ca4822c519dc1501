/** The options of the commands that run a program: preview, up, refresh, destroy, and in part import and serve. */

import type { Verb } from "../runs/command.ts";
import { codes, usageError } from "./exit.ts";
import { type Options, type Parsed, stackOptions } from "./options.ts";

/** All of them; `runOptionsOf` selects those of one command. */
export const runOptions = {
  ...stackOptions,
  yes: { type: "boolean", short: "y", text: "continue without asking" },
  "skip-preview": {
    type: "boolean",
    short: "f",
    text: "run without showing the plan and without asking; a plan that fails is shown",
  },
  "preview-only": { type: "boolean", text: "show the preview only; nothing is changed" },
  "save-plan": {
    type: "string",
    value: "FILE",
    text: "save the preview as a plan; up or destroy --plan FILE applies it after a review",
  },
  plan: {
    type: "string",
    value: "FILE",
    text: "apply a saved plan, or the rest of one that was interrupted; refused if the shop or the program has changed since",
  },
  partial: {
    type: "boolean",
    text: "with --plan: skip the resources that have changed since or fail now, list them, and exit with 1",
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
    text: "print mistakes in a theme as annotations, which GitHub shows beside their lines",
  },
  at: {
    type: "string",
    value: "TIME",
    text: "show the preview for another time, such as 2026-11-27T00:00 in the shop's time zone",
  },
  refresh: { type: "boolean", short: "r", text: "update the state from the shop first" },
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
    text: "end the conflicts of these resources: send the program's value, or its delete: names, separated by commas",
  },
  keep: {
    type: "string",
    value: "NAMES",
    choices: "resources",
    text: "leave the edits of staff, including deletes, in the shop after a refresh has read them: resource names or kinds, separated by commas",
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
    text: "continue even if the shop has none of the state's objects any more",
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

export const isRunVerb = (command: string): boolean => Object.hasOwn(runOptionNames, command);

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
