/** The folders whose projects have changed a stack, remembered beside its state: projects of one name share their states. */
import { join } from "node:path";
import { stackFile } from "../../pulumi/backend.ts";
import { writeWhole } from "../disk/files.ts";
import { openProject } from "../project/project.ts";
import type { Stack } from "./stack.ts";

/** The file that has them, a line each. */
export const foldersFile = ({ paths, project, name }: Stack): string =>
  stackFile(paths.root, { project: project.name, stack: name }, "folders");

function known(stack: Stack): readonly string[] {
  const path = foldersFile(stack);
  if (!stack.files.exists(path)) return [];
  return stack.files
    .read(path)
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "");
}

/**
 * Another folder of this machine with a project of the same name that has changed the stack; undefined where there is
 * none, and where this folder has changed it before. A folder that was moved, or is another machine's, isn't there.
 */
export function otherFolder(stack: Stack): string | undefined {
  const folders = known(stack);
  if (folders.includes(stack.project.folder)) return undefined;
  return folders.findLast((folder) => nameOf(stack, folder) === stack.project.name);
}

/** Remembers that the project in this folder changes the stack. */
export function rememberFolder(stack: Stack): void {
  const folders = known(stack);
  const { folder } = stack.project;
  if (!folders.includes(folder))
    writeWhole(stack.files, foldersFile(stack), [...folders, folder, ""].join("\n"));
}

function nameOf({ files }: Stack, folder: string): string | undefined {
  if (!files.exists(join(folder, "Pulumi.yaml"))) return undefined;
  try {
    return openProject(folder, files).name;
  } catch {
    // What nobody can read is no project of any name.
    return undefined;
  }
}
