/** The notes of a house: on its own disk beside the state, written by the provider's own code. */
import { diskNoteFile, type NoteFile } from "../../provider/context/note-file.ts";
import type { Disk } from "../support/disk.ts";

export const notesPlace = "/backend/.pulumi/stacks/memory/dev.creates";

export const noteFileOn = (disk: Disk): NoteFile => diskNoteFile(notesPlace, disk.files);
