/** The values that a stack's price sheets have set, according to its state and to the notes of interrupted runs. */
import { parseUrn } from "../../engine/pulumi/urn.ts";
import { isSameShop, parseShopMark } from "../change/identity.ts";
import { ownerOf } from "../names/owner.ts";
import {
  type CellState,
  parseSheetState,
  type SheetCells,
  sheetPlacesKey,
  sheetStateKey,
  type Value,
} from "../names/rows.ts";
import type { HeldObject } from "./states.ts";
import { keyedPlace, numberedPlace, shownSheet } from "./value-owners.ts";

interface StateCell {
  readonly place: string;
  /** `sku MUG-R price`. */
  readonly keyed: string;
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
        return [...shownSheet(outputs).rows].flatMap(([key, { variant, cells }]) =>
          [...cells].map(([column, cell]) => ({
            place: numberedPlace("variants", variant, column),
            keyed: keyedPlace(String(outputs.key ?? "sku"), key, column),
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
  /** Of a secret row: a hash in place of the value. */
  readonly hash: string | undefined;
}

/** A hash that only those can compute who can read the shop. */
export type KeyedHash = (text: string) => string;

/** The hash of a value in the note of a secret row. */
export const cellHash = (hash: KeyedHash, place: string, value: unknown): string =>
  hash(`${place} ${value ?? ""}`);

/** Whether a run was about to write this value. */
const isNoted = (
  { place, cell, hash }: Pick<NotedCell, "place" | "cell" | "hash">,
  value: unknown,
  hashOf: KeyedHash,
): boolean => (hash === undefined ? cell.asked === value : cellHash(hashOf, place, value) === hash);

export type CellsInNotes = ReadonlyMap<string, readonly NotedCell[]>;

interface SheetNote {
  readonly of: string;
  readonly shop: string;
  readonly rows?: string;
  readonly hashes?: Readonly<Record<string, string>>;
}

const notedCells = ({ of, shop, rows, hashes }: SheetNote): readonly NotedCell[] =>
  [...parseSheetState(rows).rows.values()].flatMap(({ variant, cells }) =>
    [...cells].map(([column, cell]) => {
      const place = numberedPlace("variants", variant, column);
      return { place, of, shop, cell, hash: hashes?.[place] };
    }),
  );

/** The cells of notes of interrupted runs, by place, oldest first. */
export const cellsInNotes = (notes: readonly SheetNote[]): CellsInNotes =>
  Map.groupBy(notes.flatMap(notedCells), ({ place }) => place);

/**
 * Whether the state of a sheet has what its notes say.
 * @param notes of one sheet, oldest first
 * @param cellAt the sheet's cell in its state
 */
export function areInState(
  notes: readonly SheetNote[],
  cellAt: (place: string) => CellState | undefined,
  hash: KeyedHash,
): boolean {
  const last = new Map(notes.flatMap(notedCells).map((one) => [one.place, one]));
  return [...last.values()].every((one) => {
    const { before } = one.cell;
    const cell = cellAt(one.place) ?? { asked: before, before };
    return cell.before === before && isNoted(one, cell.asked, hash);
  });
}

const isValue = (value: unknown): value is Value => value === "" || typeof value === "number";

/** The sources of one stack; each is read when it is needed. */
export interface CellSources {
  /** @param here the shop's mark: another shop may have the variant's number or key, too */
  readonly inState: (here: string) => CellsInState;
  readonly inNotes: () => CellsInNotes;
}

/** How a sheet recognises its shop, and the secret values that runs wrote there. */
export interface ShopKnown {
  /** The shop's mark. */
  readonly here: () => string;
  readonly hash: KeyedHash;
}

export function sheetCells(
  of: string,
  { inState, inNotes }: CellSources,
  { here, hash }: ShopKnown,
): SheetCells {
  const isOthers = ({ sheet }: StateCell) => sheet !== of;
  const other = (place: string) => inState(here()).get(place)?.findLast(isOthers);
  let byKey: ReadonlyMap<string, StateCell> | undefined;
  const isHere = ({ shop }: NotedCell) => isSameShop(parseShopMark(shop), parseShopMark(here()));
  return {
    cell(place, is, own) {
      const all = inNotes().get(place)?.filter(isHere) ?? [];
      // A note that the state has caught up with is of no interrupted run, and a value of it may be staff's by now.
      const last = all.findLast((one) => one.of === of);
      const isCaughtUp =
        own !== undefined &&
        last !== undefined &&
        last.cell.before === own.before &&
        isNoted(last, own.asked, hash);
      const noted = isCaughtUp ? all.filter((one) => one.of !== of) : all;
      const found = own === undefined ? other(place) : undefined;
      const cell = own ?? (found?.secretIn === undefined ? found?.cell : undefined);
      const before = cell?.before ?? noted[0]?.cell.before;
      const value = is ?? "";
      if (isValue(value) && noted.some((one) => isNoted(one, value, hash))) return { asked: value, before };
      if (before === undefined) return cell;
      // Another sheet may have put it back in this run.
      if (cell === undefined || (own === undefined && before === value)) return { asked: before, before };
      return { ...cell, before };
    },
    remade(keyed, is) {
      byKey ??= new Map(
        [...inState(here()).values()].flat().flatMap((one) => (isOthers(one) ? [[one.keyed, one]] : [])),
      );
      const found = byKey.get(keyed);
      return found?.secretIn === undefined && found?.cell.asked === (is ?? "") ? found.cell : undefined;
    },
    secretIn: (place) => other(place)?.secretIn,
  };
}
