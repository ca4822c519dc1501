/** The effect of a plan on the shop: prices, discounts, visibility, deletes. Pure functions of the plan's steps. */

import type { Step } from "../../engine/index.ts";
import { pathIn, topOf } from "../../engine/pulumi/path.ts";
import { isPulumisOwn } from "../../engine/pulumi/urn.ts";
import {
  asLists,
  type Effect,
  effectsOf,
  type Offer,
  offerOf,
  percentOf,
  shopMarkIn,
} from "../../provider/inventory/index.ts";
import { definitionOf } from "../../provider/resources/index.ts";
import type { Conflict, ConflictField } from "./conflicts.ts";
import { type ObjectName, objectName, stepDefinition } from "./object-names.ts";
import { isDoneAlready, isEndOfSheet, isReplaced, type StepNotices, stepNotices } from "./step-notices.ts";

interface PriceName extends ObjectName {
  /** The item with the price, such as the SKU of a variant. */
  readonly item: string | undefined;
}

export interface Move extends PriceName {
  readonly from: number;
  readonly to: number;
  /** Null if the old price is 0. */
  readonly percent: number | null;
}

/** An edit that is overwritten. A side without a value is null; an unknown side is missing. */
export type Overwritten = Pick<ConflictField, "path" | "is" | "asked" | "units">;

export interface Item {
  /** `variants`. */
  readonly list: string;
  readonly item: string;
  readonly stock: number | null;
}

export interface Moves {
  readonly count: number;
  /** In percent; prices from 0 don't count. */
  readonly median: number | null;
  readonly largest: Move;
}

export interface Charge extends ObjectName {
  readonly every: "month" | "once";
  readonly from: number | null;
  readonly to: number | null;
}

/** The effect of a plan on the shop. Money is in the shop's currency. */
export interface Impact {
  readonly prices: {
    readonly up: Moves | null;
    readonly down: Moves | null;
    /** The number of new prices. */
    readonly added: number;
    readonly addedTo: readonly ObjectName[];
    /** Prices that are taken away, such as one of a price kind. */
    readonly removed: readonly (PriceName & { readonly from: number })[];
    readonly belowCost: readonly (PriceName & { readonly price: number; readonly cost: number })[];
  };
  /** Objects whose prices are in another currency from now on. */
  readonly currencies: readonly (ObjectName & { readonly from: string; readonly to: string })[];
  /** Objects that shoppers no longer see or can't use any more; and those that they see or can use from now on. */
  readonly hidden: readonly ObjectName[];
  readonly shown: readonly ObjectName[];
  readonly discounts: {
    readonly created: readonly ObjectName[];
    readonly changed: readonly ObjectName[];
    /** Discounts of conflicts: they stay as the shop has them. */
    readonly staying: readonly ObjectName[];
    readonly deepest: (ObjectName & Pick<Offer, "amount" | "isPercent" | "depth">) | null;
    /** The deepest of those in per cent, which a discount of money can't be compared with at a glance. */
    readonly deepestPercent: Impact["discounts"]["deepest"];
    /** The discounts that are active on the same day, if the plan changes one of them. */
    readonly overlap: Overlap | null;
  };
  readonly charges: readonly Charge[];
  readonly pages: {
    readonly created: readonly ObjectName[];
    readonly changed: readonly ObjectName[];
    readonly emptied: readonly ObjectName[];
  };
  readonly overwritten: readonly (ObjectName & Overwritten)[];
  /** Edits of staff that a refresh has read and the run puts back, and those that it deletes with their objects. */
  readonly putBack: readonly (ObjectName & Overwritten)[];
  readonly deletedEdits: readonly (ObjectName & Overwritten)[];
  /** Objects that staff deleted and the run creates again. */
  readonly createdAgain: readonly ObjectName[];
  /** Removed items, such as variants, and renamed ones. */
  readonly lost: readonly (ObjectName & Item)[];
  readonly renamed: readonly (ObjectName & Item & { readonly to: string })[];
  /** Objects that already have the program's values: nothing is sent. */
  readonly done: readonly ObjectName[];
  readonly deleted: readonly ObjectName[];
  /** Removed sheets of prices, and whether the shop gets its old prices back. */
  readonly endedSheets: readonly (ObjectName & { readonly restores: boolean })[];
  readonly replaced: readonly ObjectName[];
}

