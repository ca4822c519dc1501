/** check, diff, create, read, update and delete of a sheet of prices. */

import type { Diff } from "../change/diff.ts";
import { renamedTitles } from "../client/titled-amounts.ts";
import type { Shop } from "../context/context.ts";
import type { Lifecycle, Read } from "../lifecycle/lifecycle.ts";
import { readFromList, readObject } from "../lifecycle/observe.ts";
import { approveCreate, approveObject } from "../lifecycle/plan-report.ts";
import { nameIn, objectKey, ownerIn, resourceOf } from "../names/owner.ts";
import {
  type CellState,
  hasRowsOf,
  isDeletedRow,
  parseSheetState,
  printSheetState,
  type RowState,
  type SheetState,
  sheetStateKey,
} from "../names/rows.ts";
import type { Values } from "../wire/codec.ts";
import { unknownValue } from "../wire/text.ts";
import { listOf } from "../wire/values.ts";
import { bring, digestOf, settings, settingsOf, sheetOutputs } from "./bring.ts";
import { check } from "./check.ts";
import { prices, product } from "./definition.ts";
import { findVariants } from "./find.ts";
import { knownOf, replacedBy, tellReplacement } from "./known.ts";
import { afterMoves } from "./moved-keys.ts";
import { endOwnNotes, ownersOf, ownNotes, variantsIn, withNotes } from "./notes.ts";
import { cellOf } from "./other-sheets.ts";
import { newId, noticeUndoneAtEnd, planned, tell, tellMoves, termsOf, unfoundAdvice } from "./plan.ts";
import { columnOf, isRestored, type Key, type Sheet, sheetArgs, sheetIn, textOf, valueIn } from "./rows.ts";
import { leftOf, refuseShared } from "./tasks.ts";
import {
  endsNote,
  folded,
  goneText,
  held,
  keptCells,
  keptText,
  meantVariant,
  openTasks,
  shownBy,
  variantIn,
} from "./work.ts";

const { kind } = prices;

export function pricesVerbs(shop: Shop): Lifecycle {
  return {
    check: (olds, news) => check(shop, olds, news),
    diff: (id, olds, news) => diff(shop, id, olds, news),
    showTextChange: async () => {},
    async preview(args, updated) {
      // The embedded engine checks a replacement with the old arguments.
      const isReplacement = updated === undefined && shop.memory.inState.has(resourceOf(kind, args));
      if (isReplacement && shop.plan.isEmbedded) await tellReplacement(shop, args);
    },
    async create(args) {
      approveCreate({ definition: prices, shop, args });
      return bring(shop, { id: newId(shop, args), args }, replacedBy(shop, args));
    },
    read: (id, olds) => read(shop, id, olds),
    async update(id, olds, args) {
      approveObject({ definition: prices, shop, id });
      return (await bring(shop, { id, args }, knownOf(shop, olds))).outs;
    },
    async delete(id, olds) {
      approveObject({ definition: prices, shop, id });
      // A replacement asks what this one has set: the state is read while it still says so.
      shop.notes.heldBy(ownerIn(olds));
      shop.memory.deleted.add(ownerIn(olds));
      // Only what the shop still has as the sheet asked is put back.
      const end = endOf(shop, olds, knownOf(shop, olds));
      if (end !== undefined) await bring(shop, { id, args: end.args, ends: true }, end.known);
      await shop.notes.found(kind, ownerIn(olds), id, true);
    },
  };
}

