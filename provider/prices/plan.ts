/** What a sheet means to the shop: which variants its rows are, what becomes of each, and how a plan tells it. */

import { pathText } from "../../engine/pulumi/path.ts";
import { changesWith, programChanges, revertedEdits } from "../change/change.ts";
import type { Conflict } from "../change/conflict.ts";
import type { FieldChange, Verdict } from "../change/field-change.ts";
import { titleProblems } from "../client/call.ts";
import { renamedTitles } from "../client/titled-amounts.ts";
import { markOfShop, ownerHere, type Shop } from "../context/context.ts";
import { guardEffects, isJudged } from "../context/limits.ts";
import { numberedPlace, setterText, stackAdvice } from "../context/value-owners.ts";
import { conflictOf, mayOverwrite, reportOverwritten, reportPutBack } from "../lifecycle/conflict.ts";
import { mergingOf } from "../lifecycle/object-change.ts";
import { noticeRead } from "../lifecycle/observe.ts";
import { noticeItems, staleItemText } from "../lifecycle/plan-report.ts";
import { nameIn, ownerIn, ownerOf, readOwner } from "../names/owner.ts";
import { kindOfColumn, type SheetState, type Value } from "../names/rows.ts";
import type { Values } from "../wire/codec.ts";
import { firstNames, unknownValue } from "../wire/text.ts";
import { prices, product } from "./definition.ts";
import { makersOf, type Unfound } from "./find.ts";
import { withMoves } from "./moved-keys.ts";
import { unknownBeforeLines } from "./other-sheets.ts";
import { cellPath, columnOf, isRestored, type Sheet, sheetArgs } from "./rows.ts";
import { leftOf, tasksOf } from "./tasks.ts";
import {
  compare,
  conflictLines,
  folded,
  goneIn,
  keptCells,
  keptText,
  label,
  lookAt,
  moveLines,
  type Outcome,
  shownBy,
  shownEffects,
  type Terms,
} from "./work.ts";

const { kind } = prices;

/** The id that a new sheet gets: it has no object that has one. One of the state that got another name keeps its own. */
export function newId(shop: Shop, args: Values): string {
  const of = ownerIn(args);
  return freeId(of, (id) => {
    const urn = shop.notes.inState(kind, id, ownerHere(shop, args));
    return urn !== undefined && ownerOf(urn).of !== of;
  });
}

/** The first id for a sheet that no other has: two of one name stand in components of two types. */
export function freeId(of: string, isAnothers: (id: string) => boolean): string {
  let id = readOwner(of).place || kind;
  while (isAnothers(id)) id += "'";
  return id;
}

export const termsOf = (shop: Shop, id: string, args: Values): Terms => ({
  by: sheetArgs(args).key,
  keeps: mergingOf({ definition: prices, shop, id, args }).keeps === true,
  overwrites: mayOverwrite({ definition: prices, shop, id, args }),
  stops: shop.plan.stopsOnDrift,
  remembers: isRestored(args),
  shown: shownBy(args),
  // What no run has asked before only the person who planned knows; the rest a run compares with its state, but for a saved plan.
  moved: (field, cell) =>
    cell !== undefined && shop.plan.isOwnPlan
      ? undefined
      : staleItemText({ definition: prices, shop, id, args }, field),
});

export interface Plan {
  readonly outcomes: readonly Outcome[];
  readonly unfound: readonly Unfound[];
  /** Paths of cells that stay as staff made them, because the run keeps their edits. */
  readonly keeps: readonly string[];
  /** What rows ask of variants that the program makes before: nobody knows yet what those have. */
  readonly later: readonly FieldChange[];
  readonly lines: readonly string[];
  /** What isn't put back, with the reason. */
  readonly withheld: readonly string[];
}

