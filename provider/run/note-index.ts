/** Notes by number, found by their resource and by their object without a look at all: a run makes thousands. */

import { readOwner } from "../names/owner.ts";

/** What a note is found by. */
interface Numbered {
  readonly number: string;
  readonly kind: string;
  readonly of: string;
  readonly id: string | undefined;
}

export interface NoteIndex<Note extends Numbered> {
  /** Puts a note in, or in the place of the one that has its number. */
  put(note: Note): void;
  delete(number: string): void;
  get(number: string): Note | undefined;
  /** All, oldest first, ended ones too. */
  all(): readonly Note[];
  ofResource(kind: string, of: string): readonly Note[];
  ofObject(kind: string, id: string): readonly Note[];
}

export function noteIndex<Note extends Numbered>(): NoteIndex<Note> {
  const notes = new Map<string, Note>();
  const byResource = new Map<string, Set<string>>();
  const byObject = new Map<string, Set<string>>();
  const enter = (index: Map<string, Set<string>>, name: string, { number }: Note) => {
    const numbers = index.get(name) ?? new Set();
    index.set(name, numbers.add(number));
  };
  const leaveObject = ({ kind, id, number }: Note) => {
    if (id !== undefined) byObject.get(nameOf(kind, id))?.delete(number);
  };
  const numbered = (index: ReadonlyMap<string, ReadonlySet<string>>, name: string) =>
    [...(index.get(name) ?? [])].flatMap((number) => notes.get(number) ?? []);
  return {
    put(note) {
      const before = notes.get(note.number);
      // A resource never changes, so that its notes keep their order; an object is found, or another one.
      if (before !== undefined) leaveObject(before);
      notes.set(note.number, note);
      enter(byResource, resourceOf(note.kind, note.of), note);
      if (note.id !== undefined) enter(byObject, nameOf(note.kind, note.id), note);
    },
    delete(number) {
      const note = notes.get(number);
      if (note === undefined) return;
      leaveObject(note);
      byResource.get(resourceOf(note.kind, note.of))?.delete(number);
      notes.delete(number);
    },
    get: (number) => notes.get(number),
    all: () => [...notes.values()],
    ofResource: (kind, of) => numbered(byResource, resourceOf(kind, of)),
    ofObject: (kind, id) => numbered(byObject, nameOf(kind, id)),
  };
}

const nameOf = (kind: string, name: string) => `${kind} ${name}`;
// Not by its stack and project: they are those of the file, which may have had other names.
const resourceOf = (kind: string, of: string) => nameOf(kind, readOwner(of).place);
