/** The values that a stack's price sheets have set, according to its state and to the notes of interrupted runs. */
import { parseUrn } from "../../engine/pulumi/urn.ts";
import { ownerOf } from "../names/owner.ts";
import {
  type CellState,
  parseSheetState,
  type SheetCells,
  sheetPlacesKey,
  sheetStateKey,
} from "../names/rows.ts";
import { isSameShop, parseShopMark } from "../values/identity.ts";
import type { HeldObject } from "./states.ts";
import { numberedPlace, shownSheet } from "./value-owners.ts";

/** A cell in the state. */
interface StateCell {
  readonly place: string;
  readonly sheet: string;
  readonly cell: CellState;
  /** The sheet's name if its rows are secret. */
  readonly secretIn: string | undefined;
}

export type CellsInState = ReadonlyMap<string, readonly StateCell[]>;

/** The cells of a state's sheets, by place. */
export const cellsInState = (held: readonly HeldObject[]): CellsInState =>
  Map.groupBy(
    held
      .filter(({ outputs }) => outputs[sheetStateKey] !== undefined)
      .flatMap(({ urn, outputs }) => {
        const secretIn = outputs[sheetPlacesKey] === undefined ? undefined : parseUrn(urn).name;
        return [...shownSheet(outputs).rows.values()].flatMap(({ variant, cells }) =>
          [...cells].map(([column, cell]) => ({
            place: numberedPlace("variants", variant, column),
            sheet: ownerOf(urn).of,
            cell,
            secretIn,
          })),
        );
      }),
    ({ place }) => place,
  );

/** A value that an interrupted run was about to write, with the one before the sheet. */
interface NotedCell {
  readonly place: string;
  readonly of: string;
  readonly shop: string;
  readonly cell: CellState;
}

export type CellsInNotes = ReadonlyMap<string, readonly NotedCell[]>;

interface SheetNote {
  readonly of: string;
  readonly shop: string;
  readonly rows?: string;
  readonly id: string | undefined;
  readonly isGone?: true;
}

const notedCells = (note: SheetNote) =>
  [...parseSheetState(note.rows).rows.values()].flatMap(({ variant, cells }) =>
    [...cells].map(([column, cell]) => ({ place: numberedPlace("variants", variant, column), note, cell })),
  );

/** The cells of notes of interrupted runs, by place, oldest first. */
export const cellsInNotes = (notes: readonly SheetNote[]): CellsInNotes =>
  Map.groupBy(
    notes.flatMap((one) =>
      notedCells(one).map(({ place, note: { of, shop }, cell }) => ({ place, of, shop, cell })),
    ),
    ({ place }) => place,
  );

/**
 * Whether the state of a sheet has what its notes say.
 * @param notes of one sheet, oldest first
 * @param cellAt the sheet's cell in its state
 */
export function areInState(
  notes: readonly SheetNote[],
  cellAt: (place: string) => CellState | undefined,
): boolean {
  const last = new Map(notes.flatMap(notedCells).map((one) => [one.place, one]));
  return [...last].every(([place, { note, cell }]) => isInState(note, cell, cellAt(place)));
}

/** Of a secret row the note has no new price; then its run must have ended. */
function isInState(note: SheetNote, { asked, before }: CellState, cell: CellState | undefined): boolean {
  if (cell === undefined) return asked === before;
  const isWritten = cell.asked === asked || (asked === before && note.id !== undefined && !note.isGone);
  return cell.before === before && isWritten;
}

/** The sources of one stack; each is read when it is needed. */
export interface CellSources {
  readonly inState: () => CellsInState;
  readonly inNotes: () => CellsInNotes;
  /** The shop's mark. */
  readonly here: () => string;
}

/** @param of a resource, whose own cells in the state don't count as another sheet's */
export function sheetCells(of: string, { inState, inNotes, here }: CellSources): SheetCells {
  const other = (place: string) =>
    inState()
      .get(place)
      ?.findLast(({ sheet }) => sheet !== of);
  const isHere = ({ shop }: NotedCell) => isSameShop(parseShopMark(shop), parseShopMark(here()));
  return {
    cell(place, is, own) {
      const all = inNotes().get(place)?.filter(isHere) ?? [];
      // A note that the state has caught up with is of no interrupted run, and a value of it may be staff's by now.
      const last = all.findLast((one) => one.of === of)?.cell;
      const isCaughtUp = own !== undefined && last?.asked === own.asked && last?.before === own.before;
      const noted = isCaughtUp ? all.filter((one) => one.of !== of) : all;
      const found = own === undefined ? other(place) : undefined;
      const cell = own ?? (found?.secretIn === undefined ? found?.cell : undefined);
      const before = cell?.before ?? noted[0]?.cell.before;
      const value = is ?? "";
      const written = noted.find((one) => one.cell.asked === value)?.cell.asked;
      if (written !== undefined) return { asked: written, before };
      if (before === undefined) return cell;
      // Another sheet may have put it back in this run.
      if (cell === undefined || (own === undefined && before === value)) return { asked: before, before };
      return { ...cell, before };
    },
    secretIn: (place) => other(place)?.secretIn,
  };
}
