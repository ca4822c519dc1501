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
  readonly shop: string;
  readonly cell: CellState;
}

export type CellsInNotes = ReadonlyMap<string, readonly NotedCell[]>;

/** The cells of notes of interrupted runs, by place, oldest first. */
export const cellsInNotes = (
  notes: readonly { readonly shop: string; readonly rows?: string }[],
): CellsInNotes =>
  Map.groupBy(
    notes.flatMap(({ shop, rows }) =>
      [...parseSheetState(rows).rows.values()].flatMap(({ variant, cells }) =>
        [...cells].map(([column, cell]) => ({
          place: numberedPlace("variants", variant, column),
          shop,
          cell,
        })),
      ),
    ),
    ({ place }) => place,
  );

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
      const noted = inNotes().get(place)?.filter(isHere) ?? [];
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
