/** The notes of all stacks that this process works for, beside each stack's state. */
import type { Sources } from "../settings/settings.ts";
import { type ChangeNotes, openChangeNotes } from "./change-notes.ts";
import { besideState, diskNoteFile, notesPath } from "./note-file.ts";
import { type Notes, openNotes } from "./notes.ts";

const allNotes = new Map<string, Notes>();

/** Notes of creates: each stack's are opened by the first resource that names it. */
export function notesOf({ env }: Sources, say: (line: string) => void): Notes {
  const folder = process.cwd();
  const stackNotes = (of: string) => {
    const path = notesPath(of, folder, env);
    const found = allNotes.get(path) ?? openNotes(() => diskNoteFile(path), String(process.pid), say);
    allNotes.set(path, found);
    return found;
  };
  const stack = env.PULUMI_NODEJS_STACK;
  if (stack !== undefined) stackNotes(`${stack}::`);
  return {
    of: (kind, of) => stackNotes(of).of(kind, of),
    isOthers: (kind, id, of) => stackNotes(of).isOthers(kind, id, of),
    begin: (note) => stackNotes(note.of).begin(note),
    found: (kind, of, id) => stackNotes(of).found(kind, of, id),
    end: (kind, of) => stackNotes(of).end(kind, of),
    async confirm(kind, id, of) {
      if (of !== undefined) stackNotes(of);
      await Promise.all([...allNotes.values()].map((notes) => notes.confirm(kind, id)));
    },
    all: () => [...allNotes.values()].flatMap((notes) => notes.all()),
  };
}

const allChangeNotes = new Map<string, ChangeNotes>();

/** Notes of what refreshes read; undefined where no folder holds the stack's state. */
export function changeNotesOf(
  stack: string,
  env: Sources["env"],
  say: (line: string) => void,
): ChangeNotes | undefined {
  const path = besideState(stack, process.cwd(), env, "changes");
  if (path === undefined) return undefined;
  const found = allChangeNotes.get(path) ?? openChangeNotes(() => diskNoteFile(path), say);
  allChangeNotes.set(path, found);
  return found;
}
