/** At the end of a run: objects that earlier runs made before they were cut off, and that no state has. */
import type { Result, Stack } from "../../engine/index.ts";
import * as engine from "../../engine/index.ts";
import { diskNoteFile, openNotes, unsettled } from "../../provider/inventory/index.ts";
import { heldBy } from "../stack/held.ts";

/**
 * Tells which creates were cut off and asked for by nobody since.
 * @param how a destroy that leaves them has failed; another run has done what it was for
 * @returns whether there are any
 */
export async function tellCutOff(
  stack: Stack,
  { failures }: Result,
  how: "error" | "warning",
): Promise<boolean> {
  const { files, places } = stack;
  // Where the provider keeps them: beside the state (provider/run/note-file.ts).
  const path = places.state.replace(/\.json$/, ".creates");
  if (!files.exists(path) || files.size(path) === 0) return false;
  const ended = {
    has: new Set(heldBy(stack).map(({ kind, id }) => `${kind}:${id}`)),
    failed: new Set(failures.flatMap(({ urn }) => (urn === undefined ? [] : [engine.nameOf(urn)]))),
  };
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const notes = openNotes(() => diskNoteFile(path), String(process.pid), say);
  // The definitions are loaded where there is something to look for: a run without changes is there to be quick.
  if ((await unsettled(notes, ended)).length === 0) return false;
  const { cutOffCreates } = await import("../../provider/index.ts");
  const config = (key: string) => stack.config.values[key];
  const lines = await cutOffCreates({ config, env: stack.env }, notes, ended, say);
  for (const line of lines) say(`${how}: ${line}`);
  return lines.length > 0;
}
