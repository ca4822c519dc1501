/**
 * Notes of creates, so that one that was interrupted is recognised when it is asked for again: by a run that died between
 * the shop's answer and the engine's state, or whose answer never came. What a create is of is a stack and the name of a
 * resource, not its arguments: an edited program finds what the old one made. A note is on the disk before the request
 * goes out; it lies beside the stack's state, so that whoever has the state has the note; it ends when the engine shows
 * that its state has the object (docs/decisions/0010-finding-an-interrupted-create.md).
 */

import { readOwner } from "../names/owner.ts";
import type { SheetCell } from "../names/rows.ts";
import { isSameShop, parseShopMark } from "../values/identity.ts";
import type { Values } from "../wire/codec.ts";
import { messageOf } from "../wire/text.ts";
import type { NoteFile } from "./note-file.ts";
import type { Notice } from "./notices.ts";
import type { ValueOwner } from "./value-owners.ts";

/** A create that no state has shown since. */
export interface Note {
  /** Of which resource (provider/names/owner.ts). */
  readonly of: string;
  readonly kind: string;
  /** The shop as a state marks it (values/shop-mark.ts); its address alone where the account wasn't known. */
  readonly shop: string;
  /** Milliseconds since 1970 by the clock of the machine that sent it. */
  readonly at: number;
  /** How far the shop's clock was ahead, in milliseconds; undefined where no answer had said it yet. */
  readonly skewMs: number | undefined;
  /** Ids of what the object stands in (a theme). */
  readonly above: Values;
  /** What the object is recognised by; hashes, from which no argument can be read. */
  readonly print: Fingerprint;
  /** The object, where its answer came. */
  readonly id: string | undefined;
  /** What the shop had of what is written, where that is to be put back one day. */
  readonly before?: string;
}

/** An object in hashes: what two of them share when they are the same. */
export interface Fingerprint {
  /** The natural key: paths of fields. */
  readonly by: readonly string[];
  readonly key: string | undefined;
  /** All that is required of the kind and can be read back, and a file's name. */
  readonly content: string;
  /** SHA-256 of a text that can be read back. */
  readonly text: string | undefined;
  /** The paths that were stated, with commas, and what they said: whether an object is still as it was made. */
  readonly stated?: string | undefined;
  readonly whole?: string | undefined;
  /** SHA-256 of a body that can't be read back, or of its address; notes of older versions have none. */
  readonly body?: string | undefined;
}

/** Whether a create was sent to this shop, be it at an address that it had before. @param here the shop's mark */
export const isSentTo = (here: string, { shop }: Pick<Note, "shop">): boolean =>
  isSameShop(parseShopMark(shop), parseShopMark(here));

export interface Notes {
  /** What is left of creates of this resource, oldest first. */
  of(kind: string, of: string): readonly Note[];
  /** Whether a create of another resource made this object. */
  isOfOther(kind: string, id: string, of: string): boolean;
  /** The URN by which another stack has this object of the shop that a create was sent to. */
  heldElsewhere(kind: string, id: string, note: Pick<Note, "of" | "shop">): string | undefined;
  /** What the backend's other stacks state of a shop, by place (run/stated-places.ts). @param here the shop's mark */
  setElsewhere(of: string, here: string): ReadonlyMap<string, ValueOwner>;
  /** What the stack's sheets of prices had asked of a value when this was first called, by its place (run/stated-places.ts). */
  readonly sheetCell: SheetCell;
  /** Notes that a create begins; resolves when the note is on the disk. */
  begin(note: Omit<Note, "id">): Promise<PendingCreate>;
  /** What became of the creates of this resource was found: this object. Resolves when that is on the disk, or said. */
  found(kind: string, of: string, id: string): Promise<void>;
  /**
   * The engine's state has this object: there is nothing to recognise.
   * @param of the resource, where it is known: it says which stack's notes are meant
   */
  confirm(kind: string, id: string, of?: string): Promise<void>;
  /** Ends the notes of a resource: what they were about was found, or is given up. */
  end(kind: string, of: string): Promise<void>;
  /** All that no state has shown. */
  all(): readonly Note[];
  /** The URN of the resource that had the object in the stack's state when this process began; undefined where none is known. */
  inState(kind: string, id: string, of: string): string | undefined;
  /**
   * The resource that the stack's state has an object for, as it is now, before it has it for this one: another process of the run
   * took it over. Undefined where it has it for one resource, or where no folder has the state.
   */
  newOwnerOf(kind: string, id: string, of: string): string | undefined;
  /**
   * What the stack's dynamic resources state by now where this one is the plugin's, or the other way round, by place: in the run that
   * changes the form another process has made them. Empty where no folder has the state.
   */
  setInOtherForm(of: string): ReadonlyMap<string, ValueOwner>;
  /** Whether that state has the resource: an engine that asks of it as of a new one replaces it. False where no folder has the state. */
  isInState(of: string): boolean;
  /** Where an older state was put back: the object that the resource has in the newest one that is left, if it has one. */
  inNewer(kind: string, of: string): { readonly id: string | undefined } | undefined;
}

