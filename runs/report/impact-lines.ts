/** The impact of a plan in a few lines, for the terminal and the comment. */

import { withUnit } from "../../provider/inventory/index.ts";
import type { Charge, Impact, Move, Moves, Overlap } from "./impact.ts";
import { labelText } from "./labels.ts";
import { firstOf, kindCount, namesText, type ObjectName, plural, stockText } from "./object-names.ts";

export interface ImpactLine {
  readonly label: string;
  readonly text: string;
  /** Whether it must not be missed. */
  readonly isLoud: boolean;
}

/** The lines of an impact; none if the plan has no effect on the shop. */
export function impactLines(impact: Impact): readonly ImpactLine[] {
  const { prices, discounts, pages } = impact;
  return [
    ...lines("Emptied", true, pages.emptied.length > 0 && `${namesText(pages.emptied)}: no content is left`),
    ...lines("Deleted", true, countedNames(impact.deleted)),
    ...lines("Edits lost", true, overwrittenText(impact.deletedEdits)),
    ...[...Map.groupBy(impact.endedSheets, ({ restores }) => restores)].flatMap(([restores, sheets]) =>
      lines("Ended", true, `${countedNames(sheets)}: ${endText(restores)}`),
    ),
    ...lines(
      "Replaced",
      true,
      impact.replaced.length > 0 &&
        `${countedNames(impact.replaced)}: deleted and created again, with a new id`,
    ),
    ...lines("Overwritten", true, overwrittenText(impact.overwritten)),
    ...lines(
      "Puts back",
      true,
      withOptions(overwrittenText(impact.putBack), impact.putBack),
      impact.createdAgain.length > 0 &&
        `${countedNames(impact.createdAgain)}, deleted by staff (accept removes it from the program, --keep leaves it deleted)`,
    ),
    ...lostLines(impact.lost),
    ...lines("Hidden", true, impact.hidden.length > 0 && `${countedNames(impact.hidden)} from shoppers`),
    ...lines("Below cost", true, belowCostText(prices.belowCost)),
    ...lines(
      "Currency",
      true,
      impact.currencies.length > 0 &&
        listText(impact.currencies.map(({ title, from, to }) => `${title} ${from} → ${to}`)),
    ),
    ...lines("Charges", true, ...impact.charges.map(chargeText)),
    ...lines("Prices up", false, movesText(prices.up)),
    ...lines("Prices down", false, movesText(prices.down)),
    ...lines(
      "Prices removed",
      true,
      prices.removed.length > 0 &&
        listText(prices.removed.map((one) => `${itemText(one)}: ${numberText(one.from)}`)),
    ),
    ...lines(
      "New prices",
      false,
      prices.added > 0 && `${numberText(prices.added)} (${namesText(prices.addedTo)})`,
    ),
    ...lines("Discounts", false, discountsText(discounts)),
    ...lines("Overlap", false, discounts.overlap !== null && overlapText(discounts.overlap)),
    ...lines("Shown", false, impact.shown.length > 0 && `${countedNames(impact.shown)} to shoppers`),
    ...lines("Theme files", false, pagesText(pages)),
    ...[...Map.groupBy(impact.renamed, ({ list }) => list)].flatMap(([list, renamed]) =>
      lines(`${capitalized(list)} renamed`, false, listText(renamed.map(renamedText))),
    ),
    ...lines(
      "Done already",
      false,
      impact.done.length > 0 && `${countedNames(impact.done)}: the shop already has these values`,
    ),
  ];
}

/** What happens to the prices of a sheet that is removed. */
export const endText = (restores: boolean): string =>
  restores
    ? "the shop gets its previous prices back, except where staff changed them"
    : "the shop keeps its current prices";

const capitalized = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** `3 (S1-A, 33 in stock; S1-B; S1-C)`. */
const listText = (texts: readonly string[]) => `${numberText(texts.length)} (${firstOf(texts, 5, ";")})`;

const lostLines = (lost: Impact["lost"]): readonly ImpactLine[] =>
  [...Map.groupBy(lost, ({ list }) => list)].flatMap(([list, items]) =>
    lines(
      `${capitalized(list)} lost`,
      true,
      listText(items.map(({ item, stock }) => (stock === null ? item : `${item}, ${stockText(stock)}`))),
    ),
  );

const renamedText = ({ item, to, stock }: Impact["renamed"][number]) =>
  `${item} → ${to}${stock === null ? "" : `, keeps ${stockText(stock)}`}`;

const withOptions = (text: string | undefined, { length }: Impact["putBack"]) => {
  const them = length === 1 ? "it" : "them";
  return text && `${text} (accept writes ${them} into the program, --keep leaves ${them} in the shop)`;
};

