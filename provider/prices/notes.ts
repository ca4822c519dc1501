/** Notes of the prices that a restoring sheet writes, on disk before each write: a run that is interrupted leaves them to the next. */

import { isSecretPath } from "../change/secrets.ts";
import { markOfShop, type Shop } from "../context/context.ts";
import { isSentTo, type Note } from "../context/create-notes.ts";
import { areInState, cellHash } from "../context/sheet-cells.ts";
import { numberedPlace } from "../context/value-owners.ts";
import { ownerIn, readOwner } from "../names/owner.ts";
import {
  type CellState,
  parseSheetState,
  printSheetState,
  type RowState,
  type SheetState,
} from "../names/rows.ts";
import type { Values } from "../wire/codec.ts";
import { prices } from "./definition.ts";
import { valueIn } from "./rows.ts";
import { held, type Outcome, variantIn } from "./work.ts";

const { kind } = prices;

/** Notes what is about to be written, with the values before the sheet. @param seen the product in the shop */
export async function noteWrites(
  { shop, args }: { readonly shop: Shop; readonly args: Values },
  { tasks, sends }: Outcome,
  seen: Values,
): Promise<void> {
  const written = new Map<string, RowState>();
  for (const task of tasks) {
    const { key, product, variant, asked } = task;
    const there = variantIn(seen, variant) ?? {};
    const cells = [...asked].flatMap(([column, value]): [string, CellState][] => {
      if (!sends.get(variant)?.has(column)) return [];
      const is = held(valueIn(there, column));
      const before = task.cellOf(task, column, is)?.before ?? is;
      return [[column, { asked: value, before }]];
    });
    const all = new Map([...(written.get(key)?.cells ?? []), ...cells]);
    if (all.size > 0) written.set(key, { product, variant, cells: all });
  }
  await begin({ shop, args }, written);
}

/**
 * Notes that nothing of rows without a variant is left to put back: no state will have what their earlier notes say.
 * @param noted the variants of earlier notes
 */
export async function noteGone(
  sheet: { readonly shop: Shop; readonly args: Values },
  { rows, gone }: Pick<Outcome, "rows" | "gone">,
  noted: ReadonlySet<string>,
): Promise<void> {
  const over = rows.filter(({ key, variant }) => gone.includes(key) && noted.has(variant));
  const states = over.map(({ key, product, variant, known }): [string, RowState] => {
    const cells = [...known].flatMap(([column, { before }]): [string, CellState][] =>
      before === undefined ? [] : [[column, { asked: before, before }]],
    );
    return [key, { product, variant, cells: new Map(cells) }];
  });
  await begin(sheet, new Map(states));
}

async function begin(
  { shop, args }: { readonly shop: Shop; readonly args: Values },
  written: SheetState["rows"],
): Promise<void> {
  if (written.size === 0) return;
  const isSecret = isSecretPath(args, "rows");
  await shop.notes.begin({
    of: ownerIn(args),
    kind,
    shop: markOfShop(shop),
    at: shop.now(),
    skewMs: shop.skewMs(),
    above: {},
    print: { by: [], key: undefined, content: "", text: undefined },
    rows: printSheetState({ columns: [], rows: isSecret ? withoutSecrets(written) : written }),
    ...(isSecret && { hashes: hashesOf(shop, written) }),
  });
}

/** By which the next run recognises the prices of secret rows. */
const hashesOf = (shop: Shop, rows: SheetState["rows"]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...rows.values()].flatMap(({ variant, cells }) =>
      [...cells].map(([column, { asked }]) => {
        const place = numberedPlace("variants", variant, column);
        return [place, cellHash(shop.keyedHash, place, asked)];
      }),
    ),
  );

/** Secret rows show neither their keys nor their prices. */
const withoutSecrets = (rows: SheetState["rows"]): SheetState["rows"] =>
  new Map(
    [...rows.values()].map(({ cells, ...row }) => {
      const shown = [...cells].map(
        ([column, { before = "" }]) => [column, { asked: before, before }] as const,
      );
      return [row.variant, { ...row, cells: new Map(shown) }];
    }),
  );

/**
 * The notes of a sheet's interrupted runs; none if the sheet's state has what its runs have written.
 * @param owners the sheet's name, and the one in its state
 */
