/** Discounts that are good on the same day: shoppers may add them up, or pick the deepest. */
import type { Offer } from "../../provider/inventory/index.ts";
import type { ObjectName } from "./object-names.ts";

/** A discount as it is after the plan. */
export interface ActiveDiscount {
  readonly named: ObjectName;
  readonly offer: Offer;
  /** Whether the plan makes or changes it. */
  readonly isTouched: boolean;
}

export interface Overlap {
  readonly offers: readonly (ObjectName & Pick<Offer, "amount" | "isPercent">)[];
  /** The first and the last day of it, YYYY-MM-DD; null where it has begun already, or none of them ends. */
  readonly from: string | null;
  readonly until: string | null;
}

/** The most discounts that are good on one day, one that the plan touches among them; null where that is one. */
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
  // Those that the plan touches are what the reader came for.
  const offers = most.good.toSorted((one, other) => Number(other.isTouched) - Number(one.isTouched));
  const ends = most.good.flatMap(({ offer }) => offer.ends ?? []).toSorted();
  return {
    offers: offers.map(({ named, offer: { amount, isPercent } }) => ({ ...named, amount, isPercent })),
    from: most.day === today ? null : most.day,
    until: ends[0] ?? null,
  };
}
