#!/usr/bin/env node
/** The command pulumi-shop. Each command is a module of its own, loaded when it is called. */
import { keepCompiled } from "../engine/processes/compile-cache.ts";
import { didYouMean } from "../engine/pulumi/nearest.ts";
import { importQuickly } from "../engine/pulumi/own-imports.ts";
import type { RunError, RunErrorCode } from "../runs/command.ts";
import { version } from "../runs/stack/version.ts";
import { askedFor } from "./asked.ts";
import type { Command } from "./command.ts";
import { commands } from "./commands/index.ts";
import { commandNamed, insteadOf } from "./commands/other-names.ts";
import { CommandError, codes } from "./exit.ts";
import { commandFirst, help, type Options, type Parsed, parse } from "./options.ts";

// The first run compiles what it loads, the next ones don't.
keepCompiled();
importQuickly();

function usage(): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return `Usage: pulumi-shop <command> [options]

${lines.join("\n")}

pulumi-shop <command> --help shows a command's options, pulumi-shop --version the version.

Example:
  pulumi-shop preview --stack staging --diff
`;
}

// @pulumi/pulumi wants Node 22 or later, undici 22.19 or later; node:sqlite is there since 22.13.
const oldest = [22, 19] as const;

function checkNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return;
  throw new CommandError(
    `Node ${process.versions.node} is too old: pulumi-shop needs ${oldest.join(".")} or later. Install it, ` +
      "or use it for this command only: npx -y -p node@24 -p pulumi-shop -- pulumi-shop ...",
    codes.configuration,
  );
}

async function main(typed: readonly string[]): Promise<number> {
  const [name, ...argv] = commandFirst(typed);
  const isHelp = name === "--help" || name === "-h" || name === "help";
  if (name === undefined || (isHelp && argv.length === 0)) {
    process.stdout.write(usage());
    return name === undefined ? codes.configuration : codes.success;
  }
  if (name === "--version" || name === "version" || (name === "-v" && argv.length === 0)) {
    process.stdout.write(`${version()}\n`);
    return codes.success;
  }
  if (isHelp) return runCommand(argv[0] as string, ["--help"]);
  if (name === "completion" && argv[0] === "words") {
    const { words } = await import("./commands/completion.ts");
    process.stdout.write(`${(await words(argv.slice(1), commands)).join("\n")}\n`);
    return codes.success;
  }
  return runCommand(name, argv);
}

function unknownCommand(name: string): CommandError {
  const all = Object.keys(commands);
  if (name.startsWith("-"))
    return new CommandError(`no command given; the commands are ${all.join(", ")}`, codes.configuration);
  const instead = insteadOf(name);
  const hint =
    instead === undefined ? didYouMean(name, all) || `; the commands are ${all.join(", ")}` : `: ${instead}`;
  return new CommandError(`unknown command ${name}${hint}`, codes.configuration);
}

async function runCommand(typed: string, argv: readonly string[]): Promise<number> {
  const name = commandNamed(typed);
  const found = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (found === undefined) throw unknownCommand(name);
  checkNode();
  const command = await found.load();
  const { values, positionals } = parse(argv, command.options, command.mostPositionals);
  if (values.help === true) {
    process.stdout.write(help(command));
    return codes.success;
  }
  return runAsking(command, values, positionals);
}

/** Runs a command; what it lacks and a person can say is asked for, before it has done anything. */
async function runAsking(
  command: Command,
  values: Parsed<Options>,
  positionals: readonly string[],
): Promise<number> {
  try {
    return await command.run(values, positionals);
  } catch (error) {
    const answer = await askedFor(error);
    if (answer === undefined) throw error;
    return runAsking(command, { ...values, ...answer }, positionals);
  }
}

const runCodes: Readonly<Record<RunErrorCode, number>> = {
  option: codes.configuration,
  setting: codes.configuration,
  connection: codes.failure,
  shop: codes.failure,
  plan: codes.failure,
  stale: codes.changes,
  refused: codes.failure,
  failed: codes.failure,
};

// By name: the engine isn't loaded where no command needed it.
function codeOf(error: Error): number {
  if (error instanceof CommandError) return error.code;
  if (error.name === "RunError") return runCodes[(error as RunError).code];
  return error.name === "NoStackError" ? codes.stackNotFound : codes.failure;
}

// A reader that has seen enough (head, less) is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  // What a person did or met has a message that says it all; our own mistakes need their stack.
  const own = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  const code = codeOf(error as Error);
  // Who says no has made a choice, and no mistake.
  const sign = code === codes.cancelled ? "" : "error: ";
  process.stderr.write(`${sign}${own ? error.stack : (error as Error).message}\n`);
  process.exitCode = code;
}