export function ownNotes(shop: Shop, owners: readonly string[], known: () => SheetState): readonly Note[] {
  const notes = [...new Set(owners)]
    .flatMap((of) => shop.notes.of(kind, of))
    .filter((note) => isSentTo(markOfShop(shop), note));
  if (notes.length === 0) return notes;
  const cells = new Map(
    [...known().rows.values()].flatMap((row) =>
      [...row.cells].map(([column, cell]) => [numberedPlace("variants", row.variant, column), cell] as const),
    ),
  );
  // A note without an id is of a run that didn't come to its end.
  const isOver =
    notes.every(({ id }) => id !== undefined) &&
    areInState(notes, (place) => cells.get(place), shop.keyedHash);
  return isOver ? [] : notes;
}

/**
 * Ends the notes of a sheet that a state has caught up with, as soon as an engine shows that state. The embedded engine's states
 * are in a folder, where that is known for all sheets (run/stack-notes.ts).
 * @param owners the sheet's name, and the one in its state
 * @param known of the state that an engine has written: a refresh may show one that nobody writes
 */
export async function endOwnNotes(
  shop: Shop,
  owners: readonly string[],
  known: () => SheetState,
): Promise<void> {
  if (shop.plan.isEmbedded) return;
  const all = [...new Set(owners)];
  const notes = all.flatMap((of) => shop.notes.of(kind, of));
  const isHere = notes.every((note) => isSentTo(markOfShop(shop), note));
  if (notes.length > 0 && isHere && ownNotes(shop, all, known).length === 0)
    await Promise.all(all.map((of) => shop.notes.end(kind, of)));
}

/** A sheet's name, and the one in its state. */
export const ownersOf = (args: Values, { of = ownerIn(args) }: SheetState): readonly string[] => [
  ...new Set([ownerIn(args), of]),
];

/**
 * The notes of sheets that a run began to create and that no state has, if this one sets a value of theirs: such a sheet
 * has another name by now.
 * @param sets the values that this sheet sets, by place
 */
export function takenOverNotes(shop: Shop, args: Values, sets: () => ReadonlySet<string>): readonly Note[] {
  const of = ownerIn(args);
  const isOthers = (note: Note) =>
    readOwner(note.of).place !== readOwner(of).place &&
    !shop.notes.isInState(note.of) &&
    !shop.plan.recovered.has(note.of) &&
    isSentTo(markOfShop(shop), note);
  const others = shop.notes.sheetNotes(of).filter(isOthers);
  if (others.length === 0) return [];
  const own = sets();
  const isTaken = (note: Note) =>
    [...rowsIn(note).values()].some(({ variant, cells }) =>
      [...cells.keys()].some((column) => own.has(numberedPlace("variants", variant, column))),
    );
  return [...Map.groupBy(others, (note) => note.of).values()].filter((all) => all.some(isTaken)).flat();
}

const rowsIn = ({ rows }: Note) => parseSheetState(rows).rows;

/** The variants whose prices interrupted runs may have written. */
export const variantsIn = (notes: readonly Note[]): ReadonlySet<string> =>
  new Set(notes.flatMap((note) => [...rowsIn(note).values()].map(({ variant }) => variant)));

/** Adds the rows of notes to a sheet's state, with the values before the sheet; `SheetCells` tells which were written. */
export function withNotes(known: SheetState, notes: readonly Note[]): SheetState {
  if (notes.length === 0) return known;
  const rows = new Map<string, RowState>(known.rows);
  const keys = new Map([...rows].map(([key, { variant }]) => [variant, key]));
  for (const [name, noted] of notes.flatMap((note) => [...rowsIn(note)])) {
    const key = keys.get(noted.variant) ?? (rows.has(name) ? noted.variant : name);
    keys.set(noted.variant, key);
    const row = rows.get(key) ?? noted;
    const cells = new Map<string, CellState>(rows.get(key)?.cells);
    for (const [column, { before = "" }] of noted.cells) {
      const cell = cells.get(column);
      cells.set(column, { asked: before, ...cell, before: cell?.before ?? before });
    }
    rows.set(key, { ...row, cells });
  }
  return { ...known, rows };
}
