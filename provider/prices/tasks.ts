/** The rows of a sheet that a run looks at: those that ask for something, and those that have left it. */

import { pathIn } from "../../engine/pulumi/path.ts";
import { ownerHere, type Shop } from "../context/context.ts";
import {
  keyedPlace,
  numberedPlace,
  secretPlace,
  setterText,
  type ValueOwner,
} from "../context/value-owners.ts";
import { nameIn, objectKey } from "../names/owner.ts";
import { isDeletedRow, type RowState, type SheetState, type Value } from "../names/rows.ts";
import type { Values } from "../wire/codec.ts";
import { unknownValue } from "../wire/text.ts";
import { prices, product } from "./definition.ts";
import { type Found, findVariants } from "./find.ts";
import { underTitlesNow } from "./kinds.ts";
import { ownersOf, ownNotes, takenOverNotes, variantsIn, withNotes } from "./notes.ts";
import { cellOf } from "./other-sheets.ts";
import { cellPath, isRestored, type Sheet, sheetArgs, sheetIn } from "./rows.ts";
import { label, openTasks, type Task } from "./work.ts";

const { kind } = prices;

/** Who states what a sheet does. */
export const statingOf = (args: Values): Pick<ValueOwner, "resource" | "of"> => ({
  resource: `${kind} ${nameIn(args)}`,
  of: args.__of,
});

/** The keys whose variants the program makes, according to the plan of the run. */
function plannedLater({ plan }: Shop, id: string): ReadonlySet<string> {
  const planned = plan.approved?.objects[objectKey(kind, id)]?.find(({ ends }) => !ends)?.fields ?? [];
  return new Set(planned.flatMap(({ path, is }) => (is === unknownValue ? [pathIn(path)[1] ?? ""] : [])));
}

/** The rows that ask for something, by product; those that are new are looked for by their key. */
export async function tasksOf(
  shop: Shop,
  { id, args }: { readonly id: string; readonly args: Values },
  before: SheetState,
  keeps: boolean,
) {
  const sheet = sheetIn(String(args.rows), sheetArgs(args).none);
  const own = ownNotes(shop, ownersOf(args, before), () => before);
  // What a sheet has put back at its end isn't as its state says.
  const ended = before.isEnded === true ? [...before.rows.values()].map(({ variant }) => variant) : [];
  const open = openTasks(sheet, before, keeps, new Set([...variantsIn(own), ...ended]));
  const { found, unfound } = await findVariants(
    shop,
    sheetArgs(args).key,
    open.flatMap(([key, row]) => (row === undefined ? [key] : [])),
    plannedLater(shop, id),
  );
  // Staff may have given the key of a row to another variant, and its variant the key of a new row.
  const taken = new Set([...found.values()].map(({ variant }) => variant));
  const doubted = [...before.rows].flatMap(([key, { variant }]) =>
    taken.has(variant) && sheet.rows.has(key) ? [key] : [],
  );
  const { found: again } = await findVariants(shop, sheetArgs(args).key, doubted);
  const places = () =>
    new Set(
      [...sheet.rows].flatMap(([key, asked]) => {
        const variant = (before.rows.get(key) ?? found.get(key))?.variant;
        return [...asked.keys()].map((column) => numberedPlace("variants", variant, column));
      }),
    );
  const notes = isRestored(args) ? [...own, ...takenOverNotes(shop, args, places)] : [];
  const renamed = renamedRows(withNotes(before, notes), sheet, new Map([...found, ...again]));
  const { known, lost } = isRestored(args)
    ? await underTitlesNow(shop, renamed, sheet)
    : { known: renamed, lost: [] };
  const lastCell = cellOf(shop, args, before);
  const taskOf = (key: string, place: Pick<RowState, "product" | "variant"> | undefined): readonly Task[] => {
    const asked = sheet.rows.get(key);
    if (place === undefined || asked === undefined) return [];
    const cells = known.rows.get(key)?.cells ?? new Map();
    return [{ key, product: place.product, variant: place.variant, asked, known: cells, cellOf: lastCell }];
  };
  const tasks = open.flatMap(([key, row]) => taskOf(key, row ?? found.get(key)));
  refuseShared(shop, args, () => ({ sheet, variants: tasks.map(({ key, variant }) => [key, variant]) }));
  // What the program states by now, in whatever row or resource, is that one's.
  const isLeft = isRestored(args) && leftOf(known, sheet).length > 0;
  let inOtherForm: ReadonlyMap<string, ValueOwner> | undefined;
  const moved = () => {
    inOtherForm ??= shop.notes.setInOtherForm(ownerHere(shop, args), objectKey(kind, id));
    return inOtherForm;
  };
  const secretly = (at: string) => moved().get(secretPlace("variants", product.kind, at));
  const freeOf =
    (isMeant: (by: ValueOwner) => boolean): IsFree =>
    (own, { product: at, variant }, column) => {
      // One that is new in its sheet has a key when it is checked, and a number once it is found.
      const places = [
        numberedPlace("variants", variant, column),
        keyedPlace(sheetArgs(args).key, own, column),
      ];
      const isSet = places.some((place) => {
        const by = shop.memory.valueOwners.of(place);
        const other = moved().get(place);
        // One that this process has checked has claimed what it sets from now on.
        const isChecked = shop.memory.inState.has(`${other?.resource.split(" ")[0]} ${other?.of}`);
        return (by !== undefined && isMeant(by)) || (other !== undefined && !isChecked);
      });
      return !isSet && secretly(at) === undefined;
    };
  const leaving = isLeft
    ? leavingTasks(
        known,
        sheet,
        freeOf(() => true),
      )
    : [];
  const secret = [...(isLeft ? known.rows : [])].flatMap(([key, row]) => {
    const by = sheet.rows.has(key) ? undefined : secretly(row.product);
    return by === undefined
      ? []
      : [`${key} keeps its price: ${by.resource} has secret ${by.at}, and may set it`];
  });
  const all = [...tasks, ...leaving.map((task) => ({ ...task, cellOf: lastCell }))];
  const isOpen = new Set(open.map(([key]) => key));
  let others: ReadonlyMap<string, readonly Task[]> | undefined;
  const interrupted = new Set([...ownersOf(args, before), ...notes.map(({ of }) => of)]);
  return {
    sheet,
    known,
    unfound,
    interrupted,
    noted: variantsIn(notes),
    withheld: [...secret, ...lost],
    byProduct: Map.groupBy(all, (task) => task.product),
    /** The sheet itself has claimed what it set of a variant whose key another one has by now. */
    isFree: freeOf((by) => by.of !== args.__of),
    /** The rows of a product that ask for nothing else than before. */
    othersOf(product: string): readonly Task[] {
      others ??= Map.groupBy(
        [...before.rows].flatMap(([key, row]) =>
          isOpen.has(key) || isDeletedRow(row) ? [] : taskOf(key, row),
        ),
        (task) => task.product,
      );
      return others.get(product) ?? [];
    },
  };
}

