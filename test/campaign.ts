/**
 * How much of what starts many processes is run. `npm test` runs a small part of each, so that it is run before every
 * commit; `npm run campaign` runs all of it (scripts/campaign.ts). This is the one place that reads which of the two it is.
 */
import { test } from "vitest";

/** Whether everything runs at full size. */
export const full = process.env.PULUMI_SHOP_CAMPAIGN === "full";

/** A test of the campaign: `npm test` counts it as skipped. */
export const campaignTest = test.runIf(full);

/** All of a list in the campaign, else the part that `npm test` runs. */
export const partOf = <T>(all: readonly T[], part: readonly NoInfer<T>[]): readonly T[] =>
  full ? all : part;
