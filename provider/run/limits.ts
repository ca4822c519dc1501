/**
 * What a stack's file says of how far a run may go: `shop:protected` and the limits beside it. Each holds by itself, on
 * any stack; none permits what another refuses.
 */
import type { Sources } from "../client/connection.ts";

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
export function limitsOf(sources: Pick<Sources, "config" | "env">): Limits {
  const text = (key: string, variable: string) =>
    sources.config?.(`shop:${key}`) ?? sources.env[variable] ?? "";
  const isProtected = text("protected", "SHOP_PROTECTED");
  if (!["", "true", "false"].includes(isProtected))
    throw new Error(`shop:protected must be true or false, got ${JSON.stringify(isProtected)}`);
  const belowCost = text("belowCost", "SHOP_BELOW_COST");
  if (!["", "refuse", "allow"].includes(belowCost))
    throw new Error(`shop:belowCost must be refuse or allow, got ${JSON.stringify(belowCost)}`);
  return {
    isProtected: isProtected === "true",
    maxPriceChange: percent("maxPriceChange", text("maxPriceChange", "SHOP_MAX_PRICE_CHANGE")),
    maxDiscount: percent("maxDiscount", text("maxDiscount", "SHOP_MAX_DISCOUNT")),
    maxDeletes: count("maxDeletes", text("maxDeletes", "SHOP_MAX_DELETES")),
    maxReplacements: count("maxReplacements", text("maxReplacements", "SHOP_MAX_REPLACEMENTS")),
    refusesBelowCost: belowCost === "refuse",
  };
}

function percent(key: string, text: string): number | undefined {
  if (text === "") return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new Error(`shop:${key} must be a percentage such as 20, got ${JSON.stringify(text)}`);
}

function count(key: string, text: string): number | undefined {
  if (text === "") return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  throw new Error(`shop:${key} must be an integer of at least 0, such as 5, got ${JSON.stringify(text)}`);
}

/** Whether any of them could refuse anything. */
export const isLimiting = (limits: Limits): boolean =>
  Object.values(limits).some((limit) => limit !== undefined && limit !== false);