/**
 * What is known, under the keys of the sheet: a row that means the variant of one that left has another key now.
 * @throws Error where two rows of the sheet ask the same of one variant
 */
function renamedRows(
  known: SheetState,
  { rows }: Pick<Sheet, "rows">,
  found: ReadonlyMap<string, Found>,
): SheetState {
  const keys = new Map(
    [...rows.keys()].flatMap((key) => {
      const place = found.get(key) ?? known.rows.get(key);
      return place === undefined ? [] : [[place.variant, key] as const];
    }),
  );
  const shared: string[] = [];
  const renamed = new Map<string, RowState>();
  for (const [key, row] of known.rows) {
    const now = keys.get(row.variant) ?? key;
    const [asked, others] = [rows.get(key), rows.get(now)];
    const isMoved = (found.get(key)?.variant ?? row.variant) !== row.variant;
    const both =
      now === key || isMoved ? [] : [...(asked?.keys() ?? [])].filter((column) => others?.has(column));
    for (const column of both)
      shared.push(`the rows ${key} and ${now} set the ${column} of the same variant; remove one of them`);
    const own = asked === undefined ? now : key;
    renamed.set(own, { ...row, cells: new Map([...(renamed.get(own)?.cells ?? []), ...row.cells]) });
  }
  if (shared.length > 0) throw new Error(shared.join("\n"));
  return { ...known, rows: renamed };
}

/** Rows of a sheet, with the numbers of their variants. */
interface FoundRows {
  readonly sheet: Pick<Sheet, "rows">;
  readonly variants: readonly (readonly [key: string, variant: string])[];
}

/**
 * Refuses what another resource of the program states of the same variants, whatever it calls them by.
 * @throws Error that names both
 */
export function refuseShared(shop: Shop, args: Values, rowsOf: () => FoundRows): void {
  const claims = () => {
    const { sheet, variants } = rowsOf();
    return variants.flatMap(([key, variant]) =>
      [...(sheet.rows.get(key)?.keys() ?? [])].map((column) => ({
        place: numberedPlace("variants", variant, column),
        at: `${sheetArgs(args).key} ${key}`,
        text: `${column} of ${key}`,
      })),
    );
  };
  const shared = shop.memory.valueOwners
    .claimAll(statingOf(args), claims)
    .map(({ text, other }) => `${text} is set by ${setterText(other)} too; remove it from one of the two`);
  if (shared.length > 0) throw new Error(shared.join("\n"));
}

/** Whether nothing of the program states a value that a row had. */
export type IsFree = (key: string, row: Pick<RowState, "product" | "variant">, column: string) => boolean;

/** What the sheet states no more, with what was there before it. */
function leavingTasks(
  known: SheetState,
  { rows }: Pick<Sheet, "rows">,
  isFree: IsFree,
): readonly Omit<Task, "cellOf">[] {
  return [...known.rows].flatMap(([key, row]) => {
    const { product: own, variant, cells } = row;
    const left = [...cells].flatMap(([column, { before }]) =>
      before === undefined || rows.get(key)?.has(column) || !isFree(key, row, column)
        ? []
        : [[column, before] as const],
    );
    const asked = new Map<string, Value>(left);
    return left.length === 0
      ? []
      : [{ key, product: own, variant, asked, known: cells, isLeaving: true as const }];
  });
}

/** What the sheet had, and has no more: whole rows by their key, others by key and column. */
export const leftOf = (known: SheetState, sheet: Pick<Sheet, "rows">): readonly string[] =>
  [...known.rows].flatMap(([key, row]) => {
    const asked = sheet.rows.get(key);
    if (asked === undefined) return isDeletedRow(row) ? [] : [key];
    return [...row.cells.keys()].flatMap((column) =>
      asked.has(column) ? [] : [label(cellPath(key, column), "")],
    );
  });
