/** Notes by number, found by their resource and by their object without a look at all: a run makes thousands. */

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
  /** Those of a resource, oldest first. */
  ofResource(kind: string, of: string): readonly Note[];
  /** Those whose object this is. */
  ofObject(kind: string, id: string): readonly Note[];
}

export function noteIndex<Note extends Numbered>(): NoteIndex<Note> {
  const notes = new Map<string, Note>();
  const byResource = new Map<string, Set<string>>();
  const byObject = new Map<string, Set<string>>();
  const places = (note: Note): readonly (readonly [Map<string, Set<string>>, string])[] => [
    [byResource, nameOf(note.kind, note.of)],
    ...(note.id === undefined ? [] : [[byObject, nameOf(note.kind, note.id)] as const]),
  ];
  const leave = (note: Note) => {
    for (const [index, name] of places(note)) {
      index.get(name)?.delete(note.number);
      if (index.get(name)?.size === 0) index.delete(name);
    }
  };
  const numbered = (index: ReadonlyMap<string, ReadonlySet<string>>, name: string) =>
    [...(index.get(name) ?? [])].map((number) => notes.get(number) as Note);
  return {
    put(note) {
      const before = notes.get(note.number);
      // A resource never changes; an object is found, or another one.
      if (before !== undefined && before.id !== note.id && before.id !== undefined) leave(before);
      notes.set(note.number, note);
      for (const [index, name] of places(note)) {
        const numbers = index.get(name) ?? new Set();
        index.set(name, numbers.add(note.number));
      }
    },
    delete(number) {
      const note = notes.get(number);
      if (note === undefined) return;
      leave(note);
      notes.delete(number);
    },
    get: (number) => notes.get(number),
    all: () => [...notes.values()],
    ofResource: (kind, of) => numbered(byResource, nameOf(kind, of)),
    ofObject: (kind, id) => numbered(byObject, nameOf(kind, id)),
  };
}

const nameOf = (kind: string, name: string) => `${kind} ${name}`;
