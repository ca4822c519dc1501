/** The commands preview, up, refresh and destroy. */

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Stack } from "../../engine/index.ts";
import { systemTimer, type Timer } from "../../provider/inventory/index.ts";
import {
  checkTarget,
  type RequestCounter,
  renamedProjectText,
  sentNoWrites,
  stateLocationText,
  unchangedText,
} from "../../runs/command.ts";
import { codes, usageError } from "../exit.ts";
import { type Command, defineCommand } from "../options.ts";
import { type RunValues, type RunVerb, runOptionsOf } from "../run-options.ts";
import { printNote } from "../terminal/terminal.ts";
import { orchestrate } from "./orchestrate.ts";
import { checkPlanOptions } from "./plan-options.ts";
import { runWithPulumi } from "./pulumi-engine.ts";
import { isInstalled } from "./pulumi-process.ts";
import { openSession, type RunTools, withRunTools } from "./session.ts";
import { themeErrors } from "./shop-theme-checks.ts";

const texts: Readonly<Record<RunVerb, { description: string; example: string }>> = {
  preview: {
    description: "Shows the changes that up would make. Nothing is changed in the shop.",
    example: "pulumi-shop preview --stack live --diff",
  },
  up: {
    description: "Makes the shop match the program: shows a preview, asks for confirmation, and applies it.",
    example: "pulumi-shop up --stack staging --yes",
  },
  refresh: {
    description: "Updates the state from the shop, and shows the edits of staff. The shop isn't changed.",
    example: "pulumi-shop refresh --stack live --preview-only --expect-no-changes",
  },
  destroy: {
    description:
      "Deletes every object that the stack manages: shows a preview, asks for confirmation, and deletes.",
    example: "pulumi-shop destroy --stack staging",
  },
};

const exitCodes = `Exit codes: 0 success; 1 failure; 2 invalid option, or no terminal to confirm on; 6 stack not found; 7 unexpected changes, or a plan that is stale; 8 cancelled; 9 timed out.`;

export const runCommand = (verb: RunVerb): Command =>
  defineCommand({
    usage: `${verb} [options]`,
    ...texts[verb],
    notes: exitCodes,
    options: runOptionsOf(verb),
    run: (values) => run(verb, values),
  });

async function run(verb: RunVerb, values: RunValues): Promise<number> {
  if (values.json && values.markdown === "-") throw usageError("use either --json or --markdown -");
  checkPlanOptions(verb, values);
  if (values.pictures !== undefined) await checkPictures(values);
  const runs = values.engine === "pulumi" ? runWithPulumi : runEmbedded;
  return withRunTools(values, (tools) => reportingNoWrites(tools.counter, () => runs(verb, values, tools)));
}

/** @throws CommandError if no pictures can be made, before anything is planned */
async function checkPictures({ engine: asked }: RunValues): Promise<void> {
  if (asked === "pulumi") throw usageError("--pictures needs the embedded engine: leave out --engine pulumi");
  const { findBrowser } = await import("../pictures/browser.ts");
  findBrowser(process.env);
}

async function runEmbedded(verb: RunVerb, values: RunValues, tools: RunTools): Promise<number> {
  const session = await checkTarget(openSession(verb, values, tools));
  const renamed = renamedProjectText(session.stack);
  if (renamed !== undefined) printNote(renamed);
  if (verb === "up" && !values["preview-only"] && !session.stack.exists)
    printNote(stateLocationText(session.stack));
  if (values.engine === undefined && !values.json && isInstalled())
    printNote(`pulumi found: use it with ${verb} --engine pulumi`);
  if (verb === "up") return orchestrate({ ...session, end: (staged) => themeErrors(session, staged) });
  if (verb !== "preview") return orchestrate(session);
  // A preview also reports type errors in the program.
  const types = openTypeCheck(session.stack.project);
  try {
    const code = await orchestrate(session);
    const note = await noteInTime(types, (text) => process.stderr.isTTY && printNote(text));
    if (note !== undefined) printNote(note);
    return code;
  } finally {
    types.close();
  }
}

/**
 * Runs a command. If it fails without having sent a write, the message says so.
 * @param work returns an exit code
 */
async function reportingNoWrites(
  { usage }: Pick<RequestCounter, "usage">,
  work: () => Promise<number>,
): Promise<number> {
  try {
    const code = await work();
    if (code !== codes.success && sentNoWrites(usage())) printNote(unchangedText);
    return code;
  } catch (error) {
    if (error instanceof Error && sentNoWrites(usage()) && !/nothing was changed/i.test(error.message))
      error.message += `\n${unchangedText}`;
    throw error;
  }
}

/** The maximum time that a preview waits for the compiler. */
const maxMs = 30_000;
const maxShown = 3;
const saidAfterMs = 300;

export interface TypeCheck {
  /** A warning with the first type errors; undefined without errors or without a compiler. */
  note(): Promise<string | undefined>;
  close(): void;
}

/** The compiler may need seconds more than the preview: then a terminal says why it waits. */
export function noteInTime(
  types: Pick<TypeCheck, "note">,
  say: (line: string) => void,
  timer: Timer = systemTimer,
): Promise<string | undefined> {
  const cancel = timer(saidAfterMs, () => say("Checking the program's types"));
  return types.note().finally(cancel);
}

/** Starts the project's compiler in parallel to the run, unless the program is compiled for the run anyway. */
export function openTypeCheck({ programFolder, runtime }: Stack["project"]): TypeCheck {
  const compiler = runtime.typescript ? undefined : compilerOf(programFolder);
  if (compiler === undefined) return { note: async () => undefined, close() {} };
  const ended = new AbortController();
  const printed = new Promise<string>((resolve) => {
    const options = { cwd: programFolder, signal: ended.signal, timeout: maxMs, maxBuffer: 2 ** 24 };
    execFile(process.execPath, [compiler, "--noEmit", "--pretty", "false"], options, (_error, stdout) =>
      resolve(stdout),
    );
  });
  return { note: async () => noteOf(await printed), close: () => ended.abort() };
}

function compilerOf(folder: string): string | undefined {
  if (!existsSync(join(folder, "tsconfig.json"))) return undefined;
  try {
    const require = createRequire(join(folder, "package.json"));
    return join(require.resolve("typescript/package.json"), "../bin/tsc");
  } catch {
    // The project has no compiler.
    return undefined;
  }
}

function noteOf(printed: string): string | undefined {
  const wrong = [...printed.matchAll(/^(.+?)\((\d+),\d+\): error TS\d+: (.+)$/gm)].map(
    ([, file, line, text]) => `  ${file}:${line}: ${text}`,
  );
  if (wrong.length === 0) return undefined;
  const more = wrong.length > maxShown ? [`  and ${wrong.length - maxShown} more`] : [];
  return [
    "warning: the program has type errors, which Node ignores when it runs the program; npx tsc --noEmit lists them:",
    ...wrong.slice(0, maxShown),
    ...more,
  ].join("\n");
}
