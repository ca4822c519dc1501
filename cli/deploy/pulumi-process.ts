/** Calls the pulumi command. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { openProject } from "../../engine/index.ts";
import { type RequestCounter, type UpdateOptions, usageText } from "../../runs/command.ts";
import { CommandError, codes, usageError } from "../exit.ts";
import type { RunValues, RunVerb } from "../run-options.ts";
import type { Env } from "../stack/open-stack.ts";
import { chosenFlags } from "./plan-options.ts";

export function isInstalled(): boolean {
  const names = process.platform === "win32" ? ["pulumi.exe", "pulumi.cmd"] : ["pulumi"];
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.some((folder) => names.some((name) => existsSync(join(folder, name))));
}

/**
 * Creates a stack if it doesn't exist.
 * @throws CommandError with pulumi's exit code
 */
export async function selectOrCreate(stack: string, folder: string, env: Env): Promise<void> {
  const select = ["stack", "select", "--create", stack];
  const { code } = await outputOf(select, folder, env);
  if (code !== 0) throw new CommandError(`pulumi ${select.join(" ")} failed`, code);
}

/** Runs an operation with pulumi, which prints to the terminal. @returns its exit code */
export async function runPulumi(
  verb: RunVerb,
  values: RunValues,
  options: UpdateOptions,
  counter: Pick<RequestCounter, "usage"> & { readonly env: Env },
): Promise<number> {
  const { folder } = openProject(values.cwd ?? process.cwd());
  const stack = values.stack === undefined ? [] : ["--stack", values.stack];
  if (values.stack !== undefined && values.create) await selectOrCreate(values.stack, folder, counter.env);
  const code = await spawnPulumi([verb, ...stack, ...flags(verb, values, options)], folder, counter.env);
  process.stderr.write(`${usageText(counter.usage())}\n`);
  return code;
}

function requireInstalled(): void {
  if (!isInstalled())
    throw usageError("pulumi is not installed: leave --engine out to use the embedded engine");
}

/** @throws CommandError if pulumi isn't installed, or lacks an option that was given */
export function checkPulumi(values: RunValues): void {
  requireInstalled();
  const unsupported = (["markdown", "github", "timeout", "partial", "at"] as const).filter(
    (name) => values[name] !== undefined,
  );
  if (unsupported.length > 0)
    throw usageError(
      `--${unsupported.join(" and --")} can't be used with --engine pulumi; leave --engine out, or use pulumi's own options`,
    );
}

function flags(verb: RunVerb, values: RunValues, options: UpdateOptions): readonly string[] {
  const asks = verb !== "preview" && !values["preview-only"];
  return [
    ...(asks && values.yes ? ["--yes"] : []),
    // A refresh shows what it finds; a preview of it would read the shop twice.
    ...(asks && (values["skip-preview"] || (verb === "refresh" && values.yes)) ? ["--skip-preview"] : []),
    ...(verb !== "preview" && values["preview-only"] ? ["--preview-only"] : []),
    ...(values.json ? ["--json"] : []),
    ...(values.diff ? ["--diff"] : []),
    ...((options.refresh || options.newShop) && verb !== "refresh" ? ["--refresh"] : []),
    ...(values["expect-no-changes"] ? ["--expect-no-changes"] : []),
    ...chosenFlags(options),
    ...(values.parallel === undefined ? [] : ["--parallel", values.parallel]),
  ];
}

/** Runs pulumi and returns its standard output; errors go to the terminal. */
export async function outputOf(
  args: readonly string[],
  cwd: string,
  env: Env,
): Promise<{ readonly code: number; readonly output: string }> {
  requireInstalled();
  const chunks: Buffer[] = [];
  const code = await spawnPulumi(args, cwd, env, (chunk) => chunks.push(chunk));
  return { code, output: Buffer.concat(chunks).toString("utf8") };
}

/** @param take receives standard output instead of the terminal */
async function spawnPulumi(
  args: readonly string[],
  cwd: string,
  env: Env,
  take?: (chunk: Buffer) => void,
): Promise<number> {
  const child = spawn("pulumi", args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["inherit", take === undefined ? "inherit" : "pipe", "inherit"],
  });
  if (take !== undefined) child.stdout?.on("data", take);
  const [code] = await once(child, "close");
  return code ?? codes.failure;
}
