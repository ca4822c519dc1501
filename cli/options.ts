/** Options of the commands that run a program: how they are written, what they mean. */
import { parseArgs } from "node:util";
import { CommandError, codes } from "./exit.ts";

interface Option {
  readonly type: "string" | "boolean";
  readonly short?: string;
  /** What stands for the value in the help. */
  readonly value?: string;
  readonly text: string;
}

export const stackOptions = {
  stack: {
    type: "string",
    short: "s",
    value: "NAME",
    text: "the stack; may be left out where there is only one",
  },
  cwd: { type: "string", short: "C", value: "FOLDER", text: "run as if started in this folder" },
  json: { type: "boolean", text: "one JSON object a line, for machines" },
  help: { type: "boolean", short: "h", text: "this text" },
} as const satisfies Record<string, Option>;

/** Of the commands that print what a stack keeps. */
export const printOptions = {
  ...stackOptions,
  "show-secrets": { type: "boolean", text: "print secrets as they are" },
} as const satisfies Record<string, Option>;

export const runOptions = {
  ...stackOptions,
  yes: { type: "boolean", short: "y", text: "go on without asking" },
  "skip-preview": { type: "boolean", short: "f", text: "no preview before the run" },
  "preview-only": { type: "boolean", text: "show, and change nothing" },
  diff: { type: "boolean", text: "show every value that changes or is new; texts as hunks" },
  markdown: {
    type: "string",
    value: "FILE",
    text: "write what is shown to a file too, as a comment of a pull request",
  },
  refresh: { type: "boolean", short: "r", text: "read the shop first" },
  parallel: { type: "string", short: "p", value: "N", text: "operations at once, 16 when left out" },
  "expect-no-changes": { type: "boolean", text: `exit with ${codes.changes} when anything changes` },
  allow: {
    type: "string",
    value: "NAMES",
    text: "what a protected stack may delete, hide or reprice: names of resources, with commas",
  },
  create: { type: "boolean", text: "begin a stack that doesn't exist yet" },
  overwrite: {
    type: "string",
    value: "NAMES",
    text: "what may be changed or deleted although it was changed in the shop too: names of resources, with commas",
  },
  resend: {
    type: "string",
    value: "NAMES",
    text: "creates of charges that may be sent again after an answer was lost: names of resources, with commas",
  },
  timeout: { type: "string", value: "TIME", text: "stop cleanly after this time: 90s, 10m, 1h" },
  engine: { type: "string", value: "ENGINE", text: "embedded, or pulumi where it is installed" },
} as const satisfies Record<string, Option>;

type Parsed<T extends Record<string, Option>> = {
  readonly [K in keyof T]?: T[K]["type"] extends "boolean" ? boolean : string;
};

/** @throws CommandError for an option that isn't there or lacks its value */
export function parse<T extends Record<string, Option>>(
  argv: readonly string[],
  options: T,
  mostPositionals = 0,
): { values: Parsed<T>; positionals: readonly string[] } {
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    if (positionals.length > mostPositionals)
      throw new Error(`unexpected argument ${JSON.stringify(positionals[mostPositionals])}`);
    return { values: values as Parsed<T>, positionals };
  } catch (error) {
    throw new CommandError(`${(error as Error).message}; --help lists the options`, codes.configuration);
  }
}

/** The help of a command. */
export function help(
  usage: string,
  what: string,
  options: Readonly<Record<string, Option>>,
  example: string,
): string {
  const rows = Object.entries(options).map(([name, option]) => {
    const short = option.short === undefined ? "    " : `-${option.short}, `;
    return [
      `  ${short}--${name}${option.value === undefined ? "" : ` ${option.value}`}`,
      option.text,
    ] as const;
  });
  const width = Math.max(...rows.map(([left]) => left.length));
  const lines = rows.map(([left, text]) => `${left.padEnd(width)}  ${text}`);
  return `Usage: pulumi-shop ${usage}\n\n${what}\n\n${lines.join("\n")}\n\nExample:\n  ${example}\n`;
}

/** @throws CommandError for what is no whole number from 1 */
export function parallelOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1) return number;
  throw new CommandError(`--parallel takes a whole number from 1, not ${text}`, codes.configuration);
}

/** Milliseconds. @throws CommandError for what is no time */
export function timeoutOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const match = /^(\d+(?:\.\d+)?)(s|m|h)$/.exec(text);
  if (match === null)
    throw new CommandError(`--timeout takes a time like 90s, 10m or 1h, not ${text}`, codes.configuration);
  return Number(match[1]) * { s: 1_000, m: 60_000, h: 3_600_000 }[match[2] as "s" | "m" | "h"];
}

/** The commands that run a program. */
export type Verb = "preview" | "up" | "refresh" | "destroy";
/** What they were called with. */
export type RunValues = ReturnType<typeof parse<typeof runOptions>>["values"];