/**
 * The effect of a plan on the shop.
 * @param steps of the plan; unchanged ones too, because their discounts may overlap
 * @param today YYYY-MM-DD
 * @param notices with the shop's values, from which changes are measured
 * @param conflicts of the plan, whose objects stay as they are
 */
export function impactOf(
  steps: readonly Step[],
  today: string,
  notices: StepNotices = stepNotices([]),
  conflicts: readonly StandingConflict[] = [],
): Impact {
  const told = steps
    .filter(({ custom, type, partOf }) => custom && !isPulumisOwn(type) && partOf === undefined)
    .map((step) => withDone(step, notices));
  const facts = told.flatMap((step) => {
    const named = objectName(step);
    return effectsIn(step, notices).map((effect) => ({ step, named, effect }));
  });
  const of = <T extends Effect["type"]>(type: T) =>
    facts.filter(
      (fact): fact is Fact & { effect: Extract<Effect, { type: T }> } => fact.effect.type === type,
    );
  const edits = (some: readonly Step[]) =>
    some.flatMap((step) =>
      notices.putBack(step).map((field) => ({ ...objectName(step), ...overwrittenOf(field) })),
    );
  const prices = of("price");
  const removed = told.filter((step) => step.op === "delete");
  return {
    prices: pricesOf(prices.filter(({ effect }) => effect.role === "price")),
    currencies: of("currency").map(({ named, effect: { from, to } }) => ({ ...named, from, to })),
    hidden: of("hides").map(({ named }) => named),
    shown: of("shows").map(({ named }) => named),
    discounts: discountsOf(told, of("discount"), conflicts, today),
    charges: prices.flatMap(({ named, effect: { role, from, to } }) =>
      role === "price"
        ? []
        : [
            {
              ...named,
              every: role === "charge" ? ("once" as const) : ("month" as const),
              from: from ?? null,
              to: to ?? null,
            },
          ],
    ),
    pages: pagesOf(of("page")),
    overwritten: told.flatMap((step) =>
      notices.overwritten(step).map((field) => ({ ...objectName(step), ...overwrittenOf(field) })),
    ),
    putBack: edits(told.filter((step) => step.op !== "delete")),
    deletedEdits: edits(told.filter((step) => step.op === "delete")),
    createdAgain: told.filter(({ again }) => again).map(objectName),
    lost: of("loses").map(({ named, effect }) => ({ ...named, ...itemOf(effect) })),
    renamed: of("renames").map(({ named, effect }) => ({ ...named, ...itemOf(effect), to: effect.to })),
    done: told.filter((step) => isDoneAlready(step, notices)).map(objectName),
    deleted: removed.filter((step) => !isEndOfSheet(step) && !notices.leaves(step)).map(objectName),
    endedSheets: removed
      .filter(isEndOfSheet)
      .map((step) => ({ ...objectName(step), restores: notices.restores(step) })),
    replaced: told
      .filter((step) => isReplaced(step) && !(step.op === "replace" && notices.leaves(step)))
      .map(objectName),
  };
}

/** Takes values that the shop already has as the old ones. */
function withDone(step: Step, notices: StepNotices): Step {
  const names = new Set(notices.changes(step)?.done.map(topOf));
  const done = Object.entries(step.inputs).filter(([name]) => names.has(name));
  return done.length === 0 ? step : { ...step, olds: { ...step.olds, ...Object.fromEntries(done) } };
}

const overwrittenOf = ({ path, is, asked, units }: Overwritten): Overwritten => {
  const values = { path, is, asked };
  return units === undefined ? values : { ...values, units };
};

interface Fact {
  readonly step: Step;
  readonly named: ObjectName;
  readonly effect: Effect;
}
type FactOf<T extends Effect["type"]> = Fact & { readonly effect: Extract<Effect, { type: T }> };

const itemOf = ({ path, item, stock }: Extract<Effect, { type: "loses" | "renames" }>): Item => ({
  list: topOf(path),
  item,
  stock: stock ?? null,
});