/** @throws Error where another stack states what is sent of rows, as far as its state is at hand */
export function refuseElsewhere(
  { shop, args }: { readonly shop: Shop; readonly args: Values },
  outcomes: readonly Pick<Outcome, "tasks" | "sends">[],
): void {
  const sent = outcomes.flatMap(({ tasks, sends }) =>
    tasks.flatMap(({ key, variant, isLeaving }) =>
      isLeaving ? [] : [...(sends.get(variant)?.keys() ?? [])].map((column) => ({ key, variant, column })),
    ),
  );
  if (sent.length === 0 || args.__of === undefined) return;
  const stated = shop.notes.setElsewhere(ownerIn(args), markOfShop(shop));
  const shared = sent.flatMap(({ key, variant, column }) => {
    const by = stated.get(numberedPlace("variants", variant, column));
    return by === undefined ? [] : [`${column} of ${key} is set by ${setterText(by)} too`];
  });
  if (shared.length > 0) throw new Error([...folded(shared), stackAdvice].join("\n"));
}

export async function planned(shop: Shop, id: string, args: Values, before: SheetState): Promise<Plan> {
  const terms = termsOf(shop, id, args);
  const asked = await tasksOf(shop, { id, args }, before, terms.keeps);
  const { sheet, known, unfound, withheld, byProduct } = asked;
  const outcomes = await Promise.all(
    [...byProduct].map(async ([own, tasks]) => {
      const seen = (await lookAt(shop, own)) ?? { variants: [] };
      // What the sheet finds by its key is told with its list.
      const isFound = tasks.some(({ key, isLeaving }) => !isLeaving && !before.rows.has(key));
      if (!isFound) noticeRead({ definition: product, shop, id: own, args }, "create");
      return compare(own, seen, await withMoves(shop, seen, tasks, { ...terms, ...asked }), terms);
    }),
  );
  if (!terms.overwrites) refuseElsewhere({ shop, args }, outcomes);
  const later = unfound.flatMap(({ key, maker }) =>
    maker === undefined
      ? []
      : [...(sheet.rows.get(key) ?? [])].map(([column, asked]) => laterOf(key, column, asked)),
  );
  const sent = outcomes.flatMap(({ sends }) => [...sends.values()].flatMap((values) => [...values.keys()]));
  // A kind that staff have renamed looks as if they had taken its prices away.
  const clashes = outcomes.flatMap((one) => changesWith(one, "conflict"));
  const columns = [...sent, ...[...later, ...clashes].map(({ path }) => columnOf(path))];
  return {
    outcomes,
    unfound,
    later,
    withheld,
    keeps: terms.keeps ? keptCells(sheet, known).map(pathText) : [],
    lines: [
      ...(await titleLines(shop, args, columns)),
      ...leftLines(args, known, sheet, outcomes),
      ...folded(withheld),
      ...unknownBeforeLines(shop, args, before, [...byProduct.values()].flat()),
    ],
  };
}

const laterOf = (key: string, column: string, asked: Value): FieldChange => ({
  path: cellPath(key, column),
  was: undefined,
  is: unknownValue,
  asked,
  verdict: "send",
});

/** Which kinds of prices the shop doesn't have yet, of those that are sent. */
async function titleLines(shop: Shop, args: Values, columns: readonly string[]): Promise<readonly string[]> {
  const titles = new Set(columns.flatMap((column) => kindOfColumn(column) ?? []));
  if (titles.size === 0) return [];
  const prices = Object.fromEntries([...titles].map((title) => [title, 0]));
  const problems = await titleProblems(shop.transport, product, { variants: [{ prices }] });
  const renamed = renamedTitles(shop.transport);
  const old = problems.filter(({ title }) => renamed.has(title));
  if (old.length > 0)
    throw new Error(
      old
        .map(
          ({ kind: of, title }) =>
            `the program gives the ${of} ${JSON.stringify(title)} the title ${JSON.stringify(renamed.get(title))}: write that title in the ${sourceOf(args)} too`,
        )
        .join("\n"),
    );
  return problems.map(({ text }) => text);
}

/** What becomes of rows, and of cells, that the sheet has no more; those that staff changed are told elsewhere. */
function leftLines(
  args: Values,
  known: SheetState,
  sheet: Pick<Sheet, "rows">,
  outcomes: readonly Outcome[],
): readonly string[] {
  const line = (gone: readonly string[], what: string) => {
    if (gone.length === 0) return [];
    const names = gone.slice(0, 5).join(", ");
    const more = gone.length > 5 ? ` and ${(gone.length - 5).toLocaleString("en-US")} more` : "";
    const why = sheet.rows.size === 0 ? timeText(args) : "";
    return [`${names}${more}: ${why === "" ? `no longer in the ${sourceOf(args)}` : why}, each ${what}`];
  };
  const keeps = "keeps what it has";
  if (!isRestored(args)) return line(leftOf(known, sheet), keeps);
  const sent = new Set(
    outcomes.flatMap((one) =>
      changesWith(one, "send").flatMap(({ path }) => [String(path[1]), label(path, "")]),
    ),
  );
  const back = leftOf(known, sheet).filter((name) => sent.has(name));
  const kept = leftOf(withoutBefore(known), sheet);
  return [...line(back, "gets back what it had before"), ...line(kept, keeps)];
}

