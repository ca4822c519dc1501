/** The changes of a sheet's rows, cell by cell: an engine has all rows of a sheet as one text. */
import { type Change, changeBetween, joinPath, kindOf, type Step, type Value } from "../../engine/index.ts";
import { pathSteps, topOf } from "../../engine/pulumi/path.ts";
import { cellDifferences, isSheet, type Values } from "../../provider/inventory/index.ts";

/** @param of the step of the changes, with the arguments before and after them */
export const withCellChanges = (
  { type, olds, inputs }: Pick<Step, "type" | "olds" | "inputs">,
  changes: readonly Change[],
): readonly Change[] =>
  isSheet(kindOf(type)) ? changes.flatMap((change) => cellsOf(change, olds, inputs) ?? [change]) : changes;

/** Undefined for another argument, and for rows that are secret. */
function cellsOf(
  { path, old, new: next }: Change,
  olds: Values,
  news: Values,
): readonly Change[] | undefined {
  if (path !== "rows" || !isText(old) || !isText(next)) return undefined;
  return cellDifferences({ ...olds, rows: old }, { ...news, rows: next }).map((cell) =>
    changeBetween(cell.path.reduce(joinPath, ""), cell.old, cell.new),
  );
}

/** Whether a path of `withCellChanges` is one of a row whose variant a refresh found gone. */
export const isRow = (path: string): boolean => isCell(path) && pathSteps(path).length === 2;

export const isCell = (path: string): boolean => topOf(path) === "rows" && path !== "rows";

const isText = (value: Value | undefined): value is string =>
  typeof value === "string" && value.includes("\n");