async function diff(shop: Shop, id: string, olds: Values, news: Values): Promise<Diff> {
  // A preview also reads a sheet whose delete was interrupted; the program may have it.
  if (shop.memory.putBack.delete(ownerIn(olds))) shop.memory.deleted.delete(ownerIn(olds));
  const changed = settings.filter((name) => (news[name] ?? "") !== (olds[name] ?? ""));
  const isSame = changed.length === 0;
  if (news.rows === unknownValue) return { type: "update", paths: [["rows"]] };
  const readSheet = () => sheetIn(String(news.rows), sheetArgs(news).none);
  const readKnown = () => knownOf(shop, olds);
  const owners = [ownerIn(news), ownerIn(olds)];
  if (!shop.memory.refreshed.has(objectKey(kind, id))) await endOwnNotes(shop, owners, readKnown);
  // A refresh asks how the arguments before it differ.
  const isChecked = shop.memory.inState.has(resourceOf(kind, news));
  if (isChecked)
    refuseShared(shop, news, () => ({
      sheet: readSheet(),
      variants: [...readKnown().rows].map(([own, { variant }]) => [own, variant]),
    }));
  const interrupted = ownNotes(shop, owners, readKnown);
  const isInterrupted = interrupted.length > 0;
  const isRenamed = renamedTitles(shop.transport).size > 0;
  if (isSame && !isInterrupted && !isRenamed && hasRowsOf(olds[sheetStateKey], news.rows))
    return { type: "none" };
  const before = parseSheetState(olds[sheetStateKey]);
  const known = knownOf(shop, olds, before);
  const sheet = readSheet();
  const { keeps } = termsOf(shop, id, news);
  const left = leftOf(isRestored(news) ? withNotes(known, interrupted) : known, sheet).length > 0;
  const open = openTasks(sheet, known, keeps, variantsIn(interrupted));
  // Rows that moved with their titles are sent nowhere, and the state is written under the new ones.
  const isRetitled = known !== before && printSheetState(known) !== printSheetState(before);
  if (isSame && !left && !isRetitled && open.length === 0 && hasEndingNotes(known, sheet)) {
    shop.notice({ type: "changes", kind, id, sends: 0, effects: [], done: [], keeps: [] });
    return { type: "update", paths: [["rows"]] };
  }
  if (isSame && !left && !isRetitled && open.every(([, row]) => row === undefined)) {
    // What meant no variant before may mean one by now.
    const { found, unfound } = await findVariants(
      shop,
      sheetArgs(news).key,
      open.map(([own]) => own),
    );
    // One whose variant a refresh found gone is told until the sheet has it no more.
    const isTold =
      found.size > 0 || unfound.some(({ key, maker }) => maker !== undefined || known.rows.has(key));
    if (!isTold)
      for (const line of [
        ...folded(unfound.map(({ key, why }) => `${key}: ${why}; left out`)),
        ...folded(keeps ? keptTexts(news, sheet, known) : []),
      ])
        shop.sayInPreview(`${nameIn(news)}: ${line}`);
    if (!isTold) return { type: "none" };
  }
  if (shop.plan.isPreview !== false && isChecked) {
    const plan = await planned(shop, id, news, known);
    const wrong = plan.unfound.filter(({ key, maker }) => maker === undefined && !known.rows.has(key));
    if (wrong.length > 0 && news.unknown !== "report")
      throw new Error(
        wrong.map(({ key, why }) => `${JSON.stringify(key)}: ${why}; ${unfoundAdvice(news)}`).join("\n"),
      );
    tell(shop, { id, args: news }, plan);
  }
  const hasRows = isSame || left || open.length > 0 || olds.digest !== digestOf(news);
  return { type: "update", paths: [...changed, ...(hasRows ? ["rows"] : [])].map((name) => [name]) };
}

/** The edits of staff that a refresh has read, and that stay. */
const keptTexts = (args: Values, sheet: Pick<Sheet, "rows">, known: SheetState): readonly string[] =>
  keptCells(sheet, known).map((path) => {
    const cell = known.rows.get(String(path[1]))?.cells.get(columnOf(path));
    return keptText(path, { title: "", shown: shownBy(args) }, cell?.read);
  });

const hasEndingNotes = ({ rows }: SheetState, sheet: Pick<Sheet, "rows">): boolean =>
  [...rows].some(([key, { cells }]) =>
    [...cells].some(([column, cell]) => endsNote(cell, sheet.rows.get(key)?.get(column))),
  );

/** A row with the variant that it means now. */
interface MeantRow extends RowState {
  readonly key: string;
  readonly known: RowState["cells"];
  /** The product that had it. */
  readonly before: string;
  /** Undefined if it means none, or several. */
  readonly now: Values | undefined;
  /** Whether no variant of the shop has its key. */
  readonly isGone: boolean;
}

/** The variants that rows mean, in their products as they were read; those that have lost their keys may be in others. */
async function meantRows(
  shop: Shop,
  known: SheetState,
  seen: ReadonlyMap<string, Values | string>,
  by: Key,
): Promise<{ readonly all: Values; readonly meant: readonly MeantRow[] }> {
  const there = [...known.rows].map(([key, row]) => {
    const now = seen.get(row.product);
    return { key, row, own: typeof now === "object" ? meantVariant(now, { ...row, key }, by) : undefined };
  });
  const sought = there.filter(({ key, own }) => own === undefined || own[by] !== key);
  const { found, unfound } = await findVariants(
    shop,
    by,
    sought.map(({ key }) => key),
  );
  const gone = new Set(unfound.flatMap(({ key, count }) => (count === 0 ? [key] : [])));
  const meant = there.map(({ key, row, own }): MeantRow => {
    // Staff made its product again, or gave its key to a variant of another one.
    const other = isDeletedRow(row) ? undefined : found.get(key);
    return {
      ...row,
      key,
      known: row.cells,
      before: row.product,
      product: other?.product ?? row.product,
      now: other?.seen ?? own,
      isGone: own === undefined && gone.has(key),
    };
  });
  const all = [...seen.values()].flatMap((one) => (typeof one === "object" ? listOf(one.variants) : []));
  return { all: { variants: all }, meant };
}

