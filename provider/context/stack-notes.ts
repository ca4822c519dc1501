/** The notes of creates of all stacks in this process, and what the states of the backend say. */

import { diskFiles, type Files } from "../../engine/common/disk.ts";
import { type StackPlace, stackFile } from "../../engine/pulumi/backend.ts";
import { typeOf } from "../../engine/pulumi/urn.ts";
import { isSameShop, parseShopMark } from "../change/identity.ts";
import { objectKey, ownerOf, readOwner } from "../names/owner.ts";
import { memoized, sheetStateKey } from "../names/rows.ts";
import { pluginType } from "../names/types.ts";
import { programFolder } from "../settings/folder.ts";
import { engineRunIn } from "../settings/protocol.ts";
import type { Env, Sources } from "../settings/settings.ts";
import { isSentTo, type Note, type Notes, openNotes } from "./create-notes.ts";
import { backendFolder, diskNoteFile, notesPath } from "./note-file.ts";
import { areInState, type CellsInState, cellsInNotes, cellsInState, sheetCells } from "./sheet-cells.ts";
import {
  type Backend,
  byObject,
  type HeldObject,
  heldElsewhere,
  heldIn,
  heldInNewer,
  type Objects,
  objectsOfAll,
  otherStacks,
  strayNotes,
  verifiedIn,
} from "./states.ts";
import type { ValueOwner } from "./value-owners.ts";
import { valuesNotedIn, valuesSetIn } from "./value-owners.ts";

type Say = (line: string) => void;

export interface StackNotes {
  /** Each stack's notes are opened by its first resource. */
  notesOf(sources: Sources, say: Say): Notes;
}

type StackCreates = ReturnType<typeof openStack>;

interface Elsewhere {
  /** URNs by object. */
  readonly held: ReadonlyMap<string, string>;
  readonly stated: ReadonlyMap<string, ValueOwner>;
  /** Owners of resources, by object and the owner in their outputs. */
  readonly moved: ReadonlyMap<string, string>;
}

/** The stack of a resource. An owner of an older version has no project: then the engine's variable has it. */
const placeOf = (of: string, env: Env): StackPlace => {
  const { stack, project = env.PULUMI_NODEJS_PROJECT ?? "" } = readOwner(of);
  return { stack, project };
};

/** Where a process reads and writes notes and states. */
export interface NotesPlace {
  readonly files: Files;
  readonly folder: string;
  /** Identifies the process among others. */
  readonly about: string;
}

const thisProcess = (): NotesPlace => ({
  files: diskFiles,
  folder: programFolder(),
  about: String(process.pid),
});

