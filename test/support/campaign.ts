/**
 * How much of what starts many processes is run. `npm test` runs a small part of each, so that it is run before every
 * commit; `npm run campaign` runs all of it (scripts/campaign.ts). Files that are the campaign's
 * alone end in .campaign.ts.
 */
import { test } from "vitest";
import { full } from "./size.ts";

export { full } from "./size.ts";

const leaveOut = (): void => {};

/** A test of the campaign; `npm test` doesn't have it, and counts it nowhere. */
export const campaignTest: typeof test = full
  ? test
  : (Object.assign(leaveOut, { each: () => leaveOut }) as unknown as typeof test);

/** All of a list in the campaign, else the part that `npm test` runs. */
export const partOf = <T>(all: readonly T[], part: readonly NoInfer<T>[]): readonly T[] =>
  full ? all : part;
