/** Where a house's notes lie: on its own disk, beside the stack's state, written by the provider's own code. */
import { diskNoteFile, type NoteFile } from "../../provider/run/note-file.ts";
import type { Disk } from "../support/disk.ts";

export const statePlaceOf = (project: string) => `/backend/.pulumi/stacks/${project}/dev.json`;

export const notesPlaceOf = (project: string) => `/backend/.pulumi/stacks/${project}/dev.creates`;
export const notesPlace = notesPlaceOf("memory");

/** A file of notes as one process has it open; that of creates unless told. */
export const noteFileOn = (disk: Disk, place = notesPlace): NoteFile => diskNoteFile(place, disk.files);
