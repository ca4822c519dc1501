/** Objects that interrupted runs created and that no state has. A run searches for them at its end. */
import type { Result, Stack, Step } from "../../engine/index.ts";
import * as engine from "../../engine/index.ts";
import { stackFile } from "../../engine/pulumi/backend.ts";
import {
  addressOf,
  diskNoteFile,
  isSentTo,
  messageIn,
  type Note,
  type Notes,
  type Notice,
  openNotes,
  pendingCreates,
  strayNotes,
  unconfirmed,
} from "../../provider/inventory/index.ts";
import { ownerOf } from "../../provider/names/owner.ts";
import { kindOfType } from "../../provider/names/types.ts";
import { managedObjects } from "../stack/managed-objects.ts";
import { isOtherShop, settingSources } from "../stack/other-shops.ts";
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
  const found: string[] = [];
  for (const sources of [settingSources(stack), ...otherSources(stack)])
    found.push(...(await interruptedCreates(sources, notes, ended, say)));
  return found;
}

/** The settings of the shops that the program's own providers have, according to the state. */
const otherSources = (stack: Stack) =>
  engine
    .load(stack)
    .resources.filter(isOtherShop(stack))
    .map(({ inputs = {} }) => ({ settings: engine.bareProperties(inputs), env: stack.env }));

/**
 * Counts the interrupted creates that a run of this stack searches for.
 * @param steps of its preview
 * @param notices of its preview
 */
export function countPendingCreates(
  stack: Stack,
  steps: readonly Step[],
  notices: readonly Notice[],
  say: (line: string) => void,
): number {
  const notes = notesOf(stack, say);
  const own = notes === undefined ? 0 : pendingCreates(notes, shopsIn(stack), managedIn(stack), notices);
  const isNoted = notedIn(stack, () => strayNotesOf(stack, say));
  return own + steps.filter(({ op, urn }) => engine.makes(op) && isNoted(urn)).length;
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
  const isNoted = notedIn(stack, () => [notesOf(stack, say) ?? [], strayNotesOf(stack, say)].flat());
  return ({ type, resource }) => type === "creating" && isNoted(resource.urn);
}

/** Returns a function that says whether these notes have an interrupted create of an object for a resource. */
function notedIn(stack: Stack, notes: () => readonly Notes[]): (urn: string) => boolean {
  // Read at the first question; most runs have none.
  let read: { readonly shops: readonly string[]; readonly all: readonly Notes[] } | undefined;
  return (urn) => {
    if (kindOfType(engine.typeOf(urn)) === undefined) return false;
    read ??= { shops: shopsIn(stack), all: notes() };
    const { shops, all } = read;
    const { kind, of } = ownerOf(urn);
    const isHere = (note: Note) => note.rows === undefined && shops.some((shop) => isSentTo(shop, note));
    return all.some((one) => one.of(kind, of).some(isHere));
  };
}

/** The marks of the stack's shop and of those of the program's own providers, as notes have them. */
function shopsIn(stack: Stack): readonly string[] {
  const sources = settingSources(stack);
  return [messageIn(stack.env).identity ?? addressOf(sources), ...otherSources(stack).map(addressOf)];
}

const managedIn = (stack: Stack) => new Set(managedObjects(stack).map(({ kind, id }) => `${kind}:${id}`));

const placeOf = ({ project, name }: Stack) => ({ project: project.name, stack: name });

/** The provider's notes of creates; undefined if there are none. */
function notesOf(stack: Stack, say: (line: string) => void): Notes | undefined {
  const path = stackFile(stack.paths.root, placeOf(stack), "creates");
  if (!stack.files.exists(path) || stack.files.size(path) === 0) return undefined;
  const notes = openedNotes(path, stack, say);
  return notes.all().length === 0 ? undefined : notes;
}

/** The notes that `pulumi stack rename` has left under the stack's older name. */
const strayNotesOf = (stack: Stack, say: (line: string) => void): readonly Notes[] =>
  strayNotes({ root: stack.paths.root, files: stack.files, withJournals: false }, placeOf(stack)).map(
    (path) => openedNotes(path, stack, say),
  );

const openedNotes = (path: string, { files }: Stack, say: (line: string) => void): Notes =>
  openNotes(() => diskNoteFile(path, files), String(process.pid), say);
