/**
 * Copies a state that pulumi keeps in a bucket, a database or its cloud, so that our engine can plan on it.
 * Secrets stay encrypted. The copy is never written back.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { diskFiles, makeFolders } from "../../engine/common/disk.ts";
import { temporaryFolder } from "../../engine/common/temporary.ts";
import { keepsFiles, openProject } from "../../engine/index.ts";
import { type StackPlace, stackFile, urlOfFolder } from "../../engine/pulumi/backend.ts";
import { besideState, notesPath } from "../../provider/inventory/index.ts";
import { CommandError } from "../exit.ts";
import type { RunValues } from "../run-options.ts";
import type { Env } from "../stack/open-stack.ts";
import { outputOf, selectOrCreate } from "./pulumi-process.ts";

/**
 * Copies a state and the provider's notes of creates; undefined if both are files already.
 * @throws CommandError with pulumi's exit code if the state can't be exported
 */
export async function openStateCopy(values: RunValues, given: Env) {
  const { cwd = process.cwd(), create } = values;
  const env: Env = { ...process.env, ...given };
  if (keepsFiles({ folder: cwd, env })) return undefined;
  const { name: project, folder, programFolder } = openProject(cwd);
  if (values.stack !== undefined && create) await selectOrCreate(values.stack, folder, given);
  const full = values.stack ?? (await outputOrFail(["stack", "--show-name"], folder, given)).trim();
  const exported = await outputOrFail(["stack", "export", "--stack", full], folder, given);
  const stack = full.split("/").at(-1) ?? full;
  const root = temporaryFolder("state");
  const at = { PULUMI_BACKEND_URL: urlOfFolder(root) };
  const close = () => rmSync(root, { recursive: true, force: true });
  try {
    const { version, deployment } = JSON.parse(exported) as { version: number; deployment: unknown };
    const path = stackFile(root, { project, stack }, "json");
    makeFolders(diskFiles, dirname(path));
    writeFileSync(path, JSON.stringify({ version, checkpoint: { stack, latest: deployment } }), {
      mode: 0o600,
    });
    copyNotes({ project, stack }, programFolder, env, at);
  } catch (error) {
    close();
    throw error;
  }
  return {
    /** The stack's name without an organization. */
    stack,
    /** Environment variables that make our engine and provider use the copy. */
    env: at,
    close,
  };
}

async function outputOrFail(args: readonly string[], folder: string, env: Env): Promise<string> {
  const { code, output } = await outputOf(args, folder, env);
  if (code !== 0) throw new CommandError(`pulumi ${args.join(" ")} failed`, code);
  return output;
}

/**
 * Copies the provider's notes of creates, so that a run on the copy finds interrupted creates. @param at
 * environment of the copy
 */
export function copyNotes(place: StackPlace, folder: string, env: Env, at: Env): void {
  const from = notesPath(place, folder, env);
  const to = besideState(place, folder, { ...env, ...at });
  if (to === undefined || !existsSync(from)) return;
  makeFolders(diskFiles, dirname(to));
  writeFileSync(to, readFileSync(from), { mode: 0o600 });
}
