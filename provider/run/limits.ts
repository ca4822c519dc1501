/**
 * What a stack's file says of how far a run may go: `shop:protected` and the limits beside it. Each holds by itself, on
 * any stack; none permits what another refuses.
 */
import { countOf, flagOf, percentageOf, type Sources, wordOf } from "../settings/settings.ts";

export interface Limits {
  /** Nothing is deleted, replaced, hidden from shoppers or emptied. */
  readonly isProtected: boolean;
  /** Percent that a price may move, up or down. */
  readonly maxPriceChange: number | undefined;
  /** Percent of an order that a new or a changed discount may take. */
  readonly maxDiscount: number | undefined;
  /** Objects that one run may delete, and replace. */
  readonly maxDeletes: number | undefined;
  readonly maxReplacements: number | undefined;
  /** Whether nothing may be sold for less than it cost. */
  readonly refusesBelowCost: boolean;
}

/** The limits of a stack in one run. */
export interface Guard extends Limits {
  /** Whether whoever plans looks at the whole plan: a diff then refuses nothing, so that the list gets whole. */
  readonly isPlanned: boolean;
  /** What a person permits: objects as `Kind:id`, resources by name. */
  readonly allowed: ReadonlySet<string>;
}

/**
 * The limits of a stack: its configuration, else the environment.
 * @throws Error where a setting can't be read
 */
export const limitsOf = (sources: Pick<Sources, "config" | "env">): Limits => ({
  isProtected: flagOf(sources, "protected"),
  maxPriceChange: percentageOf(sources, "maxPriceChange"),
  maxDiscount: percentageOf(sources, "maxDiscount"),
  maxDeletes: countOf(sources, "maxDeletes"),
  maxReplacements: countOf(sources, "maxReplacements"),
  refusesBelowCost: wordOf(sources, "belowCost") === "refuse",
});

/** Whether any of them could refuse anything. */
export const isLimiting = (limits: Limits): boolean =>
  Object.values(limits).some((limit) => limit !== undefined && limit !== false);
