/**
 * Notes of creates, which recognise an interrupted create when the program asks for it again. A note names a stack and
 * a resource, not its arguments: an edited program finds what the old one created. It is on disk before the request is
 * sent, and lies beside the stack's state, so that whoever has the state has the notes. It ends when the engine's state
 * has the object (docs/decisions/0010-finding-an-interrupted-create.md).
 */

import { isSameShop, parseShopMark } from "../change/identity.ts";
import { readOwner } from "../names/owner.ts";
import type { SheetCells } from "../names/rows.ts";
import type { Values } from "../wire/codec.ts";
import { messageOf } from "../wire/text.ts";
import type { NoteFile } from "./note-file.ts";
import type { Notice } from "./notices.ts";
import { cellsInNotes, type ShopKnown, sheetCells } from "./sheet-cells.ts";
import type { HeldObject } from "./states.ts";
import type { ValueOwner } from "./value-owners.ts";

/** A create that no state has confirmed yet. */
export interface Note {
  /** The resource (provider/names/owner.ts). */
  readonly of: string;
  readonly kind: string;
  /** The shop's mark (values/identity.ts); only its address if the account wasn't known. */
  readonly shop: string;
  /** Milliseconds since 1970, by the clock of the machine that sent it. */
  readonly at: number;
  /** How far the shop's clock was ahead, in milliseconds; undefined before the first response. */
  readonly skewMs: number | undefined;
  /** Ids of the object's parents (a theme). */
  readonly above: Values;
  /** Recognises the object; hashes, which reveal no argument. */
  readonly print: Fingerprint;
  /** The id from the response, if there was one. */
  readonly id: string | undefined;
  /**
   * The rows of a price sheet that a run is about to write (names/rows.ts): of each cell its new value, and the one before
   * the sheet. Such a note is of no create.
   */
  readonly rows?: string;
  /** Of secret rows: a hash of each new value, by place. Their `rows` have the earlier value in its place. */
  readonly hashes?: Readonly<Record<string, string>>;
  /** Whether its sheet was deleted, and all was put back: it ends when the state lacks the sheet. */
  readonly isGone?: true;
}

/** An object as hashes: equal for equal objects. */
export interface Fingerprint {
  /** The natural key: paths of fields. */
  readonly by: readonly string[];
  readonly key: string | undefined;
  /** All required fields that can be read, and a file's name. */
  readonly content: string;
  /** SHA-256 of a text that the shop returns. */
  readonly text: string | undefined;
  /** The paths that were set, with commas, and a hash of their values: whether the object is unchanged. */
  readonly stated?: string | undefined;
  readonly whole?: string | undefined;
  /** SHA-256 of a body that the shop doesn't return, or of its address; older notes have none. */
  readonly body?: string | undefined;
}

/** Whether a create was sent to this shop, perhaps at an older address. @param here the shop's mark */
export const isSentTo = (here: string, { shop }: Pick<Note, "shop">): boolean =>
  isSameShop(parseShopMark(shop), parseShopMark(here));