function effectsIn(step: Step, notices: StepNotices): readonly Effect[] {
  const told = notices.effects(step);
  if (told !== undefined) return told;
  const definition = stepDefinition(step);
  if (definition === undefined) return [];
  const [olds, args] = [asLists(definition, step.olds), asLists(definition, step.inputs)];
  switch (step.op) {
    case "create":
      return effectsOf(definition, undefined, args);
    case "update":
    case "rename":
    case "adopt":
      return effectsOf(definition, olds, args);
    case "replace":
      return effectsOf(definition, notices.leaves(step) ? undefined : olds, args, true);
    case "delete":
      return notices.leaves(step) ? [] : effectsOf(definition, olds, undefined);
    case "same":
    case "import":
    case "read":
    case "refresh":
    case "create-replacement":
    case "delete-replaced":
      return [];
  }
}

/** The key of an item, and the title of a price of another kind. */
function itemIn(path: string): string | undefined {
  const [, item, , title] = pathIn(path);
  return title === undefined ? item : `${item} ${title}`;
}

function pricesOf(facts: readonly FactOf<"price">[]): Impact["prices"] {
  const added = facts.filter(({ effect }) => effect.from === undefined && effect.to !== undefined);
  const all = facts.flatMap(({ named, effect: { path, from, to } }) =>
    from === undefined || to === undefined || from === to
      ? []
      : [{ ...named, item: itemIn(path), from, to, percent: finite(percentOf(from, to)) }],
  );
  return {
    up: movesOf(all.filter(({ from, to }) => to > from)),
    down: movesOf(all.filter(({ from, to }) => to < from)),
    added: added.length,
    addedTo: added.map(({ named }) => named),
    removed: facts.flatMap(({ named, effect: { path, from, to } }) =>
      from === undefined || to !== undefined ? [] : [{ ...named, item: itemIn(path), from }],
    ),
    belowCost: facts.flatMap(({ named, effect: { path, to, cost } }) =>
      to === undefined || cost === undefined || to >= cost
        ? []
        : [{ ...named, item: itemIn(path), price: to, cost }],
    ),
  };
}

const finite = (number: number): number | null => (Number.isFinite(number) ? number : null);
function movesOf(moves: readonly Move[]): Moves | null {
  const [first] = moves;
  if (first === undefined) return null;
  const far = ({ percent }: Move) => (percent === null ? Number.POSITIVE_INFINITY : Math.abs(percent));
  const largest = moves.reduce((most, move) => (far(move) > far(most) ? move : most), first);
  const percents = moves.flatMap(({ percent }) => percent ?? []).toSorted((one, other) => one - other);
  return { count: moves.length, median: medianOf(percents), largest };
}