/** Opens the notes of each stack once in a run. */
export function stackNotes(at: () => NotesPlace = thisProcess): StackNotes {
  const allNotes = new Map<string, Notes>();
  const allStacks = new Map<string, StackCreates>();
  const opened = (path: string, say: Say): Notes => {
    const { files, about } = at();
    const found = allNotes.get(path) ?? openNotes(() => diskNoteFile(path, files), about, say);
    allNotes.set(path, found);
    return found;
  };
  return {
    notesOf({ env }, say) {
      // Cached: every check needs the path.
      const paths = new Map<string, string>();
      const stackOf = (of: string): StackCreates => {
        const place = placeOf(of, env);
        const key = JSON.stringify(place);
        const { files, folder } = at();
        const path = paths.get(key) ?? notesPath(place, folder, env, files);
        paths.set(key, path);
        const found = allStacks.get(path);
        if (found !== undefined) return found;
        const root = backendFolder(folder, env, files);
        const { isPreview = false } = engineRunIn(env);
        const backend = root === undefined ? undefined : { root, files, withJournals: isPreview };
        const stack = openStack(place, opened(path, say), backend, (one) => opened(one, say));
        allStacks.set(path, stack);
        return stack;
      };
      const every = (of: string) => {
        const { own, strays } = stackOf(of);
        return [own, ...strays()];
      };
      return {
        of(kind, of) {
          const { own, strays } = stackOf(of);
          const found = own.of(kind, of);
          if (found.length > 0) return found;
          return strays().flatMap((notes) => notes.of(kind, of));
        },
        isOfOther: (kind, id, of) => every(of).some((notes) => notes.isOfOther(kind, id, of)),
        heldElsewhere: (kind, id, { of, shop }) => stackOf(of).elsewhere(shop).held.get(objectKey(kind, id)),
        ownerNow(kind, id, { of, shop }) {
          const key = objectKey(kind, id);
          const { state, elsewhere } = stackOf(of);
          return (state(shop).has(key) ? undefined : elsewhere(shop).moved.get(`${key} ${of}`)) ?? of;
        },
        setElsewhere: (of, here) => stackOf(of).elsewhere(here).stated,
        sheetNotes: (of) => every(of).flatMap((notes) => notes.sheetNotes(of)),
        sheetCells: (of, shop) => sheetCells(of, stackOf(of).cells, shop),
        begin: (note) => stackOf(note.of).own.begin(note),
        async found(kind, of, id, isGone) {
          await Promise.all(every(of).map((notes) => notes.found(kind, of, id, isGone)));
        },
        async end(kind, of) {
          await Promise.all(every(of).map((notes) => notes.end(kind, of)));
        },
        async confirm(kind, id, of) {
          if (of !== undefined && of !== "") stackOf(of).strays();
          await Promise.all([...allNotes.values()].map((notes) => notes.confirm(kind, id)));
        },
        all: () => [...allStacks.values()].flatMap(({ own }) => own.all()),
        inState: (kind, id, { of, shop }) => stackOf(of).state(shop).get(objectKey(kind, id)),
        newOwnerOf(kind, id, of) {
          const held = stackOf(of).having(kind, id);
          const own = held.find((one) => one.of === of);
          // Two shops may each have an object with this id.
          const first = own && held.find((one) => mayBeIn(own.shop, one))?.of;
          return first === of ? undefined : first;
        },
        setInOtherForm: (own, key) => stackOf(own.of).setInOtherForm(own, key),
        heldBy: (of) => stackOf(of).heldBy(of),
        isInState: (of) => stackOf(of).owners().has(of),
        inNewer(kind, of) {
          const newer = stackOf(of).newer();
          return newer.size === 0 ? undefined : { id: newer.get(`${kind} ${of}`) };
        },
      };
    },
  };
}

/** @param backend undefined if the states aren't in a folder */
function openStack(
  place: StackPlace,
  notes: Notes,
  backend: Backend | undefined,
  opened: (path: string) => Notes,
) {
  /** Nothing if the states aren't in a folder. */
  const read = <T>(nothing: T, from: (backend: Backend) => T) =>
    backend === undefined ? nothing : from(backend);
  const held = (isMeant?: (text: string) => boolean) => read([], (at) => heldIn(at, place, isMeant));
  const all = once(() => held());
  const state = memoized((here: string): Objects => byObject(all().filter((one) => mayBeIn(here, one))));
  const hasSheet = (text: string) => text.includes(`"${sheetStateKey}"`);
  const inState = memoized((here: string) =>
    cellsInState(held(hasSheet).filter((one) => mayBeIn(here, one))),
  );
  // Pulumi's engine confirms nothing at the end of a run: the objects in its state are confirmed here.
  const own = once(() => {
    if (backend === undefined) endDeleted(notes);
    else {
      // A person may remove a journal: the notes must stay until the state file has their objects.
      const saved = { ...backend, withJournals: false };
      confirmInState(notes, {
        verified: () => verifiedIn(saved, place),
        all: () => byObject(heldIn(saved, place)),
        cells: once(() => cellsInState(heldIn(saved, place, hasSheet))),
      });
    }
    return notes;
  });
  const strays = once<readonly Notes[]>(() =>
    read([], (at) => {
      const found = strayNotes(at, place).map(opened);
      const all = () => objectsOfAll(at);
      const cells = once(() => cellsInState(held(hasSheet)));
      for (const one of found) confirmInState(one, { verified: all, all, cells });
      return found;
    }),
  );
  const inNotes = once(() => cellsInNotes([own(), ...strays()].flatMap((one) => one.sheetNotes(""))));
  const byResource = once(() => new Map(held().map((one) => [resourceIn(one), one])));
  const elsewhere = new Map<string, Elsewhere>();
  const otherNotes = () =>
    read([], (at) =>
      otherStacks(at, place).flatMap((one) =>
        openNotes(
          () => diskNoteFile(stackFile(at.root, one, "creates"), at.files),
          "",
          () => {},
        ).sheetNotes(""),
      ),
    );
  return {
    get own() {
      return own();
    },
    /** Notes of the stack under an older name. */
    strays,
    /** The objects of a shop in its state when one was first asked for; takes the shop's mark. */
    state,
    /** The resources that its current state has an object for, in its order. */
    having(kind: string, id: string) {
      // Most states have the id once: then the state isn't parsed.
      const isTwice = (text: string) => text.split(JSON.stringify(id)).length > 2;
      const key = objectKey(kind, id);
      return held(isTwice)
        .filter((one) => one.key === key)
        .map((one) => ({ of: resourceIn(one), shop: one.shop }));
    },
    /** The objects and values of other stacks in a shop. @param here the shop's mark */
    elsewhere(here: string): Elsewhere {
      const known = elsewhere.get(here);
      if (known !== undefined) return known;
      const others = read([], (at) => heldElsewhere(at, place, here));
      // A run with an id in its note has ended: the state tells what it set.
      const begun = otherNotes().filter((note) => note.id === undefined && isSentTo(here, note));
      const stated = new Map([...begun.flatMap(valuesNotedIn), ...others.flatMap(valuesSetIn)]);
      const moved = new Map(others.map((one) => [`${one.key} ${resourceIn(one)}`, ownerOf(one.urn).of]));
      const found = { held: byObject(others), stated, moved };
      elsewhere.set(here, found);
      return found;
    },
    /** The values that its sheets had set when one was first needed. */
    cells: { inState, inNotes },
    setInOtherForm({ of, shop }: Pick<Note, "of" | "shop">, key?: string) {
      const all = held().filter((one) => mayBeIn(shop, one));
      const isNative = ({ kind, urn }: HeldObject) => typeOf(urn) === pluginType(kind);
      const same = all.find((one) => ownerOf(one.urn).of === of) ?? all.find((one) => one.key === key);
      const others = all.filter((one) => same === undefined || isNative(one) !== isNative(same));
      return new Map(others.flatMap(valuesSetIn));
    },
    heldBy: (of: string) => byResource().get(of),
    owners: once(() => new Set(all().map(({ urn }) => ownerOf(urn).of))),
    /** After an older state was restored: the ids in the newer state, by kind and resource. Empty otherwise. */
    newer: once(
      () =>
        new Map(
          read([], (at) => heldInNewer(at, place)).map(({ kind, id, urn }) => [
            `${kind} ${ownerOf(urn).of}`,
            id,
          ]),
        ),
    ),
  };
}

