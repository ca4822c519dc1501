/** Brings the shop to what a sheet asks, product by product; what was done is known, whatever ends the run. */

import { hash } from "node:crypto";
import pLimit from "p-limit";
import { pathText } from "../../engine/pulumi/path.ts";
import { programChanges } from "../change/change.ts";
import { partlyDoneText } from "../change/conflict.ts";
import { isSecretPath } from "../change/secrets.ts";
import type { Shop } from "../context/context.ts";
import { isJudged } from "../context/limits.ts";
import { overwriteText } from "../lifecycle/conflict.ts";
import type { Kept } from "../lifecycle/create.ts";
import { UnfinishedError } from "../lifecycle/lifecycle.ts";
import { approveChange } from "../lifecycle/plan-report.ts";
import { nameIn, objectKey } from "../names/owner.ts";
import {
  isDeletedRow,
  printSheetPlaces,
  printSheetState,
  type RowState,
  type SheetState,
  sheetKindsKey,
  sheetPlacesKey,
  sheetStateKey,
} from "../names/rows.ts";
import type { Values } from "../wire/codec.ts";
import { messageOf } from "../wire/text.ts";
import { beside, reading } from "./check.ts";
import { prices, product } from "./definition.ts";
import { kindsOf } from "./kinds.ts";
import { withMoves } from "./moved-keys.ts";
import { noteGone, noteWrites } from "./notes.ts";
import { cellOf, unknownBeforeLines } from "./other-sheets.ts";
import {
  clashOf,
  planned,
  refuseElsewhere,
  type SheetOf,
  tell,
  tellMoves,
  tellUndone,
  termsOf,
  unfoundAdvice,
} from "./plan.ts";
import type { Sheet } from "./rows.ts";
import { leftOf, tasksOf } from "./tasks.ts";
import {
  compare,
  conflictLines,
  endsNote,
  folded,
  goneIn,
  goneText,
  keptCells,
  lookAt,
  type Outcome,
  send,
  type Task,
} from "./work.ts";

const { kind } = prices;

export const settings = ["file", "key", "none", "unknown", "onRemove", "from", "until"] as const;

/** Those that are stated, with what the engine keeps beside them. */
export const settingsOf = (args: Values): Values =>
  Object.fromEntries(
    [...beside, ...settings, ...reading].flatMap((name) =>
      args[name] === undefined ? [] : [[name, args[name]]],
    ),
  );

/** So many products are looked at and sent at once. */
const atOnce = 16;

/** Brings the shop to what a sheet asks, product by product. */
export async function bring(shop: Shop, own: SheetOf, given: SheetState): Promise<Kept> {
  const { id, args } = own;
  const terms = termsOf(shop, id, args);
  const whole = { definition: prices, shop, ...own };
  if (isJudged(shop.guard)) tell(shop, own, await planned(shop, id, args, given));
  const asked = await tasksOf(shop, own, given, terms.keeps);
  const { sheet, known, unfound, interrupted, noted, withheld, byProduct } = asked;
  // Who takes over what leaves asks what this sheet had of it: the state is read while it still says so.
  if (leftOf(known, sheet).length > 0)
    cellOf(shop, args, given)({ key: "", variant: "", known: new Map() }, "", undefined);
  const unknown = unknownBeforeLines(shop, args, given, [...byProduct.values()].flat());
  for (const line of [...folded(withheld), ...unknown]) shop.say(`${nameIn(args)}: ${line}`);
  const rows = stillKnown(known, sheet, byProduct);
  const reasons: string[] = [];
  const outcomes: Outcome[] = [];
  const failed = new Set<string>();
  const report = (line: string) =>
    args.unknown === "report" ? shop.say(`${nameIn(args)}: ${line}`) : reasons.push(line);
  for (const { key, why, maker } of unfound)
    if (given.rows.has(key)) shop.say(`${nameIn(args)}: ${key}: ${why}; left out`);
    else
      report(
        `${key}: ${maker === undefined ? `${why}; ${args.unknown === "report" ? "left out" : unfoundAdvice(args)}` : `${maker} makes it in this run; give the sheet dependsOn, or run up again`}`,
      );
  const limit = pLimit(atOnce);
  await Promise.all(
    [...byProduct].map(([number, tasks]) =>
      limit(() =>
        inTurn(shop, number, async () => {
          try {
            await shop.reads.ready(product, number);
            const seen = await lookAt(shop, number);
            const now = seen ?? { variants: [] };
            const meant = await withMoves(shop, now, tasks, { ...terms, ...asked });
            const outcome = compare(number, now, meant, terms);
            if (!terms.overwrites) refuseElsewhere(whole, [outcome]);
            approveChange(whole, programChanges(outcome));
            for (const key of outcome.gone) {
              const row = rows.get(key);
              // As a refresh notes it: the plan names it until the sheet has it no more.
              if (row !== undefined) rows.set(key, { ...row, cells: new Map() });
              if (known.rows.has(key)) shop.say(`${nameIn(args)}: ${goneIn(outcome, key)}; left out`);
              else report(goneText(key, outcome.title));
            }
            outcomes.push(outcome);
            reasons.push(...outcome.moved);
            tellUndone(shop, own, [outcome]);
            await noteGone(whole, outcome, noted);
            if (terms.remembers && seen !== undefined) await noteWrites(whole, outcome, seen);
            const after = seen === undefined ? now : await send(shop, outcome, seen);
            for (const task of outcome.rows) if (task.isLeaving) forget(rows, task, sheet);
            for (const [key, row] of outcome.known(after)) rows.set(key, row);
          } catch (error) {
            failed.add(number);
            reasons.push(messageOf(error));
          }
        }),
      ),
    ),
  );
  const done = outcomes.filter((one) => !failed.has(one.id));
  const keeps = terms.keeps ? keptCells(sheet, known).map(pathText) : [];
  // Of a sheet that changes nothing the preview has said which values the shop has already.
  if (done.length > 0 || keeps.length > 0) tellMoves(shop, own, { outcomes: done, unfound: [], keeps });
  endAcceptedNotes(rows, sheet, failed);
  const kinds = terms.remembers ? await kindsOf(shop, { rows }, given.kinds) : {};
  const outs = outputs(args, { columns: sheet.columns, rows, kinds });
  // Notes, also those of interrupted runs, end once the state has this. Of a product that failed they are needed.
  if (failed.size === 0) await Promise.all([...interrupted].map((of) => shop.notes.found(kind, of, id)));
  const clash = clashOf(shop, own, outcomes);
  if (clash !== undefined && shop.plan.isEmbedded && shop.notice({ type: "conflict", ...clash }))
    reasons.push(...(reasons.length === 0 ? [partlyDoneText] : []));
  else if (clash !== undefined)
    reasons.push(
      ...conflictLines(outcomes).map((line) => `conflict: ${line}. Nothing was sent for it`),
      `To accept the shop's values, write them into the sheet. To send the sheet's values without reviewing the shop's: ${overwriteText(clash)}`,
    );
  if (reasons.length > 0) throw new UnfinishedError({ id, outs }, [...new Set(reasons)]);
  return { id, outs };
}

