/** Discounts that are active on the same day: shoppers may combine them, or pick the largest. */
import type { Offer } from "../../provider/inventory/index.ts";
import type { ObjectName } from "./object-names.ts";

/** A discount after the plan. */
export interface ActiveDiscount {
  readonly named: ObjectName;
  readonly offer: Offer;
  /** Whether the plan creates or changes it. */
  readonly isTouched: boolean;
}

export interface Overlap {
  readonly offers: readonly (ObjectName & Pick<Offer, "amount" | "isPercent">)[];
  /** The first and the last day, YYYY-MM-DD; null if it has begun already, or has no end. */
  readonly from: string | null;
  readonly until: string | null;
}

/**
 * The largest number of discounts that are active on one day, at least one of them changed by the plan; null
 * without an overlap.
 */
export function overlapOf(standing: readonly ActiveDiscount[], today: string): Overlap | null {
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
  // Discounts that the plan changes come first.
  const offers = most.good.toSorted((one, other) => Number(other.isTouched) - Number(one.isTouched));
  const ends = most.good.flatMap(({ offer }) => offer.ends ?? []).toSorted();
  return {
    offers: offers.map(({ named, offer: { amount, isPercent } }) => ({ ...named, amount, isPercent })),
    from: most.day === today ? null : most.day,
    until: ends[0] ?? null,
  };
}
