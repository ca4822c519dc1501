/** Before files are written: what somebody has written since, and has not committed, is never overwritten unasked. */
import { CommandError, codes } from "../exit.ts";
import { changedFiles, type Files, unsaved } from "../stack/write-files.ts";
import { saysYes } from "./ask.ts";

/**
 * @param removed files that go
 * @throws CommandError where something would be lost and nobody allowed it; nothing is written then
 */
export async function guardFiles(
  folder: string,
  files: Files,
  force: boolean,
  removed: readonly string[] = [],
): Promise<void> {
  if (force) return;
  const atRisk = unsaved(folder, [...changedFiles(folder, files), ...removed]);
  if (atRisk.length === 0) return;
  const list = atRisk.map((path) => `  ${path}`).join("\n");
  const what = `these files have uncommitted changes:\n${list}\n`;
  if (!process.stdin.isTTY)
    throw new CommandError(
      `${what}commit them, or let --force overwrite them; nothing was written`,
      codes.configuration,
    );
  process.stderr.write(what);
  if (!(await saysYes("Overwrite them?"))) throw new CommandError("nothing was written", codes.cancelled);
}
