/** The effects of a change on the shop's business, found by the roles of fields (definition/field.ts). */

import { bodyDiffers, hashIn, wantsBlank } from "../body/arguments.ts";
import { itemName, type Pairs, pairItems } from "../change/compare.ts";
import {
  type Definition,
  type Field,
  type Fields,
  fieldOf,
  type Items,
  type Role,
} from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { hidden, isUnknownValue, unknownValue } from "../wire/text.ts";
import { listOf, valuesOf } from "../wire/values.ts";

export interface Offer {
  /** The sum or the percentage. */
  readonly amount: number;
  readonly isPercent: boolean;
  /** Percent of the smallest order that it applies to; 100 for a sum that applies to any order. */
  readonly depth: number;
  /** Whether shoppers may use it. */
  readonly isOpen: boolean;
  /** The first and the last day, YYYY-MM-DD. */
  readonly starts: string | undefined;
  readonly ends: string | undefined;
}

/** Paths name items by their keys: `variants[MUG-R].price`. */
export type Effect =
  | {
      readonly type: "price";
      readonly role: "price" | "charge" | "monthly-charge";
      readonly path: string;
      /** Undefined if there was no price. */
      readonly from: number | undefined;
      /** Undefined if there is none any more. */
      readonly to: number | undefined;
      /** The cost price after the change. */
      readonly cost: number | undefined;
      readonly costBefore: number | undefined;
    }
  /** All prices of the object change, although no number does. */
  | { readonly type: "currency"; readonly path: string; readonly from: string; readonly to: string }
  | { readonly type: "hides" | "shows"; readonly path: string }
  /** An item is deleted, with its stock. */
  | {
      readonly type: "loses";
      readonly path: string;
      readonly item: string;
      readonly stock: number | undefined;
    }
  /** An item gets another key and keeps its stock. */
  | {
      readonly type: "renames";
      readonly path: string;
      readonly item: string;
      readonly to: string;
      readonly stock: number | undefined;
    }
  | {
      readonly type: "discount";
      readonly path: string;
      readonly from: Offer | undefined;
      readonly to: Offer | undefined;
    }
  | { readonly type: "page"; readonly path: string; readonly isEmptied: boolean };

const prices = ["price", "charge", "monthly-charge"] as const;

interface Sides {
  readonly before: Values | undefined;
  readonly args: Values | undefined;
  /** Values that stay if the program doesn't set them; undefined for a replacement. */
  readonly kept: Values | undefined;
}

/**
 * The effects of a change on an object.
 * @param before the object now; undefined if it is new
 * @param args the program's arguments; undefined if it is deleted
 * @param isReplaced whether a new object replaces it; otherwise values that the program doesn't set stay
 */
export function effectsOf(
  definition: Definition,
  before: Values | undefined,
  args: Values | undefined,
  isReplaced = false,
): readonly Effect[] {
  const { fields } = definition;
  const kept = isReplaced ? undefined : before;
  const sides = { before, args, kept };
  return [
    ...currencyEffects(fields, sides),
    ...fieldEffects(fields, sides, ""),
    ...offerEffects(fields, sides),
    ...pageEffects(definition, before, args),
  ];
}

function currencyEffects(fields: Fields, { before, args }: Sides): readonly Effect[] {
  const [path = ""] = fieldOf(fields, "currency") ?? [];
  const [from, to] = [textOf(before?.[path]), textOf(args?.[path])];
  const isKnown = (text: string | undefined): text is string =>
    text !== undefined && text !== "" && text !== unknownValue && text !== hidden;
  return isKnown(from) && isKnown(to) && from !== to ? [{ type: "currency", path, from, to }] : [];
}

interface ValueSides {
  readonly path: string;
  readonly old: unknown;
  readonly next: unknown;
}

function fieldEffects(fields: Fields, sides: Sides, above: string): readonly Effect[] {
  const { before, args, kept } = sides;
  return Object.entries(fields).flatMap(([name, field]): readonly Effect[] => {
    const path = above + name;
    const [old, next] = [before?.[name], args === undefined ? undefined : (args[name] ?? kept?.[name])];
    // The command can't see secrets: the provider checks these.
    if (next === unknownValue || holdsHidden(old) || holdsHidden(next)) return [];
    // The argument from which the shop makes them tells their effects.
    if (field.hasArgument) return [];
    if (field.items?.fields !== undefined) return itemEffects(field, { path, old, next }, sides);
    // A new object was never visible.
    if (field.role === "hides" && before !== undefined && args !== undefined) {
      if ((next === true) === (old === true)) return [];
      return [{ type: next === true ? "hides" : "shows", path }];
    }
    const role = prices.find((one) => one === field.role);
    if (role === undefined) return [];
    const own = { role, isNeeded: field.needed === true };
    if (field.each === undefined) return priceEffects(fields, own, sides, { path, old, next: args?.[name] });
    const [were, are] = [valuesOf(old), valuesOf(args?.[name])];
    return Object.keys({ ...were, ...are }).flatMap((title) =>
      priceEffects(fields, own, sides, { path: `${path}[${title}]`, old: were[title], next: are[title] }),
    );
  });
}

const holdsHidden = (value: unknown): boolean =>
  value === hidden ||
  (Array.isArray(value) &&
    value.some(
      (item: unknown) => typeof item === "object" && item !== null && Object.values(item).includes(hidden),
    ));

