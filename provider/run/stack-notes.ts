/** The notes of all stacks that this process works for, beside each stack's state. */
import type { Sources } from "../settings/settings.ts";
import { type ChangeNotes, openChangeNotes } from "./change-notes.ts";
import { besideState, diskNoteFile, notesPath } from "./note-file.ts";
import { type Notes, openNotes } from "./notes.ts";

type Say = (line: string) => void;

export interface StackNotes {
  /** Notes of creates: each stack's are opened by the first resource that names it. */
  notesOf(sources: Sources, say: Say): Notes;
  /** Notes of what refreshes read; undefined where no folder holds the stack's state. */
  changeNotesOf(stack: string, env: Sources["env"], say: Say): ChangeNotes | undefined;
}

/** The notes of so many stacks as are asked for, each opened once: those of a process (below), or of a test. */
export function stackNotes(): StackNotes {
  const allNotes = new Map<string, Notes>();
  const allChangeNotes = new Map<string, ChangeNotes>();
  return {
    notesOf({ env }, say) {
      const folder = process.cwd();
      const stackOf = (of: string) => {
        const path = notesPath(of, folder, env);
        const found = allNotes.get(path) ?? openNotes(() => diskNoteFile(path), String(process.pid), say);
        allNotes.set(path, found);
        return found;
      };
      const stack = env.PULUMI_NODEJS_STACK;
      if (stack !== undefined) stackOf(`${stack}::`);
      return {
        of: (kind, of) => stackOf(of).of(kind, of),
        isOthers: (kind, id, of) => stackOf(of).isOthers(kind, id, of),
        begin: (note) => stackOf(note.of).begin(note),
        found: (kind, of, id) => stackOf(of).found(kind, of, id),
        end: (kind, of) => stackOf(of).end(kind, of),
        async confirm(kind, id, of) {
          if (of !== undefined) stackOf(of);
          await Promise.all([...allNotes.values()].map((notes) => notes.confirm(kind, id)));
        },
        all: () => [...allNotes.values()].flatMap((notes) => notes.all()),
      };
    },
    changeNotesOf(stack, env, say) {
      const path = besideState(stack, process.cwd(), env, "changes");
      if (path === undefined) return undefined;
      const found = allChangeNotes.get(path) ?? openChangeNotes(() => diskNoteFile(path), say);
      allChangeNotes.set(path, found);
      return found;
    },
  };
}

export const { notesOf, changeNotesOf } = stackNotes();