export interface Notes {
  /** Unconfirmed creates of this resource, oldest first. */
  of(kind: string, of: string): readonly Note[];
  isOfOther(kind: string, id: string, of: string): boolean;
  /** The URN of the resource in another stack that manages this object of the shop. */
  heldElsewhere(kind: string, id: string, note: Pick<Note, "of" | "shop">): string | undefined;
  /**
   * The owner that the resource of an object has by now: a state that was moved to another stack names the old one until
   * its next run.
   */
  ownerNow(kind: string, id: string, note: Pick<Note, "of" | "shop">): string;
  /**
   * The values that other stacks of the backend set in a shop, by place (run/value-owners.ts).
   * @param here the shop's mark
   */
  setElsewhere(of: string, here: string): ReadonlyMap<string, ValueOwner>;
  /** The open notes with rows of the stack's price sheets, oldest first. */
  sheetNotes(of: string): readonly Note[];
  /** The values that the stack's price sheets had set when one was first needed. */
  sheetCells(of: string, shop: ShopKnown): SheetCells;
  /** Notes a create. Resolves when the note is on disk. */
  begin(note: Omit<Note, "id">): Promise<PendingCreate>;
  /**
   * Notes the object that a create was found to have made. Resolves when that is on disk, or a failure is printed.
   * @param isGone whether it was deleted since
   */
  found(kind: string, of: string, id: string, isGone?: true): Promise<void>;
  /**
   * Ends the notes of an object that the engine's state has.
   * @param of the resource, if known: it says which stack's notes are meant
   */
  confirm(kind: string, id: string, of?: string): Promise<void>;
  /** Ends the notes of a resource: their object was found, or is given up. */
  end(kind: string, of: string): Promise<void>;
  all(): readonly Note[];
  /** The resource's object in the stack's state when this was first called. Undefined if it isn't in a folder. */
  heldBy(of: string): HeldObject | undefined;
  /** The URN of the resource that had this object of the shop in the stack's state when this process began. */
  inState(kind: string, id: string, note: Pick<Note, "of" | "shop">): string | undefined;
  /**
   * The resource that another process adopted this object for in the same run, according to the stack's current state.
   * Undefined without one, or if the state isn't in a folder.
   */
  newOwnerOf(kind: string, id: string, of: string): string | undefined;
  /**
   * The values that the stack's dynamic resources set if this one is the plugin's, or the reverse, by place: in the run
   * that changes the form, another process has set them. Empty if the state isn't in a folder.
   * @param key the resource's object: the state may have the resource under an older name
   */
  setInOtherForm(own: Pick<Note, "of" | "shop">, key?: string): ReadonlyMap<string, ValueOwner>;
  /**
   * Whether that state has the resource: then an engine that checks it as new replaces it. False if the state isn't in
   * a folder.
   */
  isInState(of: string): boolean;
  /** After an older state was restored: the object that the newer state has for the resource. */
  inNewer(kind: string, of: string): { readonly id: string | undefined } | undefined;
}

export interface PendingCreate {
  /**
   * The object was created. Resolves when that is on disk, or a failure is printed: the host may end after this
   * response.
   */
  made(id: string): Promise<void>;
  /** Nothing was created for certain. */
  nothing(): void;
}

type Line =
  | ({ readonly begin: string } & Omit<Note, "id">)
  | { readonly made: string; readonly id: string; readonly isGone?: true }
  | { readonly end: string };

interface OpenNote extends Note {
  readonly number: string;
  readonly ended: boolean;
}

/** How long an ended note still identifies its object: longer than any clock or response is late. */
const rememberedMs = 15 * 60_000;

/**
 * Opens the notes of a stack. Reads and writes nothing before that is needed.
 * @param about identifies this process among others, such as its pid
 * @param say prints a line
 */