function itemEffects(
  { items }: Field,
  { path, old, next }: ValueSides,
  { args, kept }: Sides,
): readonly Effect[] {
  if (items?.fields === undefined || args === undefined) return [];
  const { fields } = items;
  const { pairs, gone } = pairItems(items, listOf(next), listOf(old));
  const nameOf = (item: Values, index: number) => `${path}[${itemName(items, item, index)}]`;
  const stays = (was: Values | undefined) => (kept === undefined ? undefined : was);
  return [
    ...pairs.flatMap(([item, was], index) =>
      isUnknownValue(item)
        ? []
        : fieldEffects(fields, { before: was, args: item, kept: stays(was) }, `${nameOf(item, index)}.`),
    ),
    ...(kept === undefined ? [] : pairs.flatMap((one) => renamed(items, one, path))),
    ...gone.map(
      (item, index): Effect => ({
        type: "loses",
        path: nameOf(item, index),
        item: itemName(items, item, index),
        stock: stockOf(fields, item),
      }),
    ),
  ];
}

function renamed(items: Items, [item, was]: Pairs["pairs"][number], path: string): readonly Effect[] {
  const { key = "", fields = {} } = items;
  const [from, to] = [was?.[key], item[key]];
  const isSet = (name: unknown) => typeof name === "string" && name !== "" && name !== unknownValue;
  if (was === undefined || !isSet(from) || !isSet(to) || from === to) return [];
  const [own, next] = [stockOf(fields, was), stockOf(fields, { ...was, ...stated(item) })];
  // Stock that the program sets isn't kept.
  const stock = own === next ? own : undefined;
  return [{ type: "renames", path: `${path}[${from}]`, item: String(from), to: String(to), stock }];
}

function stockOf(fields: Fields, item: Values): number | undefined {
  const [name = ""] = fieldOf(fields, "stock") ?? [];
  return numberOf(item[name]);
}

interface PriceField {
  readonly role: (typeof prices)[number];
  /** Whether an object has one always. */
  readonly isNeeded: boolean;
}

function priceEffects(
  fields: Fields,
  { role, isNeeded }: PriceField,
  { before, args, kept }: Sides,
  { path, old, next }: ValueSides,
): readonly Effect[] {
  if ([old, next].some((value) => value === unknownValue || value === hidden)) return [];
  const from = numberOf(old);
  const asked = next ?? (kept === undefined ? undefined : old);
  // Where there is always a price, an empty one is none to pay.
  const to = args === undefined ? undefined : numberOf(isNeeded && asked === "" ? 0 : asked);
  const [cost = ""] = fieldOf(fields, "cost") ?? [];
  const costBefore = numberOf(before?.[cost]);
  const costs = numberOf(args?.[cost] ?? kept?.[cost]);
  if (from === to && costBefore === costs) return [];
  return [{ type: "price", role, path, from, to, cost: costs, costBefore }];
}

function offerEffects(fields: Fields, { before, args, kept }: Sides): readonly Effect[] {
  const [name] = fieldOf(fields, "discount") ?? [];
  if (name === undefined) return [];
  const from = before === undefined ? undefined : offerOf(fields, before);
  const to = args === undefined ? undefined : offerOf(fields, { ...kept, ...stated(args) });
  if (JSON.stringify(from) === JSON.stringify(to)) return [];
  return [{ type: "discount", path: name, from, to }];
}

const stated = (args: Values): Values =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));

/** The discount of an object; undefined if it isn't known, or a secret. */
export function offerOf(fields: Fields, values: Values): Offer | undefined {
  const valueIn = (role: Role) => {
    const [name] = fieldOf(fields, role) ?? [];
    return name === undefined ? undefined : values[name];
  };
  const amount = numberOf(valueIn("discount"));
  const isOpenQuestion = (["unit", "smallest-order", "hides"] as const).some((role) =>
    [unknownValue, hidden].includes(String(valueIn(role))),
  );
  if (amount === undefined || isOpenQuestion) return undefined;
  const unit = fieldOf(fields, "unit")?.[1];
  const isPercent = unit === undefined || numberOf(valueIn("unit")) === unit.percent;
  const smallest = numberOf(valueIn("smallest-order")) ?? 0;
  const depth = isPercent ? amount : amount === 0 ? 0 : smallest > 0 ? (amount / smallest) * 100 : 100;
  return {
    amount,
    isPercent,
    depth: Math.min(100, depth),
    isOpen: valueIn("hides") !== true,
    starts: textOf(valueIn("starts")),
    ends: textOf(valueIn("ends")),
  };
}

function pageEffects(
  definition: Definition,
  before: Values | undefined,
  args: Values | undefined,
): readonly Effect[] {
  const [path] = fieldOf(definition.fields, "page") ?? [];
  if (path === undefined) return [];
  if (args === undefined) return [{ type: "page", path, isEmptied: false }];
  if (before !== undefined && !bodyDiffers(definition, before, args)) return [];
  const hadText = before !== undefined && hashIn(before) !== emptySha256;
  return [{ type: "page", path, isEmptied: wantsBlank(args) && hadText }];
}

const emptySha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

function numberOf(value: unknown): number | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" && value !== unknownValue && value !== hidden ? value : undefined;