function medianOf(sorted: readonly number[]): number | null {
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

function discountsOf(
  steps: readonly Step[],
  facts: readonly FactOf<"discount">[],
  conflicts: readonly StandingConflict[],
  today: string,
): Impact["discounts"] {
  const shopOf = shopsOf(steps);
  const staying = conflicts.flatMap((one) => stayingOf(one, shopOf));
  const open = [
    ...facts.flatMap(({ step, named, effect: { to } }) =>
      to?.isOpen ? [{ named, to, shop: shopOf(step) }] : [],
    ),
    ...staying.map(({ named, offer, shop }) => ({ named, to: offer, shop })),
  ];
  const touched = new Set(facts.map(({ step }) => step));
  const standing: readonly ActiveDiscount[] = [
    ...open.map(({ to, ...one }) => ({ ...one, offer: to, isTouched: true })),
    ...steps.flatMap((step) => (touched.has(step) ? [] : offerIn(step, shopOf))),
  ];
  return {
    created: facts.flatMap(({ named, effect: { from, to } }) =>
      from === undefined && to !== undefined ? [named] : [],
    ),
    changed: facts.flatMap(({ named, effect: { from, to } }) =>
      from !== undefined && to !== undefined ? [named] : [],
    ),
    staying: staying.map(({ named }) => named),
    deepest: deepestOf(open),
    deepestPercent: deepestOf(open.filter(({ to }) => to.isPercent)),
    overlap: largestOf(
      [...Map.groupBy(standing, ({ shop }) => shop).values()].flatMap((all) => overlapOf(all, today) ?? []),
    ),
  };
}

const largestOf = (found: readonly Overlap[]): Overlap | null =>
  found.toSorted((one, other) => other.offers.length - one.offers.length)[0] ?? null;

/** The shop of each step: the one that its state names, or else that of its provider. */
function shopsOf(steps: readonly Step[]) {
  const shopIn = ({ olds }: Partial<Step>) => shopMarkIn(olds ?? {});
  const known = new Map(
    steps.flatMap((step) => {
      const mark = shopIn(step);
      return mark === undefined ? [] : [[step.provider, mark] as const];
    }),
  );
  return (step: Partial<Step>) => shopIn(step) ?? known.get(step.provider) ?? step.provider ?? "";
}
type ShopOf = ReturnType<typeof shopsOf>;

function deepestOf(
  open: readonly { readonly named: ObjectName; readonly to: Offer }[],
): Impact["discounts"]["deepest"] {
  const [first, ...rest] = open;
  if (first === undefined) return null;
  const { named, to } = rest.reduce((most, one) => (one.to.depth > most.to.depth ? one : most), first);
  return { ...named, amount: to.amount, isPercent: to.isPercent, depth: to.depth };
}

type StandingConflict = Pick<Conflict, "kind" | "name" | "title" | "live" | "provider">;

/** The discount of a conflict stays active as the shop has it. */
function stayingOf(
  { kind, name, title, live, ...more }: StandingConflict,
  shopOf: ShopOf,
): readonly ActiveDiscount[] {
  const definition = definitionOf(kind);
  const offer = definition === undefined ? undefined : offerOf(definition.fields, live);
  return offer?.isOpen ? [{ named: { kind, name, title }, offer, isTouched: true, shop: shopOf(more) }] : [];
}

// An unchanged discount is active as before.
function offerIn(step: Step, shopOf: ShopOf): readonly ActiveDiscount[] {
  const definition = stepDefinition(step);
  if (definition === undefined || step.op === "delete") return [];
  const offer = offerOf(definition.fields, step.olds);
  return offer?.isOpen ? [{ named: objectName(step), offer, isTouched: false, shop: shopOf(step) }] : [];
}

function pagesOf(facts: readonly FactOf<"page">[]): Impact["pages"] {
  const namesOf = (isOne: (fact: FactOf<"page">) => boolean) => facts.filter(isOne).map(({ named }) => named);
  return {
    created: namesOf(({ step }) => step.op === "create"),
    changed: namesOf(({ step, effect }) => !effect.isEmptied && step.op !== "create" && step.op !== "delete"),
    emptied: namesOf(({ effect }) => effect.isEmptied),
  };
}

/** A discount after the plan. */
interface ActiveDiscount {
  readonly named: ObjectName;
  readonly offer: Offer;
  /** Whether the plan creates or changes it. */
  readonly isTouched: boolean;
  readonly shop: string;
}

export interface Overlap {
  readonly offers: readonly (ObjectName & Pick<Offer, "amount" | "isPercent">)[];
  /** The first and the last day, YYYY-MM-DD; null if it has begun already, or has no end. */
  readonly from: string | null;
  readonly until: string | null;
}

/**
 * The largest number of a shop's discounts that are active on one day, at least one of them changed by the plan; null
 * without an overlap.
 */
function overlapOf(standing: readonly ActiveDiscount[], today: string): Overlap | null {
  const days = [...new Set([today, ...standing.map(({ offer }) => offer.starts ?? today)])].filter(
    (day) => day >= today,
  );
  const goodOn = (day: string) =>
    standing.filter(({ offer }) => (offer.starts ?? day) <= day && (offer.ends ?? day) >= day);
  const candidates = days
    .map((day) => ({ day, good: goodOn(day) }))
    .filter(({ good }) => good.some(({ isTouched }) => isTouched));
  const [most] = candidates.toSorted((one, other) => other.good.length - one.good.length);
  if (most === undefined || most.good.length < 2) return null;
  // A report names only the first few: those that the plan changes, the deepest first.
  const offers = most.good.toSorted(
    (one, other) => Number(other.isTouched) - Number(one.isTouched) || other.offer.depth - one.offer.depth,
  );
  const ends = most.good.flatMap(({ offer }) => offer.ends ?? []).toSorted();
  return {
    offers: offers.map(({ named, offer: { amount, isPercent } }) => ({ ...named, amount, isPercent })),
    from: most.day === today ? null : most.day,
    until: ends[0] ?? null,
  };
}
