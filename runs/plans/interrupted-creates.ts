/** Objects that interrupted runs created and that no state has. A run searches for them at its end. */
import type { Result, Stack } from "../../engine/index.ts";
import * as engine from "../../engine/index.ts";
import { stackFile } from "../../engine/pulumi/backend.ts";
import {
  addressOf,
  diskNoteFile,
  isSentTo,
  messageIn,
  type Notes,
  type Notice,
  openNotes,
  pendingCreates,
  unconfirmed,
} from "../../provider/inventory/index.ts";
import { ownerOf } from "../../provider/names/owner.ts";
import { kindOfType } from "../../provider/names/types.ts";
import { settingSources } from "../stack/connection.ts";
import { managedObjects } from "../stack/managed-objects.ts";
import type { Ports } from "../stack/ports.ts";

interface OrphanSearch {
  readonly stack: Stack;
  readonly say: (line: string) => void;
  readonly ports: Pick<Ports, "provider">;
}

/**
 * Finds objects of interrupted creates that no later run has claimed.
 * @param result of the run that ended
 * @returns one sentence for each object that the shop has, or may have
 */
export async function orphanedObjects(
  { stack, say, ports }: OrphanSearch,
  { failures }: Result,
): Promise<readonly string[]> {
  const notes = notesOf(stack, say);
  if (notes === undefined) return [];
  const ended = {
    has: managedIn(stack),
    failed: new Set(failures.flatMap(({ urn }) => (urn === undefined ? [] : [engine.nameOf(urn)]))),
  };
  if ((await unconfirmed(notes, ended)).length === 0) return [];
  const { interruptedCreates } = await ports.provider();
  return interruptedCreates(settingSources(stack), notes, ended, say);
}

/**
 * Counts the interrupted creates that a run of this stack searches for.
 * @param notices of its preview
 */
export function countPendingCreates(
  stack: Stack,
  notices: readonly Notice[],
  say: (line: string) => void,
): number {
  const notes = notesOf(stack, say);
  return notes === undefined ? 0 : pendingCreates(notes, hereIn(stack), managedIn(stack), notices);
}

/**
 * Returns a function that finds the price sheets among interrupted creates: their notes have the prices that a run wrote, and
 * the earlier ones.
 */
export const recoveredSheets =
  ({ stack, say, ports }: OrphanSearch): NonNullable<engine.RunOptions["recovers"]> =>
  async (creates) => {
    const notes = notesOf(stack, say);
    if (notes === undefined || notes.sheetNotes("").length === 0) return [];
    const { recoveredSheets: found } = await ports.provider();
    return found(creates, notes, managedIn(stack)) as readonly engine.State[];
  };

/**
 * Returns a function that says whether the provider itself reports an interrupted create, because it has a note: it looks for
 * the object when the program asks for the resource. It says nothing of sheets.
 */
export function saidByProvider({ stack, say }: OrphanSearch): NonNullable<engine.RunOptions["isSaid"]> {
  // Read at the first interrupted operation; most runs have none.
  let noted: ReadonlySet<string> | undefined;
  return ({ type, resource }) => {
    if (type !== "creating" || kindOfType(engine.typeOf(resource.urn)) === undefined) return false;
    if (noted === undefined) {
      const here = hereIn(stack);
      const own = notesOf(stack, say)?.all() ?? [];
      noted = new Set(
        own.filter((note) => note.rows === undefined && isSentTo(here, note)).map(({ of }) => of),
      );
    }
    return noted.has(ownerOf(resource.urn).of);
  };
}

/** The mark of the stack's shop, as notes have it. */
const hereIn = (stack: Stack): string => messageIn(stack.env).identity ?? addressOf(settingSources(stack));

const managedIn = (stack: Stack) => new Set(managedObjects(stack).map(({ kind, id }) => `${kind}:${id}`));

/** The provider's notes of creates; undefined if there are none. */
function notesOf({ files, paths, project, name }: Stack, say: (line: string) => void): Notes | undefined {
  const path = stackFile(paths.root, { project: project.name, stack: name }, "creates");
  if (!files.exists(path) || files.size(path) === 0) return undefined;
  const notes = openNotes(() => diskNoteFile(path, files), String(process.pid), say);
  return notes.all().length === 0 ? undefined : notes;
}