export interface PendingCreate {
  /** The object is there. Resolves when that is on the disk, or said: the host ends with its last answer. */
  made(id: string): Promise<void>;
  /** Nothing was made, and nothing can have been. */
  nothing(): void;
}

type Line =
  | ({ readonly begin: string } & Omit<Note, "id">)
  | { readonly made: string; readonly id: string }
  | { readonly end: string };

interface OpenNote extends Note {
  readonly number: string;
  readonly ended: boolean;
}

/** How long a note that has ended still says whose an object is: longer than any clock or answer is late. */
const rememberedMs = 15 * 60_000;

/**
 * Opens the notes of a stack; nothing is read or written before it is needed.
 * @param about what tells this process's notes from others', its pid for instance
 * @param say a line for the person who watches
 */
export function openNotes(fileOf: () => NoteFile, about: string, say: (line: string) => void): Notes {
  let known: NoteIndex<OpenNote> | undefined;
  let opened: NoteFile | undefined;
  // One for all lines: each opens the disk's file, and writes together what comes together.
  const file = () => {
    opened ??= fileOf();
    return opened;
  };
  let numbers = 0;
  let tidied: Promise<void> | undefined;
  let isSaid = false;
  const notes = () => {
    known ??= readNotes(file().read() ?? "");
    return known;
  };
  const isOpen = ({ ended }: OpenNote) => !ended;
  // The request has gone out by then: a disk that fails now must not make its object be forgotten.
  const write = (line: Line) =>
    file()
      .append(`${JSON.stringify(line)}\n`)
      .catch((error: Error) => say(`the note of a create can't be written: ${error.message}`));
  const finish = async (note: OpenNote) => {
    if (note.ended) return;
    notes().put({ ...note, ended: true });
    await write({ end: note.number });
  };
  // Callers don't wait for it: notes that can't be read stay as they are, and the next create is refused for them.
  const finishAll = async (meant: () => readonly OpenNote[]) => {
    let its: readonly OpenNote[];
    try {
      its = meant();
    } catch (error) {
      if (!isSaid) say(messageOf(error));
      isSaid = true;
      return;
    }
    await Promise.all(its.map(finish));
  };
  return {
    of: (kind, of) => notes().ofResource(kind, of).filter(isOpen),
    all: () => notes().all().filter(isOpen),
    isOfOther: (kind, id, of) =>
      notes()
        .ofObject(kind, id)
        .some((note) => readOwner(note.of).place !== readOwner(of).place),
    async begin(note) {
      // The first create of a run tidies up: it has the stack to itself (a preview creates nothing).
      tidied ??= compact(file(), notes(), note.at);
      await tidied;
      numbers += 1;
      const number = `${about}.${note.at}.${numbers}`;
      await file().append(`${JSON.stringify({ begin: number, ...note } satisfies Line)}\n`);
      notes().put({ ...note, number, id: undefined, ended: false });
      return {
        made(id) {
          notes().put({ ...note, number, id, ended: false });
          return write({ made: number, id });
        },
        nothing() {
          const own = notes().get(number);
          if (own !== undefined) void finish(own);
        },
      };
    },
    async found(kind, of, id) {
      const its = notes()
        .ofResource(kind, of)
        .filter((note) => isOpen(note) && note.id !== id);
      for (const note of its) notes().put({ ...note, id });
      await Promise.all(its.map(({ number }) => write({ made: number, id })));
    },
    confirm: (kind, id) => finishAll(() => notes().ofObject(kind, id)),
    end: (kind, of) => finishAll(() => notes().ofResource(kind, of)),
    heldElsewhere: () => undefined,
    setElsewhere: () => new Map(),
    sheetCell: () => undefined,
    inState: () => undefined,
    newOwnerOf: () => undefined,
    setInOtherForm: () => new Map(),
    isInState: () => false,
    inNewer: () => undefined,
  };
}

