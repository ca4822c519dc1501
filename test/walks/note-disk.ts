/** Where a house's notes of creates lie: on its own disk, beside the stack's state, written by the provider's own code. */
import { diskNoteFile, type NoteFile } from "../../provider/run/note-file.ts";
import type { Disk } from "../disk.ts";

export const notesPlace = "/backend/.pulumi/stacks/memory/dev.creates";

/** The file of notes as one process has it open. */
export const noteFileOn = (disk: Disk): NoteFile => diskNoteFile(notesPlace, disk.files);
