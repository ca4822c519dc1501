/** The notes of creates of all stacks in this process, and what the states of the backend say. */
import type { StackPlace } from "../../engine/pulumi/backend.ts";
import { typeOf } from "../../engine/pulumi/urn.ts";
import { objectKey, ownerOf, readOwner } from "../names/owner.ts";
import { sheetStateKey } from "../names/rows.ts";
import { pluginType } from "../names/types.ts";
import { programFolder } from "../settings/folder.ts";
import type { Env, Sources } from "../settings/settings.ts";
import { isSameShop, parseShopMark } from "../values/identity.ts";
import type { Values } from "../wire/codec.ts";
import { type Note, type Notes, openNotes } from "./create-notes.ts";
import { backendFolder, diskNoteFile, notesPath } from "./note-file.ts";
import {
  areInState,
  type CellSources,
  type CellsInState,
  cellsInNotes,
  cellsInState,
  sheetCells,
} from "./sheet-cells.ts";
import {
  type HeldObject,
  heldElsewhere,
  heldIn,
  newerEndings,
  type Objects,
  objectsIn,
  objectsOfAll,
  stateEndings,
  strayNotes,
  verifiedIn,
} from "./states.ts";
import type { ValueOwner } from "./value-owners.ts";
import { valuesSetIn } from "./value-owners.ts";

type Say = (line: string) => void;

export interface StackNotes {
  /** Each stack's notes are opened by its first resource. */
  notesOf(sources: Sources, say: Say): Notes;
}

interface StackCreates {
  readonly own: Notes;
  /** Notes of the stack under an older name. */
  strays(): readonly Notes[];
  /** The objects in its state when this was first called. */
  state(): Objects;
  /** The resources that its current state has an object for, in its order. */
  having(kind: string, id: string): readonly { readonly of: string; readonly shop: string | undefined }[];
  /** The objects and values of other stacks in a shop. @param here the shop's mark */
  elsewhere(here: string): Elsewhere;
  /** The values that its sheets had set when one was first needed. */
  readonly cells: CellSources;
  setInOtherForm: Notes["setInOtherForm"];
  outputsOf: Notes["outputsOf"];
  owners(): ReadonlySet<string>;
  /** After an older state was restored: the ids in the newer state, by kind and resource. Empty otherwise. */
  newer(): ReadonlyMap<string, string>;
}

interface Elsewhere {
  /** URNs by object. */
  readonly held: ReadonlyMap<string, string>;
  readonly stated: ReadonlyMap<string, ValueOwner>;
}

/** The stack of a resource. An owner of an older version has no project: then the engine's variable has it. */
const placeOf = (of: string, env: Env): StackPlace => {
  const { stack, project = env.PULUMI_NODEJS_PROJECT ?? "" } = readOwner(of);
  return { stack, project };
};

/** Opens the notes of each stack once in a run. */
export function stackNotes(): StackNotes {
  const allNotes = new Map<string, Notes>();
  const allStacks = new Map<string, StackCreates>();
  const opened = (path: string, say: Say): Notes => {
    const found = allNotes.get(path) ?? openNotes(() => diskNoteFile(path), String(process.pid), say);
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
        const path = paths.get(key) ?? notesPath(place, programFolder(), env);
        paths.set(key, path);
        const found =
          allStacks.get(path) ?? openStack(place, opened(path, say), env, (one) => opened(one, say));
        allStacks.set(path, found);
        return found;
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
        inState: (kind, id, of) => stackOf(of).state().get(objectKey(kind, id)),
        newOwnerOf(kind, id, of) {
          const held = stackOf(of).having(kind, id);
          const own = held.find((one) => one.of === of);
          // Two shops may each have an object with this id.
          const isIts = ({ shop }: { shop: string | undefined }) =>
            shop === undefined ||
            own?.shop === undefined ||
            isSameShop(parseShopMark(shop), parseShopMark(own.shop));
          const first = own && held.find(isIts)?.of;
          return first === of ? undefined : first;
        },
        setInOtherForm: (of, key) => stackOf(of).setInOtherForm(of, key),
        outputsOf: (of) => stackOf(of).outputsOf(of),
        isInState: (of) => stackOf(of).owners().has(of),
        inNewer(kind, of) {
          const newer = stackOf(of).newer();
          return newer.size === 0 ? undefined : { id: newer.get(`${kind} ${of}`) };
        },
      };
    },
  };
}