function overwrittenText(overwritten: Impact["overwritten"]): string | undefined {
  if (overwritten.length === 0) return undefined;
  const texts = overwritten.map(({ title, path, is, asked, units }) => {
    const label = `${title} ${labelText(path)}`;
    const isPlain = (value: unknown) =>
      value !== undefined && typeof value !== "object" && !String(value).includes("\n");
    if (!isPlain(is)) return label;
    const shown = (value: unknown, unit: string | undefined) =>
      value === "" ? "nothing" : withUnit(value, String(value), unit);
    const now = `${label} ${shown(is, units?.is)}`;
    return isPlain(asked) ? `${now} → ${shown(asked, units?.asked)}` : now;
  });
  return `${plural(overwritten.length, "edit")} of staff: ${firstOf(texts, 5, ";")}`;
}

const lines = (label: string, isLoud: boolean, ...texts: readonly (string | false | undefined)[]) =>
  texts.flatMap((text) =>
    text === false || text === undefined || text === "" ? [] : [{ label, text, isLoud }],
  );

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });
const cents = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
/** `12,840`, `12.50`. */
export const numberText = (number: number): string =>
  (Number.isInteger(number) ? whole : cents).format(number);

/** `+12.5 %`. */
export function percentText(percent: number): string {
  const rounded = Math.round(percent * 10) / 10;
  // A change that rounds to zero is still a change.
  const shown = rounded === 0 && percent !== 0 ? Math.sign(percent) * 0.1 : rounded;
  const almost = rounded === 0 && percent !== 0 ? "less than " : "";
  return `${almost}${shown > 0 ? "+" : ""}${whole.format(shown)} %`;
}

/** `2 products: Mug, Jug; 1 coupon: SPRING`. */
function countedNames(named: readonly ObjectName[]): string {
  return [...Map.groupBy(named, ({ kind }) => kind)]
    .map(([kind, list]) => {
      const objects = [...new Map(list.map((one) => [one.name, one])).values()];
      return `${kindCount(kind, objects.length)} (${namesText(objects)})`;
    })
    .join(", ");
}

const itemText = ({ title, item }: { readonly title: string; readonly item: string | undefined }) =>
  item === undefined ? title : `${title}, ${item}`;

function movesText(moves: Moves | null): string | undefined {
  if (moves === null) return undefined;
  const { count, median, largest } = moves;
  const move = `${itemText(largest)}: ${moveText(largest)}`;
  if (count === 1) return largest.percent === null ? move : `${move}, ${percentText(largest.percent)}`;
  const middle = median === null ? "" : `median ${percentText(median)}, `;
  const far = largest.percent === null ? "from 0" : percentText(largest.percent);
  return `${numberText(count)}, ${middle}largest ${far} (${move})`;
}

const moveText = ({ from, to }: Pick<Move, "from" | "to">) => `${numberText(from)} → ${numberText(to)}`;

function belowCostText(below: Impact["prices"]["belowCost"]): string | undefined {
  const [first] = below;
  if (first === undefined) return undefined;
  const one = `${itemText(first)}: ${numberText(first.price)}, cost ${numberText(first.cost)}`;
  return below.length === 1 ? one : `${numberText(below.length)} prices, one of them ${one}`;
}

function chargeText({ title, every, from, to }: Charge): string {
  const often = every === "month" ? "each month" : "once";
  if (from === null) return `${title}: ${numberText(to ?? 0)} ${often}, new`;
  if (to === null) return `${title}: ${numberText(from)} ${often}, ended`;
  return `${title}: ${numberText(from)} → ${numberText(to)} ${often}`;
}

const offerText = ({ amount, isPercent }: { readonly amount: number; readonly isPercent: boolean }) =>
  isPercent ? `${whole.format(amount)} %` : `${numberText(amount)} off`;

function discountsText({
  created,
  changed,
  staying,
  deepest,
  deepestPercent,
}: Impact["discounts"]): string | undefined {
  const counts = [
    ...(created.length > 0 ? [`${numberText(created.length)} new`] : []),
    ...(changed.length > 0 ? [`${numberText(changed.length)} changed`] : []),
    ...(staying.length > 0 ? [`${numberText(staying.length)} left as in the shop`] : []),
  ];
  if (counts.length === 0) return undefined;
  const two = [deepest, deepest?.isPercent ? null : deepestPercent].filter((one) => one !== null);
  const named = two.map((one) => `${offerText(one)} (${one.title})`);
  const deep = named.length === 0 ? "" : `; deepest ${named.join(" and ")}`;
  return `${counts.join(", ")}${deep}`;
}

function overlapText({ offers, from, until }: Overlap): string {
  const named = offers.map((offer) => `${offer.title} ${offerText(offer)}`);
  const dates = [...(from === null ? [] : [`from ${from}`]), ...(until === null ? [] : [`until ${until}`])];
  return `${numberText(offers.length)} active at the same time${dates.length === 0 ? "" : ` ${dates.join(" ")}`}: ${firstOf(named)}`;
}

function pagesText({ created, changed }: Impact["pages"]): string | undefined {
  const parts = [
    ...(changed.length > 0 ? [`${numberText(changed.length)} changed (${namesText(changed)})`] : []),
    ...(created.length > 0 ? [`${numberText(created.length)} new (${namesText(created)})`] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(", ");
}