/** What the engine knows at the end of a run. */
export interface RunEnd {
  /** Objects that its state has, as `Kind:id`. */
  readonly has: ReadonlySet<string>;
  /** Names of resources that failed: their errors have said what is to be said. */
  readonly failed: ReadonlySet<string>;
}

/** Notes of creates whose objects are in no state, and of which nothing has been said. What the state has is confirmed. */
export async function unconfirmed(notes: Notes, { has, failed }: RunEnd): Promise<readonly Note[]> {
  // At once: they reach the disk together.
  await Promise.all(
    notes
      .all()
      .map(({ kind, id }) =>
        id !== undefined && has.has(`${kind}:${id}`) ? notes.confirm(kind, id) : undefined,
      ),
  );
  return notes.all().filter(({ of }) => !failed.has(readOwner(of).name ?? of));
}

/** Of how many creates a run will ask a shop what became of them: each once, when it is asked for again or at the end. */
export function pendingCreates(
  notes: Notes,
  here: string,
  has: ReadonlySet<string>,
  notices: readonly Notice[],
): number {
  // Of what a person has said which object it is nothing is looked for.
  const adopted = new Set(notices.flatMap((notice) => (notice.type === "adopts" ? [placeOf(notice)] : [])));
  const isSought = ({ id, kind, of }: Note) =>
    (id === undefined || !has.has(`${kind}:${id}`)) && !adopted.has(placeOf({ kind, of }));
  return notes.all().filter((note) => isSentTo(here, note) && isSought(note)).length;
}

const placeOf = ({ kind, of }: Pick<Note, "kind" | "of">) => `${kind} ${readOwner(of).place}`;

function readNotes(text: string): NoteIndex<OpenNote> {
  const notes = noteIndex<OpenNote>();
  for (const part of text.split("\n")) {
    const line = parsed(part);
    if (line === undefined) continue;
    if ("begin" in line) {
      const { begin: number, ...note } = line;
      notes.put({ ...note, number, id: undefined, ended: false });
      continue;
    }
    const number = "made" in line ? line.made : line.end;
    const note = notes.get(number);
    if (note === undefined) continue;
    notes.put("made" in line ? { ...note, id: line.id } : { ...note, ended: true });
  }
  return notes;
}

// A line that was interrupted while it was written says nothing: its request had not gone out.
function parsed(text: string): Line | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function compact(file: NoteFile, notes: NoteIndex<OpenNote>, now: number): Promise<void> {
  for (const { number, ended, at } of notes.all()) if (ended && at < now - rememberedMs) notes.delete(number);
  if (textOf(notes) !== (file.read() ?? "")) await file.replace(() => textOf(notes));
}

function textOf(notes: NoteIndex<OpenNote>): string {
  const lines = notes
    .all()
    .flatMap(({ number, id, ended, ...note }): Line[] => [
      { begin: number, ...note },
      ...(id === undefined ? [] : [{ made: number, id }]),
      ...(ended ? [{ end: number }] : []),
    ]);
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

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