/** What the sheet has set while it restored nothing: nobody knows what was there before. */
const withoutBefore = (known: SheetState): SheetState => ({
  ...known,
  rows: new Map(
    [...known.rows].flatMap(([key, row]) => {
      const cells = [...row.cells].filter(([, { before }]) => before === undefined);
      return cells.length === 0 ? [] : [[key, { ...row, cells: new Map(cells) }] as const];
    }),
  ),
});

/** What a program calls the rows: it has them itself, or in a file. */
const sourceOf = ({ file }: Values) => (file === undefined ? "rows" : "sheet");

/** When a sheet is asked for; empty of one that always is. */
const timeText = ({ from, until }: Values) =>
  [...(from === undefined ? [] : [`from ${from}`]), ...(until === undefined ? [] : [`until ${until}`])]
    .join(" ")
    .replace(/^./, "asked $&");

/** What to do about a row that means no variant, or several. */
export const unfoundAdvice = (args: Values): string =>
  `write the ${sheetArgs(args).key} of one variant of the shop`;

/** One request a product, also of those that the program makes first. */
export const sendsOf = ({ outcomes, unfound }: Pick<Plan, "outcomes" | "unfound">) =>
  outcomes.filter(({ sends }) => sends.size > 0).length + makersOf(unfound).size;

/** A sheet in a run. */
export interface SheetOf {
  readonly id: string;
  readonly args: Values;
  /** Whether no state has it yet. */
  readonly adopts?: boolean;
  /** Whether it is deleted, and puts back what was there before it. */
  readonly ends?: true;
}

/** What somebody changed in the shop and the sheet changes too; undefined where there is none. */
export function clashOf(shop: Shop, sheet: SheetOf, outcomes: readonly Outcome[]): Conflict | undefined {
  const sides = outcomes.flatMap((one) => changesWith(one, "conflict"));
  if (sides.length === 0) return undefined;
  return { ...conflictOf(metAs(shop, sheet), { sides, withheld: "update" }), isRest: true };
}

/** A sheet has no object of its own that could be read. */
const noState = { seen: {}, olds: {} };
const metAs = (shop: Shop, { id, args }: SheetOf) => ({ ...noState, definition: prices, shop, id, args });

/** The edits of staff that a sheet puts back when it ends, for the report of a preview. */
export function noticeUndoneAtEnd(shop: Shop, sheet: SheetOf, outcomes: readonly Outcome[]): void {
  const sides = outcomes.flatMap(revertedEdits);
  if (sides.length === 0) return;
  shop.notice({ type: "puts-back", ...conflictOf(metAs(shop, sheet), { sides, withheld: "delete" }) });
}

/** Tells which edits of others a sheet puts back, and which it overwrites. */
export function tellUndone(shop: Shop, sheet: SheetOf, outcomes: readonly Outcome[]): void {
  const met = metAs(shop, sheet);
  const back = outcomes.flatMap(revertedEdits);
  reportPutBack(met, { sides: back, withheld: "update" });
  const sides = outcomes.flatMap(({ overwritten }) => overwritten);
  reportOverwritten(met, { sides, withheld: "update" });
}

/** Notices what is sent of a sheet and what that means, for the report of a plan, or of a run. */
function noticeChanges(
  shop: Shop,
  { id, args, ends }: SheetOf,
  plan: Pick<Plan, "outcomes" | "unfound" | "keeps">,
): void {
  const { outcomes } = plan;
  const pathsOf = (verdict: Verdict) =>
    outcomes.flatMap((one) => changesWith(one, verdict)).map(({ path }) => pathText(path));
  // A sheet that gives up a row changes, although the shop doesn't.
  const leaving = new Set(outcomes.flatMap(leavingCells));
  const keeps = [...new Set([...pathsOf("kept").filter((path) => !leaving.has(path)), ...plan.keeps])];
  shop.notice({
    type: "changes",
    kind,
    id,
    ends,
    sends: sendsOf(plan),
    effects: shownEffects(args, outcomes),
    done: pathsOf("done"),
    ...(keeps.length > 0 && { keeps }),
  });
}

