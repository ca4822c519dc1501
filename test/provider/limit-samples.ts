/** Limits of a stack for tests: none, but those that are named. */
import type { Guard } from "../../provider/context/limits.ts";

export const noLimits = {
  isProtected: false,
  maxPriceChange: undefined,
  maxDiscount: undefined,
  maxDeletes: undefined,
  maxReplacements: undefined,
  refusesBelowCost: false,
};

export const guardOf = (more: Partial<Guard>): Guard => ({
  ...noLimits,
  isPlanned: false,
  allowed: new Set(),
  ...more,
});
