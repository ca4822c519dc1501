#!/usr/bin/env node
import { systemFault, writeFault } from "../engine/common/disk.ts";
import { didYouMean } from "../engine/common/nearest.ts";
import { keepCompiled } from "../engine/processes/compile-cache.ts";
import { importQuickly } from "../engine/pulumi/own-imports.ts";
import type { RunError, RunErrorCode } from "../runs/command.ts";
import { version } from "../runs/stack/version.ts";
import { putBackTried } from "./accept/tried-files.ts";
import { commandOfAlias, commands, hintFor } from "./commands/index.ts";
/** The command pulumi-shop. A command's module is loaded when it is called. */
import { CommandError, codes, usageError } from "./exit.ts";
import type { Command } from "./options.ts";
import { help, type Options, type Parsed, parse } from "./options.ts";
import { commandFirst, isRunVerb } from "./run-options.ts";
import { promptFor } from "./terminal/prompts.ts";

// Keeps compiled code for the next runs.
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

// @pulumi/pulumi needs Node 22, undici needs 22.19, node:sqlite exists since 22.13.
const oldestNode = [22, 19] as const;

function checkNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return;
  throw usageError(
    `Node ${process.versions.node} is too old: pulumi-shop needs ${oldestNode.join(".")} or later. Install it, ` +
      "or use it for this command only: npx -y -p node@24 -p pulumi-shop -- pulumi-shop ...",
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
  if (name.startsWith("-")) return usageError(`no command given; the commands are ${all.join(", ")}`);
  const instead = hintFor(name);
  const hint =
    instead === undefined ? didYouMean(name, all) || `; the commands are ${all.join(", ")}` : `: ${instead}`;
  return usageError(`unknown command ${name}${hint}`);
}

async function runCommand(typed: string, argv: readonly string[]): Promise<number> {
  const name = commandOfAlias(typed);
  const found = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (found === undefined) throw unknownCommand(name);
  checkNode();
  const command = await found.load();
  const { values, positionals } = parse(argv, command.options, command.maxPositionals);
  if (values.help === true) {
    process.stdout.write(help(command));
    return codes.success;
  }
  putBackTried();
  return runPrompting(command, values, positionals);
}

/** Runs a command. Asks for a missing stack name or passphrase before the command has done anything. */
async function runPrompting(
  command: Command,
  values: Parsed<Options>,
  positionals: readonly string[],
): Promise<number> {
  try {
    return await command.run(values, positionals);
  } catch (error) {
    const answer = await promptFor(error);
    if (answer === undefined) throw error;
    return runPrompting(command, { ...values, ...answer }, positionals);
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

// Compared by name, because the engine isn't loaded yet.
function codeOf(error: Error): number {
  if (error instanceof CommandError) return error.code;
  if (error.name === "RunError") return runCodes[(error as RunError).code];
  return error.name === "NoStackError" ? codes.stackNotFound : codes.failure;
}

/** Ends the lines of a run with --json, also if its options are invalid. @param message why the command failed */
async function endJson(typed: readonly string[], code: number, message?: string): Promise<void> {
  const run = commandOfAlias(commandFirst(typed)[0] ?? "");
  if (!typed.includes("--json") || !isRunVerb(run)) return;
  const { endLines } = await import("./terminal/json-display.ts");
  const outcome = code === codes.cancelled || code === codes.timeout ? "cancelled" : "failed";
  endLines(run, message === undefined ? undefined : { outcome, message });
}

const missingPackage = /^(ERR_)?MODULE_NOT_FOUND$/;

// A pipe into `head` or `less` may end early, and the disk of a log may get full. The command goes on: a run that stopped
// here would leave its changes half done.
const isExpected = ({ code }: NodeJS.ErrnoException) => code === "EPIPE" || code === "ERR_STREAM_DESTROYED";
let isTold = false;
for (const output of [process.stdout, process.stderr])
  output.on("error", (error) => {
    // Each further line fails as well. A short command may have ended by now.
    if (isExpected(error) || isTold) return;
    isTold = true;
    process.exitCode ||= codes.failure;
    if (output === process.stdout)
      process.stderr.write(`error: standard output can't be written: ${writeFault(error)}\n`);
  });

try {
  const code = await main(process.argv.slice(2));
  await endJson(process.argv.slice(2), code);
  process.exitCode = code || process.exitCode || codes.success;
} catch (error) {
  // Errors for users have a message that needs no stack trace; bugs need theirs.
  const own = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  const code = codeOf(error as Error);
  // Cancelling is a choice, not an error.
  const sign = code === codes.cancelled ? "" : "error: ";
  const cure = missingPackage.test(String((error as NodeJS.ErrnoException).code))
    ? "\nThe installation is incomplete: run npm install"
    : "";
  const said = systemFault(error) ?? (error as Error).message;
  process.stderr.write(`${sign}${own ? error.stack : said}${cure}\n`);
  await endJson(process.argv.slice(2), code, said);
  process.exitCode = code;
}
