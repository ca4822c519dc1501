/**
 * Selects how much of tests with many processes runs. `npm test` runs a small part, so that it can run before every
 * commit: of the commands' stories each promise once, without the rarer orders of kills, links, accepts and runs.
 * `npm run campaign` runs everything every night. Files only for the campaign end in .campaign.ts.
 */
import { test } from "vitest";
import { full } from "./size.ts";

export { full } from "./size.ts";

const leaveOut = (): void => {};

/** A test for the campaign only; `npm test` doesn't count it. */
export const campaignTest: typeof test = full
  ? test
  : (Object.assign(leaveOut, {
      each: () => leaveOut,
      runIf: () => leaveOut,
      skipIf: () => leaveOut,
    }) as unknown as typeof test);

/** The whole list in the campaign, otherwise the part for `npm test`. */
export const partOf = <T>(all: readonly T[], part: readonly NoInfer<T>[]): readonly T[] =>
  full ? all : part;