/** Tells a report which prices a sheet moves. */
export function tellMoves(
  shop: Shop,
  sheet: SheetOf,
  plan: Pick<Plan, "outcomes" | "unfound" | "keeps"> & Partial<Pick<Plan, "withheld">>,
): void {
  noticeChanges(shop, sheet, plan);
  const { outcomes, withheld = [] } = plan;
  const kept = folded(keptLines(outcomes));
  const lines = [...folded(moveLines(outcomes)), ...kept, ...folded(withheld).map((line) => `  ${line}`)];
  const { id, ends } = sheet;
  const isRead = lines.length === 0 || shop.notice({ type: "text", kind, id, ends, lines: lines.join("\n") });
  // Plain Pulumi asks nobody what a delete would do.
  if (ends && !isRead) for (const line of kept) shop.say(`${nameIn(sheet.args)}: ${line.trim()}`);
}

/** Tells whoever plans what a sheet does; where nobody does, the person who watches. */
export function tell(shop: Shop, sheet: SheetOf, plan: Plan): void {
  const { id, args, adopts = false } = sheet;
  const name = nameIn(args);
  const { outcomes } = plan;
  const { guard } = shop;
  if (guard !== undefined && isJudged(guard))
    guardEffects(
      guard,
      { kind, name },
      id,
      outcomes.flatMap((one) => one.effects),
    );
  noticeChanges(shop, sheet, plan);
  noticeItems(metAs(shop, sheet), [...outcomes.flatMap(programChanges), ...plan.later], adopts);
  // A run tells it of each product right before it writes.
  if (shop.plan.isPreview !== false) tellUndone(shop, sheet, outcomes);
  const clash = clashOf(shop, sheet, outcomes);
  const isShown = clash !== undefined && shop.plan.isEmbedded && shop.notice({ type: "conflict", ...clash });
  const lines = [
    ...folded(
      plan.unfound.flatMap(({ key, why, maker }) =>
        maker === undefined ? `! ${key}: ${why}; left out` : [],
      ),
    ),
    ...folded(plan.later.map(({ path, asked }) => `+ ${label(path, "")}: ${shownBy(args)(asked)}`)),
    ...laterLines([...makersOf(plan.unfound)]),
    ...outcomes.flatMap((one) => one.gone.map((key) => `! ${goneIn(one, key)}`)),
    ...outcomes.flatMap(({ moved }) => moved.map((text) => `! ${text}`)),
    ...(isShown ? [] : conflictLines(outcomes).map((line) => `! ${line}: stays`)),
    ...(shop.plan.showsTexts ? moveLines(outcomes) : folded(moveLines(outcomes))),
    ...folded(keptLines(outcomes)),
    ...plan.lines.map((line) => `  ${line}`),
  ];
  if (lines.length === 0) return;
  if (!shop.notice({ type: "text", kind, id, lines: lines.join("\n") }))
    for (const line of lines) shop.sayInPreview(`${name}: ${line}`);
}

/** A provider isn't told whether the sheet has the option. */
const laterLines = (makers: readonly string[]): readonly string[] =>
  makers.length === 0
    ? []
    : [
        `  sent once these have created its variants, if its dependsOn names them: ${firstNames(makers).join(", ")}`,
      ];

const leavingCells = ({ tasks }: Outcome): readonly string[] =>
  tasks.flatMap(({ key, asked, isLeaving }) =>
    isLeaving ? [...asked.keys()].map((column) => pathText(cellPath(key, column))) : [],
  );

function keptLines(outcomes: readonly Outcome[]): readonly string[] {
  return outcomes.flatMap((one) =>
    one.fields.flatMap(({ path, is, verdict }) => (verdict === "kept" ? `  ${keptText(path, one, is)}` : [])),
  );
}