/** Sheets that price one product are brought one after the other: what one sends, the other looks at. */
async function inTurn(shop: Shop, id: string, work: () => Promise<void>): Promise<void> {
  const { queues: turns } = shop.memory;
  const key = objectKey(product.kind, id);
  const turn = Promise.resolve(turns.get(key)).then(work);
  turns.set(key, turn);
  await turn;
}

/** What is known of what the sheet asks, and of what is to be put back until it was. */
function stillKnown(
  known: SheetState,
  sheet: Pick<Sheet, "rows">,
  byProduct: ReadonlyMap<string, readonly Task[]>,
): Map<string, RowState> {
  const leaving = new Map(
    [...byProduct.values()].flat().flatMap((task) => (task.isLeaving ? [[task.key, task.asked]] : [])),
  );
  return new Map(
    [...known.rows].flatMap(([key, row]) => {
      const isIn = (column: string) => sheet.rows.get(key)?.has(column) || leaving.get(key)?.has(column);
      const cells = new Map([...row.cells].filter(([column]) => isIn(column)));
      return cells.size > 0 || (isDeletedRow(row) && sheet.rows.has(key)) ? [[key, { ...row, cells }]] : [];
    }),
  );
}

/** Ends the notes of accepted edits that the sheet has. Those of a product that failed stay until a run has done it. */
function endAcceptedNotes(
  rows: Map<string, RowState>,
  sheet: Pick<Sheet, "rows">,
  failed: ReadonlySet<string>,
): void {
  for (const [key, row] of rows) {
    if (failed.has(row.product)) continue;
    for (const [column, cell] of row.cells) {
      if (!endsNote(cell, sheet.rows.get(key)?.get(column))) continue;
      const { accepted: _ended, ...rest } = cell;
      rows.set(key, { ...row, cells: new Map([...(rows.get(key) ?? row).cells, [column, rest]]) });
    }
  }
}

/** What was put back, or stays as staff made it, is the sheet's no more. */
function forget(rows: Map<string, RowState>, { key, asked }: Task, sheet: Pick<Sheet, "rows">): void {
  const row = rows.get(key);
  const cells = new Map([...(row?.cells ?? [])].filter(([column]) => !asked.has(column)));
  if (cells.size === 0 && !sheet.rows.has(key)) rows.delete(key);
  else if (row !== undefined) rows.set(key, { ...row, cells });
}

/** A hash of the rows' text; none if they are secret, because a hash of a few prices can be guessed. */
export const digestOf = (args: Values): string | undefined =>
  isSecretPath(args, "rows") ? undefined : hash("sha256", String(args.rows));

export function outputs(args: Values, known: SheetState): Values {
  const digest = digestOf(args);
  return {
    ...settingsOf(args),
    count: known.rows.size,
    products: new Set([...known.rows.values()].map((row) => row.product)).size,
    ...(digest !== undefined && { digest }),
    ...sheetOutputs(args, known),
  };
}

/** What the state keeps of a sheet's rows. */
export const sheetOutputs = (args: Values, known: SheetState): Values => ({
  [sheetStateKey]: printSheetState(known),
  ...(Object.keys(known.kinds ?? {}).length > 0 && { [sheetKindsKey]: known.kinds }),
  ...(isSecretPath(args, "rows") && { [sheetPlacesKey]: printSheetPlaces(known) }),
});