function openStack(place: StackPlace, notes: Notes, env: Env, opened: (path: string) => Notes): StackCreates {
  const folder = programFolder();
  const root = () => backendFolder(folder, env);
  /** Reads once; nothing if the states aren't in a folder. */
  const readOnce = <T>(nothing: T, read: (root: string) => T) =>
    once(() => {
      const at = root();
      return at === undefined ? nothing : read(at);
    });
  const state = readOnce<Objects>(new Map(), (at) => objectsIn(at, place));
  const hasSheet = (text: string) => text.includes(`"${sheetStateKey}"`);
  const inState = readOnce(cellsInState([]), (at) => cellsInState(heldIn(at, place, stateEndings, hasSheet)));
  // Pulumi's engine confirms nothing at the end of a run: the objects in its state are confirmed here.
  const own = once(() => {
    const at = root();
    if (at === undefined) endDeleted(notes);
    else
      confirmInState(notes, {
        verified: () => verifiedIn(at, place),
        all: () => objectsIn(at, place),
        cells: inState,
      });
    return notes;
  });
  const strays = readOnce<readonly Notes[]>([], (at) => {
    const found = strayNotes(at, place).map(opened);
    for (const notes of found)
      confirmInState(notes, {
        verified: () => objectsOfAll(at),
        all: () => objectsOfAll(at),
        cells: inState,
      });
    return found;
  });
  const inNotes = once(() => cellsInNotes([own(), ...strays()].flatMap((one) => one.sheetNotes(""))));
  const outputs = readOnce<ReadonlyMap<string, Values>>(
    new Map(),
    (at) => new Map(heldIn(at, place).map((one) => [resourceIn(one), one.outputs])),
  );
  const newer = readOnce<Objects>(new Map(), (at) => objectsIn(at, place, newerEndings));
  const elsewhere = new Map<string, Elsewhere>();
  return {
    get own() {
      return own();
    },
    strays,
    state,
    having(kind, id) {
      const at = root();
      // Most states have the id once: then the state isn't parsed.
      const isTwice = (text: string) => text.split(JSON.stringify(id)).length > 2;
      const held = at === undefined ? [] : heldIn(at, place, undefined, isTwice);
      const key = objectKey(kind, id);
      return held.filter((one) => one.key === key).map((one) => ({ of: resourceIn(one), shop: one.shop }));
    },
    elsewhere(here) {
      const known = elsewhere.get(here);
      if (known !== undefined) return known;
      const at = root();
      const held = at === undefined ? [] : heldElsewhere(at, place, here);
      const found = {
        held: new Map(held.map(({ key, urn }) => [key, urn])),
        stated: new Map(held.flatMap(valuesSetIn)),
      };
      elsewhere.set(here, found);
      return found;
    },
    cells: { inState, inNotes },
    setInOtherForm(of, key) {
      const at = root();
      const held = at === undefined ? [] : heldIn(at, place);
      const isNative = ({ kind, urn }: HeldObject) => typeOf(urn) === pluginType(kind);
      const own = held.find((one) => ownerOf(one.urn).of === of) ?? held.find((one) => one.key === key);
      const others = held.filter((one) => own === undefined || isNative(one) !== isNative(own));
      return new Map(others.flatMap(valuesSetIn));
    },
    outputsOf: (of) => outputs().get(of),
    owners: once(() => new Set([...state().values()].map((urn) => ownerOf(urn).of))),
    newer: once(
      () =>
        new Map(
          [...newer()].map(([key, urn]) => {
            const [kind = "", id = ""] = key.split(/:(.*)/s);
            return [`${kind} ${ownerOf(urn).of}`, id];
          }),
        ),
    ),
  };
}

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