/** Reads what the shop has of the rows, product by product or in pages. */
async function read(shop: Shop, id: string, olds: Values): Promise<Read | undefined> {
  const own = knownOf(shop, olds);
  await endOwnNotes(shop, [ownerIn(olds)], () => own);
  // A preview reads what it deletes once more: only that tells an end.
  const isOfRefresh = shop.plan.refreshes && !shop.memory.refreshed.has(objectKey(kind, id));
  shop.memory.refreshed.add(objectKey(kind, id));
  const known = isRestored(olds)
    ? withNotes(
        own,
        ownNotes(shop, [ownerIn(olds)], () => own),
      )
    : own;
  const rows = new Map<string, RowState>();
  const lastCell = cellOf(shop, olds, own);
  const products = [...new Set([...known.rows.values()].map((row) => row.product))];
  const seen = new Map(
    await Promise.all(
      products.map(async (own) => {
        const page = await readFromList({ definition: product, shop, id: own }, { isPlanned: false });
        return [own, page ?? (await readObject(product, shop, own))] as const;
      }),
    ),
  );
  const changed: string[] = [];
  const shown = shownBy(olds);
  const { key: by } = sheetArgs(olds);
  const take = (row: MeantRow, variant: Values, isMoved: boolean) => {
    const { key, known } = row;
    // Nobody has set anything of a variant that has just got the key.
    const fresh = (column: string): CellState => {
      const asked = held(valueIn(variant, column));
      return { asked, ...(isRestored(olds) && { before: asked }) };
    };
    const first = [...row.cells].map(([column, cell]) => [column, isMoved ? fresh(column) : cell] as const);
    const cells = [...new Map([...first, ...known])].map(([column, own]) => {
      const value = held(valueIn(variant, column));
      const cell = lastCell({ key, variant: String(variant.id), known }, column, value) ?? own;
      const before = cell.read ?? cell.asked;
      // The embedded engine shows what a refresh found.
      if (value !== before && !shop.plan.isEmbedded)
        changed.push(`${key} ${column}: ${shown(before)} => ${shown(value)}`);
      const { read: _read, ...rest } = cell;
      return [column, value === cell.asked ? rest : { ...rest, read: value }] as const;
    });
    rows.set(key, { product: row.product, variant: String(variant.id), cells: new Map(cells) });
  };
  const { all, meant } = await meantRows(shop, known, seen, by);
  const idOf = (row: MeantRow) => String(row.now?.id ?? row.variant);
  const moves = afterMoves(all, meant, [], { by, idOf });
  for (const [at, row] of moves.rows.entries()) {
    const isMoved = meant[at] !== row;
    if (isMoved) changed.push(`${row.key}: another variant has this ${by} now`);
    if (row.now !== undefined) take(row, row.now, isMoved);
    else if (row.isGone) rows.set(row.key, { product: row.product, variant: row.variant, cells: new Map() });
    if (row.now === undefined && row.cells.size > 0) changed.push(goneText(row.key, ""));
  }
  for (const row of isRestored(olds) ? moves.left : [])
    take({ ...row, product: row.before }, variantIn(all, row.variant) ?? {}, false);
  for (const line of folded(changed)) shop.say(`${nameIn(olds) || id}: ${line}`);
  const now: SheetState = { columns: known.columns, rows };
  const props = { ...olds, ...sheetOutputs(olds, now) };
  // Of one that is replaced nothing ends: the create of its replacement puts back what leaves.
  const isReplaced = shop.memory.inState.has(resourceOf(kind, olds));
  const end =
    shop.plan.isPreview === true && !isOfRefresh && !isReplaced ? endOf(shop, olds, own) : undefined;
  if (end !== undefined) await tellEnd(shop, id, end);
  const planning = shop.plan.isPreview === true ? { keeps: "" as const, requests: products.length } : {};
  return { id, props, inputs: inputsOf(olds, now), ...planning };
}

/** The arguments that would have made this: what the shop has now is what they ask. */
function inputsOf(olds: Values, { columns, rows }: SheetState): Values {
  const values = [...rows].map(
    ([key, { cells }]) =>
      [key, new Map([...cells].map(([column, cell]) => [column, cell.read ?? cell.asked]))] as const,
  );
  return { ...settingsOf(olds), rows: textOf({ columns, rows: new Map(values) }, sheetArgs(olds)) };
}

/** Tells what the end of a sheet sends, and which prices come back by it, where it may be one. */
async function tellEnd(shop: Shop, id: string, { args, known }: End): Promise<void> {
  const { outcomes, withheld } = await planned(shop, id, args, known);
  tellMoves(shop, { id, args, ends: true }, { outcomes, unfound: [], keeps: [], withheld });
  noticeUndoneAtEnd(shop, { id, args }, outcomes);
  // Its resource may be created again in the same run.
  shop.memory.deleted.add(ownerIn(args));
  shop.memory.putBack.set(ownerIn(args), new Map(outcomes.map(({ id: of, sends }) => [of, sends])));
}

/** What a sheet asks when it ends, and the rows whose prices come back. */
interface End {
  readonly args: Values;
  readonly known: SheetState;
}

/**
 * The end of a sheet that puts prices back; undefined if all of them stay. A run that was to make a sheet restore may have been
 * interrupted: then the prices that it wrote come back.
 */
function endOf(shop: Shop, olds: Values, known: SheetState): End | undefined {
  const args = { ...olds, rows: "" };
  if (isRestored(olds)) return { args, known };
  const isNoted = ownNotes(shop, ownersOf(olds, known), () => known).length > 0;
  return isNoted
    ? { args: { ...args, onRemove: "restore" }, known: { ...known, rows: new Map() } }
    : undefined;
}
