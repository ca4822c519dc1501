/** The notes of a house: on its own disk beside the state, written by the provider's own code. */
import { diskNoteFile, type NoteFile } from "../../provider/run/note-file.ts";
import type { Disk } from "../support/disk.ts";

export const statePlaceOf = (project: string) => `/backend/.pulumi/stacks/${project}/dev.json`;

export const notesPlaceOf = (project: string) => `/backend/.pulumi/stacks/${project}/dev.creates`;
export const notesPlace = notesPlaceOf("memory");

/** The notes file of one process; by default the one for creates. */
export const noteFileOn = (disk: Disk, place = notesPlace): NoteFile => diskNoteFile(place, disk.files);
