/** Price kinds to which staff have given other titles: the prices that a sheet has set of them are under the new ones. */
import { namesNow } from "../client/call.ts";
import type { Shop } from "../context/context.ts";
import { kindColumn, kindOfColumn, type RowState, type SheetState } from "../names/rows.ts";
import { firstNames } from "../wire/text.ts";
import { product } from "./definition.ts";
import type { Sheet } from "./rows.ts";

const namesOf = (shop: Shop, titles: Iterable<string>) => {
  const prices = Object.fromEntries([...titles].map((title) => [title, 0]));
  return namesNow(shop.transport, product, { variants: [{ prices }] });
};

const titlesIn = (columns: Iterable<string>) =>
  new Set([...columns].flatMap((column) => kindOfColumn(column) ?? []));

/** The same cells in other columns. */
export function inColumns(known: SheetState, columnNow: (column: string) => string): SheetState {
  const rows = [...known.rows].map(([key, row]): [string, RowState] => {
    const cells = [...row.cells].map(([column, cell]) => [columnNow(column), cell] as const);
    return [key, { ...row, cells: new Map(cells) }];
  });
  return { ...known, columns: known.columns.map(columnNow), rows: new Map(rows) };
}

/** The shop's names of the price kinds of a sheet. @param before as its last run has noted them */
export async function kindsOf(
  shop: Shop,
  known: Pick<SheetState, "rows">,
  before: SheetState["kinds"],
): Promise<NonNullable<SheetState["kinds"]>> {
  const priced = [...known.rows.values()].flatMap(({ cells }) =>
    [...cells].flatMap(([column, { asked, before }]) => (asked === "" && before === "" ? [] : [column])),
  );
  const titles = titlesIn(priced);
  if (titles.size === 0) return {};
  const { elementOf } = await namesOf(shop, titles);
  return Object.fromEntries(
    [...titles].flatMap((title) => {
      const element = elementOf(title) ?? before?.[title];
      return element === undefined ? [] : [[title, element]];
    }),
  );
}

/**
 * What is known of a sheet of which something is put back, by the titles that the shop's price kinds have now.
 * @returns with it, what can't be put back because the shop no longer has its price kind, a sentence each
 */
export async function underTitlesNow(
  shop: Shop,
  known: SheetState,
  sheet: Pick<Sheet, "rows">,
): Promise<{ readonly known: SheetState; readonly lost: readonly string[] }> {
  const isLeft = (key: string, column: string) => sheet.rows.get(key)?.has(column) !== true;
  const left = [...known.rows].flatMap(([key, { cells }]) =>
    [...cells].flatMap(([column, { before }]) =>
      before !== undefined && isLeft(key, column) ? [{ key, column }] : [],
    ),
  );
  const titles = titlesIn(left.map(({ column }) => column));
  if (titles.size === 0) return { known, lost: [] };
  const { elementOf, titleOf } = await namesOf(shop, titles);
  const now = new Map<string, string | undefined>();
  for (const title of titles) {
    const element = elementOf(title) === undefined ? known.kinds?.[title] : undefined;
    if (element !== undefined) now.set(kindColumn(title), titleOf(element));
  }
  const isLost = (column: string) => now.has(column) && now.get(column) === undefined;
  const rows = [...known.rows].map(([key, row]): [string, RowState] => {
    const cells = [...row.cells].filter(([column]) => !(isLost(column) && isLeft(key, column)));
    return [key, { ...row, cells: new Map(cells) }];
  });
  const columnNow = (column: string) => {
    const title = now.get(column);
    return title === undefined ? column : kindColumn(title);
  };
  const lost = [...now.keys()].filter(isLost).map((column) => {
    const keys = left.flatMap((one) => (one.column === column ? [one.key] : []));
    return `the shop no longer has the price kind ${JSON.stringify(kindOfColumn(column))}: no earlier price of it comes back (${firstNames(keys).join(", ")})`;
  });
  return { known: inColumns({ ...known, rows: new Map(rows) }, columnNow), lost };
}
