/** Objects that earlier runs made before they were cut off, and that no state has: looked for at the end of a run. */
import type { Result, Stack } from "../../engine/index.ts";
import * as engine from "../../engine/index.ts";
import {
  addressOf,
  diskNoteFile,
  type Notes,
  type Notice,
  openNotes,
  soughtIn,
  unsettled,
} from "../../provider/inventory/index.ts";
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
  const notes = notesOf(stack);
  if (notes === undefined) return false;
  const ended = {
    has: heldIn(stack),
    failed: new Set(failures.flatMap(({ urn }) => (urn === undefined ? [] : [engine.nameOf(urn)]))),
  };
  // The definitions are loaded where there is something to look for: a run without changes is there to be quick.
  if ((await unsettled(notes, ended)).length === 0) return false;
  const { cutOffCreates } = await import("../../provider/index.ts");
  const lines = await cutOffCreates(sourcesOf(stack), notes, ended, say);
  for (const line of lines) say(`${how}: ${line}`);
  return lines.length > 0;
}

/**
 * How many creates that were cut off a run of this stack will look for.
 * @param notices of its preview
 */
export function soughtBy(stack: Stack, notices: readonly Notice[]): number {
  const notes = notesOf(stack);
  return notes === undefined ? 0 : soughtIn(notes, addressOf(sourcesOf(stack)), heldIn(stack), notices);
}

const say = (line: string) => process.stderr.write(`${line}\n`);
const sourcesOf = ({ config, env }: Stack) => ({ config: (key: string) => config.values[key], env });
const heldIn = (stack: Stack) => new Set(heldBy(stack).map(({ kind, id }) => `${kind}:${id}`));

/** The notes of a stack; undefined where it has none. */
function notesOf({ files, places }: Stack): Notes | undefined {
  // Where the provider keeps them: beside the state (provider/run/note-file.ts).
  const path = places.state.replace(/\.json$/, ".creates");
  if (!files.exists(path) || files.size(path) === 0) return undefined;
  return openNotes(() => diskNoteFile(path), String(process.pid), say);
}