export function openNotes(fileOf: () => NoteFile, about: string, say: (line: string) => void): Notes {
  let known: NoteIndex | undefined;
  let opened: NoteFile | undefined;
  // Shared by all lines, so that concurrent ones are written together.
  const file = () => {
    opened ??= fileOf();
    return opened;
  };
  let numbers = 0;
  let isTidied = false;
  let isSaid = false;
  const notes = () => {
    known ??= readNotes(file().read() ?? "");
    return known;
  };
  const isOpen = ({ ended }: OpenNote) => !ended;
  // The request was sent already: a failing disk must not forget the object.
  const write = (line: Line) =>
    file()
      .append(`${JSON.stringify(line)}\n`)
      .catch((error: Error) => say(`the note of a create can't be written: ${error.message}`));
  const finish = async (note: OpenNote) => {
    if (note.ended) return;
    notes().put({ ...note, ended: true });
    await write({ end: note.number });
  };
  // Callers don't wait for this. Unreadable notes stay, and make the next create fail.
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
  const removeOld = (now: number) => {
    const isOld = ({ ended, at, rows }: OpenNote) => ended && (rows !== undefined || at < now - rememberedMs);
    for (const note of notes().all()) if (isOld(note)) notes().delete(note.number);
    // Read again: another process of the run may have noted a create since, or be in the middle of a line.
    const text = file().read() ?? "";
    if (text.endsWith("\n") && readNotes(text).all().every(isOld)) file().clear(text);
  };
  const sheetNotes = () =>
    notes()
      .all()
      .filter((note) => isOpen(note) && note.rows !== undefined);
  return {
    of: (kind, of) => notes().ofResource(kind, of).filter(isOpen),
    all: () => notes().all().filter(isOpen),
    isOfOther: (kind, id, of) =>
      notes()
        .ofObject(kind, id)
        .some((note) => readOwner(note.of).place !== readOwner(of).place),
    async begin(note) {
      if (!isTidied) removeOld(note.at);
      isTidied = true;
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
    async found(kind, of, id, isGone) {
      const its = notes()
        .ofResource(kind, of)
        .filter((note) => isOpen(note) && (note.id !== id || note.isGone !== isGone));
      const made = { id, ...(isGone && { isGone }) };
      for (const { isGone: _before, ...note } of its) notes().put({ ...note, ...made });
      await Promise.all(its.map(({ number }) => write({ made: number, ...made })));
    },
    confirm: (kind, id) => finishAll(() => notes().ofObject(kind, id)),
    end: (kind, of) => finishAll(() => notes().ofResource(kind, of)),
    heldElsewhere: () => undefined,
    ownerNow: (_kind, _id, { of }) => of,
    setElsewhere: () => new Map(),
    sheetNotes,
    sheetCells: (of, shop) => {
      const inNotes = () => cellsInNotes(sheetNotes());
      return sheetCells(of, { inState: () => new Map(), inNotes }, shop);
    },
    inState: () => undefined,
    newOwnerOf: () => undefined,
    setInOtherForm: () => new Map(),
    heldBy: () => undefined,
    isInState: () => false,
    inNewer: () => undefined,
  };
}

export interface RunEnd {
  /** The objects in its state, as `Kind:id`. */
  readonly has: ReadonlySet<string>;
  /** Names of failed resources: their errors were reported. */
  readonly failed: ReadonlySet<string>;
}

/** Creates whose objects are in no state and were not reported. Confirms the others. */
export async function unconfirmed(notes: Notes, { has, failed }: RunEnd): Promise<readonly Note[]> {
  // At once, so that they are written together.
  await Promise.all(
    notes
      .all()
      .map(({ kind, id, isGone = false }) =>
        id !== undefined && has.has(`${kind}:${id}`) !== isGone ? notes.confirm(kind, id) : undefined,
      ),
  );
  return notes.all().filter(({ of }) => !failed.has(readOwner(of).name ?? of));
}

/** How many creates a run will search for, each once. @param shops the marks of the shops that it looks in */
export function pendingCreates(
  notes: Notes,
  shops: readonly string[],
  has: ReadonlySet<string>,
  notices: readonly Notice[],
): number {
  // With an id in `adopt` there is no search.
  const adopted = new Set(notices.flatMap((notice) => (notice.type === "adopts" ? [placeOf(notice)] : [])));
  const isPending = ({ id, kind, of, rows }: Note) =>
    rows === undefined &&
    (id === undefined || !has.has(`${kind}:${id}`)) &&
    !adopted.has(placeOf({ kind, of }));
  return notes.all().filter((note) => shops.some((shop) => isSentTo(shop, note)) && isPending(note)).length;
}

// Without stack and project: those belong to the file, and may have changed.
const placeOf = ({ kind, of }: Pick<Note, "kind" | "of">) => `${kind} ${readOwner(of).place}`;

function readNotes(text: string): NoteIndex {
  const notes = noteIndex();
  for (const part of text.split("\n")) {
    const line = noteLine(part);
    if (line === undefined) continue;
    if ("begin" in line) {
      const { begin: number, ...note } = line;
      notes.put({ ...note, number, id: undefined, ended: false });
      continue;
    }
    const number = "made" in line ? line.made : line.end;
    const note = notes.get(number);
    if (note === undefined) continue;
    const { isGone: _before, ...open } = note;
    const isGone = "isGone" in line;
    notes.put(
      "made" in line ? { ...open, id: line.id, ...(isGone && { isGone }) } : { ...note, ended: true },
    );
  }
  return notes;
}

/** A line of notes. An incomplete one doesn't count: its request was not sent. */
export function noteLine(text: string): Line | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Notes by number, oldest first. A search reads them all: creates wait for the shop's rate limit much longer. */
function noteIndex() {
  const notes = new Map<string, { readonly resource: string; readonly note: OpenNote }>();
  const all = () => [...notes.values()].map(({ note }) => note);
  return {
    put: (note: OpenNote) => void notes.set(note.number, { resource: placeOf(note), note }),
    delete: (number: string) => void notes.delete(number),
    get: (number: string) => notes.get(number)?.note,
    /** Ended ones too. */
    all,
    ofResource(kind: string, of: string) {
      const meant = placeOf({ kind, of });
      return [...notes.values()].flatMap(({ resource, note }) => (resource === meant ? [note] : []));
    },
    ofObject: (kind: string, id: string) => all().filter((note) => note.kind === kind && note.id === id),
  };
}

type NoteIndex = ReturnType<typeof noteIndex>;