/** Two shops may each have an object with one id. A state of an older version names no shop. */
const mayBeIn = (here: string | undefined, { shop }: Pick<HeldObject, "shop">): boolean =>
  here === undefined || shop === undefined || isSameShop(parseShopMark(shop), parseShopMark(here));

const resourceIn = ({ outputs, urn }: HeldObject) => String(outputs.__of ?? ownerOf(urn).of);

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Ends the notes of sheets that an earlier process has deleted, where no state can be read. */
function endDeleted(notes: Notes): void {
  for (const { kind, of, isGone } of notes.all()) if (isGone) void notes.end(kind, of);
}

interface InState {
  readonly verified: () => Has;
  readonly all: () => Has;
  readonly cells: () => CellsInState;
}

interface Has {
  has(key: string): boolean;
}

/**
 * Ends the notes of objects in a state, and of deleted ones that it lacks. Reads it only if there are such notes. A state that
 * has a sheet may lack its last prices, so notes of prices end by those.
 * @param objects in the state; the verified ones have no pending operation
 */
function confirmInState(notes: Notes, { verified, all, cells }: InState): void {
  const open = notes.all().flatMap(({ id, ...note }) => (id === undefined ? [] : [{ ...note, id }]));
  const [made, gone] = [open.filter(({ isGone }) => !isGone), open.filter(({ isGone }) => isGone)];
  const isIn = made.length === 0 ? new Set() : verified();
  const isLeft = gone.length === 0 ? new Set() : all();
  const pricesOf = (of: string) => notes.sheetNotes(of).filter((one) => one.of === of);
  const hasPrices = ({ of, rows, hashes }: Note) =>
    rows === undefined ||
    // The state encrypts secret rows. A note with an id is of a run that ended.
    hashes !== undefined ||
    areInState(
      pricesOf(of),
      (place) =>
        cells()
          .get(place)
          ?.find(({ sheet }) => sheet === of)?.cell,
      () => "",
    );
  for (const { kind, id } of [
    ...made.filter((one) => isIn.has(objectKey(one.kind, one.id)) && hasPrices(one)),
    ...gone.filter((one) => !isLeft.has(objectKey(one.kind, one.id))),
  ])
    void notes.confirm(kind, id);
}
